//! What waits for the writer thread, and when a group is large or old enough to be committed.
//! Sequence numbers are given out here, under one lock, so that the order of numbers is the order of commits.

use crate::options::StoreOptions;
use crate::store::{Committed, Done};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};
use whimbrel_types::{Batch, PendingLink, SiteKey, SiteRecord, UrlKey, UrlRecord, Write};

/// One change. Rows that planners read back before they are committed are shared with the overlay.
pub(crate) enum Item {
    Url(UrlKey, Arc<UrlRecord>),
    Site(SiteKey, Arc<SiteRecord>),
    Pending(UrlKey, Arc<PendingLink>),
    Write(Write),
    /// A small value of the caller; `None` removes it.
    Meta(String, Option<Vec<u8>>),
    /// The index has everything up to this row of its queue.
    IndexDone(u64),
}

/// A batch on its way to the disk.
pub(crate) struct Submission {
    pub sequence: u64,
    pub report: Option<[u8; 16]>,
    pub items: Vec<Item>,
    /// URL rows of the pages in it, for their `metadata` records.
    pub subjects: Vec<(UrlKey, Arc<UrlRecord>)>,
    /// Reports that are forgotten with this batch, by their sequence numbers.
    pub forgotten_reports: Vec<u64>,
    pub pages: usize,
    pub bytes: u64,
    pub done: Option<Done>,
}

impl Submission {
    /// Takes a batch apart; `number` completes it.
    pub(crate) fn new(batch: Batch, done: Done) -> Submission {
        let pages =
            batch.writes.iter().filter(|w| matches!(w, Write::PutPage(_) | Write::PutRevisit(_))).count();
        let bytes = batch.writes.iter().map(write_bytes).sum();
        let items = batch.writes.into_iter().map(into_item).collect();
        Submission {
            sequence: 0,
            report: batch.report,
            items,
            subjects: Vec::new(),
            forgotten_reports: Vec::new(),
            pages,
            bytes,
            done: Some(done),
        }
    }

    /// A submission of one internal change.
    pub(crate) fn internal(item: Item, done: Done) -> Submission {
        let mut submission = Submission::new(Batch::default(), done);
        submission.items.push(item);
        submission
    }

    /// Gives the batch its number, and with it the page versions in it.
    fn number(&mut self, sequence: u64) {
        self.sequence = sequence;
        if self.pages == 0 {
            return;
        }
        let mut stored = Vec::new();
        let mut visited = Vec::new();
        for item in &mut self.items {
            match item {
                Item::Write(Write::PutPage(page)) => {
                    page.version.sequence = sequence;
                    stored.push(page.version.url.key());
                }
                Item::Write(Write::PutRevisit(revisit)) => visited.push(revisit.url.key()),
                _ => {}
            }
        }
        for item in &self.items {
            let Item::Url(key, record) = item else { continue };
            if stored.contains(key) || visited.contains(key) {
                self.subjects.push((*key, record.clone()));
            }
        }
    }
}

/// One thing for the writer to do.
pub(crate) enum Job {
    Batch(Submission),
    /// Runs when everything before it is committed: reads, flushes, answers that need no commit.
    Then(Box<dyn FnOnce() + Send>),
}

/// Reports known to have been taken in.
#[derive(Default)]
pub(crate) struct Reports {
    known: FxHashMap<[u8; 16], u64>,
    order: VecDeque<(u64, [u8; 16])>,
}

impl Reports {
    pub(crate) fn add(&mut self, sequence: u64, report: [u8; 16]) {
        self.known.insert(report, sequence);
        self.order.push_back((sequence, report));
    }

    fn shrink(&mut self, reports_max: usize) -> Vec<u64> {
        let mut forgotten = Vec::new();
        while self.order.len() > reports_max.max(1) {
            if let Some((sequence, report)) = self.order.pop_front() {
                self.known.remove(&report);
                forgotten.push(sequence);
            }
        }
        forgotten
    }
}

/// What waits.
pub(crate) struct Queue {
    jobs: VecDeque<Job>,
    oldest: Option<Instant>,
    bytes: u64,
    pages: usize,
    /// Jobs somebody waits for.
    urgent: usize,
    /// Batches ever submitted; tells whether more came in a while.
    pub arrivals: u64,
    /// Pages handed to the writer and not committed yet.
    pub pages_in_hand: usize,
    pub next_sequence: u64,
    pub reports: Reports,
    pub closing: bool,
    /// Why nothing more is committed.
    pub failed: Option<String>,
}

/// What the writer should do about the queue now.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ripeness {
    /// Nothing waits.
    Empty,
    /// Look again after this long, or when woken.
    Wait(Duration),
    /// Commit.
    Ripe,
}

