//! One itinerary being carried out: what is still to visit, what has been, what goes back.

use super::line::HeldRules;
use crate::message::{Itinerary, Report, ReportId, RobotsRef, Stop, StopKind, VisitReport};
use std::sync::Arc;
use whimbrel_types::{CanonicalUrl, FetchOutcome, GateState, Timestamp};
use whimbrel_url::robots::RobotsRules;

#[derive(Debug)]
pub(super) struct Errand {
    pub itinerary: Itinerary,
    pub rules: Option<HeldRules>,
    pub in_flight: usize,
    pub visits: Vec<VisitReport>,
    next: usize,
    part: u32,
    returned: Vec<CanonicalUrl>,
}

impl Errand {
    /// `held` are the rules the station has of this site; they are used only if the itinerary names the same.
    pub fn new(itinerary: Itinerary, held: Option<HeldRules>, agent: &str) -> Errand {
        let rules = match &itinerary.robots {
            RobotsRef::Sent { hash, body } => {
                Some((*hash, Arc::new(RobotsRules::parse(body).for_agent(agent))))
            }
            RobotsRef::Held(hash) => held.filter(|(known, _)| known == hash),
            RobotsRef::Unread | RobotsRef::AllowAll => None,
        };
        let mut errand = Errand {
            itinerary,
            rules,
            in_flight: 0,
            visits: Vec::new(),
            next: 0,
            part: 0,
            returned: Vec::new(),
        };
        if matches!(errand.itinerary.robots, RobotsRef::Held(_)) && errand.rules.is_none() {
            // Rules we are said to hold and do not: nothing may be visited under them.
            errand.hand_back();
        }
        errand
    }

    pub fn next_stop(&mut self) -> Option<Stop> {
        let stop = self.itinerary.stops.get(self.next).cloned();
        self.next += usize::from(stop.is_some());
        stop
    }

    pub fn remaining(&self) -> usize {
        self.itinerary.stops.len() - self.next
    }

    /// The verdict at the time of the visit.
    pub fn allows(&self, stop: &Stop) -> bool {
        match (stop.kind, &self.itinerary.robots, &self.rules) {
            (StopKind::Robots, _, _) | (_, RobotsRef::AllowAll, _) => true,
            (_, RobotsRef::Unread, _) | (_, _, None) => false,
            (_, _, Some((_, rules))) => rules.verdict(stop.url.path_and_query()).allowed,
        }
    }

    /// What was not begun goes back to the engine.
    pub fn hand_back(&mut self) {
        self.returned.extend(self.itinerary.stops[self.next..].iter().map(|stop| stop.url.clone()));
        self.next = self.itinerary.stops.len();
    }

    pub fn report(&mut self, gate: Option<GateState>) -> Report {
        self.part += 1;
        Report {
            id: ReportId { itinerary: self.itinerary.id, part: self.part },
            site: self.itinerary.site.clone(),
            visits: std::mem::take(&mut self.visits),
            returned: std::mem::take(&mut self.returned),
            gate,
            done: self.remaining() == 0 && self.in_flight == 0,
        }
    }
}

/// The answer to a stop that nothing was sent for.
pub(super) fn unfetched(stop: &Stop, now: Timestamp, outcome: FetchOutcome) -> VisitReport {
    VisitReport { sent: false, ..VisitReport::new(stop, now, outcome) }
}
