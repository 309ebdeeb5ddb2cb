//! `whimbrel tool NAME`: every format handler reachable as JSON lines, for scripts, other languages and tests.
//! Thin: a tool maps the fields of a request to one library call and its result to the fields of a reply. It decides
//! nothing about a format; whatever does belongs into the crate of that format.
//! Invariant: each request line has exactly one reply line with the same `id`, in order, whatever the line holds.

mod body;
mod charset;
mod help;
mod html;
mod lines;
mod page;
mod reply;
mod request;
mod robots;
mod sitemap;
mod stream;
mod url;
mod warc;

pub use help::{list, manual};
pub use stream::run;

use reply::Reply;
use request::Request;

/// One tool.
pub struct Tool {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Fields of a request, each with what it is.
    pub input: &'static [Field],
    /// Fields of a reply besides `id`, each with what it is.
    pub output: &'static [Field],
    /// A request; help shows it with the reply it gets.
    pub example: &'static str,
    /// Its reply, as it is printed.
    pub example_reply: &'static str,
    /// Answers one request, or says what is wrong with it.
    answer: fn(&Request) -> Result<Reply, String>,
}

/// A field's name and meaning.
pub type Field = (&'static str, &'static str);

/// All tools, as they are listed.
pub static TOOLS: &[Tool] = &[
    robots::ROBOTS,
    robots::ROBOTS_META,
    url::PARSE,
    url::RESOLVE,
    url::NORMALIZE,
    url::QUERY_ENCODING,
    sitemap::SITEMAP,
    sitemap::DATE,
    sitemap::SCOPE,
    sitemap::TREE,
    charset::CHARSET,
    charset::DETECT,
    charset::LABEL,
    charset::CONTENT_TYPE,
    html::LINKS,
    html::TEXT,
    html::META_REFRESH,
    html::SRCSET,
    page::EXTRACT,
    page::LINKS,
    body::CONTENT_ENCODING,
    warc::READ,
];

/// The tool of this name.
pub fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

#[cfg(test)]
mod tests;
