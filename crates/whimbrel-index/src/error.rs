//! What can go wrong with an index on disk, by what the caller does next.

use std::path::PathBuf;

/// Failure of the index.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No index in the directory: nothing was crawled yet.
    #[error("there is no index in {}; crawl something first", dir.display())]
    Missing {
        /// Where it was looked for.
        dir: PathBuf,
    },
    /// Written by another version of the program: reset it and index the store again.
    #[error("the index in {} has format {found}, this program writes {expected}; rebuild it from the store", dir.display())]
    Format {
        /// Where it lies.
        dir: PathBuf,
        /// Its format.
        found: String,
        /// The format of this program.
        expected: String,
    },
    /// Damaged: reset it and index the store again.
    #[error("the index in {} is damaged ({reason}); rebuild it from the store", dir.display())]
    Corrupt {
        /// Where it lies.
        dir: PathBuf,
        /// What was found.
        reason: String,
    },
    /// Another process writes it.
    #[error("the index in {} is being written by another process", dir.display())]
    InUse {
        /// Where it lies.
        dir: PathBuf,
    },
    /// Reading or writing failed.
    #[error("cannot {action} the index: {source}")]
    Engine {
        /// What was being done.
        action: &'static str,
        /// Why it failed.
        source: tantivy::TantivyError,
    },
    /// The file system failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// To which file.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
}

impl Error {
    /// Whether deleting the index and indexing the store again is the cure.
    #[must_use]
    pub fn needs_rebuild(&self) -> bool {
        matches!(self, Error::Format { .. } | Error::Corrupt { .. })
    }

    /// Wraps a failure of tantivy with what was being done.
    pub(crate) fn engine(action: &'static str) -> impl FnOnce(tantivy::TantivyError) -> Error {
        move |source| Error::Engine { action, source }
    }
}
