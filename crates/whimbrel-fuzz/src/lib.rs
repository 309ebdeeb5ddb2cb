//! Fuzz targets for everything that reads what strangers wrote: what bytes could make a parser panic, lie or take for
//! ever? Tests only; no part of the product.
//!
//! The engine is our own, small, and seeded, so that it runs on a stable compiler and twice the same: it mutates a corpus
//! with the target's own words, and keeps what made the target answer in a way it had not answered before. Each target
//! states laws beyond not panicking; a law broken is a panic of the target. The same seed and build find the same.

mod corpus;
mod engine;
mod mutate;
mod random;
mod shrink;
mod target;
pub mod targets;

pub use corpus::gather;
pub use engine::{Budget, Failure, Outcome, fuzz};
pub use target::{Shared, Target};
