//! Engine and station together against a made-up web, on a virtual clock: thousands of visits a second, the same for the
//! same seed. What the real server's log would show is asserted here at every step.

use crate::engine::{Action, End, Engine, EngineConfig, Found, Refill, Summary, TrapBudget};
use crate::message::{PageReport, Report, RobotsAnswer, Stop, StopKind, VisitReport};
use crate::random::below;
use crate::station::{Station, StationAction, StationConfig, StationEvent, VisitId};
use crate::{BackOff, RevisitRule, Strategy};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use whimbrel_types::{
    Batch, CanonicalUrl, Capture, ContentHash, DAY_MS, FetchOutcome, HOUR_MS, IndexOp, Link, LinkKind,
    LinkRel, PageContent, QueueEntry, Redirect, SignalRecord, SiteKey, Timestamp, TrapRule, UrlKey,
    UrlRecord, Write,
};
use whimbrel_url::{Scope, ScopeSet, UrlRules};

mod disk;
mod promises;
mod traps;

use disk::Disk;

/// From the moment a queue is read to the moment the engine has it: long enough for a visit or two to end.
const SLOW_DISK_MS: u64 = 15_000;

/// What a made-up server answers.
#[derive(Clone, Debug)]
enum Answer {
    Page { text: String, links: Vec<String> },
    Redirect(String),
    Missing,
    Busy,
}

/// A made-up web: answers by URL, robots.txt by origin.
#[derive(Clone, Debug, Default)]
struct World {
    answers: BTreeMap<String, Answer>,
    robots: BTreeMap<String, (u16, String)>,
    /// How long each visit takes, by host.
    latency_ms: BTreeMap<String, u64>,
    /// Asked for URLs that are not in `answers`.
    endless: Option<fn(&CanonicalUrl) -> Option<Answer>>,
    /// The machine fails as soon as this is so.
    crash_when: Option<fn(&Disk) -> bool>,
    /// Pages that name a time to leave the index at.
    unavailable_after: BTreeMap<String, Timestamp>,
}

/// One request as a server would log it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LogLine {
    start: Timestamp,
    end: Timestamp,
    host: String,
    url: String,
}

/// A run that ended.
struct Outcome {
    log: Vec<LogLine>,
    end: End,
    summary: Summary,
    signals: Vec<SignalRecord>,
    now: Timestamp,
}

fn url(text: &str) -> CanonicalUrl {
    whimbrel_url::normalize(text).unwrap()
}

fn config(seeds: &[CanonicalUrl]) -> EngineConfig {
    EngineConfig {
        rules: Arc::new(UrlRules {
            depth_max: Some(10),
            scope: ScopeSet::new(Scope::Host, seeds),
            ..UrlRules::default()
        }),
        agent: "whimbrel".into(),
        delay_ms: 10_000,
        site_delays_ms: BTreeMap::new(),
        site_limits: BTreeMap::new(),
        crawl_delay_ms_max: HOUR_MS,
        strategy: Strategy::BestFirst,
        revisit: RevisitRule {
            interval_ms: 7 * DAY_MS,
            shortest_ms: HOUR_MS,
            window_start_ms: 0,
            window_ms: DAY_MS,
            seed: 0,
        },
        recrawl: false,
        limit: None,
        site_limit: None,
        tries_max: 3,
        retry: BackOff { base_ms: 5_000, longest_ms: HOUR_MS },
        robots_ttl_ms: DAY_MS,
        robots_give_up_ms: None,
        horizon_ms: 60_000,
        connections_per_site: 1,
        stops_max: 8,
        migrants_max: 100,
        heads_max: 16,
        pending_max: 1000,
        pending_wait_ms: 5_000,
        seen_rows_max: 64,
        anchors_max: 8,
        targets_max: 1000,
        redirects_max: 5,
        traps: TrapBudget::default(),
        warc_revisits: false,
        signals: true,
        seed: 0,
    }
}

fn station_config() -> StationConfig {
    StationConfig {
        concurrency: 4,
        connections_per_host: 1,
        ip_delay_ms: 2_000,
        reading_pause: 9,
        back_off: BackOff { base_ms: 1_000, longest_ms: HOUR_MS },
        retry_after_ms_max: DAY_MS,
        gate_per_domain: false,
        unclean_start: None,
        visits_per_report: 1,
        agent: "whimbrel".into(),
        seed: 0,
    }
}

/// Runs engine and station to the end on a virtual clock.
fn run(
    world: &World,
    disk: &mut Disk,
    config: EngineConfig,
    seeds: &[CanonicalUrl],
    start: Timestamp,
) -> Outcome {
    run_with_losses(world, disk, config, seeds, start, 0)
}

