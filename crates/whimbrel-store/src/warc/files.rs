//! The WARC files of a collection by number: `<prefix>-<YYYYMMDDhhmmss>-<number>.warc.gz`.

use crate::error::Error;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use whimbrel_types::Timestamp;

/// Where each numbered file is.
#[derive(Debug)]
pub(crate) struct WarcFiles {
    dir: PathBuf,
    paths: RwLock<BTreeMap<u32, PathBuf>>,
}

impl WarcFiles {
    /// Lists the files in `dir`, which is created.
    pub(crate) fn open(dir: &Path) -> Result<WarcFiles, Error> {
        std::fs::create_dir_all(dir).map_err(Error::io("creating the directory", dir))?;
        let entries = std::fs::read_dir(dir).map_err(Error::io("listing", dir))?;
        let mut paths = BTreeMap::new();
        for entry in entries {
            let path = entry.map_err(Error::io("listing", dir))?.path();
            if let Some(number) = number_of(&path) {
                paths.insert(number, path);
            }
        }
        Ok(WarcFiles { dir: dir.to_owned(), paths: RwLock::new(paths) })
    }

    /// Path of a numbered file.
    pub(crate) fn path(&self, number: u32) -> Option<PathBuf> {
        self.paths.read().unwrap_or_else(PoisonError::into_inner).get(&number).cloned()
    }

    /// All files in order.
    pub(crate) fn all(&self) -> Vec<(u32, PathBuf)> {
        let paths = self.paths.read().unwrap_or_else(PoisonError::into_inner);
        paths.iter().map(|(number, path)| (*number, path.clone())).collect()
    }

    /// Highest number in use, 0 when there is no file.
    pub(crate) fn last_number(&self) -> u32 {
        self.paths.read().unwrap_or_else(PoisonError::into_inner).keys().next_back().copied().unwrap_or(0)
    }

    /// A path for a new file.
    pub(crate) fn name_next(&self, prefix: &str, now: Timestamp) -> (u32, PathBuf) {
        let number = self.last_number() + 1;
        let prefix: String = prefix
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' })
            .collect();
        (number, self.dir.join(format!("{prefix}-{}-{number:05}.warc.gz", now.to_cdx())))
    }

    /// Enters a file that now exists.
    pub(crate) fn add(&self, number: u32, path: PathBuf) {
        self.paths.write().unwrap_or_else(PoisonError::into_inner).insert(number, path);
    }

    /// Takes a file off the list that no longer exists.
    pub(crate) fn remove(&self, number: u32) {
        self.paths.write().unwrap_or_else(PoisonError::into_inner).remove(&number);
    }

    /// Bytes of all files together.
    pub(crate) fn bytes(&self) -> u64 {
        self.all().iter().filter_map(|(_, path)| path.metadata().ok()).map(|metadata| metadata.len()).sum()
    }

    /// Makes creations and removals of files last.
    pub(crate) fn sync_directory(&self) -> Result<(), Error> {
        let synced = std::fs::File::open(&self.dir).and_then(|dir| dir.sync_all());
        synced.map_err(Error::io("syncing the directory", &self.dir))
    }
}

/// Number in a name of ours; other people's files in the directory have none.
fn number_of(path: &Path) -> Option<u32> {
    let stem = path.file_name()?.to_str()?.strip_suffix(".warc.gz")?;
    let (front, number) = stem.rsplit_once('-')?;
    let (_, date) = front.rsplit_once('-')?;
    let dated = date.len() == 14 && date.bytes().all(|b| b.is_ascii_digit());
    number.parse().ok().filter(|n| dated && number.len() >= 5 && *n > 0)
}
