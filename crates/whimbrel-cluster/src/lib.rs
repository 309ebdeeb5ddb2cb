//! L2: how engine and stations reach each other. In memory now: values are moved, not serialised. The protocol is the
//! same between machines: itineraries one way, reports the other, each at least once.
//! Invariant: what is under way is bounded by the protocol, not by the channel: the engine has at most a few itineraries
//! per site outside, and a station holds a finished visit back until the store has room for it.

use std::sync::Arc;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use whimbrel_plan::message::{Itinerary, Report};

/// What an engine says to a station.
#[derive(Debug)]
pub enum ToStation {
    /// A migrant with its plan.
    Itinerary(Box<Itinerary>),
    /// Hand back what has not begun.
    Retract,
}

/// The engine's end.
#[derive(Clone, Debug)]
pub struct EngineLink {
    to_station: UnboundedSender<ToStation>,
}

/// A station's end.
pub struct StationLink {
    from_engine: UnboundedReceiver<ToStation>,
    report: Arc<dyn Fn(Report) + Send + Sync>,
}

/// A link within one process. Reports are handed to `take_report` on the station's thread.
pub fn in_memory(take_report: impl Fn(Report) + Send + Sync + 'static) -> (EngineLink, StationLink) {
    let (to_station, from_engine) = unbounded_channel();
    (EngineLink { to_station }, StationLink { from_engine, report: Arc::new(take_report) })
}

impl EngineLink {
    /// Sends to the station; false when it is gone.
    pub fn send(&self, message: ToStation) -> bool {
        self.to_station.send(message).is_ok()
    }
}

impl StationLink {
    /// The next message; `None` when the engine is gone.
    pub async fn receive(&mut self) -> Option<ToStation> {
        self.from_engine.recv().await
    }

    /// Sends a report to the engine.
    pub fn report(&self, report: Report) {
        (self.report)(report);
    }
}
