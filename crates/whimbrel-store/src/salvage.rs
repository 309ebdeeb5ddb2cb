//! Opening a database whose newest journal is damaged. fjall drops a batch that ends too early, but refuses the whole
//! database when the last batch has its full length and wrong bytes, as a power cut may leave a batch that was never
//! acknowledged. Then the journal is cut before the damage, the damaged file is put aside, and the rest opens.
//! Never touches anything but the newest journal: the older ones were synced before the next was begun.

use crate::error::Error;
use std::path::{Path, PathBuf};

/// What ends every batch in a journal of fjall 3.
const BATCH_END: &[u8] = b"FJL\x03";

/// A journal that was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutJournal {
    /// Bytes that are no longer in it.
    pub cut_bytes: u64,
    /// Where the damaged journal was put.
    pub kept_as: PathBuf,
}

/// Opens with `open`; when the newest journal under `database_dir` is what is damaged, opens with as much of it as can
/// be read. The damaged file goes to `data_dir`.
pub(crate) fn open_or_salvage<T>(
    data_dir: &Path,
    database_dir: &Path,
    open: impl Fn() -> Result<T, Error>,
) -> Result<(T, Option<CutJournal>), Error> {
    let damage = match open() {
        Ok(opened) => return Ok((opened, None)),
        Err(damage @ Error::DamagedJournal { .. }) => damage,
        Err(other) => return Err(other),
    };
    let Some(journal) = newest_journal(database_dir)? else { return Err(damage) };
    let whole = std::fs::read(&journal).map_err(Error::io("reading", &journal))?;
    let kept_as = put_aside(data_dir, &journal)?;
    match open_longest_prefix(&journal, &whole, &open) {
        Ok((opened, kept_bytes)) => {
            let used = whole.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            Ok((opened, Some(CutJournal { cut_bytes: used.saturating_sub(kept_bytes) as u64, kept_as })))
        }
        Err(error) => {
            // The damage is elsewhere: leave everything as it was found.
            std::fs::rename(&kept_as, &journal).map_err(Error::io("putting back", &journal))?;
            Err(error)
        }
    }
}

/// Opens with as many batches as can be read; says how many bytes they are.
fn open_longest_prefix<T>(
    journal: &Path,
    whole: &[u8],
    open: impl Fn() -> Result<T, Error>,
) -> Result<(T, usize), Error> {
    let ends = batch_ends(whole);
    let length = |batches: usize| if batches == 0 { 0 } else { ends[batches - 1] };
    // Fewer batches than the most that open do open, more do not. All of them were just refused.
    let (mut good, mut bad) = (0, ends.len() + 1);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        match open_prefix(journal, &whole[..length(middle)], &open) {
            Ok(_) => good = middle,
            Err(Error::DamagedJournal { .. }) => bad = middle,
            Err(other) => return Err(other),
        }
    }
    Ok((open_prefix(journal, &whole[..length(good)], &open)?, length(good)))
}

fn open_prefix<T>(journal: &Path, prefix: &[u8], open: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
    std::fs::write(journal, prefix).map_err(Error::io("writing", journal))?;
    open()
}

fn newest_journal(database_dir: &Path) -> Result<Option<PathBuf>, Error> {
    let entries = std::fs::read_dir(database_dir).map_err(Error::io("listing", database_dir))?;
    let numbered = entries.flatten().filter_map(|entry| {
        let number: u64 = entry.file_name().to_str()?.strip_suffix(".jnl")?.parse().ok()?;
        Some((number, entry.path()))
    });
    Ok(numbered.max().map(|(_, path)| path))
}

/// Copies the damaged journal to a name that is free.
fn put_aside(data_dir: &Path, journal: &Path) -> Result<PathBuf, Error> {
    let free = |number: &u32| !data_dir.join(format!("damaged-{number}.jnl")).exists();
    let number = (1..).find(free).unwrap_or(1);
    let kept_as = data_dir.join(format!("damaged-{number}.jnl"));
    std::fs::copy(journal, &kept_as).map_err(Error::io("copying the damaged journal to", &kept_as))?;
    Ok(kept_as)
}

/// Where batches may end. Values may hold the same bytes by chance; a cut there makes a batch that ends too early,
/// which fjall drops.
fn batch_ends(journal: &[u8]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut from = 0;
    while let Some(place) = journal[from..].iter().position(|byte| *byte == BATCH_END[0]) {
        let start = from + place;
        if journal[start..].starts_with(BATCH_END) {
            ends.push(start + BATCH_END.len());
        }
        from = start + 1;
    }
    ends
}
