//! Opening a data directory: lock, format, recovery, writer thread.
//!
//! Layout: `lock`, `acknowledged`, `store/` (the database), `warc/` (the WARC files).

use crate::anchor::AnchorCache;
use crate::apply::Workshop;
use crate::disk::DiskWatch;
use crate::error::Error;
use crate::group::Group;
use crate::lock::lock_directory;
use crate::options::StoreOptions;
use crate::overlay::Overlay;
use crate::queue::{Queue, Reports};
use crate::recover::{LostTail, Recovery, WarcMissing, find_gap, recover};
use crate::row::{self, Packer, StateRow};
use crate::salvage::{CutJournal, open_or_salvage};
use crate::store::{Inner, Shared, Store};
use crate::table::{Table, Tables};
use crate::warc::{WarcAppender, WarcFiles};
use crate::writer::{STATE_ROW, Writer};
use std::fs::{File, OpenOptions};
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Condvar, Mutex, RwLock};

/// Format of the data directory that this program writes, and the newest it reads.
pub const FORMAT: u32 = 1;

const FORMAT_ROW: &[u8] = b"format";
const DATABASE_DIR: &str = "store";
const WARC_DIR: &str = "warc";
const ACKNOWLEDGED_FILE: &str = "acknowledged";

/// What an open found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenReport {
    /// The collection did not exist before.
    pub created: bool,
    /// Number of the last committed batch.
    pub sequence: u64,
    /// Bytes cut from the WARC files: written, never committed.
    pub warc_cut_bytes: u64,
    /// The database lost commits that were acknowledged.
    pub lost_tail: Option<LostTail>,
    /// WARC bytes are missing that were committed.
    pub warc_missing: Option<WarcMissing>,
    /// The database's list of commits has a hole between these two batches.
    pub gap: Option<(u64, u64)>,
    /// The database's journal was damaged; what could not be read of it was cut off. Without a `lost_tail` beside it,
    /// nothing that was acknowledged was in that part.
    pub cut_journal: Option<CutJournal>,
}

impl OpenReport {
    /// What an operator should know, a sentence each; nothing after a normal end or a mere crash.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(lost) = &self.lost_tail {
            warnings.push(format!(
                "the database ends at commit {} though commit {} had been made; {} visits of it are in the WARC files only: \
                 run repair, or crawl those pages again",
                lost.store_sequence, lost.committed_sequence, lost.captures
            ));
        }
        if let Some(missing) = &self.warc_missing {
            warnings.push(format!(
                "WARC file {} has {} bytes where {} were committed; the pages in the missing part cannot be shown: restore the \
                 file from a backup, or crawl them again",
                missing.file, missing.found_bytes, missing.committed_bytes
            ));
        }
        if let Some(cut) = &self.cut_journal {
            warnings.push(format!(
                "the last {} bytes of the database's journal were damaged and are left out; the damaged journal is kept as {}",
                cut.cut_bytes,
                cut.kept_as.display()
            ));
        }
        if let Some((before, after)) = self.gap {
            warnings.push(format!("the database lacks the commits between {before} and {after}: run repair"));
        }
        warnings
    }
}

