//! Rows of the store as the planner decides on them. The store encodes them; nobody else knows how.

use crate::digest::ContentHash;
use crate::key::{SiteKey, UrlKey};
use crate::outcome::{FetchOutcome, Validators};
use crate::site::Site;
use crate::time::Timestamp;
use crate::unindexed::Unindexed;
use crate::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;

/// How many visits a URL's history keeps.
pub const HISTORY_MAX: usize = 20;

/// Where a URL stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UrlState {
    /// Admitted, never visited: in the site's queue under this place.
    Queued(QueuePlace),
    /// Visited at least once, due again at `UrlRecord::due`.
    Known,
}

/// A place in a site's queue: lower class first, then lower sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct QueuePlace {
    /// Priority class, 0 best.
    pub class: u8,
    /// Order within the class.
    pub sequence: u64,
}

/// One visit in a URL's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastVisit {
    /// When.
    pub at: Timestamp,
    /// Whether the content differed from the visit before.
    pub changed: bool,
    /// First 8 bytes of the content hash, zero when nothing came.
    pub digest: [u8; 8],
}

/// A row of the URL table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UrlRecord {
    /// The URL.
    pub url: CanonicalUrl,
    /// Where it stands.
    pub state: UrlState,
    /// Level: links on the shortest known path from a seed.
    pub depth: u16,
    /// When it was admitted.
    pub discovered_at: Timestamp,
    /// The page whose link led here; `None` for seeds.
    pub discovered_from: Option<UrlKey>,
    /// Pages seen to link here.
    pub in_links: u32,
    /// Further sightings of the URL after the first (the papers' occurrence count).
    pub occurrences: u32,
    /// Estimated PageRank from the links seen so far.
    pub link_score: f32,
    /// Hops of redirects that led here without a page between.
    pub redirect_hops: u8,
    /// Size of the last body in bytes.
    pub size: u64,
    /// Last visit that got an answer.
    pub last_visit: Option<Timestamp>,
    /// Last time the content was seen to differ.
    pub last_change: Option<Timestamp>,
    /// Rounds left before the next visit.
    pub fr: u16,
    /// Visiting interval in rounds.
    pub fr_max: u16,
    /// When to go again; `NEVER` while queued.
    pub due: Timestamp,
    /// What to ask conditionally with.
    pub validators: Validators,
    /// Hash of the stored content.
    pub content_hash: Option<ContentHash>,
    /// First 16 bytes of the hash of the main text.
    pub text_hash: Option<[u8; 16]>,
    /// What the last visit came to.
    pub outcome: Option<FetchOutcome>,
    /// Passing failures in a row.
    pub failures: u8,
    /// First of the uninterrupted 404/410 answers.
    pub gone_since: Option<Timestamp>,
    /// First of the uninterrupted failures to reach it.
    pub unreachable_since: Option<Timestamp>,
    /// Page versions stored so far.
    pub versions: u32,
    /// The page this is a copy of, or redirects to.
    pub representative: Option<UrlKey>,
    /// Whether it is (to be) in the index.
    pub indexed: bool,
    /// Visits, newest last, at most `HISTORY_MAX`.
    pub history: Vec<PastVisit>,
    /// The page asks to be left out from this time on.
    pub expires_at: Option<Timestamp>,
    /// Why a stored page is not in the index.
    pub unindexed: Option<Unindexed>,
}

impl UrlRecord {
    /// A URL just admitted.
    #[must_use]
    pub fn admitted(url: CanonicalUrl, state: UrlState, depth: u16, now: Timestamp) -> UrlRecord {
        UrlRecord {
            url,
            state,
            depth,
            discovered_at: now,
            discovered_from: None,
            in_links: 0,
            occurrences: 0,
            link_score: 0.0,
            redirect_hops: 0,
            size: 0,
            last_visit: None,
            last_change: None,
            fr: 0,
            fr_max: 1,
            due: Timestamp::NEVER,
            validators: Validators::default(),
            content_hash: None,
            text_hash: None,
            outcome: None,
            failures: 0,
            gone_since: None,
            unreachable_since: None,
            versions: 0,
            representative: None,
            indexed: false,
            history: Vec::new(),
            expires_at: None,
            unindexed: None,
        }
    }

    /// Key of the row.
    #[must_use]
    pub fn key(&self) -> UrlKey {
        self.url.key()
    }

    /// Adds a visit to the history ring.
    pub fn remember(&mut self, visit: PastVisit) {
        if self.history.len() >= HISTORY_MAX {
            self.history.remove(0);
        }
        self.history.push(visit);
    }
}

/// What is known of a site's robots.txt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RobotsState {
    /// Never asked.
    Unread,
    /// Read: the body is stored under this hash.
    Rules(ContentHash),
    /// 4xx: no restrictions.
    AllowAll,
    /// 5xx, 429, time-out: nothing may be visited; asked again later.
    Unreachable {
        /// Since when without interruption.
        since: Timestamp,
    },
}

