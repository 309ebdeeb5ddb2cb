//! The budgets of one site's patterns.
//!
//! A URL is *extended* when it was met on a page of its own kind: the same pattern, both dated, the same page under more
//! conditions or under a new session, or a ring of patterns that lead to each other. Whatever other pages lead to is a
//! *member* and costs nothing, so that a catalogue is never cut. What is extended costs
//!
//! - 1 while it is at most `NEAR_STEPS` links deeper than the first URL of its pattern (nothing when only a word differs,
//!   as in a wiki; `TOKEN_COST` when a token does that anybody can make up), and `FAR_COST` beyond;
//! - for dates instead: 1 within the window around now, `FAR_COST` outside it.
//!
//! A pattern is stopped when its costs exceed `FAR_COST` × budget plus its members, or when a chain of it is longer than
//! the budget. Pages that lead to new pages of other kinds give their cost back (a list of many pages goes on as long as
//! it lists something), `PRODUCTIVE_MAX` budgets at the most; when most pages of a pattern are copies, dead or without
//! value, each of them costs `FAR_COST` more.
//! Invariants: however pages link, a pattern met only on its own kind brings at most
//! `FAR_COST` × budget × (`PRODUCTIVE_MAX` + 1) URLs, near ones that differ in a word aside. Patterns in memory are
//! bounded; the least used are forgotten first.

use super::Parent;
use std::collections::{BTreeMap, BTreeSet};
use whimbrel_types::{
    CanonicalUrl, Site, Timestamp, TrapRecord, TrapRule, TrapState, UrlKey, WHOLE_SITE, Write,
};
use whimbrel_url::UrlPattern;
use whimbrel_url::trap::{Month, has_fresh_session};

/// So many links from the first URL of a pattern everything is near: small worlds of any size fit into it.
const NEAR_STEPS: u64 = 16;
/// What a near URL costs that differs in a hexadecimal number, a token or a session.
const TOKEN_COST: u64 = 5;
/// What a URL costs that is far off.
const FAR_COST: u64 = 20;
/// How many budgets can be given back.
const PRODUCTIVE_MAX: u64 = 9;
/// How much further than into the future dates may lie in the past: archives are long, plans are short.
const PAST_FACTOR: u32 = 5;
/// Patterns that a pattern is remembered to lead to.
const LEADS_MAX: usize = 8;
/// Patterns looked at to find a ring.
const RING_MAX: usize = 32;
/// All patterns with session ids share one budget: each page times each session is too many for budgets of their own.
const SESSIONS: &str = "/*{session}*";

/// How much a pattern may make of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrapBudget {
    /// Budget of a pattern.
    pub pattern_budget: u64,
    /// Budget of a pattern with dates.
    pub calendar_budget: u64,
    /// Years ahead that dates cost little.
    pub calendar_years: u32,
    /// URLs of a site at which it is reported.
    pub site_report: u64,
    /// Patterns per site in memory.
    pub patterns_max: usize,
}

impl Default for TrapBudget {
    fn default() -> Self {
        TrapBudget {
            pattern_budget: 500,
            calendar_budget: 100,
            calendar_years: 2,
            site_report: 10_000,
            patterns_max: 4096,
        }
    }
}

impl TrapBudget {
    /// The budget of a pattern.
    #[must_use]
    pub fn of(&self, pattern: &str) -> u64 {
        let is_calendar = pattern.contains("{date}") || pattern.contains("{y}");
        if is_calendar { self.calendar_budget } else { self.pattern_budget }
    }
}

/// A URL never met before.
pub(in crate::engine) struct Step<'a> {
    pub url: &'a CanonicalUrl,
    pub pattern: &'a UrlPattern,
    pub month: Option<Month>,
    pub depth: u16,
    pub parent: Option<&'a Parent<'a>>,
    pub now: Timestamp,
}

/// What becomes of it.
pub(in crate::engine) enum Verdict {
    /// Let in: another kind of page led here.
    Apart,
    /// Let in, at the cost of its pattern.
    Extended,
    /// The budget is used up; the record comes along when that is news.
    Refused { news: Option<Box<TrapRecord>> },
}

#[derive(Debug)]
struct Watch {
    record: TrapRecord,
    /// Patterns whose far members were met on pages of this one.
    leads_to: Vec<Box<str>>,
    /// It has a row on disk.
    kept: bool,
}

/// The patterns of one site.
#[derive(Debug)]
pub(in crate::engine) struct SiteTraps {
    site: Site,
    watched: BTreeMap<Box<str>, Watch>,
    changed: BTreeSet<Box<str>>,
    forgotten: Vec<UrlKey>,
    /// URLs of other kinds that the page at hand led to.
    pub page_yield: u64,
}

