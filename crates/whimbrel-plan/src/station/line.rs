//! One host at the station: its gate, the errands that wait for it, and the address it answers from.

use super::StationConfig;
use crate::gate::HostGate;
use crate::message::ItineraryId;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;
use std::sync::Arc;
use whimbrel_types::{ContentHash, Site, Timestamp};
use whimbrel_url::robots::AgentRules;

/// How long an address is taken to be the host's.
const ADDRESS_MS: u64 = 10 * 60_000;

/// The robots rules of a site as the station holds them.
pub(super) type HeldRules = (ContentHash, Arc<AgentRules>);

#[derive(Debug)]
pub(super) struct Line {
    pub gate: HostGate,
    pub errands: VecDeque<ItineraryId>,
    /// Where the host stands in the station's openings.
    pub opening: Option<Timestamp>,
    pub resolving: bool,
    pub resolved_at: Option<Timestamp>,
    /// Rules by site.
    pub rules: BTreeMap<Site, HeldRules>,
}

impl Line {
    pub fn new(gate: HostGate) -> Line {
        Line {
            gate,
            errands: VecDeque::new(),
            opening: None,
            resolving: false,
            resolved_at: None,
            rules: BTreeMap::new(),
        }
    }

    pub fn needs_address(&self, now: Timestamp) -> bool {
        !self.resolving && self.resolved_at.is_none_or(|at| now.since_ms(at) > ADDRESS_MS)
    }

    /// When both gates are open; `None` while the host's connections are all busy.
    pub fn opens_at(
        &self,
        config: &StationConfig,
        addresses: &FxHashMap<IpAddr, Timestamp>,
        delay_ms: u64,
    ) -> Option<Timestamp> {
        let host = self.gate.opens_at(config.connections_per_host, delay_ms)?;
        let address = self.gate.address().and_then(|ip| addresses.get(&ip)).copied().unwrap_or_default();
        Some(host.max(address))
    }

    /// The address was asked just now: others that share it wait.
    pub fn close_address(
        &self,
        now: Timestamp,
        config: &StationConfig,
        addresses: &mut FxHashMap<IpAddr, Timestamp>,
    ) {
        match self.gate.address() {
            Some(ip) if !ip.is_loopback() && config.ip_delay_ms > 0 => {
                addresses.insert(ip, now.plus_ms(config.ip_delay_ms));
            }
            _ => {}
        }
    }
}
