//! From a URL as typed or found to its canonical form: WHATWG parsing, then RFC 3986 §6.2.2 normalisation.
//! Never strips trailing slashes, default pages or user names, never sorts queries: those guess at the server.
//! Invariant: the result is ASCII, a valid RFC 3986 URI without fragment, and normalising it again changes nothing.

use crate::parse_url::ParsedUrl;
use crate::percent::{is_legal, push_normalized};
use encoding_rs::{Encoding, UTF_8};
use whimbrel_types::{CanonicalUrl, RejectReason};

/// Longest canonical URL that is accepted by default.
pub const URL_BYTES_MAX: usize = 2048;

/// References longer than this are refused unparsed; mostly they are `data:` URLs.
const REFERENCE_BYTES_MAX: usize = 65_536;

/// Longest scheme that is kept in a [`RejectReason::Scheme`].
const SCHEME_BYTES_MAX: usize = 32;

/// Makes canonical URLs within a length limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Normalizer {
    /// Longer canonical URLs are [`RejectReason::TooLong`].
    pub url_bytes_max: usize,
}

impl Default for Normalizer {
    fn default() -> Self {
        Normalizer { url_bytes_max: URL_BYTES_MAX }
    }
}

/// The canonical form of an absolute URL, within [`URL_BYTES_MAX`].
pub fn normalize(input: &str) -> Result<CanonicalUrl, RejectReason> {
    Normalizer::default().normalize(input)
}

/// The canonical form of `reference` as it stands in a document at `base`, within [`URL_BYTES_MAX`].
pub fn resolve(base: &ParsedUrl, reference: &str) -> Result<CanonicalUrl, RejectReason> {
    Normalizer::default().resolve(base, reference, UTF_8)
}

/// As [`resolve`], with the query in the document's encoding, as browsers send it.
pub fn resolve_in(
    base: &ParsedUrl,
    reference: &str,
    encoding: &'static Encoding,
) -> Result<CanonicalUrl, RejectReason> {
    Normalizer::default().resolve(base, reference, encoding)
}

/// The canonical form of a parsed URL, within [`URL_BYTES_MAX`].
pub fn normalize_parsed(url: &ParsedUrl) -> Result<CanonicalUrl, RejectReason> {
    Normalizer::default().normalize_parsed(url)
}

impl Normalizer {
    /// The canonical form of an absolute URL.
    pub fn normalize(&self, input: &str) -> Result<CanonicalUrl, RejectReason> {
        refuse_early(input)?;
        let url = ParsedUrl::parse(input).ok_or(RejectReason::Malformed)?;
        self.normalize_parsed(&url)
    }

    /// The canonical form of `reference` in a document at `base` that is written in `encoding`.
    pub fn resolve(
        &self,
        base: &ParsedUrl,
        reference: &str,
        encoding: &'static Encoding,
    ) -> Result<CanonicalUrl, RejectReason> {
        refuse_early(reference)?;
        let url = base.join_encoded(reference, encoding).ok_or(RejectReason::Malformed)?;
        self.normalize_parsed(&url)
    }

    /// The canonical form of a parsed URL.
    pub fn normalize_parsed(&self, url: &ParsedUrl) -> Result<CanonicalUrl, RejectReason> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(scheme_reason(url.scheme()));
        }
        let (origin, tail) = (url.before_path(), url.path_and_query());
        let whole = &url.href()[..origin.len() + tail.len()];
        let canonical = if tail.bytes().all(is_legal) {
            self.within_limit(whole)?
        } else {
            let mut out = String::with_capacity(whole.len() + 16);
            out.push_str(origin);
            push_normalized(tail.as_bytes(), &mut out, is_legal);
            self.within_limit(&out)?
        };
        canonical.ok_or(RejectReason::Malformed)
    }

    fn within_limit(&self, text: &str) -> Result<Option<CanonicalUrl>, RejectReason> {
        if text.len() > self.url_bytes_max {
            return Err(RejectReason::TooLong);
        }
        Ok(CanonicalUrl::from_canonical(text))
    }
}

/// Says no without a parse to what cannot become a page: other schemes, and references of absurd length.
fn refuse_early(reference: &str) -> Result<(), RejectReason> {
    let trimmed = reference.trim_start_matches(|c: char| c <= ' ');
    if let Some(scheme) = leading_scheme(trimmed)
        && !scheme.eq_ignore_ascii_case("http")
        && !scheme.eq_ignore_ascii_case("https")
    {
        return Err(scheme_reason(scheme));
    }
    if reference.len() > REFERENCE_BYTES_MAX { Err(RejectReason::TooLong) } else { Ok(()) }
}

/// `name` of `name:…` where the name has the form of a scheme. Tabs and line ends within it, which browsers
/// drop, are left to the full parser.
fn leading_scheme(text: &str) -> Option<&str> {
    let end = text.bytes().position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')))?;
    let scheme = &text[..end];
    (text.as_bytes()[end] == b':' && scheme.as_bytes().first().is_some_and(u8::is_ascii_alphabetic))
        .then_some(scheme)
}

fn scheme_reason(scheme: &str) -> RejectReason {
    let kept = &scheme[..scheme.len().min(SCHEME_BYTES_MAX)];
    RejectReason::Scheme(kept.to_ascii_lowercase())
}

#[cfg(test)]
mod tests;