/// The same, with the station lost so many times on the way.
fn run_with_losses(
    world: &World,
    disk: &mut Disk,
    config: EngineConfig,
    seeds: &[CanonicalUrl],
    start: Timestamp,
    losses: u32,
) -> Outcome {
    run_with_orders(world, disk, config, (seeds, start), losses, &[])
}

/// The same, with the operator's orders about patterns, each after so many visits.
fn run_with_orders(
    world: &World,
    disk: &mut Disk,
    config: EngineConfig,
    (seeds, start): (&[CanonicalUrl], Timestamp),
    mut losses: u32,
    orders: &[(usize, TrapRule)],
) -> Outcome {
    let mut orders: VecDeque<&(usize, TrapRule)> = orders.iter().collect();
    let mut now = start;
    let migrants_max = config.migrants_max;
    let mut engine = start_engine(disk, config, seeds, now);
    let mut station = Station::new(station_config(), Vec::new());
    let mut in_flight: BTreeSet<(Timestamp, VisitId)> = BTreeSet::new();
    let mut visits: BTreeMap<VisitId, (Timestamp, Stop)> = BTreeMap::new();
    // What was read on the way to the engine: visits end in the meantime.
    let mut refills: VecDeque<(Timestamp, Refill)> = VecDeque::new();
    let mut log: Vec<LogLine> = Vec::new();
    let mut signals = Vec::new();
    for _ in 0..2_000_000 {
        assert!(engine.migrants() <= migrants_max, "no more migrants than allowed");
        while let Some((_, rule)) = orders.pop_front_if(|(after, _)| *after <= log.len()) {
            engine.order(now, rule.clone());
        }
        let engine_wait = match engine.poll(now) {
            Action::Finished(end) => {
                engine.flush();
                while let Action::Commit(batch) = engine.poll(now) {
                    disk.commit(*batch);
                }
                return Outcome { log, end, summary: engine.summary().clone(), signals, now };
            }
            Action::WaitUntil(at) => Some(at),
            Action::Idle => None,
            Action::Refill { site, heads, due_after } => {
                refills.push_back((now.plus_ms(SLOW_DISK_MS), disk.refill(site, heads, due_after)));
                continue;
            }
            action => {
                carry_out(action, &mut engine, &mut station, disk, &mut signals, now);
                if world.crash_when.is_some_and(|fails| fails(disk)) {
                    let summary = engine.summary().clone();
                    return Outcome { log, end: End::Drained, summary, signals, now };
                }
                continue;
            }
        };
        let station_wait = match station.poll(now) {
            StationAction::Resolve(site) => {
                let octet = u8::try_from(below(200, 1, site.host.as_bytes(), 0)).unwrap();
                let event = StationEvent::Resolved { host: site.host, address: Ok([10, 0, 0, octet].into()) };
                station.handle(now, event);
                continue;
            }
            StationAction::Visit { visit, stop, site } => {
                let took = world.latency_ms.get(&site.host).copied().unwrap_or(100);
                assert!(in_flight.len() < 4, "concurrency is kept");
                in_flight.insert((now.plus_ms(took), visit));
                visits.insert(visit, (now, *stop));
                continue;
            }
            StationAction::Report(report) => {
                take_report(&mut engine, disk, *report, now);
                continue;
            }
            StationAction::WaitUntil(at) => Some(at),
            StationAction::Idle => None,
        };
        let next_end = in_flight.first().map(|(at, _)| *at);
        let next_read = refills.front().map(|(at, _)| *at);
        let next = [engine_wait, station_wait, next_end, next_read]
            .into_iter()
            .flatten()
            .min()
            .expect("someone has something to do");
        now = now.max(next);
        while let Some((_, refill)) = refills.pop_front_if(|(at, _)| *at <= now) {
            engine.refilled(now, refill);
        }
        if losses > 0 && log.len() as u32 % 23 == 22 && !in_flight.is_empty() {
            losses -= 1;
            for (_, (begun, stop)) in std::mem::take(&mut visits) {
                log.push(line(&stop, begun, now));
            }
            in_flight.clear();
            station = Station::new(station_config(), Vec::new());
            engine.station_lost(now);
            continue;
        }
        while let Some((at, visit)) = in_flight.first().copied().filter(|(at, _)| *at <= now) {
            in_flight.remove(&(at, visit));
            let (begun, stop) = visits.remove(&visit).unwrap();
            log.push(line(&stop, begun, now));
            let report = Box::new(answer(world, &stop, begun));
            station.handle(now, StationEvent::Visited { visit, report });
        }
    }
    panic!("the run does not end");
}

