//! What one parse gives: the page as readers, the index and the planner see it.

use crate::link::Link;
use crate::time::Timestamp;
use crate::url::CanonicalUrl;
use serde::{Deserialize, Serialize};

/// The formats that are indexed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PageFormat {
    /// HTML and XHTML.
    #[default]
    Html,
    /// Plain text.
    Text,
}

impl PageFormat {
    /// Name in results and exports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            PageFormat::Html => "html",
            PageFormat::Text => "text",
        }
    }
}

/// What the page asks of robots, from `<meta name=robots>` and `X-Robots-Tag` together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetaRobots {
    /// Keep it out of the index.
    pub noindex: bool,
    /// Do not follow its links.
    pub nofollow: bool,
    /// Do not show a cached copy.
    pub noarchive: bool,
    /// Do not show a snippet.
    pub nosnippet: bool,
    /// Out of the index from this time on.
    pub unavailable_after: Option<Timestamp>,
}

impl MetaRobots {
    /// Both sources speak: the stricter wins.
    #[must_use]
    pub fn stricter(self, other: MetaRobots) -> MetaRobots {
        MetaRobots {
            noindex: self.noindex || other.noindex,
            nofollow: self.nofollow || other.nofollow,
            noarchive: self.noarchive || other.noarchive,
            nosnippet: self.nosnippet || other.nosnippet,
            unavailable_after: match (self.unavailable_after, other.unavailable_after) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
        }
    }
}

/// One heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Its words.
    pub text: String,
}

/// Everything taken from a page in one pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageContent {
    /// What it was parsed as.
    pub format: PageFormat,
    /// Title; the first heading when there is none.
    pub title: String,
    /// Meta description.
    pub description: String,
    /// Who wrote it, where the page says so.
    pub author: Option<String>,
    /// When it was first published, where the page says so.
    pub published: Option<Timestamp>,
    /// When it was last changed, where the page says so.
    pub modified: Option<Timestamp>,
    /// ISO 639-1 code, declared or detected.
    pub language: Option<String>,
    /// Headings in order.
    pub headings: Vec<Heading>,
    /// Main text, apart from navigation; blocks on lines of their own.
    pub text: String,
    /// The rest of the visible text: navigation, header, footer, asides.
    pub navigation_text: String,
    /// `<link rel=canonical>`, resolved and normalised.
    pub canonical: Option<CanonicalUrl>,
    /// What it asks of robots.
    pub robots: MetaRobots,
    /// Links in order, duplicates kept.
    pub links: Vec<Link>,
    /// Links that could not be made into URLs, and non-http schemes: `(href, why)`.
    pub rejected_links: Vec<(String, crate::reason::RejectReason)>,
    /// Words in the page's visible text.
    pub word_count: u32,
    /// Hash of the tag tree without text: equal for pages of one shape.
    pub structure_hash: u64,
    /// BLAKE3 of the main text, first 16 bytes: whether the content, not the bytes, changed.
    pub text_hash: [u8; 16],
}
