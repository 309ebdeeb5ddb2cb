//! What the planner wants written. Decided in pure code, carried out by the store's one writer in one atomic batch.

use crate::content::PageContent;
use crate::digest::ContentHash;
use crate::key::{SiteKey, UrlId, UrlKey};
use crate::limit::VisitNote;
use crate::record::{
    Anchor, Capture, GateState, PageVersion, PendingLink, QueuePlace, SiteRecord, UrlRecord,
};
use crate::time::Timestamp;
use crate::trap::{TrapRecord, TrapRule};
use serde::{Deserialize, Serialize};

/// A page version with everything that is stored beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct NewPage {
    /// The version; `sequence` and `response` are filled in by the writer.
    pub version: PageVersion,
    /// Text, fields and links.
    pub content: PageContent,
    /// Its WARC records.
    pub capture: Capture,
}

/// A visit whose body is not stored: a copy of another page, or unchanged (only when revisit records are wanted).
#[derive(Clone, Debug, PartialEq)]
pub struct RevisitCapture {
    /// URL that was visited.
    pub url: crate::CanonicalUrl,
    /// Its records; the response is replaced by a revisit record made from `head`.
    pub capture: Capture,
    /// Page whose stored version has the same payload.
    pub refers_to: UrlKey,
    /// The server said so (304), rather than the digest.
    pub not_modified: bool,
}

/// What the index has to do about a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum IndexOp {
    /// Put in the current version, replacing any other.
    Update,
    /// Links to it say something new: put it in again if they bring words it lacks.
    Refresh,
    /// Take out.
    Delete,
}

/// One change of the store.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    /// Insert or replace a row of the URL table.
    PutUrl(Box<UrlRecord>),
    /// Remove a row of the URL table (a URL that turned out to be forbidden before its first visit).
    RemoveUrl(UrlKey),
    /// Put a URL into its site's queue.
    Enqueue {
        /// Where in the queue.
        place: QueuePlace,
        /// Which URL.
        key: UrlKey,
    },
    /// Take a URL out of its site's queue.
    Dequeue {
        /// Whose queue.
        site: SiteKey,
        /// Where it stood.
        place: QueuePlace,
    },
    /// Make a known URL due at a time.
    SetDue {
        /// Which URL.
        key: UrlKey,
        /// When.
        at: Timestamp,
    },
    /// Take back an earlier `SetDue`.
    ClearDue {
        /// Which URL.
        key: UrlKey,
        /// The time it was set to.
        at: Timestamp,
    },
    /// Store a new page version, its text, its links and its WARC records.
    PutPage(Box<NewPage>),
    /// Write the WARC records of a visit that brought no new content.
    PutRevisit(Box<RevisitCapture>),
    /// Insert or replace a row of the site table.
    PutSite(Box<SiteRecord>),
    /// Keep a robots.txt body under its hash.
    PutRobots {
        /// BLAKE3 of the body.
        hash: ContentHash,
        /// The body, cut at the limit.
        body: Vec<u8>,
    },
    /// Keep a gate's state.
    PutGate(GateState),
    /// A link that waits.
    PutPending(Box<PendingLink>),
    /// A waiting link was taken up.
    RemovePending(UrlKey),
    /// Keep what a link says about its target.
    PutAnchor {
        /// The target.
        target: UrlKey,
        /// The words, and where they stand.
        anchor: Anchor,
    },
    /// This page is the first with this content.
    ClaimDigest {
        /// Hash of the content.
        hash: ContentHash,
        /// The page.
        owner: UrlKey,
    },
    /// The page no longer has this content.
    ReleaseDigest {
        /// Hash of the content it had.
        hash: ContentHash,
    },
    /// `alias` shows the same content as `representative`, or redirects to it.
    AddAlias {
        /// The page that is stored and indexed.
        representative: UrlKey,
        /// The other URL.
        alias: UrlKey,
    },
    /// `alias` no longer does.
    RemoveAlias {
        /// The page it was a copy of.
        representative: UrlKey,
        /// The other URL.
        alias: UrlKey,
    },
    /// Queue a URL for the index.
    Index {
        /// Which URL.
        key: UrlKey,
        /// What to do.
        op: IndexOp,
    },
    /// Keep what there is to say of a URL's last visit that had something to say.
    PutNote(Box<VisitNote>),
    /// Not all links of this page are followed yet.
    PutLongPage(UrlKey),
    /// Now they are.
    RemoveLongPage(UrlKey),
    /// Keep what a pattern of URLs has used of its budget.
    PutTrap(Box<TrapRecord>),
    /// Forget a pattern.
    RemoveTrap(UrlKey),
    /// Keep what the operator said about a pattern.
    PutTrapRule(Box<TrapRule>),
    /// Forget it.
    RemoveTrapRule(UrlId),
    /// Add to a named counter.
    Count {
        /// Name.
        name: String,
        /// How much.
        by: u64,
    },
}

/// Site-less helper: the queue place and id of a waiting URL, as a refill reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct QueueEntry {
    /// Where it stands.
    pub place: QueuePlace,
    /// Which URL of the site.
    pub url: UrlId,
}

/// All writes of one report, to be committed together or not at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Identity of the report; a batch with an id that was committed before changes nothing.
    pub report: Option<[u8; 16]>,
    /// The changes, in order.
    pub writes: Vec<Write>,
}
