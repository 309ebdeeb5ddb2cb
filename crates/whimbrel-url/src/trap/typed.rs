//! A pattern as an operator types it: a pattern that was shown (`/cal/{y}/{m}`), one with stars (`/cal/*`), or a URL that
//! stands for its pattern; each for one site (`https://host/…`) or, without one, for all.

use super::pattern::{PLACEHOLDERS, UrlPattern};
use crate::normalize::normalize;
use std::fmt;
use whimbrel_types::Site;

/// Longest pattern that is taken.
const PATTERN_BYTES_MAX: usize = 4096;

/// What was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedPattern {
    /// The site it is for; `None` for all.
    pub site: Option<Site>,
    /// The pattern.
    pub pattern: UrlPattern,
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// Neither a URL nor a path.
    NoPath(String),
    /// The site of the URL cannot be read.
    Site(String),
    /// Braces around something else than a placeholder.
    Placeholder(String),
    /// Longer than any URL.
    TooLong,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternError::NoPath(text) => {
                write!(
                    f,
                    "{text:?} is no pattern; write a URL, or a path that begins with a slash, such as /cal/*"
                )
            }
            PatternError::Site(text) => write!(f, "{text:?} names no site that can be crawled"),
            PatternError::Placeholder(text) => {
                let known: Vec<String> = PLACEHOLDERS.iter().map(|name| format!("{{{name}}}")).collect();
                write!(f, "{text:?} is no placeholder; known are {}", known.join(" "))
            }
            PatternError::TooLong => write!(f, "the pattern is longer than {PATTERN_BYTES_MAX} bytes"),
        }
    }
}

impl std::error::Error for PatternError {}

impl UrlPattern {
    /// A pattern without a site, as [`UrlPattern::as_str`] shows it.
    pub fn parse(text: &str) -> Result<UrlPattern, PatternError> {
        if text.len() > PATTERN_BYTES_MAX {
            return Err(PatternError::TooLong);
        }
        if !text.starts_with(['/', '*']) {
            return Err(PatternError::NoPath(text.to_owned()));
        }
        let text = text.split('#').next().unwrap_or_default();
        if !text.contains(['{', '}', '*']) {
            let url = normalize(&format!("http://pattern.invalid{text}"))
                .map_err(|_| PatternError::NoPath(text.to_owned()))?;
            return Ok(UrlPattern::of(&url));
        }
        check_placeholders(text)?;
        let mut out: String = if text.starts_with('*') { "/".into() } else { String::new() };
        for byte in text.bytes() {
            match byte {
                0x21..=0x7E => out.push(byte.into()),
                other => out.push_str(&format!("%{other:02X}")),
            }
        }
        if let Some((path, query)) = out.split_once('?')
            && !out.contains('*')
        {
            let mut parts: Vec<&str> = query.split('&').collect();
            parts.sort_unstable();
            parts.dedup();
            out = format!("{path}?{}", parts.join("&"));
        }
        Ok(UrlPattern::from_checked(out))
    }
}

impl TypedPattern {
    /// Reads what was typed.
    pub fn parse(text: &str) -> Result<TypedPattern, PatternError> {
        let text = text.trim();
        let Some(scheme_end) = text.find("://") else {
            return Ok(TypedPattern { site: None, pattern: UrlPattern::parse(text)? });
        };
        let authority = &text[scheme_end + 3..];
        let path_start = authority.find(['/', '?', '#', '*', '{']).map(|at| scheme_end + 3 + at);
        let (origin, path) = text.split_at(path_start.unwrap_or(text.len()));
        let site = site(origin)?;
        if !path.contains(['{', '}', '*'])
            && let Ok(url) = normalize(text)
        {
            return Ok(TypedPattern { site: Some(site), pattern: UrlPattern::of(&url) });
        }
        Ok(TypedPattern { site: Some(site), pattern: UrlPattern::parse(path)? })
    }
}

/// A site as an operator types it.
fn site(origin: &str) -> Result<Site, PatternError> {
    normalize(&format!("{origin}/")).map(|url| url.site()).map_err(|_| PatternError::Site(origin.to_owned()))
}

fn check_placeholders(text: &str) -> Result<(), PatternError> {
    let mut rest = text;
    while let Some(open) = rest.find(['{', '}']) {
        let inside = &rest[open..];
        let close = inside.find('}').filter(|close| *close > 0);
        let name = close.and_then(|close| inside.get(1..close));
        if !name.is_some_and(|name| PLACEHOLDERS.contains(&name)) {
            let shown = close.map_or(inside, |close| &inside[..=close]);
            return Err(PatternError::Placeholder(shown.chars().take(40).collect()));
        }
        rest = &inside[close.unwrap_or_default() + 1..];
    }
    Ok(())
}
