//! Sitemaps (sitemaps.org protocol 0.9: XML, index, plain text, gzip) and feeds used as such (RSS 0.9x, 1.0, 2.0 and
//! Atom): which pages does a file name, and since when are they as they are? Never fetches what a file refers to,
//! and never fails: a broken file gives what can be had, with its problems named.
//! Invariant: work and memory are linear in the body and bounded by [`SitemapLimits`], whatever the file says.

mod body;
mod draft;
mod entity;
mod location;
mod problem;
mod scope;
mod text;
mod token;
mod tree;
mod vocabulary;
mod xml;

pub use problem::{PROBLEMS_MAX, Problem, ProblemKind};
pub use scope::in_scope;
pub use tree::{Answer, Handled, Probe, SitemapTree, TreePage, TreeRules, WELL_KNOWN_PLACES};

use crate::date::DatePrecision;
use crate::parse_url::ParsedUrl;
use problem::Problems;
use whimbrel_types::{CanonicalUrl, Timestamp};

/// Unpacked bytes of one file that are read: what the protocol allows.
pub const SITEMAP_BYTES_MAX: usize = 50 << 20;

/// Entries of one file that are read: what the protocol allows.
pub const SITEMAP_ENTRIES_MAX: usize = 50_000;

/// How much of one file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SitemapLimits {
    /// Bytes after unpacking.
    pub bytes_max: usize,
    /// Entries.
    pub entries_max: usize,
}

impl Default for SitemapLimits {
    fn default() -> Self {
        SitemapLimits { bytes_max: SITEMAP_BYTES_MAX, entries_max: SITEMAP_ENTRIES_MAX }
    }
}

/// What kind of file it is, by its content; names and declared types are not asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SitemapKind {
    /// Pages in XML.
    Urlset,
    /// Sitemaps in XML.
    Index,
    /// One URL per line.
    Text,
    /// RSS 0.9x, 1.0 or 2.0.
    Rss,
    /// Atom 0.3 or 1.0.
    Atom,
    /// Nothing that names pages.
    #[default]
    Unknown,
}

impl SitemapKind {
    /// Its name in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            SitemapKind::Urlset => "urlset",
            SitemapKind::Index => "index",
            SitemapKind::Text => "text",
            SitemapKind::Rss => "rss",
            SitemapKind::Atom => "atom",
            SitemapKind::Unknown => "unknown",
        }
    }
}

/// How often a page is said to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeFrequency {
    /// At each visit.
    Always,
    /// Every hour.
    Hourly,
    /// Every day.
    Daily,
    /// Every week.
    Weekly,
    /// Every month.
    Monthly,
    /// Every year.
    Yearly,
    /// Not any more.
    Never,
}

/// When a page was last modified, as its sitemap says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastModified {
    /// The beginning of the time that was named.
    pub at: Timestamp,
    /// How much of it was named.
    pub precision: DatePrecision,
}

/// A page, or in an index a sitemap.
#[derive(Clone, Debug, PartialEq)]
pub struct SitemapEntry {
    /// The URL as the file has it, unescaped, resolved if it was relative; with its fragment.
    pub loc: String,
    /// Its canonical form.
    pub url: CanonicalUrl,
    /// When it was last modified; for entries of feeds, when they were updated or else published.
    pub lastmod: Option<LastModified>,
    /// How often it changes.
    pub changefreq: Option<ChangeFrequency>,
    /// From 0 to 1 among the pages of its site.
    pub priority: Option<f32>,
}

/// A file that has been read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sitemap {
    /// What it is.
    pub kind: SitemapKind,
    /// What it names, in its order; a URL named twice is here twice.
    pub entries: Vec<SitemapEntry>,
    /// What is wrong with it, at most [`PROBLEMS_MAX`].
    pub problems: Vec<Problem>,
    /// Further problems that are not listed.
    pub problems_left_out: usize,
    /// A limit was reached, so there is more in it.
    pub truncated: bool,
}

impl Sitemap {
    /// Reads the body of a response from `url`. The `Content-Type` only helps to tell the encoding.
    #[must_use]
    pub fn parse(url: &str, content_type: Option<&str>, bytes: &[u8], limits: SitemapLimits) -> Sitemap {
        let mut problems = Problems::default();
        let body = body::read(bytes, content_type, limits.bytes_max, &mut problems);
        let base = ParsedUrl::parse(url);
        let mut found = match xml::beginning(&body.text) {
            Some(at) => xml::read(&body.text, at, base.as_ref(), limits.entries_max, &mut problems),
            None => text::read(&body.text, limits.entries_max, &mut problems),
        };
        found.truncated |= body.truncated;
        found.problems_left_out = problems.left_out;
        found.problems = problems.finish(&body.text);
        found
    }
}

#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod tests;
