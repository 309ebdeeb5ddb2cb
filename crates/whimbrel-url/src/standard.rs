//! The papers' normalisation, worked on the text of a URL step by step (thesis §3.2.1 with the corrections of
//! RFC 3986 §6.2). Never resolves, re-encodes or rejects: any text has components, and joining them gives it back.
//! Invariant: both normal forms are fixed points. The crawl uses [`mod@crate::normalize`], which also parses as browsers do.

use crate::percent::{is_unreserved, push_triplet, triplet};
use serde::Serialize;
use std::fmt;

/// The five parts of a URL (RFC 3986 §3), without their delimiters; `None` where the delimiter is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Components {
    /// `http` of `http://…`
    pub scheme: Option<String>,
    /// `[userinfo@]host[:port]`
    pub authority: Option<String>,
    /// Everything up to `?` or `#`; possibly empty.
    pub path: String,
    /// Between `?` and `#`.
    pub query: Option<String>,
    /// After `#`.
    pub fragment: Option<String>,
}

/// Splits any text as RFC 3986 appendix B does.
#[must_use]
pub fn components(url: &str) -> Components {
    let (rest, fragment) = cut(url, '#');
    let (rest, query) = cut(rest, '?');
    let (scheme, rest) = match rest.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme.to_owned()), rest),
        _ => (None, rest),
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            (Some(authority.to_owned()), path)
        }
        None => (None, rest),
    };
    Components { scheme, authority, path: path.to_owned(), query, fragment }
}

/// The URL after each of the six steps: scheme to lower case, host to lower case, default port dropped, empty
/// path to `/`, triplets of unreserved characters decoded, fragment dropped.
#[must_use]
pub fn six_steps(url: &str) -> [String; 6] {
    let mut parts = components(url);
    [lower_scheme, lower_host, drop_default_port, fill_path, decode_unreserved, drop_fragment].map(|step| {
        step(&mut parts);
        parts.to_string()
    })
}

/// The six steps, then triplets in upper case and dot segments resolved.
#[must_use]
pub fn full_rfc3986(url: &str) -> String {
    let mut parts = components(url);
    for step in [lower_scheme, lower_host, drop_default_port, fill_path, decode_unreserved, drop_fragment] {
        step(&mut parts);
    }
    let [authority, query] = [&mut parts.authority, &mut parts.query];
    for text in [authority.as_mut(), Some(&mut parts.path), query.as_mut()].into_iter().flatten() {
        *text = upper_triplets(text);
    }
    if parts.authority.is_some() {
        parts.path = remove_dot_segments(&parts.path);
    }
    parts.to_string()
}

impl fmt::Display for Components {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scheme) = &self.scheme {
            write!(f, "{scheme}:")?;
        }
        if let Some(authority) = &self.authority {
            write!(f, "//{authority}")?;
        }
        f.write_str(&self.path)?;
        if let Some(query) = &self.query {
            write!(f, "?{query}")?;
        }
        if let Some(fragment) = &self.fragment {
            write!(f, "#{fragment}")?;
        }
        Ok(())
    }
}

fn cut(text: &str, at: char) -> (&str, Option<String>) {
    text.split_once(at).map_or((text, None), |(before, after)| (before, Some(after.to_owned())))
}

fn is_scheme(text: &str) -> bool {
    text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

/// `user@`, `host`, `:port`: cut so that joining them gives the authority back.
fn authority_parts(authority: &str) -> (&str, &str, &str) {
    let (userinfo, rest) = authority.split_at(authority.rfind('@').map_or(0, |i| i + 1));
    let bracket = rest.rfind(']').map_or(0, |i| i + 1);
    let (host, port) = rest.split_at(rest[bracket..].find(':').map_or(rest.len(), |i| bracket + i));
    (userinfo, host, port)
}

fn lower_scheme(parts: &mut Components) {
    if let Some(scheme) = &mut parts.scheme {
        scheme.make_ascii_lowercase();
    }
}

fn lower_host(parts: &mut Components) {
    if let Some(authority) = &mut parts.authority {
        let (userinfo, host, port) = authority_parts(authority);
        *authority = format!("{userinfo}{}{port}", host.to_ascii_lowercase());
    }
}

fn drop_default_port(parts: &mut Components) {
    let default = parts.scheme.as_deref().and_then(default_port);
    if let Some(authority) = &mut parts.authority {
        let (userinfo, host, port) = authority_parts(authority);
        if port == ":" || (default.is_some() && port.strip_prefix(':') == default) {
            *authority = format!("{userinfo}{host}");
        }
    }
}

/// Ports of the schemes that the papers name.
fn default_port(scheme: &str) -> Option<&'static str> {
    match scheme.to_ascii_lowercase().as_str() {
        "http" => Some("80"),
        "https" => Some("443"),
        "ftp" => Some("21"),
        "gopher" => Some("70"),
        "nntp" | "news" => Some("119"),
        "telnet" => Some("23"),
        "wais" => Some("210"),
        "prospero" => Some("1525"),
        _ => None,
    }
}

fn fill_path(parts: &mut Components) {
    if parts.authority.is_some() && parts.path.is_empty() {
        parts.path.push('/');
    }
}

fn decode_unreserved(parts: &mut Components) {
    if let Some(authority) = &mut parts.authority {
        // The port is left as it stands: decoded digits would be a default port that step 3 never saw.
        let (userinfo, host, port) = authority_parts(authority);
        *authority = format!("{}{}{port}", decoded(userinfo), decoded(host).to_ascii_lowercase());
    }
    // A relative path such as `%41:b` must not come out as a URL with a scheme.
    let ambiguous = parts.scheme.is_none() && parts.authority.is_none() && parts.path.contains(':');
    if !ambiguous {
        parts.path = decoded(&parts.path);
    }
    for text in [parts.query.as_mut(), parts.fragment.as_mut()].into_iter().flatten() {
        *text = decoded(text);
    }
}

fn drop_fragment(parts: &mut Components) {
    parts.fragment = None;
}

/// Decodes triplets of unreserved characters, unless the character would complete a triplet with a stray
/// percent sign before it.
fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut stray = None;
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        match triplet(rest.as_bytes()) {
            Some(value) => {
                let completes = value.is_ascii_hexdigit() && stray.is_some_and(|at| out.len() - at <= 2);
                if is_unreserved(value) && !completes {
                    out.push(char::from(value));
                } else {
                    out.push_str(&rest[..3]);
                    stray = None;
                }
                rest = &rest[3..];
            }
            None => {
                if next == '%' {
                    stray = Some(out.len());
                }
                out.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    out
}

fn upper_triplets(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let width = match triplet(rest.as_bytes()) {
            Some(value) => {
                push_triplet(value, &mut out);
                3
            }
            None => {
                out.push(next);
                next.len_utf8()
            }
        };
        rest = &rest[width..];
    }
    out
}

/// RFC 3986 §5.2.4 for a path that is empty or begins with a slash.
fn remove_dot_segments(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut ends_in_directory = false;
    for segment in path.split('/').skip(1) {
        ends_in_directory = matches!(segment, "." | "..");
        match segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            other => kept.push(other),
        }
    }
    let mut out = String::with_capacity(path.len());
    for segment in &kept {
        out.push('/');
        out.push_str(segment);
    }
    if ends_in_directory || out.is_empty() {
        out.push('/');
    }
    out
}

#[cfg(test)]
mod tests;
