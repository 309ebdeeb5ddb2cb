//! The keyspaces of the database and how each is tuned. Key layouts are in `row`.
//! One database, so that one batch over all of them is atomic.

use crate::error::Error;
use crate::options::StoreOptions;
use fjall::config::CompressionPolicy;
use fjall::{CompressionType, Database, Iter, Keyspace, KeyspaceCreateOptions, KvSeparationOptions, Slice};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// One keyspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Table {
    /// Name → value: format, state, and small values of the caller.
    Meta,
    /// URL key → `UrlRecord`.
    Urls,
    /// URL key ‖ sequence → `PageRow`.
    Pages,
    /// URL key → zstd of `PageContent` without links.
    Content,
    /// URL key → zstd of the links.
    Links,
    /// Target's URL key → the best anchors.
    Anchors,
    /// Site key → `SiteRecord`.
    Sites,
    /// Content hash → robots.txt body.
    Robots,
    /// Host → `GateState`.
    Gates,
    /// Site ‖ class ‖ sequence → URL id. Written once, deleted once.
    Queue,
    /// Site ‖ time ‖ URL id → nothing.
    Due,
    /// URL key → `PendingLink`.
    Pending,
    /// 64-bit fingerprint → owners' URL keys.
    Digests,
    /// Representative ‖ alias → nothing.
    Aliases,
    /// Sequence → URL key and operation. Written once, deleted once.
    IndexQueue,
    /// Batch sequence → report id. Written once, deleted once.
    Reports,
    /// Last batch sequence of a group → `CommitRow`. Written once, deleted once.
    Commits,
    /// Name → number.
    Counters,
    /// URL key → `VisitNote`.
    Notes,
    /// Site ‖ identity of a pattern → `TrapRecord`.
    Traps,
    /// Identity of a site and a pattern → `TrapRule`.
    TrapRules,
}

/// Number of tables.
pub(crate) const TABLES: usize = 21;

const ALL: [(Table, &str); TABLES] = [
    (Table::Meta, "meta"),
    (Table::Urls, "urls"),
    (Table::Pages, "pages"),
    (Table::Content, "content"),
    (Table::Links, "links"),
    (Table::Anchors, "anchors"),
    (Table::Sites, "sites"),
    (Table::Robots, "robots"),
    (Table::Gates, "gates"),
    (Table::Queue, "queue"),
    (Table::Due, "due"),
    (Table::Pending, "pending"),
    (Table::Digests, "digests"),
    (Table::Aliases, "aliases"),
    (Table::IndexQueue, "index_queue"),
    (Table::Reports, "reports"),
    (Table::Commits, "commits"),
    (Table::Counters, "counters"),
    (Table::Notes, "notes"),
    (Table::Traps, "traps"),
    (Table::TrapRules, "trap_rules"),
];

/// All keyspaces, open.
pub(crate) struct Tables {
    database: Database,
    keyspaces: Vec<Keyspace>,
}

impl Tables {
    /// Opens or creates the database under `dir`.
    pub(crate) fn open(dir: &Path, options: &StoreOptions) -> Result<Tables, Error> {
        let builder = Database::builder(dir)
            .cache_size(options.cache_bytes)
            .journal_compression(CompressionType::None)
            .max_journaling_size(options.journal_bytes_max.max(64 << 20))
            .worker_threads(options.database_threads.max(1));
        // fjall asserts some lengths while it reads a journal: damage may come as a panic.
        let opened = catch_unwind(AssertUnwindSafe(|| builder.open())).map_err(|_| {
            let detail = "reading it failed an assertion".to_owned();
            Error::DamagedJournal { dir: dir.to_owned(), detail }
        })?;
        let database = opened.map_err(|error| explain_open(dir, error))?;
        let mut keyspaces = Vec::with_capacity(ALL.len());
        for (position, (table, name)) in ALL.into_iter().enumerate() {
            debug_assert_eq!(position, table as usize);
            let keyspace =
                database.keyspace(name, || tuning(table)).map_err(Error::database("opening a keyspace"))?;
            keyspaces.push(keyspace);
        }
        Ok(Tables { database, keyspaces })
    }

    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    pub(crate) fn keyspace(&self, table: Table) -> &Keyspace {
        &self.keyspaces[table as usize]
    }

    /// In the order of `Table`.
    pub(crate) fn keyspaces(&self) -> &[Keyspace] {
        &self.keyspaces
    }

    pub(crate) fn get(&self, table: Table, key: &[u8]) -> Result<Option<Slice>, Error> {
        self.keyspace(table).get(key).map_err(Error::database("reading a row"))
    }

    /// Rows whose keys begin with `prefix`, in order.
    pub(crate) fn prefix(&self, table: Table, prefix: &[u8]) -> Rows {
        Rows(self.keyspace(table).prefix(prefix))
    }

    /// Rows from `from` (inclusive) to the end of the table.
    pub(crate) fn from(&self, table: Table, from: &[u8]) -> Rows {
        Rows(self.keyspace(table).range(from.to_vec()..))
    }

    /// Writes all tables out and starts an empty journal, so that the next open has nothing to replay.
    pub(crate) fn settle(&self) -> Result<(), Error> {
        for keyspace in &self.keyspaces {
            keyspace.rotate_memtable().map_err(Error::database("writing tables out"))?;
        }
        for keyspace in &self.keyspaces {
            let mut waits = 0;
            while keyspace.sealed_memtable_count() > 0 && waits < 6_000 {
                std::thread::sleep(std::time::Duration::from_millis(5));
                waits += 1;
            }
        }
        Ok(())
    }

    /// Bytes of the database on disk.
    pub(crate) fn disk_bytes(&self) -> u64 {
        self.keyspaces.iter().map(Keyspace::disk_space).sum()
    }
}

/// Key-value pairs of a scan.
pub(crate) struct Rows(Iter);

impl Iterator for Rows {
    type Item = Result<(Slice, Slice), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|guard| guard.into_inner().map_err(Error::database("scanning a table")))
    }
}

impl DoubleEndedIterator for Rows {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|guard| guard.into_inner().map_err(Error::database("scanning a table")))
    }
}

fn tuning(table: Table) -> KeyspaceCreateOptions {
    let options = KeyspaceCreateOptions::default();
    match table {
        Table::Urls => options.max_memtable_size(32 << 20),
        // Compressed already; kept apart from the keys, so that compaction does not copy them again and again.
        Table::Content | Table::Links => options
            .max_memtable_size(16 << 20)
            .data_block_compression_policy(CompressionPolicy::disabled())
            .with_kv_separation(Some(
                KvSeparationOptions::default().compression(CompressionType::None).separation_threshold(512),
            )),
        // Hashes do not compress.
        Table::Digests | Table::Aliases => {
            options.max_memtable_size(8 << 20).data_block_compression_policy(CompressionPolicy::disabled())
        }
        _ => options.max_memtable_size(8 << 20),
    }
}

fn explain_open(dir: &Path, error: fjall::Error) -> Error {
    match error {
        fjall::Error::JournalRecovery(_) | fjall::Error::InvalidTrailer | fjall::Error::InvalidTag(_) => {
            Error::DamagedJournal { dir: dir.to_owned(), detail: error.to_string() }
        }
        fjall::Error::Storage(_) | fjall::Error::Unrecoverable | fjall::Error::InvalidVersion(_) => {
            Error::damaged(&format!("the database in {}", dir.display()), error)
        }
        fjall::Error::Locked => Error::InUse { dir: dir.to_owned(), pid: "unknown".into() },
        other => Error::database("opening the database")(other),
    }
}
