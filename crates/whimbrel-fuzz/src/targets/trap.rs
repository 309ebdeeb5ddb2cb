//! Patterns of URLs that never end. Laws: a URL is covered by its own pattern; a pattern that was written reads again.

use crate::target::{Shared, Target, answer, arguments, size, text, texts};
use whimbrel_url::trap::has_fresh_session;
use whimbrel_url::{UrlPattern, UrlRules, normalize};

pub(super) const TARGET: Target = Target {
    name: "trap",
    run,
    seeds: || {
        texts(&[
            "http://a.test/calendar/2024/05/?day=3\x1fhttp://a.test/calendar/2024/06/",
            "http://a.test/a/b/a/b/a/b/a/b\x1fhttp://a.test/a/b",
            "http://a.test/x?PHPSESSID=0123456789abcdef0123456789abcdef&p=1\x1fhttp://a.test/x;jsessionid=ABCDEF0123456789",
            "http://a.test/cgi-bin/x.pl?a=1&a=2&a=3\x1fhttp://a.test/?page=99999999999999",
        ])
    },
    tokens: &[
        "/2024/",
        "/05",
        "?page=1",
        "&",
        "PHPSESSID=",
        ";jsessionid=",
        "0123456789abcdef",
        "/a/b",
        "cgi-bin",
        "-",
        "%2F",
        "/index.php/",
    ],
    shared: &[Shared { file: "url/normalize_pairs.jsonl", fields: &["a", "b"] }],
    bytes_max: 1024,
    smoke_runs: 2000,
};

fn run(data: &[u8]) -> u64 {
    let [one, two] = arguments::<2>(data);
    let (Ok(one), Ok(two)) = (normalize(&text(one)), normalize(&text(two))) else { return 0 };
    let pattern = UrlPattern::of(&one);
    let (with_month, month) = UrlPattern::with_month(&one);
    assert!(pattern.covers(&one, &pattern), "{} does not cover {one}", pattern.as_str());
    assert!(pattern.as_str().len() <= one.as_str().len() * 4 + 64, "{}", pattern.as_str());
    let fresh = has_fresh_session(&one, &two);
    let admitted = UrlRules::default().admit(&one, 3).map_err(|reason| format!("{reason:?}"));
    answer((
        pattern.is_variable(),
        pattern.is_calendar(),
        pattern == with_month,
        month.is_some(),
        fresh,
        admitted,
        pattern == UrlPattern::of(&two),
        size(pattern.as_str().len()),
    ))
}