/// An engine that knows what the disk knows.
fn start_engine(disk: &mut Disk, config: EngineConfig, seeds: &[CanonicalUrl], now: Timestamp) -> Engine {
    let mut engine = Engine::new(config, disk.next_run(), disk.next_sequence, now);
    for (record, robots, pending) in disk.sites() {
        engine.load_site(now, record, robots.as_deref(), pending);
    }
    engine.load_traps(disk.traps.values().cloned().collect(), disk.trap_rules.values().cloned().collect());
    engine.load_long_pages(disk.long_pages.iter().copied().collect());
    engine.seed(now, seeds);
    engine
}

fn line(stop: &Stop, start: Timestamp, end: Timestamp) -> LogLine {
    LogLine { start, end, host: stop.url.host().into(), url: stop.url.to_string() }
}

fn carry_out(
    action: Action,
    engine: &mut Engine,
    station: &mut Station,
    disk: &mut Disk,
    signals: &mut Vec<SignalRecord>,
    now: Timestamp,
) {
    match action {
        Action::Commit(batch) => disk.commit(*batch),
        Action::Dispatch(itinerary) => station.handle(now, StationEvent::Arrived(itinerary)),
        Action::Load { site, keys } => {
            engine.loaded(now, site, keys.iter().map(|key| disk.urls.get(key).cloned()).collect())
        }
        Action::LoadPending { site, keys } => engine.pending_loaded(now, site, disk.found(&keys, &[])),
        Action::LoadTargets { site, keys } => engine.targets_loaded(now, site, disk.found(&keys, &[])),
        Action::TakeUp(report) => take_in(engine, disk, report, now),
        Action::LoadLinks(key) => match (disk.urls.get(&key).cloned(), disk.links.get(&key).cloned()) {
            (Some(page), Some(links)) => {
                let keys: Vec<UrlKey> = links.iter().map(|link| link.target.key()).collect();
                let found = disk.found(&keys, &[]);
                engine.links_loaded(now, &page, &links, found);
            }
            _ => engine.links_missing(),
        },
        Action::ListPages(site) => {
            engine.pages_listed(disk.pages.keys().filter(|key| key.site == site).copied().collect());
        }
        Action::Signal(record) => signals.push(*record),
        Action::TrapFound(_) => {} // the signal says the same
        Action::Refill { .. } | Action::WaitUntil(_) | Action::Idle | Action::Finished(_) => {
            unreachable!("handled by the caller")
        }
    }
}

fn take_report(engine: &mut Engine, disk: &mut Disk, report: Report, now: Timestamp) {
    // Over the wire and back: an engine must not rely on anything a message does not carry.
    let bytes = postcard::to_stdvec(&report).unwrap();
    let report: Report = postcard::from_bytes(&bytes).unwrap();
    take_in(engine, disk, Box::new(report), now);
}

fn take_in(engine: &mut Engine, disk: &Disk, report: Box<Report>, now: Timestamp) {
    let Some(report) = engine.arrived(report) else { return };
    let again = report.clone();
    let needs = engine.needs(&report);
    let found = disk.found(&needs.urls, &needs.digests);
    engine.apply(now, *report, found);
    if again.done {
        engine.apply(now, *again, Found::default()); // delivered twice: no effect
    }
}

fn answer(world: &World, stop: &Stop, at: Timestamp) -> VisitReport {
    let mut report = VisitReport::new(stop, at, FetchOutcome::Fetched);
    (report.elapsed_ms, report.wire_bytes) = (1, 100);
    if stop.kind == StopKind::Robots {
        let (status, body) =
            world.robots.get(&stop.url.site().origin()).cloned().unwrap_or((404, String::new()));
        if status >= 500 {
            report.outcome = FetchOutcome::Unavailable { status, retry_after_ms: None };
        }
        report.robots = Some(RobotsAnswer { status: Some(status), body: body.into_bytes() });
        return report;
    }
    let endless = || world.endless.and_then(|answer| answer(&stop.url));
    match world.answers.get(stop.url.as_str()).cloned().or_else(endless).unwrap_or(Answer::Missing) {
        Answer::Missing => report.outcome = FetchOutcome::Gone { status: 404 },
        Answer::Busy => report.outcome = FetchOutcome::Unavailable { status: 503, retry_after_ms: None },
        Answer::Redirect(to) => {
            report.outcome = FetchOutcome::Redirected(Redirect { target: url(&to), permanent: true });
        }
        Answer::Page { text, links } => {
            let content_hash = ContentHash::of(text.as_bytes());
            if stop.known.content_hash == Some(content_hash) {
                report.outcome = FetchOutcome::NotModified;
            } else {
                let mut page = page(&stop.url, &text, &links, content_hash);
                page.content.robots.unavailable_after =
                    world.unavailable_after.get(stop.url.as_str()).copied();
                report.page = Some(Box::new(page));
            }
        }
    }
    report
}

