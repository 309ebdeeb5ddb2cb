//! What a browser makes of a URL: the parser of the URL standard (url.spec.whatwg.org §4.4), all schemes, with the
//! parts that its API names. Never fetches, never guesses a scheme, never normalises beyond the standard.
//! Invariant: the text of a parsed URL is ASCII, parses again to itself, and work is linear in the input.
//!
//! Written here and not taken from a crate because a crawler must read references as browsers do today:
//! `///host/path` names a host, and an ASCII host with an `xn--` label that is no Punycode is kept as it stands.

mod encode_set;
mod host;
mod parser;
mod path;

pub(crate) use encode_set::push_encoded_query;

use encoding_rs::Encoding;
use std::fmt;

/// Parses `input`, on `base` when there is one; `None` when either is no URL.
#[must_use]
pub fn parse_url(input: &str, base: Option<&str>) -> Option<ParsedUrl> {
    match base {
        Some(base) => ParsedUrl::parse(base)?.join(input),
        None => ParsedUrl::parse(input),
    }
}

/// A URL that has been parsed: its text, and where the parts are in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedUrl {
    href: String,
    scheme_end: usize,
    username_end: usize,
    host_start: usize,
    host_end: usize,
    /// Without the `/.` that keeps a path of `//…` from reading as a host.
    path_start: usize,
    query_start: Option<usize>,
    fragment_start: Option<usize>,
    has_host: bool,
}

impl ParsedUrl {
    /// Parses an absolute URL.
    #[must_use]
    pub fn parse(input: &str) -> Option<ParsedUrl> {
        parser::parse(input, None, None)
    }

    /// Parses a reference that stands in a document here.
    #[must_use]
    pub fn join(&self, reference: &str) -> Option<ParsedUrl> {
        parser::parse(reference, Some(self), None)
    }

    /// As [`ParsedUrl::join`], with the query in the document's encoding.
    #[must_use]
    pub fn join_encoded(&self, reference: &str, encoding: &'static Encoding) -> Option<ParsedUrl> {
        let encode = |text: &str, out: &mut String| push_encoded_query(text, encoding, out);
        parser::parse(reference, Some(self), Some(&encode))
    }

    /// The whole URL.
    #[must_use]
    pub fn href(&self) -> &str {
        &self.href
    }

    /// `http` of `http://…`
    #[must_use]
    pub fn scheme(&self) -> &str {
        &self.href[..self.scheme_end]
    }

    /// Scheme with its colon.
    #[must_use]
    pub fn protocol(&self) -> &str {
        &self.href[..=self.scheme_end]
    }

    /// User name, percent-encoded; possibly empty.
    #[must_use]
    pub fn username(&self) -> &str {
        &self.href[self.userinfo_start()..self.username_end]
    }

    /// Password, percent-encoded; possibly empty.
    #[must_use]
    pub fn password(&self) -> &str {
        self.href[self.username_end..self.host_start].trim_start_matches(':').trim_end_matches('@')
    }

    /// Host with its port, when the port is not the scheme's own.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.href[self.host_start..self.authority_end()]
    }

    /// Host without port; possibly empty.
    #[must_use]
    pub fn hostname(&self) -> &str {
        &self.href[self.host_start..self.host_end]
    }

    /// Port in digits; empty when it is the scheme's own.
    #[must_use]
    pub fn port(&self) -> &str {
        self.href[self.host_end..self.authority_end()].trim_start_matches(':')
    }

    /// Path; begins with a slash unless the scheme has opaque paths.
    #[must_use]
    pub fn pathname(&self) -> &str {
        &self.href[self.path_start..self.path_end()]
    }

    /// Query without `?`; `None` where there is no `?`.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.query_start.map(|start| &self.href[start + 1..self.query_end()])
    }

    /// Query with its `?`; empty when there is none or an empty one.
    #[must_use]
    pub fn search(&self) -> &str {
        self.query_start.map_or("", |start| without_lone_mark(&self.href[start..self.query_end()]))
    }

    /// Fragment with its `#`; empty when there is none or an empty one.
    #[must_use]
    pub fn hash(&self) -> &str {
        self.fragment_start.map_or("", |start| without_lone_mark(&self.href[start..]))
    }

    /// Everything before the path: scheme, user, host and port.
    pub(crate) fn before_path(&self) -> &str {
        &self.href[..self.path_start]
    }

    /// Path and query.
    pub(crate) fn path_and_query(&self) -> &str {
        &self.href[self.path_start..self.query_end()]
    }

    fn has_opaque_path(&self) -> bool {
        !self.has_host && !self.pathname().starts_with('/')
    }

    fn userinfo_start(&self) -> usize {
        self.scheme_end + if self.has_host { 3 } else { 1 }
    }

    fn authority_end(&self) -> usize {
        if self.has_host { self.path_start } else { self.host_end }
    }

    fn path_end(&self) -> usize {
        self.query_start.unwrap_or(self.query_end())
    }

    fn query_end(&self) -> usize {
        self.fragment_start.unwrap_or(self.href.len())
    }
}

impl fmt::Display for ParsedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.href)
    }
}

/// `?` and `#` with nothing behind them are no part.
fn without_lone_mark(part: &str) -> &str {
    if part.len() == 1 { "" } else { part }
}

#[cfg(test)]
mod tests;
