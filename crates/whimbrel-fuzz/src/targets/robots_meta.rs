//! `<meta name=robots>` and `X-Robots-Tag`. Laws: `none` is `noindex` and `nofollow`; what is said to another agent does
//! not touch us.

use crate::target::{Shared, Target, answer, arguments, text, texts};
use whimbrel_page::robots_meta::{from_header, from_meta};
use whimbrel_types::MetaRobots;

pub(super) const TARGET: Target = Target {
    name: "robots_meta",
    run,
    seeds: || {
        texts(&[
            "robots\x1fnoindex, nofollow",
            "whimbrel\x1fnone, unavailable_after: 25 Jun 2026 15:00:00 PST",
            "otherbot\x1fnosnippet;noarchive, max-snippet:-1",
            "robots\x1fwhimbrel: noindex, otherbot: nofollow, unavailable_after: 2020-01-01",
        ])
    },
    tokens: &[
        "noindex",
        "nofollow",
        "none",
        "all",
        "noarchive",
        "nosnippet",
        "unavailable_after:",
        "whimbrel:",
        "otherbot: ",
        ",",
        ";",
        ":",
        " ",
        "max-snippet:0",
        "2024-01-01",
    ],
    shared: &[Shared { file: "html/robots_meta.jsonl", fields: &["none", "headers"] }],
    bytes_max: 512,
    smoke_runs: 5000,
};

fn run(data: &[u8]) -> u64 {
    let [name, content] = arguments::<2>(data);
    let (name, content) = (text(name), text(content));
    let meta = from_meta(&name, &content, "whimbrel");
    let header = from_header(&content, "whimbrel");
    let other = from_header(&format!("otherbot: {content}"), "whimbrel");
    // A comma ends what an agent's name applies to no more than a space does; a second name may be ours.
    if !content.to_ascii_lowercase().contains("whimbrel") && !content.contains([':', ',', ';']) {
        assert_eq!(other, MetaRobots::default(), "{content:?}");
    }
    if content.trim().eq_ignore_ascii_case("none") {
        assert!(header.noindex && header.nofollow);
    }
    answer((flags(&meta), flags(&header), flags(&other)))
}

fn flags(robots: &MetaRobots) -> (bool, bool, bool, bool, bool) {
    (robots.noindex, robots.nofollow, robots.noarchive, robots.nosnippet, robots.unavailable_after.is_some())
}
