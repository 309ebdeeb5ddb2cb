//! What a body really is, from its declared type and its first bytes: the MIME Sniffing standard (§5–7), with two
//! additions for a crawler. A body under a text type that is a picture, an archive or other binary data is not text,
//! so nothing is indexed of it; and a type nobody knows is looked at rather than taken for HTML.
//! What is declared is otherwise believed: HTML served as `text/plain` stays text, a download stays a download.

use crate::media_type::MediaType;
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// The standard looks at so many bytes.
pub const SNIFF_BYTES: usize = 1445;
/// Under a text type this many bytes that no text has, at least …
const BINARY_BYTES_MIN: usize = 8;
/// … and one in so many, make a body binary. A stray control character does not.
const BINARY_PARTS_MAX: usize = 20;

/// What a body is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SniffedType {
    /// HTML and XHTML.
    Html,
    /// Other XML: feeds, sitemaps, drawings.
    Xml,
    /// Text of any kind that is not marked up.
    Text,
    /// PDF or PostScript.
    Document,
    /// A picture.
    Image,
    /// Sound or film.
    Media,
    /// A font.
    Font,
    /// A compressed file or an archive.
    Archive,
    /// Anything else that is not text.
    Binary,
}

impl SniffedType {
    /// Whether there is text in it that can be read as a page.
    #[must_use]
    pub fn is_readable(self) -> bool {
        matches!(self, SniffedType::Html | SniffedType::Xml | SniffedType::Text)
    }

    /// The name it is counted under.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            SniffedType::Html => "html",
            SniffedType::Xml => "xml",
            SniffedType::Text => "text",
            SniffedType::Document => "document",
            SniffedType::Image => "image",
            SniffedType::Media => "media",
            SniffedType::Font => "font",
            SniffedType::Archive => "archive",
            SniffedType::Binary => "binary",
        }
    }
}

/// What a body is, from its `Content-Type` and its beginning ([`SNIFF_BYTES`] are enough).
#[must_use]
pub fn sniff(content_type: Option<&str>, head: &[u8]) -> SniffedType {
    let head = &head[..head.len().min(SNIFF_BYTES)];
    let declared = content_type.and_then(MediaType::parse);
    let Some(declared) = declared.filter(|found| !is_unknown(found)) else { return unknown(head) };
    match declared.essence() {
        "text/html" | "application/xhtml+xml" => under_text_type(&declared, head, SniffedType::Html),
        "text/plain" if content_type.is_some_and(is_server_default) => plain_text(head),
        "application/pdf" | "application/postscript" => SniffedType::Document,
        "application/octet-stream" => magic(head).unwrap_or(SniffedType::Binary),
        "application/zip"
        | "application/gzip"
        | "application/x-gzip"
        | "application/x-rar-compressed"
        | "application/x-tar"
        | "application/x-bzip2"
        | "application/x-7z-compressed"
        | "application/zstd" => SniffedType::Archive,
        // Before the other XML types: a drawing is one, and holds text.
        _ if declared.is_xml() => under_text_type(&declared, head, SniffedType::Xml),
        _ => match declared.kind() {
            "text" | "message" => under_text_type(&declared, head, SniffedType::Text),
            "image" => magic(head).unwrap_or(SniffedType::Image),
            "audio" | "video" => magic(head).unwrap_or(SniffedType::Media),
            "font" => SniffedType::Font,
            _ => unknown(head),
        },
    }
}

/// Values that servers send when they do not know.
fn is_unknown(declared: &MediaType) -> bool {
    matches!(declared.essence(), "unknown/unknown" | "application/unknown" | "*/*")
}

/// Values that old servers gave to every file, to the letter (the standard's "check-for-apache-bug").
fn is_server_default(value: &str) -> bool {
    matches!(
        value.trim(),
        "text/plain"
            | "text/plain; charset=ISO-8859-1"
            | "text/plain; charset=iso-8859-1"
            | "text/plain; charset=UTF-8"
    )
}

/// The standard's "rules for distinguishing if a resource is text or binary".
fn plain_text(head: &[u8]) -> SniffedType {
    if has_mark(head) {
        return SniffedType::Text;
    }
    let fallback =
        if head.iter().any(|byte| is_binary(*byte)) { SniffedType::Binary } else { SniffedType::Text };
    unlike_text(head).unwrap_or(fallback)
}

/// The binary format that the bytes are in. Words may begin as a format does (`OTTO`, `ID3`): without any byte that
/// no text has, only documents are told by their first bytes.
fn unlike_text(head: &[u8]) -> Option<SniffedType> {
    let has_binary = head.iter().any(|byte| is_binary(*byte));
    magic(head).filter(|found| has_binary || *found == SniffedType::Document)
}

/// A text type is believed unless the bytes say otherwise.
fn under_text_type(declared: &MediaType, head: &[u8], believed: SniffedType) -> SniffedType {
    let wide =
        declared.encoding().is_some_and(|encoding: &Encoding| encoding == UTF_16LE || encoding == UTF_16BE);
    if wide || has_mark(head) || looks_like_html(head) || skip_space(head).starts_with(b"<?xml") {
        return believed;
    }
    if let Some(found) = unlike_text(head) {
        return found;
    }
    let binary = head.iter().filter(|byte| is_binary(**byte)).count();
    if binary >= BINARY_BYTES_MIN && binary * BINARY_PARTS_MAX >= head.len() && !is_wide_markup(head) {
        return SniffedType::Binary;
    }
    believed
}

