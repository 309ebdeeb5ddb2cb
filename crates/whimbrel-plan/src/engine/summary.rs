//! What a run has to show: counted where it happens, printed at the end and in `status`.

use std::collections::BTreeMap;
use whimbrel_types::{Site, Timestamp};

/// Counts of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// New or changed pages stored.
    pub pages: u64,
    /// Requests made, robots.txt and redirects included.
    pub fetches: u64,
    /// Bytes received.
    pub bytes: u64,
    /// Copies of pages stored already.
    pub duplicates: u64,
    /// Visits that found nothing new.
    pub unchanged: u64,
    /// Bytes those visits cost.
    pub unchanged_bytes: u64,
    /// Redirects answered.
    pub redirects: u64,
    /// 404 and 410.
    pub dead_links: u64,
    /// URLs admitted.
    pub discovered: u64,
    /// Links met, by the outcome of the seen test: in memory, on disk, or new.
    pub seen_test: BTreeMap<&'static str, u64>,
    /// Rejected links, by reason; a link counts each time it is met.
    pub rejected: BTreeMap<String, u64>,
    /// Visits that brought nothing, by kind.
    pub errors: BTreeMap<String, u64>,
    /// Limits that were reached, by name.
    pub limits: BTreeMap<String, u64>,
    /// Sites that are skipped, and why.
    pub skipped_sites: BTreeMap<String, String>,
    /// Visits to seeds that brought a page, or a way on.
    pub seeds_reached: u64,
    /// Visits to seeds that brought nothing, and seeds that were not visited at all.
    pub seeds_failed: u64,
    /// URLs left for later when the run ended.
    pub waiting: u64,
}

impl Summary {
    pub(super) fn reject(&mut self, label: &str) {
        *self.rejected.entry(label.to_owned()).or_default() += 1;
    }

    pub(super) fn limit(&mut self, name: &str) {
        *self.limits.entry(name.to_owned()).or_default() += 1;
    }

    pub(super) fn error(&mut self, label: &str) {
        *self.errors.entry(label.to_owned()).or_default() += 1;
    }
}

/// Where a site stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteProgress {
    /// The site.
    pub site: Site,
    /// Pages stored in all.
    pub pages: u64,
    /// URLs waiting for their first visit.
    pub queued: u64,
    /// Stops under way.
    pub in_flight: usize,
    /// Wait between visits.
    pub delay_ms: u64,
    /// One word: `asking` for robots.txt, `crawling`, `waiting` for a time, `idle`, `unreachable`, `skipped`.
    pub state: &'static str,
    /// When something is to be done next, if it waits.
    pub next: Option<Timestamp>,
}
