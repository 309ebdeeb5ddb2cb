//! The engine owns the frontier: it admits URLs, packs itineraries, takes reports in and says what is written.
//! It never fetches and never reads or writes the store itself: it asks (`Action`) and is told (`handle`).
//!
//! A URL's life here: pending (its site's robots.txt is unread, or it was met on another site) → admitted → queued →
//! taken (in an itinerary) → known, with a due time.
//! Invariants: a URL is in at most one itinerary at a time; pages in flight never exceed what is left of the budget, so
//! limits are exact; effects of one site on another are applied only when the other has nothing of its own to do, so
//! that a site's order does not depend on how fast its neighbours answer.

mod absorb;
mod discover;
mod dispatch;
mod intake;
mod long_page;
mod robots;
mod seen;
mod site;
mod summary;
mod traps;

use crate::backoff::BackOff;
use crate::message::{Itinerary, ItineraryId, Report};
use crate::revisit::RevisitRule;
use crate::strategy::Strategy;
use rustc_hash::FxHashMap;
use seen::SeenRows;
use site::SiteState;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use whimbrel_types::{
    Batch, CanonicalUrl, Component, ContentHash, Link, PendingLink, QueueEntry, Signal, SignalRecord, Site,
    SiteKey, SiteRecord, Timestamp, TrapRecord, UrlId, UrlKey, UrlRecord, Write,
};
use whimbrel_url::UrlRules;

pub use summary::{SiteProgress, Summary};
pub use traps::{Ordered, TrapBudget, account, lifted, said_about, undoes};

/// What the operator set for the engine.
#[derive(Clone)]
pub struct EngineConfig {
    /// Scope, filters, depth.
    pub rules: Arc<UrlRules>,
    /// Token that robots rules are asked for.
    pub agent: String,
    /// Wait between visits to a host; a larger `Crawl-delay` wins.
    pub delay_ms: u64,
    /// Other waits for some sites, by origin.
    pub site_delays_ms: BTreeMap<String, u64>,
    /// Other page limits for some sites, by origin.
    pub site_limits: BTreeMap<String, u64>,
    /// Sites that ask for a longer `Crawl-delay` are skipped.
    pub crawl_delay_ms_max: u64,
    /// Order of new URLs.
    pub strategy: Strategy,
    /// When known pages are due.
    pub revisit: RevisitRule,
    /// Visit every known page once more.
    pub recrawl: bool,
    /// Pages to store in this run.
    pub limit: Option<u64>,
    /// Pages to store per site in this run.
    pub site_limit: Option<u64>,
    /// Tries per URL and run.
    pub tries_max: u8,
    /// Wait before a URL is tried again.
    pub retry: BackOff,
    /// How long robots.txt is taken to be current.
    pub robots_ttl_ms: u64,
    /// A site whose robots.txt was unreachable for so long is taken to have none; `None` keeps it closed.
    pub robots_give_up_ms: Option<u64>,
    /// A one-shot run ends when all that is left is due later than this.
    pub horizon_ms: u64,
    /// Itineraries of one site at a time.
    pub connections_per_site: usize,
    /// Stops per itinerary.
    pub stops_max: usize,
    /// Itineraries under way at a time.
    pub migrants_max: usize,
    /// Queue heads per site in memory.
    pub heads_max: usize,
    /// Links that wait per site.
    pub pending_max: usize,
    /// How long links from other sites wait at the most while other sites are busy.
    pub pending_wait_ms: u64,
    /// Rows of the URL table kept in memory.
    pub seen_rows_max: usize,
    /// Anchor texts kept per page.
    pub anchors_max: usize,
    /// Different URLs followed per page.
    pub targets_max: usize,
    /// Redirects in a row.
    pub redirects_max: u8,
    /// How much a pattern of URLs may make of itself.
    pub traps: TrapBudget,
    /// Write WARC records for unchanged visits too.
    pub warc_revisits: bool,
    /// Write signals.
    pub signals: bool,
    /// Seed of everything random.
    pub seed: u64,
}

/// What the engine needs to know before it can take a report in.
#[derive(Debug, Default)]
pub struct Needs {
    /// Rows of the URL table.
    pub urls: Vec<UrlKey>,
    /// Owners of these contents.
    pub digests: Vec<ContentHash>,
}

/// The answers.
#[derive(Debug, Default)]
pub struct Found {
    /// Row by key; absent when there is none.
    pub urls: FxHashMap<UrlKey, UrlRecord>,
    /// First page with the content.
    pub digests: FxHashMap<ContentHash, UrlKey>,
}

/// What a refill brought from the disk.
#[derive(Debug)]
pub struct Refill {
    /// Whose queue.
    pub site: SiteKey,
    /// The first entries of the queue of new URLs, in order.
    pub queue: Vec<QueueEntry>,
    /// There are more than these.
    pub queue_more: bool,
    /// The first known URLs by due time.
    pub due: Vec<(Timestamp, UrlId)>,
    /// There are more than these.
    pub due_more: bool,
}

