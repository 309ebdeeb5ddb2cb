//! Whether there is room to commit more. Says no early enough that what was already submitted still fits.

use crate::error::Error;
use crate::options::StoreOptions;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long an answer of the file system is believed.
const BELIEVED_FOR: Duration = Duration::from_millis(500);

/// Watches the two limits.
#[derive(Debug)]
pub(crate) struct DiskWatch {
    dir: PathBuf,
    bytes_max: Option<u64>,
    free_bytes_min: u64,
    last: Mutex<Option<(Instant, Result<(), Error>)>>,
}

impl DiskWatch {
    pub(crate) fn new(dir: &Path, options: &StoreOptions) -> DiskWatch {
        DiskWatch {
            dir: dir.to_owned(),
            bytes_max: options.disk_bytes_max,
            free_bytes_min: options.disk_free_bytes_min,
            last: Mutex::new(None),
        }
    }

    /// An error when nothing more may be taken in. `used` is asked only when the last answer is old.
    pub(crate) fn check(&self, used: impl FnOnce() -> u64) -> Result<(), Error> {
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((at, answer)) = &*last
            && at.elapsed() < BELIEVED_FOR
        {
            return answer.clone();
        }
        let answer = self.ask(used());
        *last = Some((Instant::now(), answer.clone()));
        answer
    }

    fn ask(&self, used: u64) -> Result<(), Error> {
        if let Some(max) = self.bytes_max
            && used >= max
        {
            let detail =
                format!("it has {used} bytes and the limit is {max}; raise disk_bytes_max or keep less");
            return Err(Error::DiskFull { dir: self.dir.clone(), detail });
        }
        // A file system that cannot be asked is not full; the write itself will tell.
        let Ok(stat) = rustix::fs::statvfs(&self.dir) else { return Ok(()) };
        let free = stat.f_bavail.saturating_mul(stat.f_frsize);
        if free < self.free_bytes_min {
            let min = self.free_bytes_min;
            let detail = format!(
                "the disk has {free} bytes free and {min} are kept; make room or lower disk_free_bytes_min"
            );
            return Err(Error::DiskFull { dir: self.dir.clone(), detail });
        }
        Ok(())
    }
}
