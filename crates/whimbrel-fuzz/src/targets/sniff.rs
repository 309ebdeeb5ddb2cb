//! What a body is, by type and first bytes (MIME Sniffing). Laws: only the first bytes count; the same each time.

use crate::target::{Target, answer, arguments, text, texts};
use whimbrel_page::sniff::{SNIFF_BYTES, sniff};

pub(super) const TARGET: Target = Target {
    name: "sniff",
    run,
    seeds: || {
        let mut seeds = texts(&[
            "text/html\x1f<html>",
            "\x1f  <!DOCTYPE HTML>",
            "text/plain\x1f%PDF-1.4",
            "application/octet-stream\x1fRIFF\0\0\0\0WEBPVP8 ",
            "unknown/unknown\x1f<?xml",
            "text/plain; charset=utf-16\x1fh\0i\0",
        ]);
        seeds.push(b"image/png\x1f\x89PNG\r\n\x1a\n".to_vec());
        seeds.push(b"text/plain\x1f\x1f\x8b\x08\0\0\0\0\0\x02\xff".to_vec());
        seeds
    },
    tokens: &[
        "text/html",
        "text/plain",
        "*/*",
        "<!--",
        "<script",
        "<body ",
        "GIF89a",
        "PK\u{3}\u{4}",
        "%!PS-Adobe-",
        "\0\0\0\u{18}ftypmp4",
        "OggS\0",
        "ID3",
        "\u{1f}",
    ],
    shared: &[],
    bytes_max: 3000,
    smoke_runs: 3000,
};

fn run(data: &[u8]) -> u64 {
    let [content_type, body] = arguments::<2>(data);
    let content_type = text(content_type);
    let declared = sniff(Some(&content_type), body);
    let undeclared = sniff(None, body);
    assert_eq!(declared, sniff(Some(&content_type), body), "asked again");
    let head = &body[..body.len().min(SNIFF_BYTES)];
    assert_eq!(undeclared, sniff(None, head), "more than the first bytes count");
    answer((declared, undeclared))
}
