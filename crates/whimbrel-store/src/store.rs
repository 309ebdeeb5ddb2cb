//! The handle: submitting batches, waiting for them, closing. Reads are in `read` and `read_frontier`.

use crate::disk::DiskWatch;
use crate::error::Error;
use crate::lock::DirectoryLock;
use crate::options::StoreOptions;
use crate::overlay::Overlay;
use crate::queue::{Item, Job, Queue, Submission};
use crate::table::Tables;
use crate::warc::WarcFiles;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, mpsc};
use std::thread::JoinHandle;
use whimbrel_types::Batch;

/// Called on the writer thread when a batch is safe on disk, or will never be.
pub type Done = Box<dyn FnOnce(Result<Committed, Error>) + Send>;

/// What a committed batch got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committed {
    /// Number of the batch; page versions in it carry it.
    pub sequence: u64,
    /// The report had been committed before, under this number; nothing was changed.
    pub duplicate: bool,
}

/// An open collection. Clones share it; it is closed when the last one goes, or by [`Store::close`].
#[derive(Clone)]
pub struct Store {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub shared: Arc<Shared>,
    pub writer: Mutex<Option<JoinHandle<()>>>,
}

/// What the handle and the writer thread both see.
pub(crate) struct Shared {
    pub dir: PathBuf,
    pub options: StoreOptions,
    pub tables: Tables,
    pub files: Arc<WarcFiles>,
    pub overlay: RwLock<Overlay>,
    pub queue: Mutex<Queue>,
    /// Wakes the writer.
    pub wake: Condvar,
    /// Wakes those who wait for room.
    pub room: Condvar,
    pub disk: DiskWatch,
    /// Last committed batch.
    pub committed: AtomicU64,
    /// Rows of the index queue up to here are done.
    pub index_floor: AtomicU64,
    /// Last, so that it is given back after everything else is closed.
    pub _lock: DirectoryLock,
}

impl Store {
    /// Queues a batch for the next group commit. `done` is called on the writer thread after the sync.
    ///
    /// Blocks while more than `uncommitted_pages_max` pages wait, except on the writer thread itself. A batch whose
    /// report was taken in before is acknowledged as a duplicate. When the disk is nearly full the batch is refused
    /// and what was submitted before it is still committed.
    pub fn submit(&self, batch: Batch, done: Done) {
        self.enter(Submission::new(batch, done), false);
    }

    /// Submits a batch and waits until it is committed.
    pub fn commit(&self, batch: Batch) -> Result<Committed, Error> {
        self.wait_for(|done| Submission::new(batch, done))
    }

