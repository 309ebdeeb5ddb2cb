//! The named bounds that a visit can run into. Each is a key of the configuration file, so that whoever reads that a
//! limit was reached knows what to turn; each is counted under that key.

use crate::time::Timestamp;
use crate::url::CanonicalUrl;
use serde::{Deserialize, Serialize};

/// Longest detail that is kept of a visit.
pub const NOTE_BYTES_MAX: usize = 500;

macro_rules! limits {
    ($($(#[$meta:meta])* $name:ident = $key:literal,)*) => {
        /// A bound that was reached.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Limit { $($(#[$meta])* $name,)* }

        impl Limit {
            /// All of them.
            pub const ALL: &'static [Limit] = &[$(Limit::$name,)*];

            /// Its key in the configuration, and the name it is counted under.
            #[must_use]
            pub fn key(self) -> &'static str {
                match self { $(Limit::$name => $key,)* }
            }
        }
    };
}

// New ones go to the end: the order is the stored form.
limits! {
    /// The whole visit took too long.
    Timeout = "fetch.timeout",
    /// No connection in time.
    ConnectTimeout = "fetch.connect_timeout",
    /// No byte for too long.
    IdleTimeout = "fetch.idle_timeout",
    /// The decoded body is longer; it was cut.
    Body = "fetch.max_body",
    /// robots.txt is longer; it was cut.
    Robots = "fetch.max_robots",
    /// The response head is longer.
    Headers = "fetch.max_headers",
    /// The body decodes to too many times its size; it was cut.
    Ratio = "fetch.ratio_max",
    /// More content codings on one body.
    Codings = "fetch.codings_max",
    /// Redirects in a row.
    Redirects = "fetch.redirects_max",
    /// Nodes of a page; the rest was left out.
    Nodes = "limits.nodes_max",
    /// Elements inside elements; deeper ones were left out, not their text.
    Nesting = "limits.nesting_max",
    /// Attributes of one element.
    Attributes = "limits.attributes_max",
    /// Links of a page.
    Links = "limits.links_max",
    /// Visible text of a page.
    Text = "limits.text_bytes_max",
    /// Headings of a page.
    Headings = "limits.headings_max",
    /// References that were refused, kept for the report.
    RefusedLinks = "limits.refused_links_max",
    /// Links that wait for another site.
    Pending = "limits.pending_max",
    /// Fields of a response head.
    HeaderFields = "fetch.header_fields_max",
    /// Structured data of a page.
    StructuredData = "limits.structured_bytes_max",
    /// Length of one field: title, description, author.
    Field = "limits.field_bytes_max",
    /// A pattern of URLs that makes ever more of itself.
    Pattern = "traps.pattern_budget",
    /// Interim answers before the real one.
    Interim = "fetch.interim_max",
    /// Cookies of a site; the oldest went.
    Cookies = "fetch.cookies_max",
    /// Length of a cookie; it was not kept.
    Cookie = "fetch.max_cookie",
    /// Bytes of a page that are parsed; the rest is archived only.
    ParsedBody = "limits.parsed_bytes_max",
    /// Length of one attribute's value.
    AttributeBytes = "limits.attribute_bytes_max",
    /// Length of the words of one link.
    AnchorText = "limits.anchor_bytes_max",
    /// What a page says about itself: `meta` elements, properties, times, authors, each.
    Statements = "limits.statements_max",
    /// Different URLs followed per page.
    Targets = "limits.targets_max",
    /// No answer of a name server in time.
    DnsTimeout = "fetch.dns_timeout",
}

/// What there is to say of a visit beyond its outcome: why it failed, what was cut. Kept for the last such visit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisitNote {
    /// Which URL.
    pub url: CanonicalUrl,
    /// When.
    pub at: Timestamp,
    /// The outcome, in a word.
    pub outcome: String,
    /// More about it; at most [`NOTE_BYTES_MAX`].
    pub detail: String,
    /// Limits that were reached.
    pub limits: Vec<Limit>,
}
