//! What an open finds out about the end of the last run, and how it puts the WARC files in step with the database.
//!
//! The database decides what is committed. WARC bytes behind its last committed offset were never acknowledged and are
//! cut off, with one exception: when there is proof that the database lost acknowledged commits, those bytes are all
//! that is left of them, and they are kept. Proof is the note of the last acknowledged sequence number, or a `metadata`
//! record that says a later batch had been committed when it was written.

use crate::error::Error;
use crate::row::{self, CommitRow, StateRow};
use crate::table::{Table, Tables};
use crate::warc::{WarcFiles, WarcPosition, WarcReader};
use std::fs::{File, OpenOptions};
use std::path::Path;

/// Commits that were acknowledged and that the database no longer has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostTail {
    /// Last batch the database has.
    pub store_sequence: u64,
    /// Last batch that is known to have been committed.
    pub committed_sequence: u64,
    /// Visits in the WARC files that the database does not know.
    pub captures: u64,
}

/// Committed WARC bytes that are not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarcMissing {
    /// Number of the file.
    pub file: u32,
    /// Bytes the database has committed.
    pub committed_bytes: u64,
    /// Bytes that are there.
    pub found_bytes: u64,
}

/// Where things stand after recovery.
#[derive(Debug, Default)]
pub(crate) struct Recovery {
    pub position: WarcPosition,
    /// The position cannot be continued; the next record begins a new file.
    pub fresh_file: bool,
    pub warc_cut_bytes: u64,
    pub lost_tail: Option<LostTail>,
    pub warc_missing: Option<WarcMissing>,
    /// Highest sequence number met anywhere.
    pub highest_sequence: u64,
}

/// Puts the WARC files in step with `state`.
pub(crate) fn recover(files: &WarcFiles, state: &StateRow, acknowledged: u64) -> Result<Recovery, Error> {
    let position = WarcPosition { file: state.warc_file, offset: state.warc_offset };
    let mut recovery =
        Recovery { position, highest_sequence: state.sequence.max(acknowledged), ..Recovery::default() };
    recovery.warc_missing = missing_bytes(files, position);

    let mut tails = Vec::new();
    for (number, path) in files.all().into_iter().filter(|(number, _)| *number >= position.file) {
        let from = if number == position.file { position.offset } else { 0 };
        tails.push((number, from, scan_tail(&path, from)?, path));
    }
    let committed_seen =
        tails.iter().map(|(_, _, tail, _)| tail.committed).max().unwrap_or(0).max(acknowledged);
    let sequence_seen = tails.iter().map(|(_, _, tail, _)| tail.sequence).max().unwrap_or(0);
    recovery.highest_sequence = recovery.highest_sequence.max(sequence_seen);

    if committed_seen > state.sequence {
        recovery.lost_tail = Some(LostTail {
            store_sequence: state.sequence,
            committed_sequence: committed_seen,
            captures: tails.iter().map(|(_, _, tail, _)| tail.captures).sum(),
        });
    }
    recovery.fresh_file = recovery.lost_tail.is_some() || recovery.warc_missing.is_some();
    for (number, from, tail, path) in tails {
        let keep_whole = recovery.lost_tail.is_some() || (number > position.file && !tail.is_ours);
        let keep = if keep_whole { tail.whole_bytes } else { from };
        recovery.warc_cut_bytes += cut(files, number, &path, keep)?;
    }
    Ok(recovery)
}

/// The chain of commits has a hole: the two sequence numbers around it.
pub(crate) fn find_gap(tables: &Tables, state: &StateRow) -> Result<Option<(u64, u64)>, Error> {
    let mut last: Option<u64> = None;
    for entry in tables.from(Table::Commits, &row::number_key(0)) {
        let (key, value) = entry?;
        let sequence = row::number(&key)
            .ok_or_else(|| Error::damaged("the list of commits", "wrong length of a key"))?;
        let commit: CommitRow = row::decode(Table::Commits, &value)?;
        if let Some(last) = last
            && commit.previous_sequence != last
        {
            return Ok(Some((last, commit.first_sequence)));
        }
        last = Some(sequence);
    }
    Ok(match last {
        Some(last) if last != state.sequence => Some((last.min(state.sequence), last.max(state.sequence))),
        _ => None,
    })
}

struct Tail {
    /// End of the last whole record.
    whole_bytes: u64,
    sequence: u64,
    committed: u64,
    captures: u64,
    /// Every visit in it has a metadata record of ours, but perhaps the last, torn one.
    is_ours: bool,
}

fn scan_tail(path: &Path, from: u64) -> Result<Tail, Error> {
    let mut tail = Tail { whole_bytes: from, sequence: 0, committed: 0, captures: 0, is_ours: true };
    let file = File::open(path).map_err(Error::io("reading", path))?;
    let length = file.metadata().map_err(Error::io("reading", path))?.len();
    if length <= from {
        tail.whole_bytes = length;
        return Ok(tail);
    }
    let mut answers: u64 = 0;
    for record in WarcReader::at(file, from).map_err(Error::io("reading", path))? {
        let Ok(record) = record else { continue };
        if record.cut_short {
            continue;
        }
        tail.whole_bytes = tail.whole_bytes.max(record.offset + record.length);
        let number = |name| record.block_field(name).and_then(|value| value.parse::<u64>().ok());
        match record.kind() {
            "response" | "revisit" | "resource" => answers += 1,
            "metadata" => {
                if let (Some(sequence), Some(committed)) = (number("sequence"), number("committed")) {
                    tail.captures += 1;
                    tail.sequence = tail.sequence.max(sequence);
                    tail.committed = tail.committed.max(committed);
                }
            }
            _ => {}
        }
    }
    tail.is_ours = answers <= tail.captures + 1;
    Ok(tail)
}

/// Cuts a file to `keep` bytes, or removes it when nothing is to be kept; says how many bytes went.
fn cut(files: &WarcFiles, number: u32, path: &Path, keep: u64) -> Result<u64, Error> {
    let length = path.metadata().map_err(Error::io("reading", path))?.len();
    if keep == 0 {
        std::fs::remove_file(path).map_err(Error::io("removing", path))?;
        files.remove(number);
        files.sync_directory()?;
        return Ok(length);
    }
    if length <= keep {
        return Ok(0);
    }
    let shorten = || {
        let file = OpenOptions::new().write(true).open(path)?;
        file.set_len(keep)?;
        file.sync_all()
    };
    shorten().map_err(Error::io("cutting", path))?;
    Ok(length - keep)
}

fn missing_bytes(files: &WarcFiles, position: WarcPosition) -> Option<WarcMissing> {
    if position.file == 0 {
        return None;
    }
    let found =
        files.path(position.file).and_then(|path| path.metadata().ok()).map_or(0, |metadata| metadata.len());
    let missing = WarcMissing { file: position.file, committed_bytes: position.offset, found_bytes: found };
    (found < position.offset).then_some(missing)
}
