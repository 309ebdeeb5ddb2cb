//! `<meta http-equiv=refresh>`. Law: a URL that is found is part of the text.

use crate::target::{Shared, Target, answer, size, text, texts};
use whimbrel_page::parse_refresh;

pub(super) const TARGET: Target = Target {
    name: "meta_refresh",
    run,
    seeds: || {
        texts(&[
            "0;url=http://a.test/",
            "5",
            "0.5; URL = 'x y'",
            "1,\"http://b.test/",
            ";url=a",
            "99999999999;u",
        ])
    },
    tokens: &["url=", "URL", "=", ";", ",", "'", "\"", " ", ".", "0", "9"],
    shared: &[Shared { file: "html/meta_refresh.jsonl", fields: &["content"] }],
    bytes_max: 512,
    smoke_runs: 5000,
};

fn run(data: &[u8]) -> u64 {
    let content = text(data);
    let refresh = parse_refresh(&content);
    if let Some(url) = refresh.as_ref().and_then(|refresh| refresh.url) {
        assert!(content.contains(url));
    }
    answer(refresh.map(|refresh| (size(refresh.seconds as usize), refresh.url.map(|url| size(url.len())))))
}
