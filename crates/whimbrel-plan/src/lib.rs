//! L1: what to visit, when, and what follows from a visit. Machines with `handle(now, event)` / `poll(now)`; no IO, no
//! clock, no randomness of their own. The shell in `whimbrel` carries their actions out; a simulation can too.
//! The planner never learns what is in a page beyond its links and hashes.

mod backoff;
pub mod engine;
mod gate;
pub mod message;
mod random;
mod revisit;
pub mod station;
mod strategy;

pub use backoff::BackOff;
pub use gate::{HostGate, VisitEnd};
pub use random::{below, mix};
pub use revisit::RevisitRule;
pub use strategy::{DAMPING, SCORE_MIN, Strategy, passed_on};

#[cfg(test)]
mod seed_vectors;
#[cfg(test)]
mod simulation;
