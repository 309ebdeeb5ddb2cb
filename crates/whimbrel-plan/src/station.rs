//! The station decides when each stop of its itineraries is visited. It never fetches: the shell does, and tells it.
//! Invariants: at most `concurrency` visits in flight in all and `connections_per_host` per host; a host's gate and its
//! address's gate are both open when a visit starts; robots rules are asked again at each visit; every stop of an
//! itinerary is answered exactly once.

mod errand;
mod line;

use crate::backoff::BackOff;
use crate::gate::{HostGate, VisitEnd};
use crate::message::{Itinerary, ItineraryId, Report, Stop, VisitReport};
use errand::Errand;
use line::Line;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::IpAddr;
use whimbrel_types::{FailureKind, FetchOutcome, GateState, Site, Timestamp, Unresolved};
use whimbrel_url::scope::registrable_domain;

/// A page that takes no longer to read is an ordinary one.
const READ_MS_FREE: u64 = 20;
/// However dear a page was, its host comes to its turn again.
const REST_MS_MAX: u64 = 10_000;

/// What the operator set for the station.
#[derive(Clone, Debug)]
pub struct StationConfig {
    /// Visits in flight in all.
    pub concurrency: usize,
    /// Visits in flight per host.
    pub connections_per_host: usize,
    /// Wait between visits to one address, whatever the host name. Not kept on loopback.
    pub ip_delay_ms: u64,
    /// A host whose page took long to read rests so many times as long.
    pub reading_pause: u64,
    /// Wait after trouble.
    pub back_off: BackOff,
    /// A longer `Retry-After` is cut to this.
    pub retry_after_ms_max: u64,
    /// One gate for all hosts of a registrable domain instead of one per host.
    pub gate_per_domain: bool,
    /// The last run ended abruptly, and this one began then: any host may have been visited just before.
    pub unclean_start: Option<Timestamp>,
    /// Visits per report; 1 for a station in the same process.
    pub visits_per_report: usize,
    /// Token that robots rules are asked for.
    pub agent: String,
    /// Seed of the jitter.
    pub seed: u64,
}

impl StationConfig {
    /// How long a host is left alone because of what its page cost us. On a machine without time to spare one host of
    /// dear pages then takes little from the others; with delays as people use them it makes no difference.
    fn rest_ms(&self, read_ms: u64) -> u64 {
        if read_ms <= READ_MS_FREE { 0 } else { read_ms.saturating_mul(self.reading_pause).min(REST_MS_MAX) }
    }

    /// Whose gate a host stands behind: its own, or its domain's.
    fn gate_name(&self, host: &str) -> String {
        let domain = self.gate_per_domain.then(|| registrable_domain(host)).flatten();
        domain.unwrap_or(host).to_owned()
    }
}

/// What happens to a station.
#[derive(Debug)]
pub enum StationEvent {
    /// A migrant arrives with its plan.
    Arrived(Box<Itinerary>),
    /// A host's address is known, or cannot be had.
    Resolved {
        /// The host.
        host: String,
        /// First address, or why there is none.
        address: Result<IpAddr, Unresolved>,
    },
    /// A visit ended.
    Visited {
        /// Which one.
        visit: VisitId,
        /// What it came to.
        report: Box<VisitReport>,
    },
    /// Hand back everything that has not begun.
    Retract,
}

/// What the shell has to do.
#[derive(Debug, PartialEq)]
pub enum StationAction {
    /// Find the address of a site's host.
    Resolve(Site),
    /// Visit a stop.
    Visit {
        /// To be named in `Visited`.
        visit: VisitId,
        /// Where to go.
        stop: Box<Stop>,
        /// Whose site it is.
        site: Site,
    },
    /// Send to the engine.
    Report(Box<Report>),
    /// Nothing to do before this time.
    WaitUntil(Timestamp),
    /// Nothing to do before the next event.
    Idle,
}

/// Identity of a visit in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VisitId(pub u64);

/// The machine.
#[derive(Debug)]
pub struct Station {
    config: StationConfig,
    errands: FxHashMap<ItineraryId, Errand>,
    lines: BTreeMap<String, Line>,
    /// Hosts with something to visit, by the time their gate opens.
    opening: BTreeSet<(Timestamp, String)>,
    addresses: FxHashMap<IpAddr, Timestamp>,
    visits: FxHashMap<VisitId, (ItineraryId, u64)>,
    next_visit: u64,
    outbox: VecDeque<StationAction>,
}

impl Station {
    /// A station with nothing to do, its gates as the last run left them.
    #[must_use]
    pub fn new(config: StationConfig, gates: Vec<HostGate>) -> Station {
        let lines = gates.into_iter().map(|gate| (gate.state().host, Line::new(gate))).collect();
        Station {
            config,
            errands: FxHashMap::default(),
            lines,
            opening: BTreeSet::new(),
            addresses: FxHashMap::default(),
            visits: FxHashMap::default(),
            next_visit: 0,
            outbox: VecDeque::new(),
        }
    }

