//! Feeds the full-text index from the store's queue, on a thread of its own, in the order of the queue.
//! Invariant: the index commits with the number of the last row it has, so a crash between store and index loses nothing
//! and indexes nothing twice.

use crate::background;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use whimbrel_index::{IndexDocument, IndexWriter};
use whimbrel_store::Store;
use whimbrel_types::{IndexOp, PageContent, UrlKey};

/// Rows read at a time.
const ROWS: usize = 256;
/// How often an idle indexer looks for rows.
const LOOK: Duration = Duration::from_millis(200);

/// A running indexer.
pub struct Indexer {
    stop: Arc<AtomicBool>,
    indexed: Arc<AtomicU64>,
    thread: JoinHandle<Result<()>>,
}

impl Indexer {
    /// Opens the index, rebuilds it where that is the cure, and starts.
    pub fn start(store: Store, dir: &Path, memory_bytes: u64, commit_every: Duration) -> Result<Indexer> {
        let memory = usize::try_from(memory_bytes).unwrap_or(usize::MAX);
        let stop = Arc::new(AtomicBool::new(false));
        let indexed = Arc::new(AtomicU64::new(0));
        let (stopped, counter, dir) = (Arc::clone(&stop), Arc::clone(&indexed), dir.to_owned());
        let (opened, outcome) = channel();
        let thread = std::thread::Builder::new()
            .name("indexer".into())
            .spawn(move || {
                // First of all: the index starts threads of its own, which take after this one.
                background::become_indexer();
                let (writer, rebuild) = match open(&store, &dir, memory) {
                    Ok(open) => open,
                    Err(error) => {
                        let _ = opened.send(Err(error));
                        return Ok(());
                    }
                };
                let _ = opened.send(Ok(()));
                let mut work =
                    Work { store, writer, commit_every, indexed: counter, last: 0, uncommitted: None };
                if rebuild {
                    work.rebuild()?;
                }
                work.run(&stopped)
            })
            .context("starting the indexer")?;
        outcome.recv().context("the indexer panicked while it opened the index")??;
        Ok(Indexer { stop, indexed, thread })
    }

    /// Pages indexed so far.
    pub fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.indexed)
    }

    /// Indexes what is queued, commits, and ends.
    pub fn finish(self) -> Result<()> {
        self.stop.store(true, Ordering::Release);
        match self.thread.join() {
            Ok(result) => result.context("indexing"),
            Err(_) => anyhow::bail!(
                "the indexer panicked; the pages are stored and will be indexed by the next run"
            ),
        }
    }
}

/// The index to write to, and whether every stored page has to be put in again.
fn open(store: &Store, dir: &Path, memory: usize) -> Result<(IndexWriter, bool)> {
    match IndexWriter::open(dir, memory) {
        Err(error) if error.needs_rebuild() => {
            tracing::warn!(%error, "the index is rebuilt from the store");
            Ok((IndexWriter::reset(dir, memory).context("resetting the index")?, true))
        }
        other => {
            let writer = other.context("opening the index")?;
            let lost = writer.last_sequence() == 0 && store.stats().sequence > 0;
            Ok((writer, lost))
        }
    }
}

struct Work {
    store: Store,
    writer: IndexWriter,
    commit_every: Duration,
    indexed: Arc<AtomicU64>,
    last: u64,
    uncommitted: Option<Instant>,
}

impl Work {
    fn run(mut self, stop: &AtomicBool) -> Result<()> {
        self.last = self.writer.last_sequence();
        loop {
            let stopping = stop.load(Ordering::Acquire);
            let rows = self.store.index_queue(self.last, ROWS).context("reading the index queue")?;
            let idle = rows.is_empty();
            if let Some((last, ..)) = rows.last() {
                let last = *last;
                self.take(rows)?;
                self.last = last;
                self.uncommitted.get_or_insert_with(Instant::now);
            }
            if idle && stopping {
                self.commit()?;
                return self.writer.close().context("closing the index");
            }
            if self.uncommitted.is_some_and(|since| since.elapsed() >= self.commit_every) {
                self.commit()?;
            }
            if idle {
                std::thread::sleep(LOOK);
            }
        }
    }

    fn commit(&mut self) -> Result<()> {
        if self.uncommitted.take().is_some() {
            self.writer.commit(self.last).context("committing the index")?;
            self.store.index_done(self.last);
        }
        Ok(())
    }

    /// Of several rows about one URL only the last counts; a mere refresh gives way to an update.
    fn take(&mut self, rows: Vec<(u64, UrlKey, IndexOp)>) -> Result<()> {
        let mut latest: BTreeMap<UrlKey, (u64, IndexOp)> = BTreeMap::new();
        for (sequence, key, op) in rows {
            let entry = latest.entry(key).or_insert((sequence, op));
            let keep = op == IndexOp::Refresh && entry.1 != IndexOp::Refresh;
            *entry = (sequence, if keep { entry.1 } else { op });
        }
        for (key, (sequence, op)) in latest {
            match op {
                IndexOp::Delete => self.writer.delete(sequence, &key),
                IndexOp::Update => self.update(sequence, &key, false)?,
                IndexOp::Refresh => self.update(sequence, &key, true)?,
            }
        }
        Ok(())
    }

    fn update(&mut self, sequence: u64, key: &UrlKey, refresh: bool) -> Result<()> {
        let Some(row) = self.store.url(key).context("reading the URL table")?.filter(|row| row.indexed)
        else {
            self.writer.delete(sequence, key);
            return Ok(());
        };
        let (page, content) = (self.store.page(key)?, self.store.content(key)?);
        let (Some(page), Some(content)) = (page, content) else { return Ok(()) };
        let anchors: Vec<String> = self.store.anchors(key)?.into_iter().map(|anchor| anchor.text).collect();
        if refresh && !brings_words(&anchors, &content) {
            return Ok(());
        }
        let document = IndexDocument {
            key: *key,
            url: row.url.as_str(),
            content: &content,
            anchors: &anchors,
            fetched_at: page.fetched_at,
            modified: page.last_modified,
        };
        self.writer.update(sequence, &document).context("indexing a page")?;
        self.indexed.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Puts in every page that should be there; what is queued besides follows as usual.
    fn rebuild(&mut self) -> Result<()> {
        let store = self.store.clone();
        for row in store.all_urls() {
            let row = row.context("reading the URL table")?;
            if row.indexed && row.versions > 0 {
                self.update(0, &row.key(), false)?;
            }
        }
        Ok(())
    }
}

/// Whether links say something about a page that it does not say itself. Most repeat its title; those are not worth
/// indexing the page again.
fn brings_words(anchors: &[String], content: &PageContent) -> bool {
    let mut own = content.title.to_lowercase();
    for text in [&content.text, &content.navigation_text, &content.description] {
        own.push(' ');
        own.push_str(&text.to_lowercase());
    }
    anchors.iter().any(|anchor| {
        anchor
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| !word.is_empty() && !own.contains(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_indexed_again_only_for_words_it_lacks() {
        let content = PageContent {
            title: "The Wader Book".into(),
            text: "About curlews.".into(),
            ..PageContent::default()
        };
        assert!(!brings_words(&["Wader book".into(), "curlews!".into()], &content));
        assert!(brings_words(&["migration".into()], &content));
    }
}
