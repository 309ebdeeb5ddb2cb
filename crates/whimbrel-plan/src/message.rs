//! What engine and station say to each other: itineraries out, reports back.
//! The same values are moved through a channel on one machine and sent as bytes between machines.
//! Invariants: a report answers one itinerary; every stop of it is answered exactly once (visited or handed back);
//! both are bounded (`STOPS_MAX`).

use serde::{Deserialize, Serialize};
use whimbrel_types::{
    CanonicalUrl, Capture, ContentHash, FetchOutcome, GateState, Limit, LowValue, PageContent, Site,
    Timestamp, Validators,
};

/// The most stops an itinerary may have.
pub const STOPS_MAX: usize = 256;

/// Identity of an itinerary: unique over the life of a data directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ItineraryId {
    /// Which run of the engine made it.
    pub run: u64,
    /// Its number within the run.
    pub number: u64,
}

/// Identity of a report: its itinerary and its number within that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ReportId {
    /// The itinerary it answers.
    pub itinerary: ItineraryId,
    /// First, second, … report about it.
    pub part: u32,
}

impl ReportId {
    /// As the store keeps it.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 16] {
        let mut out = [0; 16];
        out[..4].copy_from_slice(&(self.itinerary.run as u32).to_be_bytes());
        out[4..12].copy_from_slice(&self.itinerary.number.to_be_bytes());
        out[12..].copy_from_slice(&self.part.to_be_bytes());
        out
    }
}

/// What a stop is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopKind {
    /// A page.
    Page,
    /// The site's robots.txt.
    Robots,
}

/// What is known of a page that is visited again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// To ask conditionally with.
    pub validators: Validators,
    /// To recognise an unchanged body by.
    pub content_hash: Option<ContentHash>,
}

/// One URL to visit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// Where to go.
    pub url: CanonicalUrl,
    /// What for.
    pub kind: StopKind,
    /// What is known of it.
    pub known: Known,
    /// Its depth, for content-type filters.
    pub depth: u16,
}

/// The rules a migrant asks again at each visit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RobotsRef {
    /// Not read yet: only robots.txt itself may be visited.
    Unread,
    /// Nothing is forbidden.
    AllowAll,
    /// The station has this file already.
    Held(ContentHash),
    /// The file itself.
    Sent {
        /// Its hash.
        hash: ContentHash,
        /// Its bytes.
        body: Vec<u8>,
    },
}

/// A migrant's plan: stops of one site, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Itinerary {
    /// Identity.
    pub id: ItineraryId,
    /// All stops are on this site.
    pub site: Site,
    /// In order.
    pub stops: Vec<Stop>,
    /// Wait at least so long between two visits to the host.
    pub delay_ms: u64,
    /// The site's rules.
    pub robots: RobotsRef,
    /// Not to be begun after this time.
    pub expires: Timestamp,
}

/// A robots.txt that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RobotsAnswer {
    /// Status; `None` when no answer came.
    pub status: Option<u16>,
    /// Body of a 2xx, cut at the limit.
    pub body: Vec<u8>,
}

/// A page that was brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageReport {
    /// BLAKE3 of the decoded body.
    pub content_hash: ContentHash,
    /// HTTP status.
    pub status: u16,
    /// `Content-Type` as given.
    pub content_type: String,
    /// Bytes of the decoded body.
    pub body_bytes: u64,
    /// The body was cut at a limit.
    pub truncated: bool,
    /// `Last-Modified` as a time.
    pub last_modified: Option<Timestamp>,
    /// It says nothing that a reader could look for.
    pub low_value: Option<LowValue>,
    /// Text, fields and links.
    pub content: PageContent,
    /// WARC records.
    pub capture: Capture,
}

/// What one visit came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisitReport {
    /// Where.
    pub url: CanonicalUrl,
    /// What for.
    pub kind: StopKind,
    /// When the request was sent.
    pub at: Timestamp,
    /// A request was sent; false when the stop was answered without one.
    pub sent: bool,
    /// How long it took.
    pub elapsed_ms: u64,
    /// Bytes received, headers included.
    pub wire_bytes: u64,
    /// CPU time that reading the page took.
    pub read_ms: u64,
    /// The result.
    pub outcome: FetchOutcome,
    /// More about it, for `explain` and logs.
    pub detail: String,
    /// Limits that were reached, each once.
    pub limits: Vec<Limit>,
    /// Validators the answer carried.
    pub validators: Validators,
    /// The page, when `outcome` is `Fetched` and the stop was a page.
    pub page: Option<Box<PageReport>>,
    /// WARC records of an unchanged visit, kept only when revisit records are wanted.
    pub unchanged_capture: Option<Box<Capture>>,
    /// The answer to a robots stop.
    pub robots: Option<RobotsAnswer>,
}

impl VisitReport {
    /// A visit of which nothing is known yet but its outcome. A robots stop is taken to be unanswered.
    #[must_use]
    pub fn new(stop: &Stop, at: Timestamp, outcome: FetchOutcome) -> VisitReport {
        let unanswered = RobotsAnswer { status: None, body: Vec::new() };
        VisitReport {
            url: stop.url.clone(),
            kind: stop.kind,
            at,
            sent: true,
            elapsed_ms: 0,
            wire_bytes: 0,
            read_ms: 0,
            outcome,
            detail: String::new(),
            limits: Vec::new(),
            validators: Validators::default(),
            page: None,
            unchanged_capture: None,
            robots: (stop.kind == StopKind::Robots).then_some(unanswered),
        }
    }

    /// A limit was reached.
    pub fn reached(&mut self, limit: Limit) {
        if !self.limits.contains(&limit) {
            self.limits.push(limit);
        }
    }
}

/// What a migrant has to say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Identity.
    pub id: ReportId,
    /// The site.
    pub site: Site,
    /// Visits in the order they ended.
    pub visits: Vec<VisitReport>,
    /// Stops handed back unvisited (retracted or expired).
    pub returned: Vec<CanonicalUrl>,
    /// State of the host's gate.
    pub gate: Option<GateState>,
    /// The itinerary is finished.
    pub done: bool,
}

#[cfg(test)]
mod tests;