    /// Takes an event in.
    pub fn handle(&mut self, now: Timestamp, event: StationEvent) {
        match event {
            StationEvent::Arrived(itinerary) => self.arrive(now, *itinerary),
            StationEvent::Resolved { host, address } => self.resolved(now, &host, address),
            StationEvent::Visited { visit, report } => self.visited(now, visit, *report),
            StationEvent::Retract => self.retract(),
        }
    }

    /// The next thing to do.
    pub fn poll(&mut self, now: Timestamp) -> StationAction {
        loop {
            if let Some(action) = self.outbox.pop_front() {
                return action;
            }
            if self.visits.len() >= self.config.concurrency {
                return StationAction::Idle;
            }
            let Some((at, host)) = self.opening.first().cloned() else { return StationAction::Idle };
            if at > now {
                return StationAction::WaitUntil(at);
            }
            self.opening.remove(&(at, host.clone()));
            self.start_next(now, &host);
        }
    }

    /// Visits in flight.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.visits.len()
    }

    /// State of every gate that still means something, for a clean end.
    #[must_use]
    pub fn gates(&self) -> Vec<GateState> {
        self.lines.values().map(|line| line.gate.state()).collect()
    }

    /// When each host with waiting stops may be visited next.
    pub fn openings(&self) -> impl Iterator<Item = (Timestamp, &str)> {
        self.opening.iter().map(|(at, host)| (*at, host.as_str()))
    }

    fn arrive(&mut self, now: Timestamp, itinerary: Itinerary) {
        let (id, site) = (itinerary.id, itinerary.site.clone());
        assert!(
            !itinerary.stops.is_empty() && !self.errands.contains_key(&id),
            "an itinerary is new and has stops"
        );
        let name = self.config.gate_name(&site.host);
        let unclean = self.config.unclean_start;
        let line = self.lines.entry(name.clone()).or_insert_with(|| {
            let fresh = HostGate::new(&name);
            Line::new(match unclean {
                // A visit that was never written down leaves no trace of its host either.
                Some(start) => HostGate::restored(&fresh.state(), start, true, itinerary.delay_ms),
                None => fresh,
            })
        });
        if let Some(old) = line.opening.take() {
            self.opening.remove(&(old, name.clone()));
        }
        line.errands.push_back(id);
        let held = line.rules.get(&site).cloned();
        let errand = Errand::new(itinerary, held, &self.config.agent);
        if let Some(rules) = errand.rules.clone() {
            line.rules.insert(site.clone(), rules);
        }
        self.errands.insert(id, errand);
        if line.needs_address(now) {
            line.resolving = true;
            self.outbox.push_back(StationAction::Resolve(site));
        }
        self.queue_line(&name);
    }

    fn resolved(&mut self, now: Timestamp, host: &str, address: Result<IpAddr, Unresolved>) {
        let name = self.config.gate_name(host);
        let Some(line) = self.lines.get_mut(&name) else { return };
        line.resolving = false;
        match address {
            Ok(address) => {
                line.resolved_at = Some(now);
                line.gate.set_address(Some(address));
            }
            Err(why) => {
                line.resolved_at = None;
                self.fail_host(now, host, &why);
            }
        }
        self.queue_line(&name);
    }

    /// The host has no address: one stop per errand is answered with that, the others go back.
    fn fail_host(&mut self, now: Timestamp, host: &str, why: &Unresolved) {
        let line = self.lines.get_mut(&self.config.gate_name(host)).expect("the line was just looked at");
        let (failed, other): (VecDeque<_>, VecDeque<_>) =
            line.errands.iter().partition(|id| self.errands[*id].itinerary.site.host == host);
        line.errands = other;
        for id in failed {
            let errand = self.errands.get_mut(&id).expect("a line's errands exist");
            if let Some(stop) = errand.next_stop() {
                let mut report = errand::unfetched(&stop, now, FetchOutcome::Failed(why.kind));
                report.detail.clone_from(&why.detail);
                report.limits.extend(why.limit);
                errand.visits.push(report);
            }
            errand.hand_back();
            self.send_report(id);
        }
    }

    fn start_next(&mut self, now: Timestamp, host: &str) {
        let line = self.lines.get_mut(host).expect("an opening belongs to a line");
        line.opening = None;
        let at = line.opens_at(&self.config, &self.addresses, next_delay_ms(line, &self.errands));
        if at.is_none_or(|at| at > now) {
            self.queue_line(host);
            return;
        }
        let Some(id) = line.errands.front().copied() else { return };
        let errand = self.errands.get_mut(&id).expect("a line's errands exist");
        if errand.itinerary.expires < now {
            errand.hand_back();
        }
        let Some(stop) = errand.next_stop() else {
            line.errands.pop_front();
            self.send_report(id);
            self.queue_line(host);
            return;
        };
        if !errand.allows(&stop) {
            errand.visits.push(errand::unfetched(&stop, now, FetchOutcome::Disallowed));
        } else {
            let delay_ms = errand.itinerary.delay_ms;
            line.gate.begin(now, delay_ms);
            line.close_address(now, &self.config, &mut self.addresses);
            errand.in_flight += 1;
            let visit = VisitId(self.next_visit);
            self.next_visit += 1;
            self.visits.insert(visit, (id, delay_ms));
            self.outbox.push_back(StationAction::Visit {
                visit,
                stop: Box::new(stop),
                site: errand.itinerary.site.clone(),
            });
        }
        if errand.remaining() == 0 {
            line.errands.pop_front();
        }
        self.send_report_if_due(id);
        self.queue_line(host);
    }

    fn visited(&mut self, now: Timestamp, visit: VisitId, report: VisitReport) {
        let (id, delay_ms) = self.visits.remove(&visit).expect("a visit that ended was in flight");
        let errand = self.errands.get_mut(&id).expect("a visit's errand exists");
        let host = self.config.gate_name(&errand.itinerary.site.host);
        let end = visit_end(&report.outcome, self.config.retry_after_ms_max);
        let wait_ms = delay_ms.max(self.config.rest_ms(report.read_ms));
        errand.in_flight -= 1;
        errand.visits.push(report);
        let line = self.lines.get_mut(&host).expect("a visit's host has a line");
        line.gate.end(now, wait_ms, end, self.config.back_off, self.config.seed);
        line.close_address(now, &self.config, &mut self.addresses);
        if let Some(old) = line.opening.take() {
            self.opening.remove(&(old, host.clone()));
        }
        self.send_report_if_due(id);
        self.queue_line(&host);
    }

    fn retract(&mut self) {
        for line in self.lines.values_mut() {
            line.errands.clear();
            line.opening = None;
        }
        self.opening.clear();
        let mut ids: Vec<ItineraryId> = self.errands.keys().copied().collect();
        ids.sort_unstable();
        for id in ids {
            let errand = self.errands.get_mut(&id).expect("just listed");
            errand.hand_back();
            self.send_report_if_due(id);
        }
    }

    fn send_report_if_due(&mut self, id: ItineraryId) {
        let errand = &self.errands[&id];
        let done = errand.remaining() == 0 && errand.in_flight == 0;
        if done || errand.visits.len() >= self.config.visits_per_report {
            self.send_report(id);
        }
    }

    fn send_report(&mut self, id: ItineraryId) {
        let errand = self.errands.get_mut(&id).expect("reports are about errands that exist");
        let name = self.config.gate_name(&errand.itinerary.site.host);
        let gate = self.lines.get(&name).map(|line| line.gate.state());
        let report = errand.report(gate);
        if report.done {
            self.errands.remove(&id);
        }
        self.outbox.push_back(StationAction::Report(Box::new(report)));
    }

    /// Puts a host where its next visit's time says, if it has one.
    fn queue_line(&mut self, host: &str) {
        let Some(line) = self.lines.get_mut(host) else { return };
        if line.errands.is_empty() || line.resolving || line.opening.is_some() {
            return;
        }
        if let Some(at) = line.opens_at(&self.config, &self.addresses, next_delay_ms(line, &self.errands)) {
            line.opening = Some(at);
            self.opening.insert((at, host.to_owned()));
        }
    }
}

/// The delay that the next visit of a line is to keep.
fn next_delay_ms(line: &Line, errands: &FxHashMap<ItineraryId, Errand>) -> u64 {
    line.errands.front().and_then(|id| errands.get(id)).map_or(0, |errand| errand.itinerary.delay_ms)
}

/// What a visit's outcome says about its host. A single page that fails (500) is no reason to leave the host alone.
fn visit_end(outcome: &FetchOutcome, retry_after_ms_max: u64) -> VisitEnd {
    let trouble = |retry_after_ms: Option<u64>| VisitEnd::Trouble {
        retry_after_ms: retry_after_ms.map(|ms| ms.min(retry_after_ms_max)),
    };
    match outcome {
        FetchOutcome::Unavailable { status: 429 | 502 | 503 | 504, retry_after_ms } => {
            trouble(*retry_after_ms)
        }
        FetchOutcome::Unavailable { retry_after_ms: Some(ms), .. } => trouble(Some(*ms)),
        FetchOutcome::Failed(
            FailureKind::ConnectionRefused
            | FailureKind::ConnectionReset
            | FailureKind::Timeout
            | FailureKind::TlsError,
        ) => trouble(None),
        _ => VisitEnd::Fine,
    }
}

#[cfg(test)]
mod tests;