impl Queue {
    pub(crate) fn new(next_sequence: u64, reports: Reports) -> Queue {
        Queue {
            jobs: VecDeque::new(),
            oldest: None,
            bytes: 0,
            pages: 0,
            urgent: 0,
            arrivals: 0,
            pages_in_hand: 0,
            next_sequence,
            reports,
            closing: false,
            failed: None,
        }
    }

    /// The earlier number of a report that was taken in before.
    pub(crate) fn duplicate_of(&self, report: Option<[u8; 16]>) -> Option<Committed> {
        let sequence = *self.reports.known.get(&report?)?;
        Some(Committed { sequence, duplicate: true })
    }

    /// Pages that were submitted and are not committed.
    pub(crate) fn uncommitted_pages(&self) -> usize {
        self.pages + self.pages_in_hand
    }

    /// Numbers a batch and remembers its report. The caller shows it in the overlay, then pushes it.
    pub(crate) fn admit(&mut self, submission: &mut Submission, reports_max: usize) {
        submission.number(self.next_sequence);
        self.next_sequence += 1;
        if let Some(report) = submission.report {
            self.reports.add(submission.sequence, report);
            submission.forgotten_reports = self.reports.shrink(reports_max);
        }
    }

    pub(crate) fn push(&mut self, job: Job, urgent: bool) {
        if let Job::Batch(submission) = &job {
            self.bytes += submission.bytes;
            self.pages += submission.pages;
        }
        self.arrivals += 1;
        self.urgent += usize::from(urgent);
        self.oldest.get_or_insert_with(Instant::now);
        self.jobs.push_back(job);
    }

    /// Whether the writer has to be woken now rather than at its next look.
    pub(crate) fn wants_waking(&self, options: &StoreOptions) -> bool {
        self.jobs.len() == 1 || self.ripeness(options, None) == Ripeness::Ripe
    }

    /// Whether to commit. `arrivals_before` is what `arrivals` was at the last look: when nothing has come since, there
    /// is nothing to wait for.
    pub(crate) fn ripeness(&self, options: &StoreOptions, arrivals_before: Option<u64>) -> Ripeness {
        let Some(oldest) = self.oldest.filter(|_| !self.jobs.is_empty()) else { return Ripeness::Empty };
        let longest = Duration::from_millis(options.group_commit_ms);
        let age = oldest.elapsed();
        let full = self.bytes >= options.group_commit_bytes
            || self.pages * 2 >= options.uncommitted_pages_max.max(1);
        let quiet = arrivals_before == Some(self.arrivals);
        if full || quiet || self.urgent > 0 || self.closing || self.failed.is_some() || age >= longest {
            return Ripeness::Ripe;
        }
        Ripeness::Wait((longest - age).min(longest / 10))
    }

    /// Takes everything.
    pub(crate) fn take_all(&mut self) -> Vec<Job> {
        (self.bytes, self.pages, self.pages_in_hand, self.urgent, self.oldest) = (0, 0, 0, 0, None);
        self.jobs.drain(..).collect()
    }

    /// Takes a group off the front.
    pub(crate) fn take(&mut self, options: &StoreOptions) -> Vec<Job> {
        let mut jobs = Vec::new();
        let (mut bytes, mut pages) = (0, 0);
        while let Some(job) = self.jobs.pop_front() {
            if let Job::Batch(submission) = &job {
                bytes += submission.bytes;
                pages += submission.pages;
            }
            jobs.push(job);
            if bytes >= options.group_commit_bytes || pages >= options.uncommitted_pages_max.max(1) {
                break;
            }
        }
        self.bytes -= bytes;
        self.pages -= pages;
        self.pages_in_hand = pages;
        if self.jobs.is_empty() {
            self.oldest = None;
            self.urgent = 0;
        }
        jobs
    }
}

fn into_item(write: Write) -> Item {
    match write {
        Write::PutUrl(record) => Item::Url(record.key(), Arc::new(*record)),
        Write::PutSite(record) => Item::Site(record.key(), Arc::new(*record)),
        Write::PutPending(link) => Item::Pending(link.target.key(), Arc::new(*link)),
        other => Item::Write(other),
    }
}

/// About what a change adds to a group; exact only where it matters.
fn write_bytes(write: &Write) -> u64 {
    let bytes = match write {
        Write::PutPage(page) => {
            let capture = &page.capture;
            capture.request.len()
                + capture.response.len()
                + page.content.text.len()
                + page.content.links.len() * 100
        }
        Write::PutRevisit(revisit) => revisit.capture.request.len() + revisit.capture.response.len(),
        Write::PutRobots { body, .. } => body.len(),
        _ => 200,
    };
    bytes as u64 + 100
}