/// What the shell has to do.
#[derive(Debug)]
pub enum Action {
    /// Commit these writes together.
    Commit(Box<Batch>),
    /// Send a migrant.
    Dispatch(Box<Itinerary>),
    /// Read the head of a site's queues: at most `heads` of each, known URLs due after `due_after`.
    Refill {
        /// Whose.
        site: SiteKey,
        /// How many of each.
        heads: usize,
        /// Known URLs are read from here on.
        due_after: (Timestamp, UrlId),
    },
    /// Read rows of the URL table, for an itinerary to be packed.
    Load {
        /// Whose.
        site: SiteKey,
        /// Which.
        keys: Vec<UrlKey>,
    },
    /// Read rows of the URL table, for links that waited.
    LoadPending {
        /// Whose.
        site: SiteKey,
        /// Which.
        keys: Vec<UrlKey>,
    },
    /// Read rows of the URL table, for the next links of a long page.
    LoadTargets {
        /// Whose.
        site: SiteKey,
        /// Which.
        keys: Vec<UrlKey>,
    },
    /// A report that was held back can be taken in.
    TakeUp(Box<Report>),
    /// Read a stored page's links again: it was met nearer to the seeds.
    LoadLinks(UrlKey),
    /// List a site's stored pages: its rules changed.
    ListPages(SiteKey),
    /// Write to the event log.
    Signal(Box<SignalRecord>),
    /// Tell the operator of a pattern that used its budget up, or of a site with unusually many URLs.
    TrapFound(Box<TrapRecord>),
    /// Nothing to do before this time.
    WaitUntil(Timestamp),
    /// Nothing to do before the next event.
    Idle,
    /// The run is over.
    Finished(End),
}

/// Why a run is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to do now.
    Exhausted,
    /// The page limit is reached.
    Limit,
    /// The operator asked to stop.
    Drained,
}

/// The machine.
pub struct Engine {
    config: EngineConfig,
    run: u64,
    started: Timestamp,
    next_itinerary: u64,
    next_sequence: u64,
    sites: BTreeMap<SiteKey, SiteState>,
    seen: SeenRows,
    /// Sites that can send a migrant now, in turn.
    ready: VecDeque<SiteKey>,
    /// One entry per site that has something to do later.
    timers: BTreeSet<(Timestamp, SiteKey)>,
    itineraries: FxHashMap<ItineraryId, SiteKey>,
    /// Stored pages whose links must be looked at again.
    rederive: VecDeque<UrlKey>,
    rederiving: usize,
    /// Pages whose links are being followed bit by bit, by site.
    long_pages: BTreeMap<SiteKey, long_page::LongPages>,
    /// Of those, what a former run left.
    left_long: BTreeSet<UrlKey>,
    /// Lists of stored pages that were asked for.
    listing: usize,
    waiting_io: usize,
    reserved: u64,
    draining: bool,
    /// Stored pages that moved for good, by the place they moved to, until that is stored.
    moved: BTreeMap<UrlKey, Vec<UrlKey>>,
    /// Visits per report whose batch is not handed out yet.
    uncommitted: FxHashMap<[u8; 16], usize>,
    outbox: VecDeque<Action>,
    /// What the operator said about patterns.
    trap_rules: traps::TrapRules,
    summary: Summary,
}

impl Engine {
    /// An engine for one run. `next_sequence` is beyond every queue place ever given out.
    #[must_use]
    pub fn new(config: EngineConfig, run: u64, next_sequence: u64, now: Timestamp) -> Engine {
        let seen = SeenRows::new(config.seen_rows_max);
        Engine {
            config,
            run,
            started: now,
            next_itinerary: 0,
            next_sequence,
            sites: BTreeMap::new(),
            seen,
            ready: VecDeque::new(),
            timers: BTreeSet::new(),
            itineraries: FxHashMap::default(),
            rederive: VecDeque::new(),
            rederiving: 0,
            long_pages: BTreeMap::new(),
            left_long: BTreeSet::new(),
            listing: 0,
            waiting_io: 0,
            reserved: 0,
            draining: false,
            moved: BTreeMap::new(),
            uncommitted: FxHashMap::default(),
            outbox: VecDeque::new(),
            trap_rules: traps::TrapRules::default(),
            summary: Summary::default(),
        }
    }

    /// A site from a former run, with its rules and the links that wait for it.
    pub fn load_site(
        &mut self,
        now: Timestamp,
        record: SiteRecord,
        robots: Option<&[u8]>,
        pending: Vec<PendingLink>,
    ) {
        let key = record.key();
        let state = SiteState::loaded(record, robots, pending, &self.config);
        self.sites.insert(key, state);
        self.consider(now, key);
    }

    /// Where the crawl starts.
    pub fn seed(&mut self, now: Timestamp, urls: &[CanonicalUrl]) {
        let mut batch = Batch::default();
        for url in urls {
            let key = url.site_key();
            let link = PendingLink {
                target: url.clone(),
                depth: 0,
                from: None,
                score: 1.0,
                in_links: 0,
                redirect_hops: 0,
                seed: true,
                anchors: Vec::new(),
            };
            discover::pend(self, now, link, &mut batch);
            self.consider(now, key);
        }
        self.commit(batch);
    }

