//! Structured data in scripts. Laws: those of a page; and what is inside the script is never taken for text.

use super::html_page::parse_bounded;
use crate::target::{Target, answer, size, texts};

pub(super) const TARGET: Target = Target {
    name: "json_ld",
    run,
    seeds: || {
        texts(&[
            r#"{"@context":"https://schema.org","@type":"NewsArticle","headline":"H","datePublished":"2024-01-02T03:04:05Z","dateModified":"2024-02-03","author":{"@type":"Person","name":"A. Writer"}}"#,
            r#"{"@graph":[{"@type":["WebPage","Article"],"author":[{"name":"One"},{"name":"Two"}],"datePublished":1700000000}]}"#,
            r#"[[[[{"@type":"BlogPosting","author":"Plain \u00e9 \ud83d\ude00 \ud800"}]]]]"#,
            "<!-- {\"@type\":\"Article\", } // comment\n -->",
        ])
    },
    tokens: &[
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\\u0000",
        "\\ud800",
        "\"@type\":\"Article\"",
        "\"author\":",
        "\"name\":",
        "\"datePublished\":",
        "\"dateModified\":",
        "\"@graph\":[",
        "null",
        "true",
        "1e999",
        "\\",
        "</script>",
        "<!--",
        "\"headline\":",
    ],
    shared: &[],
    bytes_max: 4096,
    smoke_runs: 600,
};

fn run(data: &[u8]) -> u64 {
    let page = [
        b"<html><head><title>T</title><script type='application/ld+json'>",
        data,
        b"</script></head><body><p>visible words only".as_slice(),
    ]
    .concat();
    let parsed = parse_bounded(Some("text/html; charset=utf-8"), &page);
    let content = &parsed.content;
    let quoted = data.windows(8).any(|window| window.eq_ignore_ascii_case(b"</script"))
        || data.windows(4).any(|window| window == b"<!--");
    if !quoted {
        assert!(!content.text.contains("datePublished"), "script taken for text: {:?}", content.text);
    }
    let author = content.author.as_deref().unwrap_or_default();
    assert!(author.len() <= 4096, "an author of {} bytes", author.len());
    answer((
        size(author.len()),
        content.published.map(|at| at.0 % 97),
        content.modified.map(|at| at.0 % 97),
        size(content.text.len()),
    ))
}
