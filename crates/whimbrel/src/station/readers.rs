//! Which threads read a page: ordinary ones next to the network, huge ones in the background. Never on the threads that
//! talk to servers.
//! Invariant: as many pages of each sort are read at a time as there are cores, so that trees in memory are few.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

/// Bodies from this size on are read in the background. Of 3,650 pages of documentation one in a hundred is larger; they
/// take from about ten milliseconds on.
const HUGE_BYTES: usize = 512 << 10;

/// The threads that read pages.
#[derive(Clone)]
pub struct Readers {
    ordinary: Arc<Semaphore>,
    huge: Arc<Semaphore>,
    background: Handle,
}

impl Readers {
    /// As many of each sort at a time as there are `cores`.
    pub fn new(cores: usize, background: Handle) -> Readers {
        Readers {
            ordinary: Arc::new(Semaphore::new(cores)),
            huge: Arc::new(Semaphore::new(cores)),
            background,
        }
    }

    /// Does `work` for a body of that size; gives what came of it and the CPU time it took. Nothing comes back from a bug:
    /// it ends one visit, not the process.
    pub async fn read<T: Send + 'static>(
        &self,
        body_bytes: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<(T, u64)> {
        let is_huge = body_bytes >= HUGE_BYTES;
        let _permit = if is_huge { &self.huge } else { &self.ordinary }.acquire().await.ok()?;
        let guarded = move || {
            let begun = cpu_ms();
            let done = std::panic::catch_unwind(AssertUnwindSafe(work)).ok()?;
            Some((done, cpu_ms().saturating_sub(begun)))
        };
        let done = if is_huge {
            self.background.spawn_blocking(guarded)
        } else {
            tokio::task::spawn_blocking(guarded)
        };
        done.await.ok().flatten()
    }
}

/// CPU time of this thread so far. Time on the wall would charge a page for what others did meanwhile.
fn cpu_ms() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let (seconds, nanoseconds) = (time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs());
    seconds * 1000 + nanoseconds / 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::Background;

    /// The name of the thread that a body of this size is read on.
    async fn reader_of(readers: &Readers, bytes: usize) -> String {
        let name = || std::thread::current().name().unwrap_or_default().to_owned();
        readers.read(bytes, name).await.unwrap().0
    }

    fn run<T>(work: impl AsyncFnOnce(Readers) -> T) -> T {
        let background = Background::new(1).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(work(Readers::new(1, background.handle())))
    }

    #[test]
    fn only_huge_pages_are_read_in_the_background() {
        run(async |readers| {
            assert_ne!(reader_of(&readers, HUGE_BYTES - 1).await, "background");
            assert_eq!(reader_of(&readers, HUGE_BYTES).await, "background");
        });
    }

    #[test]
    fn a_reader_that_panics_gives_nothing_and_frees_its_place() {
        run(async |readers| {
            for bytes in [0, HUGE_BYTES] {
                assert!(readers.read(bytes, || panic!("a bug")).await.is_none_or(|((), _)| false));
                assert_eq!(readers.read(bytes, || 7).await.unwrap().0, 7);
            }
        });
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn background_threads_yield_to_the_others() {
        run(async |readers| {
            let niceness = || rustix::process::getpriority_process(None).unwrap();
            let own = niceness();
            let ordinary = readers.read(0, niceness).await.unwrap().0;
            let huge = readers.read(HUGE_BYTES, niceness).await.unwrap().0;
            assert_eq!(ordinary, own);
            assert!(huge > own || own == 19, "{huge} is not above {own}");
        });
    }
}
