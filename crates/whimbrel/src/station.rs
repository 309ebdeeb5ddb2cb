//! The station's shell: one task owns the machine of `plan::station`, turns its actions into fetches and its reports into
//! messages. It decides nothing.

mod limits;
mod readers;
mod visit;

use crate::clock::{at_or_after_now, now};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use whimbrel_cluster::{StationLink, ToStation};
use whimbrel_fetch::Fetcher;
use whimbrel_plan::HostGate;
use whimbrel_plan::station::{Station, StationAction, StationConfig, StationEvent};
use whimbrel_types::{FailureKind, GateState, Site, Timestamp, Unresolved};

pub use readers::Readers;
pub use visit::VisitRules;

/// What a station shows of itself.
#[derive(Debug, Default)]
pub struct StationView {
    /// Visits in flight.
    pub in_flight: usize,
    /// When waiting hosts open.
    pub openings: BTreeMap<String, Timestamp>,
    /// Gates, as they stand when the station ends.
    pub gates: Vec<GateState>,
}

/// What a station needs beside its link.
#[derive(Clone)]
pub struct StationParts {
    pub config: StationConfig,
    pub gates: Vec<HostGate>,
    pub fetcher: Fetcher,
    pub rules: Arc<VisitRules>,
    /// One permit per finished visit that may wait for its commit.
    pub uncommitted: Arc<Semaphore>,
    pub view: Arc<Mutex<StationView>>,
}

/// Runs until the engine's end of the link is gone.
pub async fn run(mut link: StationLink, parts: StationParts) {
    let StationParts { config, gates, fetcher, rules, uncommitted, view } = parts;
    let mut station = Station::new(config, gates);
    let (events, mut inbox) = mpsc::unbounded_channel::<StationEvent>();
    let mut visits = JoinSet::new();
    loop {
        let wait = loop {
            match station.poll(now()) {
                StationAction::Resolve(site) => {
                    let (fetcher, events) = (fetcher.clone(), events.clone());
                    visits.spawn(async move {
                        let address = first_address(&fetcher, &site).await;
                        let _ = events.send(StationEvent::Resolved { host: site.host, address });
                    });
                }
                StationAction::Visit { visit, stop, .. } => {
                    let (fetcher, events) = (fetcher.clone(), events.clone());
                    let (rules, uncommitted) = (Arc::clone(&rules), Arc::clone(&uncommitted));
                    visits.spawn(async move {
                        let report = Box::new(visit::visit(fetcher, rules, *stop).await);
                        // The engine gives the permit back when the visit is committed.
                        if let Ok(permit) = uncommitted.acquire().await {
                            permit.forget();
                        }
                        let _ = events.send(StationEvent::Visited { visit, report });
                    });
                }
                StationAction::Report(report) => link.report(*report),
                StationAction::WaitUntil(at) => break Some(at),
                StationAction::Idle => break None,
            }
        };
        show(&station, &view);
        let sleep = async {
            match wait {
                Some(at) => tokio::time::sleep(Duration::from_millis(at.since_ms(now()).max(1))).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            message = link.receive() => match message {
                Some(ToStation::Itinerary(itinerary)) => station.handle(now(), StationEvent::Arrived(itinerary)),
                Some(ToStation::Retract) => station.handle(now(), StationEvent::Retract),
                None => break,
            },
            Some(event) = inbox.recv() => {
                station.handle(at_or_after_now(), event);
                while let Ok(event) = inbox.try_recv() {
                    station.handle(at_or_after_now(), event);
                }
            }
            Some(_) = visits.join_next(), if !visits.is_empty() => {}
            () = sleep => {}
        }
    }
    visits.abort_all();
    lock(&view).gates = station.gates();
}

async fn first_address(fetcher: &Fetcher, site: &Site) -> Result<IpAddr, Unresolved> {
    let none = || Unresolved {
        kind: FailureKind::DnsFailure,
        detail: "the host has no address".into(),
        limit: None,
    };
    fetcher.resolve(&site.host, site.port).await?.first().copied().ok_or_else(none)
}

fn show(station: &Station, view: &Mutex<StationView>) {
    let mut view = lock(view);
    view.in_flight = station.in_flight();
    view.openings = station.openings().take(1000).map(|(at, host)| (host.to_owned(), at)).collect();
}

/// A view is plain data: a poisoned lock still holds it.
pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