impl SiteTraps {
    pub fn new(site: Site) -> SiteTraps {
        SiteTraps {
            site,
            watched: BTreeMap::new(),
            changed: BTreeSet::new(),
            forgotten: Vec::new(),
            page_yield: 0,
        }
    }

    pub fn load(&mut self, record: TrapRecord) {
        let name = record.pattern.as_str().into();
        self.watched.insert(name, Watch { record, leads_to: Vec::new(), kept: true });
    }

    /// A URL never met before wants in.
    pub fn meet(&mut self, step: &Step<'_>, budgets: &TrapBudget) -> Verdict {
        if !step.pattern.is_variable() {
            return Verdict::Apart; // no second URL has this pattern
        }
        let name = account(step.pattern);
        let kin = step.parent.is_some_and(|parent| self.is_kin(step, parent, name));
        self.make_room(name, budgets.patterns_max);
        let site = &self.site;
        let watch = self.watched.entry(name.into()).or_insert_with(|| Watch {
            record: TrapRecord::met(site.clone(), name.to_owned(), step.depth, step.now),
            leads_to: Vec::new(),
            kept: false,
        });
        let record = &mut watch.record;
        record.depth_min = record.depth_min.min(step.depth);
        let budget = budgets.of(name);
        let steps = u64::from(step.depth - record.depth_min);
        let hopeless = steps >= budget.saturating_mul(PRODUCTIVE_MAX + 1);
        if !kin && !hopeless {
            record.members += 1;
            if record.examples.len() < 3 {
                record.show(step.url);
            }
            if record.extended > 0 {
                self.changed.insert(name.into());
            }
            if steps > NEAR_STEPS {
                self.remember_lead(step.parent, name);
            }
            return Verdict::Apart;
        }
        let in_window = step.month.map(|month| is_near_now(month, step.now, budgets.calendar_years));
        let same = step.parent.is_some_and(|parent| parent.pattern == *step.pattern);
        let cost = match in_window {
            Some(true) => 1,
            Some(false) => FAR_COST,
            None if steps > NEAR_STEPS => FAR_COST,
            None if same && step.pattern.is_one_word() => 0,
            None if step.pattern.has_token() => TOKEN_COST,
            None => 1,
        };
        let chain = steps.saturating_sub(record.productive.min(budget * PRODUCTIVE_MAX));
        let too_long = chain >= budget && in_window != Some(true);
        self.changed.insert(name.into());
        if hopeless || too_long || spent(record) + cost > FAR_COST * budget + record.members {
            record.refused += 1;
            let is_news = record.state != TrapState::Stopped;
            if is_news {
                record.state = TrapState::Stopped;
                record.since = step.now;
                record.show(step.url);
            }
            return Verdict::Refused { news: is_news.then(|| Box::new(record.clone())) };
        }
        record.extended += 1;
        record.charge += cost;
        record.show(step.url);
        if steps > NEAR_STEPS {
            self.remember_lead(step.parent, name);
        }
        Verdict::Extended
    }

    /// A page was visited.
    pub fn visited(&mut self, pattern: &UrlPattern, is_poor: bool) {
        let name = account(pattern);
        let Some(watch) = self.watched.get_mut(name) else { return };
        let counter = if is_poor { &mut watch.record.poor } else { &mut watch.record.stored };
        *counter += 1;
        if is_kept(&watch.record) {
            self.changed.insert(name.into());
        }
    }

    /// A page led to pages of other kinds: what it cost is given back.
    pub fn led_on(&mut self, pattern: &UrlPattern, depth: u16, budgets: &TrapBudget) {
        let name = account(pattern);
        let Some(watch) = self.watched.get_mut(name) else { return };
        let record = &mut watch.record;
        if record.productive < budgets.of(name).saturating_mul(PRODUCTIVE_MAX) && record.extended > 0 {
            let steps = u64::from(depth.saturating_sub(record.depth_min));
            let back = if steps > NEAR_STEPS || pattern.is_calendar() { FAR_COST } else { 1 };
            record.charge = record.charge.saturating_sub(back);
            record.productive += 1;
            self.changed.insert(name.into());
        }
    }

