//! Says when a host may be visited next. Never sleeps and never looks at a clock: `now` is an argument.
//! Invariants: at most `connections` visits to a host are in flight; with one connection the next starts no sooner than
//! the delay after the last one ended; an address is asked again no sooner than its own delay.
//! Crawl-delay is not in RFC 9309; we honour it and never undercut it.

use crate::backoff::BackOff;
use std::net::IpAddr;
use whimbrel_types::{GateState, Timestamp};

/// The gate of one host.
#[derive(Clone, Debug)]
pub struct HostGate {
    host: String,
    last_visit: Timestamp,
    open_at: Timestamp,
    back_offs: u8,
    in_flight: usize,
    address: Option<IpAddr>,
}

/// What the end of a visit means for the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitEnd {
    /// The host answered as it should.
    Fine,
    /// The host is in trouble or asks us to slow down; the wait it named, if any.
    Trouble {
        /// `Retry-After`.
        retry_after_ms: Option<u64>,
    },
}

impl HostGate {
    /// A gate never used.
    #[must_use]
    pub fn new(host: &str) -> HostGate {
        HostGate {
            host: host.to_owned(),
            last_visit: Timestamp(0),
            open_at: Timestamp(0),
            back_offs: 0,
            in_flight: 0,
            address: None,
        }
    }

    /// A gate from a former run. After an unclean end visits may have happened that were never written down, so the
    /// whole delay is waited again from `now`.
    #[must_use]
    pub fn restored(state: &GateState, now: Timestamp, unclean: bool, delay_ms: u64) -> HostGate {
        let mut gate = HostGate::new(&state.host);
        gate.last_visit = state.last_visit;
        gate.open_at = if unclean { state.open_at.max(now.plus_ms(delay_ms)) } else { state.open_at };
        gate.back_offs = state.back_offs;
        gate.address = state.address;
        gate
    }

    /// When the next visit may start if it is to keep `delay_ms`, as far as this gate knows; `None` while all
    /// connections are busy.
    #[must_use]
    pub fn opens_at(&self, connections: usize, delay_ms: u64) -> Option<Timestamp> {
        // The delay may have grown since the last visit, for example when that one read robots.txt.
        let is_new = self.last_visit == Timestamp(0);
        let after_last = if is_new { self.open_at } else { self.last_visit.plus_ms(delay_ms) };
        (self.in_flight < connections).then_some(self.open_at.max(after_last))
    }

    /// A visit starts. With several connections the delay is kept between starts as well.
    pub fn begin(&mut self, now: Timestamp, delay_ms: u64) {
        assert!(now >= self.open_at, "visit to {} before its gate opened", self.host);
        self.in_flight += 1;
        self.open_at = now.plus_ms(delay_ms);
    }

    /// A visit ended: the delay counts from here.
    pub fn end(&mut self, now: Timestamp, delay_ms: u64, end: VisitEnd, back_off: BackOff, seed: u64) {
        assert!(self.in_flight > 0, "visit to {} ended that never began", self.host);
        self.in_flight -= 1;
        self.last_visit = now;
        let mut wait = delay_ms;
        match end {
            VisitEnd::Fine => self.back_offs = 0,
            VisitEnd::Trouble { retry_after_ms } => {
                self.back_offs = self.back_offs.saturating_add(1);
                wait = wait.max(back_off.wait_ms(self.back_offs, seed, self.host.as_bytes()));
                wait = wait.max(retry_after_ms.unwrap_or(0));
            }
        }
        self.open_at = self.open_at.max(now.plus_ms(wait));
    }

    /// Remembers which address answers for the host.
    pub fn set_address(&mut self, address: Option<IpAddr>) {
        self.address = address;
    }

    /// Address that answers for the host, when known.
    #[must_use]
    pub fn address(&self) -> Option<IpAddr> {
        self.address
    }

    /// Nothing is under way and nothing has to be remembered any more at `now`.
    #[must_use]
    pub fn is_idle(&self, now: Timestamp) -> bool {
        self.in_flight == 0 && self.open_at <= now && self.back_offs == 0
    }

    /// What must survive a crash.
    #[must_use]
    pub fn state(&self) -> GateState {
        GateState {
            host: self.host.clone(),
            last_visit: self.last_visit,
            open_at: self.open_at,
            back_offs: self.back_offs,
            address: self.address,
        }
    }
}

#[cfg(test)]
mod tests;
