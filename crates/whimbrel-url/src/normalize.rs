//! From a URL as typed or found to its canonical form: WHATWG parsing, then RFC 3986 §6.2.2 normalisation.
//! Never strips trailing slashes, default pages or user names, never sorts queries: those guess at the server.
//! Invariant: the result is ASCII, a valid RFC 3986 URI without fragment, and normalising it again changes nothing.

use crate::percent::{is_legal, push_normalized};
use std::borrow::Cow;
use url::{EncodingOverride, Position, Url};
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
pub fn resolve(base: &Url, reference: &str) -> Result<CanonicalUrl, RejectReason> {
    Normalizer::default().resolve(base, reference, None)
}

/// As [`resolve`], with the query encoded by the document's character set as browsers do.
pub fn resolve_encoded(
    base: &Url,
    reference: &str,
    encode_query: EncodingOverride<'_>,
) -> Result<CanonicalUrl, RejectReason> {
    Normalizer::default().resolve(base, reference, encode_query)
}

/// The canonical form of a parsed URL, within [`URL_BYTES_MAX`].
pub fn normalize_parsed(url: Url) -> Result<CanonicalUrl, RejectReason> {
    Normalizer::default().normalize_parsed(&url)
}

impl Normalizer {
    /// The canonical form of an absolute URL.
    pub fn normalize(&self, input: &str) -> Result<CanonicalUrl, RejectReason> {
        refuse_early(input)?;
        let url = Url::parse(input).map_err(|_| RejectReason::Malformed)?;
        self.normalize_parsed(&url)
    }

    /// The canonical form of `reference` against `base`.
    pub fn resolve(
        &self,
        base: &Url,
        reference: &str,
        encode_query: EncodingOverride<'_>,
    ) -> Result<CanonicalUrl, RejectReason> {
        refuse_early(reference)?;
        let reference = without_surplus_slashes(base, reference);
        let url = Url::options()
            .base_url(Some(base))
            .encoding_override(encode_query)
            .parse(&reference)
            .map_err(|_| RejectReason::Malformed)?;
        self.normalize_parsed(&url)
    }

    /// The canonical form of a parsed URL.
    pub fn normalize_parsed(&self, url: &Url) -> Result<CanonicalUrl, RejectReason> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(scheme_reason(url.scheme()));
        }
        let whole = &url[..Position::AfterQuery];
        let (origin, tail) = whole.split_at(url[..Position::BeforePath].len());
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

/// `///host/path` against an http base names a host (WHATWG "special authority ignore slashes state"); the
/// parser underneath reads a path there, so the surplus slashes are dropped first.
fn without_surplus_slashes<'a>(base: &Url, reference: &'a str) -> Cow<'a, str> {
    if !matches!(base.scheme(), "http" | "https") {
        return Cow::Borrowed(reference);
    }
    let slash = |c: char| c == '/' || c == '\\';
    let mut cleaned = Cow::Borrowed(reference.trim_start_matches(|c: char| c <= ' '));
    if !cleaned.starts_with(slash) {
        return Cow::Borrowed(reference);
    }
    if cleaned.contains(['\t', '\n', '\r']) {
        cleaned = Cow::Owned(cleaned.replace(['\t', '\n', '\r'], ""));
    }
    if cleaned.chars().take(3).filter(|c| slash(*c)).count() < 3 {
        return Cow::Borrowed(reference);
    }
    Cow::Owned(format!("//{}", cleaned.trim_start_matches(slash)))
}

#[cfg(test)]
mod tests;
