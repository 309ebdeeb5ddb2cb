//! The one thread that writes. Per group: WARC members and their sync, one database batch and its sync, then the
//! acknowledgements, in this order and no other. After a failed group nothing more is committed, because later batches
//! were planned on top of it.

use crate::apply::{Application, Workshop};
use crate::error::Error;
use crate::group::Group;
use crate::queue::{Job, Ripeness, Submission};
use crate::row::{self, CommitRow, StateRow};
use crate::store::{Committed, Shared};
use crate::table::Table;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// Rows of the continuity check that are kept.
const COMMIT_ROWS_MAX: usize = 256;
/// Row of the meta table that says where the last group ended.
pub(crate) const STATE_ROW: &[u8] = b"state";

/// State of the writer thread.
pub(crate) struct Writer {
    pub shared: Arc<Shared>,
    pub workshop: Workshop,
    /// Says, unsynced, what was acknowledged last; so that a database that lost its tail is noticed.
    pub acknowledged: File,
    /// Keys of the rows of the continuity check.
    pub commit_rows: VecDeque<u64>,
}

impl Writer {
    /// Works until the store is closed, then leaves the tables so that the next open is quick.
    pub(crate) fn run(mut self) {
        let shared = self.shared.clone();
        let worked = catch_unwind(AssertUnwindSafe(|| {
            while let Some(jobs) = self.next_group() {
                self.carry_out(jobs);
            }
            if let Err(error) = self.shared.tables.settle() {
                tracing::warn!(%error, "the next start will take longer");
            }
        }));
        if worked.is_err() {
            shared.fail("the writer thread panicked");
            refuse_the_rest(&shared);
        }
    }

    /// Waits for a group; `None` when the store is closed and nothing is left.
    fn next_group(&self) -> Option<Vec<Job>> {
        let shared = &self.shared;
        let mut queue = shared.lock_queue();
        let mut arrivals_before = None;
        loop {
            match queue.ripeness(&shared.options, arrivals_before) {
                Ripeness::Ripe => return Some(queue.take(&shared.options)),
                Ripeness::Empty if queue.closing => return None,
                Ripeness::Empty => {
                    arrivals_before = None;
                    queue = shared.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
                }
                Ripeness::Wait(time) => {
                    let arrivals = queue.arrivals;
                    let time = time.max(Duration::from_millis(1));
                    let (back, waited) =
                        shared.wake.wait_timeout(queue, time).unwrap_or_else(PoisonError::into_inner);
                    queue = back;
                    // Only a whole quiet wait says that nothing more is coming.
                    arrivals_before = waited.timed_out().then_some(arrivals);
                }
            }
        }
    }

    fn carry_out(&mut self, jobs: Vec<Job>) {
        let mut batches = Vec::new();
        for job in jobs {
            match job {
                Job::Batch(submission) => batches.push(submission),
                Job::Then(act) => {
                    self.commit(std::mem::take(&mut batches));
                    guarded(act);
                }
            }
        }
        self.commit(batches);
    }

    fn commit(&mut self, mut batches: Vec<Submission>) {
        if batches.is_empty() {
            return;
        }
        let stopped = self.shared.lock_queue().failed.clone();
        let result = match stopped {
            Some(reason) => Err(Error::Stopped { reason }),
            None => self.write_group(&mut batches),
        };
        let pages: usize = batches.iter().map(|batch| batch.pages).sum();
        match &result {
            Ok(()) => self.shared.retire(&batches),
            Err(Error::Stopped { .. }) => {}
            Err(error) => {
                tracing::error!(%error, "a group commit failed, nothing more is committed");
                self.shared.fail(&error.to_string());
            }
        }
        self.shared.release_pages(pages);
        for batch in &mut batches {
            let committed = Committed { sequence: batch.sequence, duplicate: false };
            answer(batch, result.clone().map(|()| committed));
        }
    }

    fn write_group(&mut self, batches: &mut [Submission]) -> Result<(), Error> {
        let shared = self.shared.clone();
        let previous_sequence = self.workshop.committed;
        let first_sequence = batches.first().map_or(previous_sequence, |batch| batch.sequence);
        let sequence = batches.last().map_or(previous_sequence, |batch| batch.sequence);

        let group = Group::new(&shared.tables);
        let mut application = Application::new(group, &mut self.workshop, &shared.options);
        for batch in batches {
            application.apply(batch)?;
        }
        let mut group = application.finish();
        self.workshop.appender.sync()?;

        let position = self.workshop.appender.position();
        let state = StateRow {
            sequence,
            index_sequence: self.workshop.index_sequence,
            warc_file: position.file,
            warc_offset: position.offset,
        };
        group.put(Table::Meta, STATE_ROW, row::encode(&state));
        let commit = CommitRow { first_sequence, previous_sequence };
        group.put(Table::Commits, &row::number_key(sequence), row::encode(&commit));
        self.commit_rows.push_back(sequence);
        if self.commit_rows.len() > COMMIT_ROWS_MAX
            && let Some(oldest) = self.commit_rows.pop_front()
        {
            group.remove_once(Table::Commits, &row::number_key(oldest));
        }
        group.commit()?;

        self.workshop.committed = sequence;
        self.shared.committed.store(sequence, Ordering::Release);
        self.note_acknowledged(sequence);
        Ok(())
    }

    /// Best effort: the note is only there to notice damage.
    fn note_acknowledged(&mut self, sequence: u64) {
        let write = |file: &mut File| {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(format!("{sequence:020}\n").as_bytes())
        };
        if let Err(error) = write(&mut self.acknowledged) {
            tracing::debug!(%error, "the acknowledged sequence number could not be noted");
        }
    }
}

/// Answers everything that still waits, now and until the store is closed.
fn refuse_the_rest(shared: &Shared) {
    let mut queue = shared.lock_queue();
    queue.closing = true;
    let jobs = queue.take_all();
    drop(queue);
    shared.room.notify_all();
    for job in jobs {
        match job {
            Job::Batch(mut batch) => answer(&mut batch, Err(Error::Closed)),
            Job::Then(act) => guarded(act),
        }
    }
}

fn answer(batch: &mut Submission, result: Result<Committed, Error>) {
    if let Some(done) = batch.done.take() {
        guarded(|| done(result));
    }
}

/// A caller's panic is the caller's: the writer goes on.
fn guarded(act: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(act)).is_err() {
        tracing::error!("a callback of the store panicked");
    }
}
