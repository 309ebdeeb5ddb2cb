//! One site on the workbench: the heads of its queues, its rules, what is under way and what waits.
//! Invariant: the heads are the best entries of the queue on disk that are not taken, or `queue_more` is set; the disk
//! is the truth, nothing is removed there before its visit is committed.

use super::traps::SiteTraps;
use super::{EngineConfig, Refill, SiteProgress};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use whimbrel_types::{
    ContentHash, PendingLink, QueueEntry, QueuePlace, RobotsState, SiteRecord, Timestamp, UrlId, UrlKey,
};
use whimbrel_url::robots::{AgentRules, RobotsRules};

/// What may be visited.
#[derive(Clone, Debug)]
pub(super) enum Rules {
    /// robots.txt must be read first.
    Unread,
    /// No restrictions.
    AllowAll,
    /// As the file says.
    Agent { hash: ContentHash, rules: Arc<AgentRules>, body: Vec<u8> },
    /// robots.txt could not be read: nothing may be visited now.
    Unreachable,
    /// The site asks for a longer delay than we are willing to wait: it is left alone.
    Skipped,
}

/// Changes that a refill under way cannot know of, because the disk was asked before.
#[derive(Debug, Default)]
pub(super) struct Missed {
    /// Who stands at a place now; nobody where it was left.
    queue: BTreeMap<QueuePlace, Option<UrlId>>,
    /// Due times that hold now, and those that hold no longer.
    due: BTreeMap<(Timestamp, UrlId), bool>,
}

#[derive(Debug)]
pub(super) struct SiteState {
    pub record: SiteRecord,
    pub rules: Rules,
    /// A migrant is out for robots.txt.
    pub asking: bool,
    /// The station has the rules' body.
    pub sent_rules: bool,
    pub heads: BTreeMap<QueuePlace, UrlId>,
    pub queue_more: bool,
    pub due: BTreeSet<(Timestamp, UrlId)>,
    pub due_more: bool,
    /// Known URLs were read from the disk up to here.
    pub due_cursor: (Timestamp, UrlId),
    pub refilling: bool,
    /// What changed on disk since the refill under way was asked for.
    pub missed: Missed,
    /// What it read, kept until the site's migrants are back, so that the speed of the disk decides nothing.
    pub arrived: Option<Refill>,
    /// Every known URL is to be visited in this run.
    pub recrawl: bool,
    pub loading: Vec<UrlId>,
    /// URLs in itineraries, or being packed into one.
    pub taken: BTreeSet<UrlId>,
    pub outstanding: usize,
    pub pending: BTreeMap<UrlKey, PendingLink>,
    /// Some of them are seeds, which wait for the rules only.
    pub seeds_pending: bool,
    pub idle_since: Option<Timestamp>,
    pub timer: Option<Timestamp>,
    pub in_ready: bool,
    /// Tries in this run of URLs that failed.
    pub tries: FxHashMap<UrlId, u8>,
    pub robots_tries: u8,
    /// Pages stored in this run.
    pub run_pages: u64,
    /// Budgets of its patterns.
    pub traps: SiteTraps,
}

impl SiteState {
    pub fn new(record: SiteRecord) -> SiteState {
        SiteState {
            traps: SiteTraps::new(record.site.clone()),
            record,
            rules: Rules::Unread,
            asking: false,
            sent_rules: false,
            heads: BTreeMap::new(),
            queue_more: false,
            due: BTreeSet::new(),
            due_more: false,
            due_cursor: (Timestamp(0), UrlId([0; 16])),
            refilling: false,
            missed: Missed::default(),
            arrived: None,
            recrawl: false,
            loading: Vec::new(),
            taken: BTreeSet::new(),
            outstanding: 0,
            pending: BTreeMap::new(),
            seeds_pending: false,
            idle_since: None,
            timer: None,
            in_ready: false,
            tries: FxHashMap::default(),
            robots_tries: 0,
            run_pages: 0,
        }
    }

    pub fn loaded(
        record: SiteRecord,
        robots: Option<&[u8]>,
        pending: Vec<PendingLink>,
        config: &EngineConfig,
    ) -> SiteState {
        let mut site = SiteState::new(record);
        site.rules = match (&site.record.robots, robots) {
            (RobotsState::AllowAll, _) => Rules::AllowAll,
            (RobotsState::Rules(hash), Some(body)) => Rules::Agent {
                hash: *hash,
                rules: Arc::new(RobotsRules::parse(body).for_agent(&config.agent)),
                body: body.to_vec(),
            },
            _ => Rules::Unread,
        };
        if site.record.crawl_delay_ms.is_some_and(|ms| ms > config.crawl_delay_ms_max) {
            site.rules = Rules::Skipped;
        }
        site.seeds_pending = pending.iter().any(|link| link.seed);
        site.pending = pending.into_iter().map(|link| (link.target.key(), link)).collect();
        site.queue_more = true;
        site.due_more = true;
        site.recrawl = config.recrawl;
        site
    }

    /// Whether the rules let a path be visited; `None` when they are not known.
    pub fn allows(&self, path_and_query: &str) -> Option<bool> {
        match &self.rules {
            Rules::AllowAll => Some(true),
            Rules::Agent { rules, .. } => Some(rules.verdict(path_and_query).allowed),
            Rules::Unread | Rules::Unreachable | Rules::Skipped => None,
        }
    }

    /// The rules are known and let the site be visited at all.
    pub fn is_open(&self) -> bool {
        matches!(self.rules, Rules::AllowAll | Rules::Agent { .. })
    }

