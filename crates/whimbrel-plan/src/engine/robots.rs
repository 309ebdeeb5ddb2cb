//! robots.txt of a site: when it is asked for, and what its answer opens or closes (RFC 9309).

use super::site::Rules;
use super::{Action, Engine};
use crate::message::{Itinerary, ItineraryId, Known, RobotsRef, Stop, StopKind, VisitReport};
use std::sync::Arc;
use whimbrel_types::{
    Batch, Component, ContentHash, FetchOutcome, RobotsState, Signal, SiteKey, Timestamp, Write,
};
use whimbrel_url::robots::{RobotsPolicy, RobotsRules};

/// The longest a migrant may take to begin.
const EXPIRY_MS: u64 = 24 * 3_600_000;

/// Sends a migrant for a site's robots.txt.
pub(super) fn ask(engine: &mut Engine, now: Timestamp, key: SiteKey) {
    let id = engine.next_itinerary_id();
    let site = engine.sites.get_mut(&key).expect("the site that asks is on the workbench");
    site.asking = true;
    site.outstanding += 1;
    let target = site.record.site.clone();
    let itinerary = Itinerary {
        id,
        stops: vec![Stop {
            url: target.url("/robots.txt"),
            kind: StopKind::Robots,
            known: Known::default(),
            depth: 0,
        }],
        delay_ms: site.delay_ms(&engine.config),
        robots: RobotsRef::Unread,
        expires: now.plus_ms(EXPIRY_MS),
        site: target.clone(),
    };
    engine.itineraries.insert(id, key);
    let from_to = (Component::UrlQueue, Component::MappingManager);
    engine.signal(now, Signal::SomethingToMap, from_to, &target, None, &[]);
    engine.outbox.push_back(Action::Dispatch(Box::new(itinerary)));
}

/// Takes the answer in.
pub(super) fn answered(
    engine: &mut Engine,
    now: Timestamp,
    key: SiteKey,
    visit: &VisitReport,
    batch: &mut Batch,
) {
    let config = engine.config.clone();
    let site = engine.sites.get_mut(&key).expect("a report's site is on the workbench");
    site.asking = false;
    site.sent_rules = false;
    site.record.robots_at = Some(now);
    let status = visit.robots.as_ref().and_then(|answer| answer.status);
    site.record.robots_status = status.unwrap_or(0);
    site.record.robots_outcome = visit.outcome.label();
    let before = site.record.robots.clone();
    let mut policy = RobotsPolicy::of_status(status);
    let is_hopeless = matches!(visit.outcome, FetchOutcome::Failed(kind) if !kind.is_passing());
    if is_hopeless {
        policy = RobotsPolicy::DisallowAllRetry;
    }
    match policy {
        RobotsPolicy::DisallowAllRetry => {
            // A refused address will be refused again: not in this run.
            site.robots_tries =
                if is_hopeless { config.tries_max } else { site.robots_tries.saturating_add(1) };
            site.record.robots_failures = site.record.robots_failures.saturating_add(1);
            let since = match site.record.robots {
                RobotsState::Unreachable { since } => since,
                _ => now,
            };
            site.record.robots = RobotsState::Unreachable { since };
            // RFC 9309 §2.3.1.4 lets a file that was out of reach for long count as missing; the operator decides.
            if config.robots_give_up_ms.is_some_and(|ms| now.since_ms(since) >= ms) {
                site.rules = Rules::AllowAll;
                site.record.crawl_delay_ms = None;
                site.record.robots_due = now.plus_ms(config.robots_ttl_ms);
                return;
            }
            site.rules = Rules::Unreachable;
            let asked = match visit.outcome {
                FetchOutcome::Unavailable { retry_after_ms, .. } => retry_after_ms.unwrap_or(0),
                _ => 0,
            };
            let wait = config.retry.wait_ms(site.robots_tries, config.seed, &key.to_bytes());
            site.record.robots_due = now.plus_ms(wait.max(asked));
            let name = site.record.site.origin();
            engine.summary.error(&format!("robots_{}", visit.outcome.label()));
            engine
                .summary
                .skipped_sites
                .insert(name, format!("robots.txt unreachable: {}", visit.outcome.label()));
            return;
        }
        RobotsPolicy::AllowAll => {
            site.record.robots = RobotsState::AllowAll;
            site.record.crawl_delay_ms = None;
            site.rules = Rules::AllowAll;
        }
        RobotsPolicy::Parse => {
            let body = visit.robots.as_ref().map(|answer| answer.body.clone()).unwrap_or_default();
            let hash = ContentHash::of(&body);
            let rules = RobotsRules::parse(&body).for_agent(&config.agent);
            site.record.crawl_delay_ms = rules.crawl_delay_ms();
            site.record.robots = RobotsState::Rules(hash);
            batch.writes.push(Write::PutRobots { hash, body: body.clone() });
            site.rules = Rules::Agent { hash, rules: Arc::new(rules), body };
        }
    }
    site.robots_tries = 0;
    site.record.robots_failures = 0;
    site.record.robots_due = now.plus_ms(config.robots_ttl_ms);
    let target = site.record.site.clone();
    engine.summary.skipped_sites.remove(&target.origin());
    if site.record.crawl_delay_ms.is_some_and(|ms| ms > config.crawl_delay_ms_max) {
        site.rules = Rules::Skipped;
        let seconds = site.record.crawl_delay_ms.unwrap_or(0) / 1000;
        engine
            .summary
            .skipped_sites
            .insert(target.origin(), format!("asks for a Crawl-delay of {seconds} s"));
    }
    // Other rules: what they newly allow is found in the links of the pages that are stored.
    let changed = site.record.robots != before;
    let known = !matches!(before, RobotsState::Unread);
    if changed && known && site.record.pages > 0 {
        engine.listing += 1;
        engine.outbox.push_back(Action::ListPages(key));
    }
    let from_to = (Component::MappingManager, Component::UrlOrganizer);
    let status = status.unwrap_or(0).to_string();
    engine.signal(now, Signal::SomethingToClassify, from_to, &target, None, &[("status", status)]);
}

impl Engine {
    pub(super) fn next_itinerary_id(&mut self) -> ItineraryId {
        self.next_itinerary += 1;
        ItineraryId { run: self.run, number: self.next_itinerary }
    }
}