impl Store {
    /// Opens the collection in `dir`, which is created where it does not exist, and starts the writer thread.
    pub fn open(dir: &Path, options: StoreOptions) -> Result<(Store, OpenReport), Error> {
        std::fs::create_dir_all(dir).map_err(Error::io("creating the data directory", dir))?;
        let lock = lock_directory(dir)?;
        let created = !dir.join(DATABASE_DIR).exists();
        let database_dir = dir.join(DATABASE_DIR);
        let (tables, cut_journal) =
            open_or_salvage(dir, &database_dir, || Tables::open(&database_dir, &options))?;
        check_format(dir, &tables)?;
        let files = Arc::new(WarcFiles::open(&dir.join(WARC_DIR))?);
        let (acknowledged, acknowledged_file) = read_acknowledged(&dir.join(ACKNOWLEDGED_FILE))?;

        let state: StateRow = match tables.get(Table::Meta, STATE_ROW)? {
            Some(bytes) => row::decode(Table::Meta, &bytes)?,
            None => StateRow::default(),
        };
        let recovery = recover(&files, &state, acknowledged)?;
        let report = OpenReport {
            created,
            sequence: state.sequence,
            warc_cut_bytes: recovery.warc_cut_bytes,
            lost_tail: recovery.lost_tail.clone(),
            warc_missing: recovery.warc_missing,
            gap: find_gap(&tables, &state)?,
            cut_journal,
        };
        let workshop = make_workshop(&tables, &files, &options, &state, &recovery)?;
        let commit_rows = commit_rows(&tables)?;
        let queue = Queue::new(recovery.highest_sequence + 1, read_reports(&tables)?);
        let shared = Arc::new(Shared {
            dir: dir.to_owned(),
            disk: DiskWatch::new(dir, &options),
            options,
            tables,
            files,
            overlay: RwLock::new(Overlay::default()),
            queue: Mutex::new(queue),
            wake: Condvar::new(),
            room: Condvar::new(),
            committed: AtomicU64::new(state.sequence),
            index_floor: AtomicU64::new(0),
            _lock: lock,
        });
        let writer =
            Writer { shared: shared.clone(), workshop, acknowledged: acknowledged_file, commit_rows };
        let thread = std::thread::Builder::new().name("store-writer".into()).spawn(move || writer.run());
        let thread = thread.map_err(Error::io("starting the writer thread for", dir))?;
        Ok((Store { inner: Arc::new(Inner { shared, writer: Mutex::new(Some(thread)) }) }, report))
    }

    /// Opens a collection that exists: for verbs that only look at one.
    pub fn open_existing(dir: &Path, options: StoreOptions) -> Result<(Store, OpenReport), Error> {
        if !dir.join(DATABASE_DIR).is_dir() {
            return Err(Error::NotFound { dir: dir.to_owned() });
        }
        Store::open(dir, options)
    }
}

fn check_format(dir: &Path, tables: &Tables) -> Result<(), Error> {
    let Some(bytes) = tables.get(Table::Meta, FORMAT_ROW)? else {
        let mut group = Group::new(tables);
        group.put(Table::Meta, FORMAT_ROW, FORMAT.to_be_bytes().as_slice());
        return group.commit();
    };
    let found = <[u8; 4]>::try_from(&*bytes).map(u32::from_be_bytes);
    let found = found.map_err(|_| Error::damaged("the format number of the store", "wrong length"))?;
    if found > FORMAT {
        return Err(Error::NewerFormat { dir: dir.to_owned(), found, known: FORMAT });
    }
    Ok(())
}

fn make_workshop(
    tables: &Tables,
    files: &Arc<WarcFiles>,
    options: &StoreOptions,
    state: &StateRow,
    recovery: &Recovery,
) -> Result<Workshop, Error> {
    let mut counters = std::collections::BTreeMap::new();
    for entry in tables.from(Table::Counters, &[]) {
        let (name, value) = entry?;
        counters.insert(String::from_utf8_lossy(&name).into_owned(), row::decode(Table::Counters, &value)?);
    }
    let appender = WarcAppender::open(
        files.clone(),
        &options.warc_prefix,
        &options.warc_info,
        options.warc_file_bytes_max,
        recovery.position,
        recovery.fresh_file,
    )?;
    Ok(Workshop {
        appender,
        packer: Packer::new(),
        anchors: AnchorCache::default(),
        counters,
        index_sequence: state.index_sequence,
        index_removed: 0,
        committed: state.sequence,
    })
}

fn read_reports(tables: &Tables) -> Result<Reports, Error> {
    let mut reports = Reports::default();
    for entry in tables.from(Table::Reports, &row::number_key(0)) {
        let (key, value) = entry?;
        let parts = || Some((row::number(&key)?, <[u8; 16]>::try_from(&*value).ok()?));
        let (sequence, report) =
            parts().ok_or_else(|| Error::damaged("a row of table Reports", "wrong length"))?;
        reports.add(sequence, report);
    }
    Ok(reports)
}

fn commit_rows(tables: &Tables) -> Result<std::collections::VecDeque<u64>, Error> {
    let rows = tables.from(Table::Commits, &row::number_key(0));
    rows.map(|entry| {
        row::number(&entry?.0).ok_or_else(|| Error::damaged("the list of commits", "wrong length of a key"))
    })
    .collect()
}

/// The note of the last acknowledged batch, 0 when there is none or it cannot be read, and the file to write it to.
fn read_acknowledged(path: &Path) -> Result<(u64, File), Error> {
    let noted = std::fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    Ok((noted, file.map_err(Error::io("opening", path))?))
}