    /// A report came. Gives it back to be taken in (`needs`, `apply`), unless it has to wait for its site.
    #[must_use]
    pub fn arrived(&mut self, report: Box<Report>) -> Option<Box<Report>> {
        long_page::arrived(self, report)
    }

    /// What has to be looked up before `apply`.
    #[must_use]
    pub fn needs(&mut self, report: &Report) -> Needs {
        intake::needs(self, report)
    }

    /// Takes a report in. Pure: the same report and the same rows give the same writes.
    pub fn apply(&mut self, now: Timestamp, report: Report, found: Found) {
        intake::apply(self, now, report, found);
    }

    /// What was read for an `Action::Refill`.
    pub fn refilled(&mut self, now: Timestamp, refill: Refill) {
        self.waiting_io -= 1;
        let Some(site) = self.sites.get_mut(&refill.site) else { return };
        let key = refill.site;
        site.arrived = Some(refill);
        self.consider(now, key);
    }

    /// What was read for an `Action::Load`.
    pub fn loaded(&mut self, now: Timestamp, site: SiteKey, records: Vec<Option<UrlRecord>>) {
        self.waiting_io -= 1;
        dispatch::loaded(self, now, site, records);
    }

    /// What was read for an `Action::LoadPending`.
    pub fn pending_loaded(&mut self, now: Timestamp, site: SiteKey, found: Found) {
        self.waiting_io -= 1;
        dispatch::pending_loaded(self, now, site, found);
    }

    /// What was read for an `Action::LoadTargets`.
    pub fn targets_loaded(&mut self, now: Timestamp, site: SiteKey, found: Found) {
        long_page::loaded(self, now, site, found);
    }

    /// What was read for an `Action::LoadLinks`.
    pub fn links_loaded(&mut self, now: Timestamp, page: &UrlRecord, links: &[Link], found: Found) {
        self.rederiving -= 1;
        discover::rederive(self, now, page, links, found);
    }

    /// What was read for an `Action::ListPages`: their links are looked at again under the new rules.
    pub fn pages_listed(&mut self, pages: Vec<UrlKey>) {
        self.listing -= 1;
        self.rederive.extend(pages);
    }

    /// The page of an `Action::LoadLinks` is gone.
    pub fn links_missing(&mut self) {
        self.rederiving -= 1;
    }

    /// How many visits a batch came from, told once.
    pub fn visits_of(&mut self, batch: &Batch) -> usize {
        batch.report.and_then(|id| self.uncommitted.remove(&id)).unwrap_or(0)
    }

    /// The station is gone with all its migrants: what they had not reported waits again, for the next station.
    pub fn station_lost(&mut self, now: Timestamp) {
        self.itineraries.clear();
        let keys: Vec<SiteKey> = self.sites.keys().copied().collect();
        for key in keys {
            let site = self.sites.get_mut(&key).expect("just listed");
            // URLs being packed are not with the station yet.
            let packing = site.loading.len();
            self.reserved -= (site.taken.len() - packing) as u64;
            site.recall();
            self.consider(now, key);
        }
    }

    /// Stop: nothing new is dispatched; the run is over when all migrants are back.
    pub fn drain(&mut self) {
        self.draining = true;
        self.ready.clear();
        long_page::let_go(self);
    }

    /// The next thing to do.
    pub fn poll(&mut self, now: Timestamp) -> Action {
        dispatch::poll(self, now)
    }

    /// Numbers of the run so far.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Itineraries under way.
    #[must_use]
    pub fn migrants(&self) -> usize {
        self.itineraries.len()
    }

    /// State of each site, for progress and `status`.
    pub fn progress(&self, now: Timestamp) -> Vec<SiteProgress> {
        self.sites.values().map(|site| site.progress(now, &self.config)).collect()
    }

    /// Rows changed in memory only, to be written before a clean end.
    pub fn flush(&mut self) {
        let writes = self.seen.take_dirty().into_iter().map(|row| Write::PutUrl(Box::new(row))).collect();
        self.commit(Batch { report: None, writes });
    }

    fn commit(&mut self, mut batch: Batch) {
        for row in self.seen.take_departed() {
            batch.writes.push(Write::PutUrl(Box::new(row)));
        }
        if !batch.writes.is_empty() {
            self.outbox.push_back(Action::Commit(Box::new(batch)));
        }
    }

    fn signal(
        &mut self,
        now: Timestamp,
        signal: Signal,
        (from, to): (Component, Component),
        site: &Site,
        url: Option<&CanonicalUrl>,
        fields: &[(&str, String)],
    ) {
        if self.config.signals {
            self.outbox.push_back(Action::Signal(Box::new(SignalRecord {
                at: now,
                signal,
                from,
                to,
                site: site.clone(),
                url: url.cloned(),
                fields: fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
            })));
        }
    }
}
