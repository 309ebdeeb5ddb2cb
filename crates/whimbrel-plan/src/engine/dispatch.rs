//! Who goes next: sites in turn, each with the head of its queue, within the budget.

use super::site::{Missed, Rules};
use super::{Action, End, Engine, discover, long_page, robots, traps};
use crate::message::{Itinerary, Known, RobotsRef, STOPS_MAX, Stop, StopKind};
use whimbrel_types::{Component, Signal, SiteKey, Timestamp, UrlId, UrlKey, UrlRecord, UrlState};

/// The longest a migrant may take to begin.
const EXPIRY_MS: u64 = 24 * 3_600_000;

pub(super) fn poll(engine: &mut Engine, now: Timestamp) -> Action {
    loop {
        if let Some(action) = engine.outbox.pop_front() {
            return action;
        }
        if start_next(engine, now) || traps::settle(engine) {
            continue;
        }
        if let Some(page) = engine.rederive.pop_front() {
            engine.rederiving += 1;
            return Action::LoadLinks(page);
        }
        if fire_timers(engine, now) {
            continue;
        }
        if let Some(action) = long_page::next(engine, now) {
            return action;
        }
        let busy = !engine.itineraries.is_empty()
            || !engine.long_pages.is_empty()
            || engine.waiting_io > 0
            || engine.rederiving > 0
            || engine.listing > 0;
        if engine.draining || engine.budget_left() == Some(0) && engine.reserved == 0 {
            let end = if engine.draining { End::Drained } else { End::Limit };
            return match long_page::next_due(engine) {
                Some(at) => Action::WaitUntil(at),
                None if busy => Action::Idle,
                None => finish(engine, end),
            };
        }
        if !busy && engine.ready.is_empty() && release_all(engine, now) {
            continue;
        }
        let timer = engine.timers.first().map(|(at, _)| *at);
        let next = timer.into_iter().chain(long_page::next_due(engine)).min();
        match next {
            Some(at) if busy || at <= now.plus_ms(engine.config.horizon_ms) => return Action::WaitUntil(at),
            _ if busy => return Action::Idle,
            _ => return finish(engine, End::Exhausted),
        }
    }
}

fn finish(engine: &mut Engine, end: End) -> Action {
    engine.summary.waiting = engine
        .sites
        .values()
        .map(|site| site.record.queued + site.pending.len() as u64 + failed(site, engine))
        .sum();
    let waiting_seeds = engine.sites.values().flat_map(|site| site.pending.values()).filter(|link| link.seed);
    engine.summary.seeds_failed += waiting_seeds.count() as u64;
    Action::Finished(end)
}

/// URLs of a site that failed in this run and are to be tried again.
fn failed(site: &super::SiteState, engine: &Engine) -> u64 {
    site.tries.keys().filter(|url| is_failing(engine, site.record.key(), **url)).count() as u64
}

fn is_failing(engine: &Engine, site: SiteKey, url: UrlId) -> bool {
    engine.seen.peek(&UrlKey { site, url }).is_none_or(|row| row.failures > 0)
}

