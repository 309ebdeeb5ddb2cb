//! The bytes of a sitemap as text: unpacked by their own first bytes, whatever the server called them, and decoded.
//! Encoding: byte order mark, then UTF-8 if it is valid, then what `Content-Type` or the XML declaration says.
//! Invariant: never unpacks more than the limit, and takes an overlong or damaged stream as far as it goes.

use super::problem::{ProblemKind, Problems};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::io::Read;

/// A file that is packed more often is not worth it; twice happens when server and file both are.
const GZIP_LAYERS_MAX: usize = 3;

/// How far into a file its XML declaration is looked for.
const DECLARATION_BYTES_MAX: usize = 256;

/// A body as text.
pub(super) struct Body<'a> {
    pub(super) text: Cow<'a, str>,
    /// There is more of it.
    pub(super) truncated: bool,
}

pub(super) fn read<'a>(
    bytes: &'a [u8],
    content_type: Option<&str>,
    bytes_max: usize,
    problems: &mut Problems,
) -> Body<'a> {
    let mut bytes = Cow::Borrowed(bytes);
    let mut truncated = false;
    for _ in 0..GZIP_LAYERS_MAX {
        if !bytes.starts_with(&[0x1F, 0x8B]) {
            break;
        }
        let (unpacked, whole) = unpack(&bytes, bytes_max, problems);
        truncated |= !whole;
        bytes = Cow::Owned(unpacked);
    }
    if bytes.len() > bytes_max {
        truncated = true;
        bytes = match bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..bytes_max]),
            Cow::Owned(mut bytes) => {
                bytes.truncate(bytes_max);
                Cow::Owned(bytes)
            }
        };
    }
    if truncated {
        problems.of_file(ProblemKind::TooManyBytes, "");
    }
    let text = match bytes {
        Cow::Borrowed(bytes) => decode(bytes, content_type, problems),
        Cow::Owned(bytes) => Cow::Owned(match String::from_utf8(bytes) {
            Ok(text) if !text.starts_with('\u{FEFF}') && !is_utf16(text.as_bytes()) => text,
            Ok(text) => decode(text.as_bytes(), content_type, problems).into_owned(),
            Err(error) => decode(error.as_bytes(), content_type, problems).into_owned(),
        }),
    };
    Body { text, truncated }
}

/// Unpacks at most one byte more than the limit, and says whether that was all.
fn unpack(bytes: &[u8], bytes_max: usize, problems: &mut Problems) -> (Vec<u8>, bool) {
    let mut out = Vec::new();
    let limit = u64::try_from(bytes_max).unwrap_or(u64::MAX).saturating_add(1);
    // On an error, what was unpacked before it is kept.
    if let Err(error) = MultiGzDecoder::new(bytes).take(limit).read_to_end(&mut out) {
        problems.of_file(ProblemKind::BrokenGzip, &error.to_string());
    }
    let whole = out.len() <= bytes_max;
    out.truncate(bytes_max);
    (out, whole)
}

fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>, problems: &mut Problems) -> Cow<'a, str> {
    if let Some((encoding, mark_bytes)) = Encoding::for_bom(bytes) {
        return decode_as(encoding, &bytes[mark_bytes..], problems);
    }
    if is_utf16(bytes) {
        return decode_as(if bytes[0] == 0 { UTF_16BE } else { UTF_16LE }, bytes, problems);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        // Cut through a character by the limit.
        Err(error) if error.error_len().is_none() => {
            decode_as(UTF_8, &bytes[..error.valid_up_to()], problems)
        }
        Err(_) => {
            let label = content_type.and_then(charset).or_else(|| declared(bytes));
            let encoding = label.and_then(|label| Encoding::for_label(label.as_bytes()));
            if encoding.is_none() {
                problems.of_file(ProblemKind::BadEncoding, "neither valid utf-8 nor declared otherwise");
            }
            decode_as(encoding.unwrap_or(WINDOWS_1252), bytes, problems)
        }
    }
}

fn decode_as<'a>(encoding: &'static Encoding, bytes: &'a [u8], problems: &mut Problems) -> Cow<'a, str> {
    let (text, replaced) = encoding.decode_without_bom_handling(bytes);
    if replaced {
        problems.of_file(ProblemKind::BadEncoding, encoding.name());
    }
    text
}

/// Text without a mark whose every second byte is zero, judged by its first two.
fn is_utf16(bytes: &[u8]) -> bool {
    matches!(bytes, [0, 1..=0x7F, 0, ..] | [1..=0x7F, 0, 1..=0x7F, 0, ..])
}

/// `charset` of a media type.
fn charset(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']))
    })
}

/// `encoding` of an XML declaration.
fn declared(bytes: &[u8]) -> Option<&str> {
    let head = &bytes[..bytes.len().min(DECLARATION_BYTES_MAX)];
    let ascii = head.iter().position(|byte| !byte.is_ascii()).unwrap_or(head.len());
    let head = std::str::from_utf8(&head[..ascii]).ok()?;
    let declaration = &head[head.find("<?xml")?..];
    let declaration = &declaration[..declaration.find('>')?];
    super::token::attribute(&declaration[5..], "encoding").map(|label| label.trim_end_matches('?'))
}

#[cfg(test)]
mod tests;
