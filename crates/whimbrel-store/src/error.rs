//! What can go wrong with the store, in words an operator can act on.
//! Cloneable, because one failed group commit is told to everybody who waits for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Errors of the store.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// Another process holds the directory.
    #[error("the data directory {} is in use by process {pid}; stop that process or choose another directory", dir.display())]
    InUse {
        /// The directory.
        dir: PathBuf,
        /// Who holds it, as far as the lock file says.
        pid: String,
    },
    /// There is no store, and none was to be created.
    #[error("there is no collection in {}; crawl something into it first, or name another directory", dir.display())]
    NotFound {
        /// The directory.
        dir: PathBuf,
    },
    /// Written by a newer program.
    #[error("the store in {} has format {found}, this program knows formats up to {known}; use the newer program", dir.display())]
    NewerFormat {
        /// The directory.
        dir: PathBuf,
        /// Its format.
        found: u32,
        /// The newest this program knows.
        known: u32,
    },
    /// Committing more would leave too little room.
    #[error("the store in {} takes nothing more: {detail}", dir.display())]
    DiskFull {
        /// The directory.
        dir: PathBuf,
        /// Which limit, and what to do.
        detail: String,
    },
    /// The operating system refused.
    #[error("{doing}: {source}")]
    Io {
        /// What was being done.
        doing: String,
        /// Why not.
        source: Arc<std::io::Error>,
    },
    /// The database refused.
    #[error("{doing}: {source}")]
    Database {
        /// What was being done.
        doing: String,
        /// Why not.
        source: Arc<fjall::Error>,
    },
    /// A row or a file does not have the form it was written in.
    #[error("{what} is damaged: {detail}; restore a backup or rebuild the store from its WARC files")]
    Damaged {
        /// Which row or file.
        what: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The journal of the database has wrong bytes where older ones should be sound.
    #[error("the journal of the database in {} is damaged: {detail}; restore a backup or rebuild the store from its WARC files", dir.display())]
    DamagedJournal {
        /// Directory of the database.
        dir: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// A WARC record cannot be read back.
    #[error("cannot read the WARC record in file {file} at byte {offset}: {detail}")]
    Warc {
        /// Number of the file.
        file: u32,
        /// Where the record should begin.
        offset: u64,
        /// What is wrong.
        detail: String,
    },
    /// An earlier group commit failed; what was planned on top of it cannot be trusted.
    #[error("the store stopped after a failed commit ({reason}); remove the cause and start again")]
    Stopped {
        /// What failed then.
        reason: String,
    },
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}

impl Error {
    /// Whether room on the disk is what is missing.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        matches!(self, Error::DiskFull { .. })
    }

    pub(crate) fn io(doing: impl Into<String>, path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let doing = doing.into();
        move |source| Error::Io { doing: format!("{doing} {}", path.display()), source: Arc::new(source) }
    }

    pub(crate) fn database(doing: &str) -> impl FnOnce(fjall::Error) -> Error {
        move |source| Error::Database { doing: doing.to_owned(), source: Arc::new(source) }
    }

    pub(crate) fn damaged(what: &str, detail: impl std::fmt::Display) -> Error {
        Error::Damaged { what: what.to_owned(), detail: detail.to_string() }
    }
}