/// A row of the site table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteRecord {
    /// The site.
    pub site: Site,
    /// When it was first met.
    pub discovered_at: Timestamp,
    /// Its rules.
    pub robots: RobotsState,
    /// When robots.txt was last asked for.
    pub robots_at: Option<Timestamp>,
    /// Status of that answer, 0 when none came.
    pub robots_status: u16,
    /// What the last attempt at robots.txt came to, in a word.
    pub robots_outcome: String,
    /// When to ask again.
    pub robots_due: Timestamp,
    /// `Crawl-delay` for us, in milliseconds.
    pub crawl_delay_ms: Option<u64>,
    /// Failed attempts at robots.txt in a row.
    pub robots_failures: u8,
    /// Pages stored in all.
    pub pages: u64,
    /// Visits in all, robots.txt and redirects included.
    pub visits: u64,
    /// Bytes received in all.
    pub bytes: u64,
    /// URLs admitted in all.
    pub urls: u64,
    /// Of them, waiting for their first visit.
    pub queued: u64,
}

impl SiteRecord {
    /// A site just met.
    #[must_use]
    pub fn met(site: Site, now: Timestamp) -> SiteRecord {
        SiteRecord {
            site,
            discovered_at: now,
            robots: RobotsState::Unread,
            robots_at: None,
            robots_status: 0,
            robots_outcome: String::new(),
            robots_due: now,
            crawl_delay_ms: None,
            robots_failures: 0,
            pages: 0,
            visits: 0,
            bytes: 0,
            urls: 0,
            queued: 0,
        }
    }

    /// Key of the row.
    #[must_use]
    pub fn key(&self) -> SiteKey {
        self.site.key()
    }
}

/// State of a host's gate that must survive a crash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateState {
    /// The host.
    pub host: String,
    /// End of the last visit.
    pub last_visit: Timestamp,
    /// No visit before this time.
    pub open_at: Timestamp,
    /// Back-offs in a row.
    pub back_offs: u8,
    /// Address last used, for the gate per address.
    pub address: Option<IpAddr>,
}

/// Where a record lies in the WARC files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarcPointer {
    /// Number of the file.
    pub file: u32,
    /// First byte of the member.
    pub offset: u64,
    /// Bytes of the member.
    pub length: u64,
}

/// The records of one visit, ready to append: each is a whole gzip member, made off the writer thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    /// When the request was sent.
    pub at: Timestamp,
    /// Address that answered.
    pub ip: Option<IpAddr>,
    /// `WARC-Record-ID` of the response, without `urn:uuid:`.
    pub record_id: [u8; 16],
    /// The request record.
    pub request: Vec<u8>,
    /// The response record.
    pub response: Vec<u8>,
    /// Status line and headers as received, for a revisit record in place of the response.
    pub head: Vec<u8>,
    /// SHA-1 of the payload as received, transfer coding undone.
    pub payload_sha1: [u8; 20],
    /// The body was cut at a limit.
    pub truncated: bool,
}

/// One captured state of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageVersion {
    /// Its URL.
    pub url: CanonicalUrl,
    /// Group-commit sequence number it was stored under; set by the store.
    pub sequence: u64,
    /// When it was fetched.
    pub fetched_at: Timestamp,
    /// HTTP status.
    pub status: u16,
    /// `Content-Type` as given.
    pub content_type: String,
    /// BLAKE3 of the decoded body.
    pub content_hash: ContentHash,
    /// Bytes of the decoded body.
    pub body_bytes: u64,
    /// Bytes received.
    pub wire_bytes: u64,
    /// The body was cut at a limit.
    pub truncated: bool,
    /// Where the response record lies; set by the store.
    pub response: WarcPointer,
    /// `Last-Modified` as a time, where the server gave one.
    pub last_modified: Option<Timestamp>,
}

/// A link that waits: for its site's robots.txt, or for its site to have nothing of its own to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PendingLink {
    /// Where it leads.
    pub target: CanonicalUrl,
    /// Nearest depth it was met at.
    pub depth: u16,
    /// Page it was first met on.
    pub from: Option<UrlKey>,
    /// Link score its sources pass on.
    pub score: f32,
    /// Pages that link to it.
    pub in_links: u32,
    /// Redirect hops, when it comes from a redirect.
    pub redirect_hops: u8,
    /// It is a seed: admitted whatever the scope's edge says.
    pub seed: bool,
    /// What the links say, the best few.
    pub anchors: Vec<Anchor>,
}

/// What a link to a page says about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// Words of the link.
    pub text: String,
    /// The page it stands on.
    pub from: UrlKey,
    /// Visibility × position × distance.
    pub weight: u32,
}