impl Engine {
    /// Looks at what a site can do now: read its queue, ask for its rules, send a migrant, or wait for a time.
    pub(super) fn consider(&mut self, now: Timestamp, key: SiteKey) {
        if self.draining || self.long_pages.contains_key(&key) {
            return;
        }
        let heads = self.config.heads_max;
        let Some(site) = self.sites.get_mut(&key) else { return };
        if let Some(timer) = site.timer.take() {
            self.timers.remove(&(timer, key));
        }
        if let Some(refill) = site.arrived.take_if(|_| site.outstanding < self.config.connections_per_site) {
            site.refilled(refill);
        }
        if matches!(site.rules, Rules::Skipped) || site.refilling || !site.loading.is_empty() {
            return;
        }
        if site.wants_refill(now) {
            site.refilling = true;
            site.missed = Missed::default();
            self.waiting_io += 1;
            self.outbox.push_back(Action::Refill { site: key, heads, due_after: site.due_cursor });
            if !site.has_heads(now) {
                return;
            }
        }
        let work = site.has_heads(now) || !site.pending.is_empty();
        if !work {
            let next = site.due.first().map(|(at, _)| *at);
            return self.set_timer(key, next);
        }
        match site.rules {
            Rules::Unreachable if site.robots_tries >= self.config.tries_max => return,
            Rules::Unreachable if site.record.robots_due > now => {
                let again = site.record.robots_due;
                return self.set_timer(key, Some(again));
            }
            _ if site.record.robots_due <= now || !site.is_open() => {
                if !site.asking && site.outstanding == 0 {
                    if self.itineraries.len() < self.config.migrants_max {
                        robots::ask(self, now, key);
                    } else if !site.in_ready {
                        // Its turn comes when a migrant is back.
                        site.in_ready = true;
                        self.ready.push_back(key);
                    }
                }
                return;
            }
            _ => {}
        }
        if site.seeds_pending {
            return self.load_pending(key);
        }
        let room = site.pages_left(&self.config) != Some(0);
        if site.has_heads(now) {
            if room && site.outstanding < self.config.connections_per_site && !site.in_ready {
                site.in_ready = true;
                self.ready.push_back(key);
            }
        } else if site.outstanding == 0 && !site.pending.is_empty() {
            let since = *site.idle_since.get_or_insert(now);
            let at = since.plus_ms(self.config.pending_wait_ms);
            if at <= now {
                self.load_pending(key);
            } else {
                self.set_timer(key, Some(at));
            }
        }
    }

    /// Pages that may still be sent for; `None` without a limit.
    pub(super) fn budget_left(&self) -> Option<u64> {
        self.config.limit.map(|limit| limit.saturating_sub(self.summary.pages + self.reserved))
    }

    fn set_timer(&mut self, key: SiteKey, at: Option<Timestamp>) {
        if let (Some(at), Some(site)) = (at, self.sites.get_mut(&key)) {
            site.timer = Some(at);
            self.timers.insert((at, key));
        }
    }

    fn load_pending(&mut self, key: SiteKey) {
        let site = self.sites.get_mut(&key).expect("a site with waiting links is on the workbench");
        site.seeds_pending = false;
        let keys = site.pending.keys().filter(|url| !self.seen.contains(url)).copied().collect();
        site.refilling = true; // nothing else is started until they are in
        self.waiting_io += 1;
        self.outbox.push_back(Action::LoadPending { site: key, keys });
    }
}

fn fire_timers(engine: &mut Engine, now: Timestamp) -> bool {
    let mut fired = false;
    while let Some((at, key)) = engine.timers.first().copied().filter(|(at, _)| *at <= now) {
        engine.timers.remove(&(at, key));
        if let Some(site) = engine.sites.get_mut(&key) {
            site.timer = None;
        }
        engine.consider(now, key);
        fired = true;
    }
    fired
}

/// Every site is quiet: links between sites are taken up.
fn release_all(engine: &mut Engine, now: Timestamp) -> bool {
    let keys: Vec<SiteKey> = engine
        .sites
        .iter()
        .filter(|(_, site)| site.is_open() && site.is_idle(now) && !site.pending.is_empty())
        .map(|(key, _)| *key)
        .collect();
    for key in &keys {
        if let Some(timer) = engine.sites.get_mut(key).and_then(|site| site.timer.take()) {
            engine.timers.remove(&(timer, *key));
        }
        engine.load_pending(*key);
    }
    !keys.is_empty()
}

/// Packs the next ready site's best URLs. False when no site can go.
fn start_next(engine: &mut Engine, now: Timestamp) -> bool {
    let full = engine.itineraries.len() >= engine.config.migrants_max;
    if full || engine.draining || engine.budget_left() == Some(0) {
        return false;
    }
    let Some(key) = engine.ready.pop_front() else { return false };
    let left = engine.budget_left();
    let stops_max = engine.config.stops_max.min(STOPS_MAX);
    let site = engine.sites.get_mut(&key).expect("a ready site is on the workbench");
    site.in_ready = false;
    if !site.is_open() || site.record.robots_due <= now {
        engine.consider(now, key);
        return true;
    }
    let site_left = site.pages_left(&engine.config);
    let room =
        [left, site_left].into_iter().flatten().min().unwrap_or(u64::MAX).min(stops_max as u64) as usize;
    let mut urls: Vec<UrlId> = Vec::new();
    while urls.len() < room {
        let due = site.due.first().copied().filter(|(at, _)| *at <= now);
        let next = match due {
            Some(entry) => {
                site.due.remove(&entry);
                Some(entry.1)
            }
            None => site.heads.pop_first().map(|(_, url)| url),
        };
        match next {
            Some(url) if site.taken.insert(url) => urls.push(url),
            Some(_) => {}
            None => break,
        }
    }
    if urls.is_empty() {
        return true;
    }
    engine.reserved += urls.len() as u64;
    site.loading.clone_from(&urls);
    engine.waiting_io += 1;
    let keys: Vec<UrlKey> = urls.into_iter().map(|url| UrlKey { site: key, url }).collect();
    if keys.iter().all(|key| engine.seen.contains(key)) {
        let rows = keys.iter().map(|key| engine.seen.peek(key).cloned()).collect();
        engine.loaded(now, key, rows);
    } else {
        engine.outbox.push_back(Action::Load { site: key, keys });
    }
    true
}