    pub fn delay_ms(&self, config: &EngineConfig) -> u64 {
        let own = config.site_delays_ms.get(&self.record.site.origin()).copied().unwrap_or(config.delay_ms);
        own.max(self.record.crawl_delay_ms.unwrap_or(0))
    }

    /// Pages it may still bring in this run; `None` without a limit.
    pub fn pages_left(&self, config: &EngineConfig) -> Option<u64> {
        let limit = config.site_limits.get(&self.record.site.origin()).copied().or(config.site_limit)?;
        Some(limit.saturating_sub(self.run_pages + self.taken.len() as u64))
    }

    pub fn has_heads(&self, now: Timestamp) -> bool {
        !self.heads.is_empty() || self.due.first().is_some_and(|(at, _)| *at <= now)
    }

    /// Nothing of its own to do before the horizon.
    pub fn is_idle(&self, now: Timestamp) -> bool {
        self.outstanding == 0
            && self.loading.is_empty()
            && !self.refilling
            && !self.wants_refill(now)
            && !self.has_heads(now)
    }

    /// The heads are used up and the disk has more. In a recrawl every known URL is wanted, so due times that were set
    /// in this run do not keep the others waiting.
    pub fn wants_refill(&self, now: Timestamp) -> bool {
        let due_used_up = match self.due.first() {
            None => true,
            Some((at, _)) => self.recrawl && *at > now,
        };
        (self.heads.is_empty() && self.queue_more) || (due_used_up && self.due_more)
    }

    /// A URL was queued: it joins the heads when it is better than the worst of them, or when all are in memory.
    pub fn queued(&mut self, entry: QueueEntry, heads_max: usize) {
        if self.refilling {
            self.missed.queue.insert(entry.place, Some(entry.url));
        }
        let last = self.heads.last_key_value().map(|(place, _)| *place);
        if self.queue_more && last.is_none_or(|last| entry.place > last) {
            return;
        }
        self.heads.insert(entry.place, entry.url);
        if self.heads.len() > heads_max {
            self.heads.pop_last();
            self.queue_more = true;
        }
    }

    /// A URL left its place in the queue.
    pub fn dequeued(&mut self, place: QueuePlace) {
        self.heads.remove(&place);
        if self.refilling {
            self.missed.queue.insert(place, None);
        }
    }

    /// A known URL was given another due time.
    pub fn due_changed(&mut self, url: UrlId, old: Timestamp, new: Timestamp, heads_max: usize) {
        self.due.remove(&(old, url));
        let place = (new, url);
        if self.refilling {
            self.missed.due.insert((old, url), false);
            self.missed.due.insert(place, true);
        }
        if self.due_more && place > self.due_cursor {
            return;
        }
        self.due.insert(place);
        if self.due.len() > 2 * heads_max
            && let Some(last) = self.due.pop_last()
        {
            self.due_more = true;
            self.due_cursor = self.due.last().copied().unwrap_or(last);
        }
    }

    /// Takes in what a refill read. Visits that ended and URLs that were queued since are not in it, so they are told
    /// from memory: what is gone must not come back, what is new must not be forgotten.
    pub fn refilled(&mut self, mut refill: Refill) {
        self.refilling = false;
        self.queue_more = refill.queue_more;
        let missed = std::mem::take(&mut self.missed);
        let queue_end = refill.queue.last().map(|entry| entry.place).filter(|_| refill.queue_more);
        refill.queue.retain(|entry| !missed.queue.contains_key(&entry.place));
        let new = missed.queue.into_iter().filter_map(|(place, url)| Some(QueueEntry { place, url: url? }));
        refill.queue.extend(new.filter(|entry| queue_end.is_none_or(|end| entry.place <= end)));
        for entry in refill.queue {
            if !self.taken.contains(&entry.url) {
                self.heads.insert(entry.place, entry.url);
            }
        }
        self.due_more = refill.due_more;
        self.due_cursor = refill.due.last().copied().unwrap_or(self.due_cursor);
        refill.due.retain(|entry| !missed.due.contains_key(entry));
        let (cursor, more) = (self.due_cursor, refill.due_more);
        let new = missed.due.into_iter().filter(|(_, is_new)| *is_new).map(|(entry, _)| entry);
        refill.due.extend(new.filter(|entry| !more || *entry <= cursor));
        for (at, url) in refill.due {
            if !self.taken.contains(&url) {
                // A recrawl takes everything that was not visited in this run, whenever it is due.
                self.due.insert((if self.recrawl { Timestamp(0) } else { at }, url));
            }
        }
    }

    /// Its migrants are lost: their URLs are read from the disk again.
    pub fn recall(&mut self) {
        self.taken = self.loading.iter().copied().collect();
        self.outstanding = 0;
        self.asking = false;
        self.sent_rules = false;
        self.heads.clear();
        self.due.clear();
        self.due_cursor = (Timestamp(0), UrlId([0; 16]));
        self.queue_more = true;
        self.due_more = true;
    }

    pub fn progress(&self, now: Timestamp, config: &EngineConfig) -> SiteProgress {
        let state = match &self.rules {
            Rules::Skipped => "skipped",
            Rules::Unreachable => "unreachable",
            _ if self.asking => "asking",
            _ if self.outstanding > 0 || self.has_heads(now) => "crawling",
            _ if self.timer.is_some() => "waiting",
            _ => "idle",
        };
        SiteProgress {
            site: self.record.site.clone(),
            pages: self.record.pages,
            queued: self.record.queued,
            in_flight: self.taken.len(),
            delay_ms: self.delay_ms(config),
            state,
            next: self.timer,
        }
    }
}
