//! Traps between the engine and the operator: the warning when a pattern is stopped, and orders about patterns.

use crate::render::{clean, count};
use std::sync::mpsc::Sender;
use whimbrel_plan::engine::Ordered;
use whimbrel_types::{TrapRecord, TrapRule, TrapState};

/// An order on its way to the engine, and where its answer goes when it is on disk.
#[derive(Debug)]
pub struct TrapOrder {
    pub rule: TrapRule,
    pub reply: Sender<Ordered>,
}

/// Says once that a pattern used its budget up, or that a site is unusually large.
pub fn warn(record: &TrapRecord) {
    let site = &record.site;
    let pattern = clean(&record.pattern);
    let examples = record.examples.iter().map(|url| clean(url.as_str())).collect::<Vec<_>>().join(" ");
    let admitted = count(record.admitted());
    if record.state == TrapState::Reported {
        tracing::warn!(%site, examples, "{site} has {admitted} URLs by now; if they are a trap: whimbrel traps exclude PATTERN");
    } else {
        tracing::warn!(
            %site, pattern, examples,
            "the pattern {site}{pattern} makes ever more of itself and is stopped after {admitted} URLs; to go on: whimbrel traps allow '{site}{pattern}'"
        );
    }
}
