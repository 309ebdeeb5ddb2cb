//! Media types and patterns of them. Laws: the essence is part of the field, without blanks around; a pattern that is
//! written reads again and matches the same.

use crate::target::{Shared, Target, answer, arguments, size, text, texts};
use whimbrel_page::charset::charset_of;
use whimbrel_page::media_type::MediaType;
use whimbrel_url::media::essence;
use whimbrel_url::{MediaPattern, is_page_type};

pub(super) const TARGET: Target = Target {
    name: "content_type",
    run,
    seeds: || {
        texts(&[
            "text/html\x1ftext/html; charset=utf-8",
            "image/*\x1fIMAGE/PNG",
            "*\x1f",
            "pdf\x1fapplication/pdf;x=\"a;b\\\"c\"",
        ])
    },
    tokens: &[
        "text/",
        "image/*",
        "*/*",
        ";",
        "charset=",
        "\"",
        "\\",
        "/",
        " ",
        "application/xhtml+xml",
        "+xml",
        "multipart/x; boundary=",
    ],
    shared: &[Shared { file: "charset/content_type.jsonl", fields: &["none", "input"] }],
    bytes_max: 512,
    smoke_runs: 3000,
};

fn run(data: &[u8]) -> u64 {
    let [pattern, field] = arguments::<2>(data);
    let (pattern, field) = (text(pattern), text(field));
    let found = essence(&field);
    assert!(field.contains(found) && found.trim() == found, "{found:?}");
    let media_type = MediaType::parse(&field).map(|media_type| {
        let again = MediaType::parse(media_type.essence()).expect("an essence is a type");
        assert_eq!(again.essence(), media_type.essence(), "parsed again");
        let whole = format!("{}/{}", media_type.kind(), media_type.subtype());
        assert_eq!(whole, media_type.essence());
        (
            size(whole.len()),
            media_type.parameter("charset").map(|value| size(value.len())),
            media_type.is_xml(),
        )
    });
    let matched = pattern.parse::<MediaPattern>().ok().map(|pattern| {
        let again: MediaPattern = pattern.to_string().parse().expect("a written pattern is one");
        assert_eq!(pattern.matches(&field), again.matches(&field), "written and read again");
        (pattern.matches(&field), size(pattern.extensions().count()))
    });
    answer((
        media_type,
        is_page_type(&field),
        size(found.len()),
        matched,
        charset_of(&field).map(|encoding| encoding.name()),
    ))
}
