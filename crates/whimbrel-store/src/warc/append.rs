//! Appending members to the current WARC file. Only the writer thread does; nothing here is visible to readers of the
//! store before the database has committed the pointers.

use super::files::WarcFiles;
use super::record::warcinfo_record;
use crate::error::Error;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use whimbrel_types::{Timestamp, WarcPointer};

/// End of what is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WarcPosition {
    /// Number of the file, 0 before the first.
    pub file: u32,
    /// Bytes of it.
    pub offset: u64,
}

/// The open end of the WARC files.
pub(crate) struct WarcAppender {
    files: Arc<WarcFiles>,
    prefix: String,
    info: Vec<(String, String)>,
    file_bytes_max: u64,
    current: Option<Current>,
    position: WarcPosition,
    buffer: Vec<u8>,
    unsynced: bool,
}

struct Current {
    file: File,
    path: PathBuf,
}

/// Members are gathered up to this many bytes before they are written.
const BUFFER_BYTES: usize = 1 << 20;

impl WarcAppender {
    /// Continues at `position`; a new file is begun where that is not possible, or when `fresh` asks for it.
    pub(crate) fn open(
        files: Arc<WarcFiles>,
        prefix: &str,
        info: &[(String, String)],
        file_bytes_max: u64,
        position: WarcPosition,
        fresh: bool,
    ) -> Result<WarcAppender, Error> {
        let mut appender = WarcAppender {
            files,
            prefix: prefix.to_owned(),
            info: info.to_vec(),
            file_bytes_max,
            current: None,
            position,
            buffer: Vec::new(),
            unsynced: false,
        };
        if let Some(path) = appender.files.path(position.file).filter(|_| !fresh) {
            let file = OpenOptions::new().append(true).open(&path).map_err(Error::io("opening", &path))?;
            appender.current = Some(Current { file, path });
        }
        Ok(appender)
    }

    /// Where the next member will begin.
    pub(crate) fn position(&self) -> WarcPosition {
        self.position
    }

    /// Begins the records of a visit: they go into one file together.
    pub(crate) fn begin(&mut self, now: Timestamp) -> Result<(), Error> {
        if self.current.is_some() && self.position.offset < self.file_bytes_max {
            return Ok(());
        }
        self.write_buffer()?;
        if let Some(full) = &self.current {
            full.file.sync_data().map_err(Error::io("syncing", &full.path))?;
        }
        let (number, path) = self.files.name_next(&self.prefix, now);
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(&path)
            .map_err(Error::io("creating", &path))?;
        self.files.sync_directory()?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.files.add(number, path.clone());
        self.current = Some(Current { file, path });
        self.position = WarcPosition { file: number, offset: 0 };
        let info = warcinfo_record(&name, now, &self.info);
        self.append(&info)?;
        Ok(())
    }

    /// Adds a member.
    pub(crate) fn append(&mut self, member: &[u8]) -> Result<WarcPointer, Error> {
        let pointer = WarcPointer {
            file: self.position.file,
            offset: self.position.offset,
            length: member.len() as u64,
        };
        self.buffer.extend_from_slice(member);
        self.position.offset += pointer.length;
        self.unsynced = true;
        if self.buffer.len() >= BUFFER_BYTES {
            self.write_buffer()?;
        }
        Ok(pointer)
    }

    /// Makes everything appended so far last.
    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        self.write_buffer()?;
        if let Some(current) = self.current.as_ref().filter(|_| self.unsynced) {
            current.file.sync_data().map_err(Error::io("syncing", &current.path))?;
        }
        self.unsynced = false;
        Ok(())
    }

    fn write_buffer(&mut self) -> Result<(), Error> {
        if let Some(current) = self.current.as_mut().filter(|_| !self.buffer.is_empty()) {
            current.file.write_all(&self.buffer).map_err(Error::io("appending to", &current.path))?;
        }
        self.buffer.clear();
        Ok(())
    }
}