/// Nothing is declared: the standard's "rules for identifying an unknown MIME type", scripts allowed.
fn unknown(head: &[u8]) -> SniffedType {
    if looks_like_html(head) {
        return SniffedType::Html;
    }
    if skip_space(head).starts_with(b"<?xml") {
        return SniffedType::Xml;
    }
    if is_wide_markup(head) {
        return SniffedType::Html;
    }
    plain_text(head)
}

/// A byte order mark.
fn has_mark(head: &[u8]) -> bool {
    head.starts_with(&[0xFE, 0xFF])
        || head.starts_with(&[0xFF, 0xFE])
        || head.starts_with(&[0xEF, 0xBB, 0xBF])
}

/// `<?x` or `<!` in UTF-16 without a mark.
fn is_wide_markup(head: &[u8]) -> bool {
    matches!(head, [b'<', 0, b'?' | b'!' | b'h' | b'H', 0, ..] | [0, b'<', 0, b'?' | b'!' | b'h' | b'H', ..])
}

/// The standard's "binary data byte".
fn is_binary(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F)
}

fn skip_space(head: &[u8]) -> &[u8] {
    let head = head.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(head);
    let start = head.iter().position(|byte| !matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' '));
    &head[start.unwrap_or(head.len())..]
}

/// Begins with one of the standard's tags, ended by a space or `>`, or with a comment.
fn looks_like_html(head: &[u8]) -> bool {
    const TAGS: [&[u8]; 16] = [
        b"<!doctype html",
        b"<html",
        b"<head",
        b"<script",
        b"<iframe",
        b"<h1",
        b"<div",
        b"<font",
        b"<table",
        b"<a",
        b"<style",
        b"<title",
        b"<b",
        b"<body",
        b"<br",
        b"<p",
    ];
    let head = skip_space(head);
    head.starts_with(b"<!--")
        || TAGS.iter().any(|tag| {
            head.len() > tag.len()
                && head[..tag.len()].eq_ignore_ascii_case(tag)
                && matches!(head[tag.len()], b' ' | b'>' | b'\n' | b'\t' | b'\r')
        })
}

/// What the first bytes of a binary format say (§6).
fn magic(head: &[u8]) -> Option<SniffedType> {
    const SIGNATURES: &[(&[u8], SniffedType)] = &[
        (b"%PDF-", SniffedType::Document),
        (b"%!PS-Adobe-", SniffedType::Document),
        (b"GIF87a", SniffedType::Image),
        (b"GIF89a", SniffedType::Image),
        (b"\x89PNG\r\n\x1A\n", SniffedType::Image),
        (b"\xFF\xD8\xFF", SniffedType::Image),
        (b"\x00\x00\x01\x00", SniffedType::Image),
        (b"\x00\x00\x02\x00", SniffedType::Image),
        (b"II*\x00", SniffedType::Image),
        (b"MM\x00*", SniffedType::Image),
        (b"ID3", SniffedType::Media),
        (b"OggS\x00", SniffedType::Media),
        (b"MThd\x00\x00\x00\x06", SniffedType::Media),
        (b"\x1A\x45\xDF\xA3", SniffedType::Media),
        (b"fLaC", SniffedType::Media),
        (b"\x00\x01\x00\x00", SniffedType::Font),
        (b"OTTO", SniffedType::Font),
        (b"ttcf", SniffedType::Font),
        (b"wOFF", SniffedType::Font),
        (b"wOF2", SniffedType::Font),
        (b"\x1F\x8B\x08", SniffedType::Archive),
        (b"PK\x03\x04", SniffedType::Archive),
        (b"Rar!\x1A\x07", SniffedType::Archive),
        (b"7z\xBC\xAF\x27\x1C", SniffedType::Archive),
        (b"BZh9", SniffedType::Archive),
        (b"\xFD7zXZ\x00", SniffedType::Archive),
        (b"\x28\xB5\x2F\xFD", SniffedType::Archive),
        (b"\x7FELF", SniffedType::Binary),
        (b"MZ\x90\x00", SniffedType::Binary),
        (b"\x00asm", SniffedType::Binary),
        (b"\xCA\xFE\xBA\xBE", SniffedType::Binary),
        (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", SniffedType::Binary),
        (b"SQLite format 3\x00", SniffedType::Binary),
    ];
    let fixed = SIGNATURES.iter().find(|(signature, _)| head.starts_with(signature)).map(|(_, found)| *found);
    fixed.or(match head {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(SniffedType::Image),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W' | b'A', b'A' | b'V', b'V' | b'I', b'E' | b' ', ..]
        | [b'F', b'O', b'R', b'M', _, _, _, _, b'A', b'I', b'F', b'F', ..]
        | [0, 0, _, _, b'f', b't', b'y', b'p', ..] => Some(SniffedType::Media),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
