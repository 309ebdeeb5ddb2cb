//! Character sets of pages. Laws: one is always found, the same each time; a mark that is skipped is there; what the
//! decoder gives is not longer than the bytes allow.

use crate::target::{Shared, Target, answer, arguments, size, text, texts};
use whimbrel_page::charset::{charset_of, decode, detect, guess, late_prescan, prescan};

pub(super) const TARGET: Target = Target {
    name: "charset",
    run,
    seeds: || {
        let mut seeds = texts(&[
            "text/html; charset=\"koi8-r\"\x1f<meta charset=utf-8>",
            "\x1f<meta http-equiv=content-type content='text/html; charset=shift_jis'>",
            "\x1f<?xml version='1.0' encoding='euc-jp'?>",
            "text/html\x1f<!-- <meta charset=a> --><meta charset = 'x-user-defined'>",
        ]);
        seeds.push(b"\x1f\xff\xfeh\0i\0".to_vec());
        seeds.push(b"\x1f\xef\xbb\xbfhi".to_vec());
        seeds.push(b"\x1f\x1b$B$3$s\x1b(B abc \xe9\xe8\xff".to_vec());
        seeds
    },
    tokens: &[
        "<meta ",
        "charset=",
        "http-equiv=",
        "content=",
        "content-type",
        "text/html;",
        "'",
        "\"",
        ">",
        "<!--",
        "-->",
        "utf-16",
        "utf-7",
        "x-user-defined",
        "iso-2022-jp",
        "gb18030",
        "<?xml ",
        "encoding=",
        "?>",
        "<a/ b='",
        "</title>",
        "\u{1b}$B",
    ],
    shared: &[
        Shared { file: "charset/declared.jsonl", fields: &["content_type", "body_b64"] },
        Shared { file: "charset/undeclared.jsonl", fields: &["content_type", "body_b64"] },
    ],
    bytes_max: 4096,
    smoke_runs: 600,
};

fn run(data: &[u8]) -> u64 {
    let [content_type, body] = arguments::<2>(data);
    let content_type = text(content_type);
    let declared = charset_of(&content_type);
    let (encoding, mark_bytes, source) = detect(body, Some(&content_type), Some("jp"));
    assert!(mark_bytes <= body.len().min(3));
    assert_eq!((encoding, mark_bytes, source), detect(body, Some(&content_type), Some("jp")), "asked again");
    let (decoded, used, _) = decode(body, Some(&content_type), Some("jp"));
    assert_eq!(used, encoding);
    assert!(decoded.len() <= body.len() * 3 + 3, "{} of {}", decoded.len(), body.len());
    let guesses =
        [None, Some("ru"), Some("gr"), Some("xn--p1ai"), Some("")].map(|tld| guess(body, tld).name());
    answer((
        encoding.name(),
        source,
        declared.map(|encoding| encoding.name()),
        prescan(body).map(|encoding| encoding.name()),
        late_prescan(body).map(|encoding| encoding.name()),
        guesses,
        size(decoded.len()),
    ))
}
