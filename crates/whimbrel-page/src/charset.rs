//! Which characters the bytes of a page mean: the order of the HTML standard (§13.2.3) is byte order mark,
//! `Content-Type`, `<meta>` or XML declaration in the first 1,024 bytes, a later `<meta>`, then a guess by chardetng with the host's
//! top-level domain as a hint. Never fails: what cannot be decoded becomes U+FFFD. Valid UTF-8 is not copied.

mod content_type;
mod prescan;
mod refine;

pub use content_type::charset_of;
pub use prescan::{late_prescan, prescan};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::borrow::Cow;

/// Only so much is looked at when guessing; the detector reads 22 MB/s and is sure long before.
const DETECT_BYTES_MAX: usize = 64 * 1024;

/// What decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CharsetSource {
    /// A byte order mark.
    ByteOrderMark,
    /// The `Content-Type` header.
    Header,
    /// A `<meta>` tag or XML declaration.
    Meta,
    /// The bytes themselves.
    Guess,
}

/// Decodes a page. `tld` is the last label of the host name, as a hint for the guess.
#[must_use]
pub fn decode<'a>(
    body: &'a [u8],
    content_type: Option<&str>,
    tld: Option<&str>,
) -> (Cow<'a, str>, &'static Encoding, CharsetSource) {
    let (encoding, mark_bytes, source) = detect(body, content_type, tld);
    let (text, _) = encoding.decode_without_bom_handling(&body[mark_bytes..]);
    (text, encoding, source)
}

/// The encoding, how many bytes of byte order mark to skip, and what decided.
#[must_use]
pub fn detect(
    body: &[u8],
    content_type: Option<&str>,
    tld: Option<&str>,
) -> (&'static Encoding, usize, CharsetSource) {
    if let Some((encoding, mark_bytes)) = Encoding::for_bom(body) {
        return (encoding, mark_bytes, CharsetSource::ByteOrderMark);
    }
    if let Some(encoding) = content_type.and_then(charset_of) {
        return (encoding, 0, CharsetSource::Header);
    }
    if let Some(encoding) = prescan(body).or_else(|| late_prescan(body)) {
        return (encoding, 0, CharsetSource::Meta);
    }
    (guess(body, tld), 0, CharsetSource::Guess)
}

/// The encoding that the bytes look like.
#[must_use]
pub fn guess(body: &[u8], tld: Option<&str>) -> &'static Encoding {
    const ESCAPE: u8 = 0x1B;
    let ascii = Encoding::ascii_valid_up_to(body);
    if ascii == body.len() && memchr::memchr(ESCAPE, body).is_none() {
        // Every candidate agrees on these bytes.
        return WINDOWS_1252;
    }
    if ascii < body.len() && std::str::from_utf8(body).is_ok() {
        return UTF_8;
    }
    // The detector learns only from what is not ASCII: start shortly before that.
    let start = ascii.saturating_sub(DETECT_BYTES_MAX / 4);
    let window = &body[start..body.len().min(start + DETECT_BYTES_MAX)];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(window, window.len() == body.len() - start);
    refine::refine(detector.guess(hint(tld), Utf8Detection::Allow), window)
}

/// The detector panics on labels that are not lower-case ASCII without dots; such a label is no hint.
fn hint(tld: Option<&str>) -> Option<&[u8]> {
    let label = tld?.as_bytes();
    let plain = label.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-');
    (plain && !label.is_empty()).then_some(label)
}

#[cfg(test)]
mod tests;