fn page(from: &CanonicalUrl, text: &str, links: &[String], content_hash: ContentHash) -> PageReport {
    let link = |target: CanonicalUrl| Link {
        text: format!("to {target}"),
        kind: LinkKind::Anchor,
        rel: LinkRel::default(),
        visibility: 1,
        position: 1,
        distance: if target.host() == from.host() { 1 } else { 5 },
        in_navigation: false,
        target,
    };
    PageReport {
        content_hash,
        status: 200,
        content_type: "text/html".into(),
        body_bytes: text.len() as u64,
        truncated: false,
        low_value: None,
        last_modified: None,
        content: PageContent {
            text: text.into(),
            links: links.iter().map(|target| link(url(target))).collect(),
            ..PageContent::default()
        },
        capture: Capture {
            at: Timestamp(0),
            ip: None,
            record_id: [0; 16],
            request: Vec::new(),
            response: Vec::new(),
            head: Vec::new(),
            payload_sha1: [0; 20],
            truncated: false,
        },
    }
}

/// A random web of `sites` sites with `pages` pages each, some redirects, dead links and copies.
fn random_world(seed: u64, sites: u64, pages: u64) -> (World, Vec<CanonicalUrl>) {
    let mut world = World::default();
    let name = |site: u64, page: u64| match page {
        0 => format!("http://s{site}.example/"),
        _ => format!("http://s{site}.example/p{page}"),
    };
    for site in 0..sites {
        world.latency_ms.insert(format!("s{site}.example"), 50 + below(2_000, seed, b"latency", site));
        for page in 0..pages {
            let pick = |what: &[u8], bound: u64, nth: u64| {
                below(bound, seed, what, (site * pages + page) * 64 + nth)
            };
            let links = (0..pick(b"degree", 6, 0) + 2)
                .map(|nth| {
                    let other = if pick(b"cross", 10, nth) == 0 { pick(b"site", sites, nth) } else { site };
                    name(other, pick(b"target", pages + 2, nth))
                })
                .chain([name(site, (page * 2 + 1) % pages), name(site, (page * 2 + 2) % pages)])
                .collect();
            let answer = match pick(b"kind", 12, 0) {
                _ if page == 0 => Answer::Page { text: name(site, page), links },
                0 => Answer::Redirect(name(site, pick(b"to", pages, 0))),
                1 => Answer::Page { text: format!("copy {}", pick(b"copy", 3, 0)), links },
                2 if pick(b"busy", 4, 0) == 0 => Answer::Busy,
                _ => Answer::Page { text: name(site, page), links },
            };
            world.answers.insert(name(site, page), answer);
        }
    }
    let seeds = (0..sites).map(|site| url(&name(site, 0))).collect();
    (world, seeds)
}

/// Which of these URLs are visited when all are linked from one page of the right depth: for the depth-limit vector.
pub(crate) fn visited_with_depths(depths: &[(String, u16)], limit: u16) -> Vec<String> {
    let name = |label: &str| format!("http://d.example/{label}");
    let mut world = World::default();
    // A chain of pages, one per level, so that each URL is met at exactly its depth.
    let deepest = depths.iter().map(|(_, depth)| *depth).max().unwrap_or(0);
    for level in 0..=deepest {
        let mut links: Vec<String> =
            depths.iter().filter(|(_, depth)| *depth == level + 1).map(|(label, _)| name(label)).collect();
        links.push(name(&format!("level{}", level + 1)));
        let at = if level == 0 { name("level0") } else { name(&format!("level{level}")) };
        world.answers.insert(at.clone(), Answer::Page { text: at, links });
    }
    for (label, _) in depths {
        world.answers.insert(name(label), Answer::Page { text: label.clone(), links: Vec::new() });
    }
    let mut seeds = vec![url(&name("level0"))];
    seeds.extend(depths.iter().filter(|(_, depth)| *depth == 0).map(|(label, _)| url(&name(label))));
    let rules =
        UrlRules { depth_max: Some(limit), scope: ScopeSet::new(Scope::Host, &seeds), ..UrlRules::default() };
    let config = EngineConfig { rules: Arc::new(rules), strategy: Strategy::BreadthFirst, ..config(&seeds) };
    let outcome = run(&world, &mut Disk::default(), config, &seeds, Timestamp(DAY_MS));
    let labels: BTreeSet<&str> = depths.iter().map(|(label, _)| label.as_str()).collect();
    outcome
        .log
        .iter()
        .filter_map(|line| {
            labels.get(line.url.rsplit('/').next().unwrap_or("")).map(|label| (*label).to_owned())
        })
        .collect()
}
