use super::{SniffedType, sniff};

const PNG: &[u8] = b"\x89PNG\r\n\x1A\n\x00\x00\x00\x0DIHDR";

#[test]
fn declared_types_are_believed() {
    for (content_type, head, expected) in [
        ("text/html", &b"plain words"[..], SniffedType::Html),
        ("text/html; charset=utf-16", b"<\0p\0>\0a\0b\0c\0d\0e\0f\0g\0h\0", SniffedType::Html),
        ("application/xhtml+xml", b"<?xml version='1.0'?><html>", SniffedType::Html),
        ("text/plain", b"<html><p>shown as source", SniffedType::Text),
        ("text/plain; charset=koi8-r", b"\x01 one stray byte", SniffedType::Text),
        ("text/css", b"a{}", SniffedType::Text),
        ("application/rss+xml", b"<rss>", SniffedType::Xml),
        ("image/svg+xml", b"<svg>", SniffedType::Xml),
        ("image/png", b"anything", SniffedType::Image),
        ("video/mp4", b"", SniffedType::Media),
        ("font/woff2", b"", SniffedType::Font),
        ("application/pdf", b"", SniffedType::Document),
        ("application/zip", b"", SniffedType::Archive),
        ("application/octet-stream", b"<html>", SniffedType::Binary),
    ] {
        assert_eq!(sniff(Some(content_type), head), expected, "{content_type}");
    }
}

#[test]
fn lying_text_types_are_found_out() {
    for content_type in ["text/html", "text/html; charset=utf-8", "text/plain", "text/xml", "text/csv"] {
        assert_eq!(sniff(Some(content_type), PNG), SniffedType::Image, "{content_type}");
        assert_eq!(sniff(Some(content_type), b"%PDF-1.7\n%\xE2\xE3"), SniffedType::Document);
        assert_eq!(
            sniff(Some(content_type), b"\x1F\x8B\x08\x00\x00\x00"),
            SniffedType::Archive,
            "{content_type}"
        );
        let noise: Vec<u8> = (0..1000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        assert_eq!(sniff(Some(content_type), &noise), SniffedType::Binary, "{content_type}");
    }
}

#[test]
fn stray_control_characters_do_not_make_a_page_binary() {
    let page = format!("words\0\0\0 {}", "more words ".repeat(50));
    assert_eq!(sniff(Some("text/html"), page.as_bytes()), SniffedType::Html);
    assert_eq!(sniff(Some("text/html"), b"<p>\0\0\0\0\0\0\0\0\0\0\0\0"), SniffedType::Html);
}

#[test]
fn missing_and_unknown_types_are_sniffed() {
    for (head, expected) in [
        (&b" \n<!DOCTYPE HTML>"[..], SniffedType::Html),
        (b"\xEF\xBB\xBF<html>", SniffedType::Html),
        (b"<!-- a comment -->", SniffedType::Html),
        (b"<BODY bgcolor=x>", SniffedType::Html),
        (b"<bodyguard>", SniffedType::Text),
        (b"<?xml version='1.0'?>", SniffedType::Xml),
        (b"%PDF-1.4", SniffedType::Document),
        (b"GIF89a\x01\0", SniffedType::Image),
        (b"RIFF\0\0\0\0WEBPVP8", SniffedType::Image),
        (b"RIFF\0\0\0\0WAVEfmt ", SniffedType::Media),
        (b"OTTO Dix painted", SniffedType::Text),
        (b"\0\0\0\x18ftypmp42", SniffedType::Media),
        (b"PK\x03\x04", SniffedType::Archive),
        (b"just words", SniffedType::Text),
        (b"\xFE\xFF\0a", SniffedType::Text),
        (b"a\x00b", SniffedType::Binary),
        (b"", SniffedType::Text),
    ] {
        for content_type in [None, Some("unknown/unknown"), Some("nonsense"), Some("application/x-thing")] {
            assert_eq!(sniff(content_type, head), expected, "{content_type:?} {head:?}");
        }
    }
}