    /// Counts the URLs of the site; the record comes back when they are unusually many for the first time.
    pub fn count_site(
        &mut self,
        url: &CanonicalUrl,
        urls: u64,
        report_at: u64,
        now: Timestamp,
    ) -> Option<TrapRecord> {
        // The last few before the number are the examples.
        if report_at == 0 || urls + 4 < report_at || urls > report_at {
            return None;
        }
        let watch = self.watched.entry(WHOLE_SITE.into()).or_insert_with(|| Watch {
            record: TrapRecord::met(self.site.clone(), WHOLE_SITE.to_owned(), 0, now),
            leads_to: Vec::new(),
            kept: false,
        });
        watch.record.show(url);
        watch.record.members = urls;
        if urls < report_at || watch.record.state == TrapState::Reported {
            return None;
        }
        watch.record.state = TrapState::Reported;
        watch.record.since = now;
        self.changed.insert(WHOLE_SITE.into());
        Some(watch.record.clone())
    }

    /// The operator lifts stops.
    pub fn lift(&mut self, rule: &TrapRule) -> usize {
        let mut lifted = 0;
        for (name, watch) in &mut self.watched {
            if let Some(record) = super::lifted(&watch.record, rule) {
                lifted += 1;
                watch.record = record;
                self.changed.insert(name.clone());
            }
        }
        lifted
    }

    /// Rows to be written.
    pub fn take_writes(&mut self) -> Vec<Write> {
        let mut writes: Vec<Write> = self.forgotten.drain(..).map(Write::RemoveTrap).collect();
        for name in std::mem::take(&mut self.changed) {
            if let Some(watch) = self.watched.get_mut(&name)
                && (watch.kept || is_kept(&watch.record))
            {
                watch.kept = true;
                writes.push(Write::PutTrap(Box::new(watch.record.clone())));
            }
        }
        writes
    }

    /// The page is one of the URL's own kind.
    fn is_kin(&self, step: &Step<'_>, parent: &Parent<'_>, name: &str) -> bool {
        let (own, other) = (step.pattern, &parent.pattern);
        own == other
            || (own.is_calendar() && other.is_calendar())
            || own.refines(other)
            || has_fresh_session(parent.url, step.url)
            || self.leads_back(name, account(other))
    }

    /// Whether far pages of `name` lead to pages of `parent`, over other patterns or at once.
    fn leads_back(&self, name: &str, parent: &str) -> bool {
        let mut met: Vec<&str> = vec![name];
        let mut next = 0;
        while let Some(at) = met.get(next).copied() {
            next += 1;
            for lead in self.watched.get(at).map(|watch| watch.leads_to.as_slice()).unwrap_or_default() {
                if **lead == *parent {
                    return true;
                }
                if met.len() < RING_MAX && !met.contains(&&**lead) {
                    met.push(lead);
                }
            }
        }
        false
    }

    fn remember_lead(&mut self, parent: Option<&Parent<'_>>, name: &str) {
        let Some(watch) = parent.and_then(|parent| self.watched.get_mut(account(&parent.pattern))) else {
            return;
        };
        if watch.leads_to.len() < LEADS_MAX && !watch.leads_to.iter().any(|lead| **lead == *name) {
            watch.leads_to.push(name.into());
        }
    }

    /// Forgets the half of the patterns that admitted least when there are too many; stopped ones last.
    fn make_room(&mut self, name: &str, patterns_max: usize) {
        if self.watched.len() < patterns_max.max(2) || self.watched.contains_key(name) {
            return;
        }
        let rank = |watch: &Watch| (watch.record.state != TrapState::Watched, watch.record.admitted());
        let mut order: Vec<((bool, u64), Box<str>)> =
            self.watched.iter().map(|(name, watch)| (rank(watch), name.clone())).collect();
        order.sort_unstable();
        order.truncate(patterns_max.max(2) / 2);
        for (_, name) in order {
            self.changed.remove(&name);
            if let Some(watch) = self.watched.remove(&name)
                && watch.kept
            {
                self.forgotten.push(watch.record.key());
            }
        }
    }
}

/// Under which name a pattern is counted.
#[must_use]
pub fn account(pattern: &UrlPattern) -> &str {
    if pattern.as_str().contains("{session}") { SESSIONS } else { pattern.as_str() }
}

/// What a pattern has used of its budget.
fn spent(record: &TrapRecord) -> u64 {
    let poor = if record.poor > record.stored { FAR_COST * record.poor } else { record.poor };
    record.charge + poor
}

/// What is worth a row: a restart must not give a budget anew.
fn is_kept(record: &TrapRecord) -> bool {
    record.extended > 0 || record.refused > 0 || record.state != TrapState::Watched
}

fn is_near_now(month: Month, now: Timestamp, years: u32) -> bool {
    let now = Month::of(now).0;
    (now.saturating_sub(12 * years * PAST_FACTOR)..=now + 12 * years).contains(&month.0)
}
