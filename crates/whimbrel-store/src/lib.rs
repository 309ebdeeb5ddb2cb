//! L2: everything that is kept on disk, and the one order in which it is written.
//!
//! Owns fjall and the WARC files. One writer thread commits groups of batches: WARC members first (synced), then one
//! atomic database batch (synced), then the acknowledgement. Decides nothing about crawling: it carries out
//! [`whimbrel_types::Write`]s.
//!
//! Invariant: what was acknowledged survives `kill -9`; what was not leaves no trace after the next open.

mod anchor;
mod apply;
mod digest;
mod disk;
mod error;
mod group;
mod lock;
mod open;
mod options;
mod overlay;
mod queue;
mod read;
mod read_frontier;
mod recover;
mod retention;
mod row;
mod salvage;
mod store;
mod table;
pub mod warc;
mod writer;

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;

pub use error::Error;
pub use open::{FORMAT, OpenReport};
pub use options::StoreOptions;
pub use read::{IndexTask, StoreStats};
pub use recover::{LostTail, WarcMissing};
pub use salvage::CutJournal;
pub use store::{Committed, Done, Store};
pub use warc::StoredResponse;
