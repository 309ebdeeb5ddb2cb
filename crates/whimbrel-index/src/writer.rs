//! Puts pages into the index and takes them out. A commit carries the sequence number of the store it stands for,
//! so after a crash the indexer goes on from [`IndexWriter::last_sequence`] and does nothing twice that shows.
//! Invariant: an update removes the page's earlier version in the same commit. Readers see whole commits only.

use crate::document::IndexDocument;
use crate::error::Error;
use crate::schema::{self, Fields};
use std::path::{Path, PathBuf};
use tantivy::indexer::{IndexWriterOptions, LogMergePolicy};
use tantivy::{IndexReader, ReloadPolicy, Term};
use whimbrel_types::UrlKey;

/// Memory for pages not yet in a segment.
pub const INDEX_MEMORY_BYTES_DEFAULT: usize = 64 << 20;
/// tantivy refuses less.
const INDEX_MEMORY_BYTES_MIN: usize = 16_000_000;
/// More in one segment makes commits rare and merges long.
const INDEX_MEMORY_BYTES_MAX: usize = 2_000_000_000;
/// A segment of more pages is merged no further, so no merge takes hours.
const MERGE_PAGES_MAX: usize = 500_000;
/// Segments of one size before they are merged.
const MERGE_SEGMENTS_MIN: usize = 6;
/// Smaller segments than this count as one size, so that a slow crawl's many commits do not pile up.
const MERGE_PAGES_MIN: u32 = 1_000;
/// Share of deleted pages at which a segment is written anew.
const MERGE_DELETED_SHARE: f32 = 0.3;

/// The one writer of an index.
pub struct IndexWriter {
    writer: tantivy::IndexWriter,
    fields: Fields,
    dir: PathBuf,
    last_sequence: u64,
    pending: bool,
}

impl IndexWriter {
    /// Opens the index in `dir`, or creates it. Refuses one that is damaged, of another format or in use.
    ///
    /// # Errors
    /// See [`Error`]; when [`Error::needs_rebuild`], use [`IndexWriter::reset`] and index the store again.
    pub fn open(dir: &Path, memory_bytes: usize) -> Result<IndexWriter, Error> {
        let (index, fields) = match schema::open_existing(dir)? {
            Some(found) => found,
            None => schema::create(dir)?,
        };
        // Opening every segment now turns a missing or cut file into an answer here rather than at the first commit.
        let _check: IndexReader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()
            .map_err(|source| schema::damaged(dir, source))?;
        let options = IndexWriterOptions::builder()
            .memory_budget_per_thread(memory_bytes.clamp(INDEX_MEMORY_BYTES_MIN, INDEX_MEMORY_BYTES_MAX))
            .num_worker_threads(1)
            .num_merge_threads(1)
            .build();
        let writer: tantivy::IndexWriter =
            index.writer_with_options(options).map_err(|source| schema::damaged(dir, source))?;
        writer.set_merge_policy(Box::new(merge_policy()));
        let payload = index.load_metas().map_err(|source| schema::damaged(dir, source))?.payload;
        let last_sequence = match payload {
            None => 0,
            Some(text) => text.parse().map_err(|_| Error::Corrupt {
                dir: dir.to_owned(),
                reason: "its last commit names no sequence".to_owned(),
            })?,
        };
        Ok(IndexWriter { writer, fields, dir: dir.to_owned(), last_sequence, pending: false })
    }

    /// Removes the index in `dir`, whatever state it is in, and opens an empty one.
    ///
    /// # Errors
    /// When its files cannot be removed or made.
    pub fn reset(dir: &Path, memory_bytes: usize) -> Result<IndexWriter, Error> {
        schema::remove(dir)?;
        IndexWriter::open(dir, memory_bytes)
    }

    /// Sequence number of the last commit, 0 when there was none.
    #[must_use]
    pub fn last_sequence(&self) -> u64 {
        self.last_sequence
    }

    /// Whether something was changed since the last commit.
    #[must_use]
    pub fn has_pending(&self) -> bool {
        self.pending
    }

    /// Where the index lies.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Puts a page in, in place of its earlier version. `sequence` is the one it has in the store's queue.
    ///
    /// # Errors
    /// When the indexing thread has failed.
    pub fn update(&mut self, sequence: u64, document: &IndexDocument<'_>) -> Result<(), Error> {
        self.delete(sequence, &document.key);
        let document = document.to_tantivy(&self.fields);
        self.writer.add_document(document).map_err(Error::engine("add a page to"))?;
        Ok(())
    }

    /// Takes a page out.
    pub fn delete(&mut self, sequence: u64, key: &UrlKey) {
        tracing::trace!(sequence, url = %key.url, "took a page out of the index");
        self.writer.delete_term(Term::from_field_bytes(self.fields.key, &key.to_bytes()));
        self.pending = true;
    }

    /// Makes everything so far visible and durable, as the state of the store at `sequence`.
    ///
    /// # Errors
    /// When writing fails; the last commit stays valid.
    pub fn commit(&mut self, sequence: u64) -> Result<(), Error> {
        let mut prepared = self.writer.prepare_commit().map_err(Error::engine("commit"))?;
        prepared.set_payload(&sequence.to_string());
        prepared.commit().map_err(Error::engine("commit"))?;
        self.last_sequence = sequence;
        self.pending = false;
        Ok(())
    }

    /// Waits for running merges and closes. What was not committed is dropped.
    ///
    /// # Errors
    /// When a merge failed.
    pub fn close(self) -> Result<(), Error> {
        self.writer.wait_merging_threads().map_err(Error::engine("finish merging"))
    }
}

fn merge_policy() -> LogMergePolicy {
    let mut policy = LogMergePolicy::default();
    policy.set_min_num_segments(MERGE_SEGMENTS_MIN);
    policy.set_max_docs_before_merge(MERGE_PAGES_MAX);
    policy.set_min_layer_size(MERGE_PAGES_MIN);
    policy.set_del_docs_ratio_before_merge(MERGE_DELETED_SHARE);
    policy
}

#[cfg(test)]
mod tests;
