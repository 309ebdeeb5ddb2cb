//! One process owns a data directory. The lock is advisory and dies with its process, so a crash leaves none behind.

use crate::error::Error;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::Path;

/// Held as long as the store is open.
#[derive(Debug)]
pub(crate) struct DirectoryLock {
    _file: File,
}

/// Name of the lock file in the data directory.
pub(crate) const LOCK_FILE: &str = "lock";

/// Takes the directory or says who has it.
pub(crate) fn lock_directory(dir: &Path) -> Result<DirectoryLock, Error> {
    let path = dir.join(LOCK_FILE);
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(Error::io("opening the lock file", &path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(in_use(dir, &mut file)),
        Err(TryLockError::Error(error)) => return Err(Error::io("locking", &path)(error)),
    }
    let write = |file: &mut File| {
        file.set_len(0)?;
        file.write_all(format!("{}\n", std::process::id()).as_bytes())
    };
    write(&mut file).map_err(Error::io("writing the lock file", &path))?;
    Ok(DirectoryLock { _file: file })
}

fn in_use(dir: &Path, file: &mut File) -> Error {
    let mut holder = String::new();
    let pid = match file.read_to_string(&mut holder) {
        Ok(_) if !holder.trim().is_empty() => holder.trim().to_owned(),
        _ => "unknown".into(),
    };
    Error::InUse { dir: dir.to_owned(), pid }
}
