//! Why a URL was not let in. The first reason wins; every one is counted, and `explain` shows it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a URL was not admitted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RejectReason {
    /// It cannot be parsed.
    Malformed,
    /// Not http or https.
    Scheme(String),
    /// Longer than the limit.
    TooLong,
    /// Outside the scope of the crawl.
    OutOfScope,
    /// A filter of the configuration; its name or text.
    Filter(String),
    /// An extension that is never a page.
    Extension(String),
    /// Further from the seeds than the depth limit.
    TooDeep,
    /// robots.txt forbids it.
    Robots,
    /// `rel=nofollow` or a `nofollow` page.
    NoFollow,
    /// The site asks for a longer crawl delay than we are willing to wait.
    CrawlDelayTooLong,
    /// The queue of links that wait for a site's robots.txt is full.
    PendingFull,
    /// It looks like one of endlessly many: what is wrong with it, or its pattern.
    Trap(String),
    /// A CGI program.
    Cgi,
}

impl RejectReason {
    /// The name it is counted under.
    #[must_use]
    pub fn label(&self) -> &'static str {
        match self {
            RejectReason::Malformed => "malformed",
            RejectReason::Scheme(_) => "scheme",
            RejectReason::TooLong => "too_long",
            RejectReason::OutOfScope => "out_of_scope",
            RejectReason::Filter(_) => "filter",
            RejectReason::Extension(_) => "extension",
            RejectReason::TooDeep => "too_deep",
            RejectReason::Robots => "robots",
            RejectReason::NoFollow => "nofollow",
            RejectReason::CrawlDelayTooLong => "crawl_delay_too_long",
            RejectReason::PendingFull => "pending_full",
            RejectReason::Trap(_) => "trap",
            RejectReason::Cgi => "cgi",
        }
    }
}

impl fmt::Display for RejectReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RejectReason::Scheme(detail)
            | RejectReason::Filter(detail)
            | RejectReason::Extension(detail)
            | RejectReason::Trap(detail) => {
                write!(f, "{} ({detail})", self.label())
            }
            _ => f.write_str(self.label()),
        }
    }
}
