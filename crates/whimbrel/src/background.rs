//! Work that may wait: reading huge pages, and indexing. Its threads yield the CPU to all others when there is not enough
//! of it, so one dear page does not hold up a thousand cheap ones; on a machine with time to spare they lose nothing.
//! It decides no order and no limit: a page read here is read like any other.

use anyhow::{Context, Result};
use tokio::runtime::{Builder, Handle, Runtime};

/// How much lower than the rest, in steps of `nice(2)`: fifteen leave about a thirtieth of a core that others want too.
const READING_NICENESS: i32 = 15;
/// Indexing goes on beside a crawl that takes all the CPU, since people search meanwhile: about a quarter of a core.
const INDEXING_NICENESS: i32 = 5;

/// Threads of low priority for what blocks.
pub struct Background {
    runtime: Runtime,
}

impl Background {
    /// At most `threads` at a time; they start when there is work.
    pub fn new(threads: usize) -> Result<Background> {
        let runtime = Builder::new_current_thread()
            .max_blocking_threads(threads)
            .thread_name("background")
            .on_thread_start(|| lower_priority(READING_NICENESS))
            .build()
            .context("starting the threads for huge pages")?;
        Ok(Background { runtime })
    }

    /// Through which work gets there.
    pub fn handle(&self) -> Handle {
        self.runtime.handle().clone()
    }
}

/// Makes this thread, and those it starts from now on, one that indexes beside a crawl.
pub fn become_indexer() {
    lower_priority(INDEXING_NICENESS);
}

/// Where the system refuses, work is done at the common priority: slower for others, but done.
fn lower_priority(by: i32) {
    // Linux keeps this number per thread; elsewhere it would slow the whole program down.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(by) {
        tracing::debug!(%error, "the priority of a thread could not be lowered");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = by;
}