    /// Runs `read` on the writer thread when everything submitted before is committed, and hands its result to `done`.
    /// On a closed store neither is called.
    pub fn in_order<R: 'static>(
        &self,
        read: impl FnOnce(&Store) -> R + Send + 'static,
        done: impl FnOnce(R) + Send + 'static,
    ) {
        let store = self.clone();
        self.push(Job::Then(Box::new(move || done(read(&store)))), true);
    }

    /// Waits until everything submitted before is committed. Says so when something was not.
    pub fn flush(&self) -> Result<(), Error> {
        let (sender, receiver) = mpsc::channel();
        self.push(
            Job::Then(Box::new(move || {
                // Nobody listens any more: nobody wanted to know.
                let _ = sender.send(());
            })),
            true,
        );
        receiver.recv().map_err(|_| Error::Closed)?;
        match &self.inner.shared.lock_queue().failed {
            Some(reason) => Err(Error::Stopped { reason: reason.clone() }),
            None => Ok(()),
        }
    }

    /// Commits what waits, writes the tables out and ends the writer thread. Later submissions are refused.
    pub fn close(self) -> Result<(), Error> {
        self.inner.end();
        match &self.inner.shared.lock_queue().failed {
            Some(reason) => Err(Error::Stopped { reason: reason.clone() }),
            None => Ok(()),
        }
    }

    /// Pages submitted and not yet committed.
    #[must_use]
    pub fn uncommitted_pages(&self) -> usize {
        self.inner.shared.lock_queue().uncommitted_pages()
    }

    /// Keeps a small value under a name; waits until it is committed.
    pub fn meta_put(&self, name: &str, value: &[u8]) -> Result<(), Error> {
        let item = Item::Meta(name.to_owned(), Some(value.to_vec()));
        self.wait_for(|done| Submission::internal(item, done)).map(|_| ())
    }

    /// Forgets a value kept with [`Store::meta_put`].
    pub fn meta_remove(&self, name: &str) -> Result<(), Error> {
        let item = Item::Meta(name.to_owned(), None);
        self.wait_for(|done| Submission::internal(item, done)).map(|_| ())
    }

    /// The index has committed everything up to row `up_to` of its queue: the rows go. Does not wait.
    pub fn index_done(&self, up_to: u64) {
        self.inner.shared.index_floor.fetch_max(up_to, std::sync::atomic::Ordering::AcqRel);
        let done: Done = Box::new(|result| {
            if let Err(error) = result {
                tracing::warn!(%error, "the index queue was not shortened; it will be read again");
            }
        });
        self.enter(Submission::internal(Item::IndexDone(up_to), done), false);
    }

    fn wait_for(&self, make: impl FnOnce(Done) -> Submission) -> Result<Committed, Error> {
        let (sender, receiver) = mpsc::channel();
        self.enter(
            make(Box::new(move |result| {
                let _ = sender.send(result);
            })),
            true,
        );
        receiver.recv().map_err(|_| Error::Closed)?
    }

    fn enter(&self, mut submission: Submission, urgent: bool) {
        let shared = &self.inner.shared;
        // Shortening a queue makes room; it is never refused.
        let makes_room = matches!(submission.items.as_slice(), [Item::IndexDone(_)]);
        let room = if makes_room {
            Ok(())
        } else {
            shared.disk.check(|| shared.tables.disk_bytes() + shared.files.bytes())
        };
        let mut queue = shared.lock_queue();
        if !self.inner.on_writer_thread() {
            while submission.pages > 0
                && queue.uncommitted_pages() >= shared.options.uncommitted_pages_max.max(1)
                && queue.failed.is_none()
                && !queue.closing
            {
                queue = shared.room.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        }
        let refusal = match (&queue.failed, room) {
            _ if queue.closing => Some(Err(Error::Closed)),
            (Some(reason), _) => Some(Err(Error::Stopped { reason: reason.clone() })),
            (None, Err(error)) => Some(Err(error)),
            (None, Ok(())) => queue.duplicate_of(submission.report).map(Ok),
        };
        match (refusal, submission.done.take()) {
            (Some(answer), Some(done)) if queue.closing => {
                drop(queue);
                done(answer);
                return;
            }
            // In its turn, so that a duplicate is acknowledged after the original.
            (Some(answer), Some(done)) => queue.push(Job::Then(Box::new(move || done(answer))), urgent),
            (_, done) => {
                submission.done = done;
                queue.admit(&mut submission, shared.options.reports_max);
                shared.overlay.write().unwrap_or_else(PoisonError::into_inner).show(&submission);
                queue.push(Job::Batch(submission), urgent);
            }
        }
        shared.wake_if_wanted(queue);
    }

    fn push(&self, job: Job, urgent: bool) {
        let mut queue = self.inner.shared.lock_queue();
        // A closed store has no thread to run it: what captured a channel is dropped, and its receiver learns of it.
        if !queue.closing {
            queue.push(job, urgent);
            self.inner.shared.wake_if_wanted(queue);
        }
    }
}

impl Inner {
    fn on_writer_thread(&self) -> bool {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.as_ref().is_some_and(|handle| handle.thread().id() == std::thread::current().id())
    }

    fn end(&self) {
        self.shared.lock_queue().closing = true;
        self.shared.wake.notify_all();
        self.shared.room.notify_all();
        // The last handle may go inside a callback on the writer thread, which cannot wait for itself.
        if !self.on_writer_thread() {
            let handle = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(handle) = handle
                && handle.join().is_err()
            {
                self.shared.fail("the writer thread panicked");
            }
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    pub(crate) fn lock_queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing more will be committed; what the overlay shows will never be true.
    pub(crate) fn fail(&self, reason: &str) {
        self.lock_queue().failed.get_or_insert_with(|| reason.to_owned());
        self.overlay.write().unwrap_or_else(PoisonError::into_inner).clear();
        self.room.notify_all();
    }

    /// The database shows these batches now.
    pub(crate) fn retire(&self, batches: &[Submission]) {
        let mut overlay = self.overlay.write().unwrap_or_else(PoisonError::into_inner);
        for batch in batches {
            overlay.retire(batch);
        }
    }

    pub(crate) fn release_pages(&self, pages: usize) {
        let mut queue = self.lock_queue();
        queue.pages_in_hand = queue.pages_in_hand.saturating_sub(pages);
        drop(queue);
        self.room.notify_all();
    }

    fn wake_if_wanted(&self, queue: MutexGuard<'_, Queue>) {
        let wanted = queue.wants_waking(&self.options);
        drop(queue);
        if wanted {
            self.wake.notify_all();
        }
    }
}
