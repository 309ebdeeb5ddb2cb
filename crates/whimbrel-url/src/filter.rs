//! Filter expressions of the configuration: `and(domain(example.org), not(extension(pdf)))`. They decide about
//! one URL and are never code (Mercator-style filters of the selective crawler, §4).
//! Three-valued: before the fetch the content type is unknown, and what is unknown does not reject yet.
//! Invariant: parsing and deciding use bounded stack whatever the text.

mod parse;

use crate::media::MediaPattern;
use crate::robots::pattern::{Pattern, normal_path};
use regex::Regex;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use whimbrel_types::CanonicalUrl;

/// What an expression is asked about.
#[derive(Clone, Copy, Debug)]
pub struct FilterInput<'a> {
    /// The URL.
    pub url: &'a CanonicalUrl,
    /// Links between it and the nearest seed.
    pub depth: u16,
    /// `Content-Type`, once the headers have come.
    pub content_type: Option<&'a str>,
}

/// A filter that has been read.
#[derive(Clone, Debug)]
pub struct FilterExpression {
    text: String,
    root: Node,
}

/// Where and why an expression cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// Byte offset in the text.
    pub position: usize,
    /// What is wrong there.
    pub message: String,
}

impl FilterExpression {
    /// Reads an expression.
    pub fn parse(text: &str) -> Result<FilterExpression, FilterError> {
        Ok(FilterExpression { text: text.trim().to_owned(), root: parse::parse(text)? })
    }

    /// False when the URL is to be left out; true also while that cannot be known.
    #[must_use]
    pub fn accepts(&self, input: &FilterInput<'_>) -> bool {
        self.root.judge(input) != Some(false)
    }

    /// Whether the URL passes for certain; `None` while the content type is missing and matters.
    #[must_use]
    pub fn judge(&self, input: &FilterInput<'_>) -> Option<bool> {
        self.root.judge(input)
    }

    /// The expression as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for FilterExpression {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        FilterExpression::parse(text)
    }
}

impl fmt::Display for FilterExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FilterError {
    /// Two lines: the part of `text` around the mistake, and a caret below the place.
    #[must_use]
    pub fn show(&self, text: &str) -> String {
        let before: Vec<char> = text.get(..self.position).unwrap_or(text).chars().collect();
        let before = &before[before.len().saturating_sub(60)..];
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let shown: String = before.iter().copied().map(plain).collect();
        let after: String = text.get(self.position..).unwrap_or("").chars().take(20).map(plain).collect();
        format!("{shown}{after}\n{}^ {}", " ".repeat(before.len()), self.message)
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read filter at position {}: {}", self.position, self.message)
    }
}

impl std::error::Error for FilterError {}

#[derive(Clone, Debug)]
enum Node {
    And(Vec<Node>),
    Or(Vec<Node>),
    Not(Box<Node>),
    Test(Test),
}

/// One question; several arguments mean any of them.
#[derive(Clone, Debug)]
enum Test {
    /// The host or a parent domain of it.
    Domain(Vec<String>),
    /// The host, or `host:port`.
    Host(Vec<String>),
    Protocol(Vec<String>),
    /// How the canonical URL begins.
    Prefix(Vec<String>),
    Extension(Vec<String>),
    /// Path and query against a pattern as in robots.txt.
    Path(Vec<Pattern>),
    /// Has a parameter of this name; any query at all when empty.
    Query(Vec<String>),
    ContentType(Vec<MediaPattern>),
    /// Found anywhere in the canonical URL.
    Regex(Regex),
    Depth(RangeInclusive<u16>),
}

impl Node {
    /// Kleene's logic: unknown stays unknown unless the rest decides.
    fn judge(&self, input: &FilterInput<'_>) -> Option<bool> {
        match self {
            Node::And(parts) => any_decides(parts, input, false),
            Node::Or(parts) => any_decides(parts, input, true),
            Node::Not(part) => part.judge(input).map(|passes| !passes),
            Node::Test(test) => test.judge(input),
        }
    }
}

fn any_decides(parts: &[Node], input: &FilterInput<'_>, deciding: bool) -> Option<bool> {
    let mut verdict = Some(!deciding);
    for part in parts {
        match part.judge(input) {
            Some(passes) if passes == deciding => return Some(deciding),
            Some(_) => {}
            None => verdict = None,
        }
    }
    verdict
}

impl Test {
    fn judge(&self, input: &FilterInput<'_>) -> Option<bool> {
        let url = input.url;
        Some(match self {
            Test::Domain(domains) => domains.iter().any(|domain| in_domain(url.host(), domain)),
            Test::Host(hosts) => hosts.iter().any(|host| is_host(url, host)),
            Test::Protocol(names) => names.iter().any(|name| name == url.scheme().as_str()),
            Test::Prefix(prefixes) => prefixes.iter().any(|prefix| url.as_str().starts_with(prefix.as_str())),
            Test::Extension(known) => url.extension().is_some_and(|extension| known.contains(&extension)),
            Test::Path(patterns) => {
                let path = normal_path(url.path_and_query());
                patterns.iter().any(|pattern| pattern.matches(&path))
            }
            Test::Query(names) => {
                url.query().is_some_and(|query| names.is_empty() || has_parameter(query, names))
            }
            Test::ContentType(patterns) => {
                let content_type = input.content_type?;
                patterns.iter().any(|pattern| pattern.matches(content_type))
            }
            Test::Regex(regex) => regex.is_match(url.as_str()),
            Test::Depth(range) => range.contains(&input.depth),
        })
    }
}

fn in_domain(host: &str, domain: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

fn is_host(url: &CanonicalUrl, wanted: &str) -> bool {
    let host = url.host();
    host == wanted
        || wanted
            .strip_prefix(host)
            .and_then(|rest| rest.strip_prefix(':'))
            .is_some_and(|port| port.parse() == Ok(url.port()))
}

fn has_parameter(query: &str, names: &[String]) -> bool {
    query.split('&').any(|pair| {
        let name = pair.split_once('=').map_or(pair, |(name, _)| name);
        names.iter().any(|wanted| wanted == name)
    })
}

#[cfg(test)]
mod tests;
