//! What stands in a location, as a URL. A sitemap must name whole URLs; where one begins with a slash it is clear
//! what is meant, where it begins with a host or a file name it is not. Feeds may be relative (RFC 4287 §2).
//! Never guesses a scheme. Invariant: what is returned is an http or https URL.

use super::problem::ProblemKind;
use crate::normalize::{normalize, resolve};
use crate::parse_url::ParsedUrl;
use std::borrow::Cow;
use whimbrel_types::{CanonicalUrl, RejectReason};

/// Which relative locations are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Relative {
    /// None: lists of URLs.
    Never,
    /// Those that begin with a slash: sitemaps.
    FromRoot,
    /// All: feeds.
    Any,
}

/// A location as a URL.
pub(super) struct Located {
    pub(super) loc: String,
    pub(super) url: CanonicalUrl,
    /// It was relative.
    pub(super) relative: bool,
}

/// Reads a location of a file at `base`.
pub(super) fn locate(
    text: &str,
    base: Option<&ParsedUrl>,
    relative: Relative,
) -> Result<Located, ProblemKind> {
    let text = cleaned(text);
    if is_absolute(&text) {
        let url = normalize(&text).map_err(|_| ProblemKind::BadLocation)?;
        return Ok(Located { loc: text.into_owned(), url, relative: false });
    }
    let taken = match relative {
        Relative::Never => false,
        Relative::FromRoot => text.starts_with('/'),
        Relative::Any => true,
    };
    let Some(base) = base.filter(|_| taken) else {
        let kind = if normalize(&text).is_err_and(|reason| reason == RejectReason::Malformed) {
            ProblemKind::RelativeLocation
        } else {
            ProblemKind::BadLocation
        };
        return Err(kind);
    };
    let url = resolve(base, &text).map_err(|_| ProblemKind::BadLocation)?;
    Ok(Located { loc: url.as_str().to_owned(), url, relative: true })
}

/// Does it begin as a whole http or https URL does?
pub(super) fn is_absolute(text: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme)))
}

/// Without white space around it, and with lines that were broken put together again.
pub(super) fn cleaned(text: &str) -> Cow<'_, str> {
    let text = text.trim_matches(is_blank);
    if text.contains(['\n', '\r', '\t']) {
        Cow::Owned(text.split(['\n', '\r', '\t']).map(|part| part.trim_matches(is_blank)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// White space in the wide sense: also byte order marks, zero-width spaces and control characters.
fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(character, '\u{FEFF}' | '\u{200B}'..='\u{200D}')
}