/// Rows are there: the itinerary is packed and sent.
pub(super) fn loaded(engine: &mut Engine, now: Timestamp, key: SiteKey, records: Vec<Option<UrlRecord>>) {
    let site = engine.sites.get_mut(&key).expect("a site being packed is on the workbench");
    let urls = std::mem::take(&mut site.loading);
    let (recrawl, started) = (engine.config.recrawl, engine.started);
    let mut stops = Vec::new();
    let mut excluded = Vec::new();
    for (url, stored) in urls.into_iter().zip(records) {
        let row = engine.seen.peek(&UrlKey { site: key, url }).cloned().or(stored);
        let wanted = row.filter(|row| match row.state {
            UrlState::Queued(_) => true,
            UrlState::Known if recrawl && row.last_visit.is_none_or(|at| at < started) => true,
            UrlState::Known => row.due <= now,
        });
        let Some(row) = wanted else {
            site.taken.remove(&url);
            engine.reserved -= 1;
            continue;
        };
        if engine.trap_rules.excludes(key, &row.url) {
            site.taken.remove(&url);
            engine.reserved -= 1;
            excluded.push(row);
            continue;
        }
        let known = Known { validators: row.validators.clone(), content_hash: row.content_hash };
        stops.push(Stop { url: row.url.clone(), kind: StopKind::Page, known, depth: row.depth });
        let row_key = row.key();
        if !engine.seen.contains(&row_key) {
            engine.seen.insert(row_key, row, false);
        }
    }
    traps::leave_out(engine, now, key, excluded);
    if stops.is_empty() {
        return engine.consider(now, key);
    }
    let site = engine.sites.get_mut(&key).expect("a site being packed is on the workbench");
    site.outstanding += 1;
    let robots = match &site.rules {
        Rules::Agent { hash, .. } if site.sent_rules => RobotsRef::Held(*hash),
        Rules::Agent { hash, body, .. } => RobotsRef::Sent { hash: *hash, body: body.clone() },
        _ => RobotsRef::AllowAll,
    };
    site.sent_rules = true;
    let (target, delay_ms) = (site.record.site.clone(), site.delay_ms(&engine.config));
    let id = engine.next_itinerary_id();
    engine.itineraries.insert(id, key);
    let selected = (Component::UrlScheduler, Component::CrawlManager);
    engine.signal(
        now,
        Signal::MigrantSelected,
        selected,
        &target,
        None,
        &[("stops", stops.len().to_string())],
    );
    for stop in &stops {
        let crawl = (Component::CrawlManager, Component::Migrant);
        engine.signal(
            now,
            Signal::Crawl,
            crawl,
            &target,
            Some(&stop.url),
            &[("depth", stop.depth.to_string())],
        );
    }
    let expires = now.plus_ms(EXPIRY_MS);
    let itinerary = Itinerary { id, site: target, stops, delay_ms, robots, expires };
    engine.outbox.push_back(Action::Dispatch(Box::new(itinerary)));
    engine.consider(now, key);
}

/// Rows of waiting links are there: the links are taken up.
pub(super) fn pending_loaded(engine: &mut Engine, now: Timestamp, key: SiteKey, found: super::Found) {
    if let Some(site) = engine.sites.get_mut(&key) {
        site.refilling = false;
    }
    discover::release(engine, now, key, found);
    engine.consider(now, key);
}
