//! A response read back from its WARC record, payload byte for byte as it was received.

use super::coding::undo_content_coding;
use super::files::WarcFiles;
use super::head::{header_value, split_message};
use super::reader::{WarcReader, WarcRecord};
use crate::error::Error;
use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};
use whimbrel_types::WarcPointer;

/// A stored response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredResponse {
    /// Status line and headers as stored.
    pub head: Vec<u8>,
    /// Body as received, content coding and all.
    pub body_wire: Vec<u8>,
    /// Why the body is cut, where it is.
    pub truncated: Option<String>,
}

impl StoredResponse {
    /// The body with its content coding undone, at most `bytes_max` of it; an error in words when that cannot be.
    pub fn body_decoded(&self, bytes_max: usize) -> Result<Vec<u8>, String> {
        match header_value(&self.head, "content-encoding") {
            Some(coding) => undo_content_coding(&String::from_utf8_lossy(coding), &self.body_wire, bytes_max),
            None => Ok(self.body_wire[..self.body_wire.len().min(bytes_max)].to_vec()),
        }
    }
}

/// Reads the record a pointer points to.
pub(crate) fn read_record(files: &WarcFiles, pointer: &WarcPointer) -> Result<WarcRecord, Error> {
    let bad = |detail: String| Error::Warc { file: pointer.file, offset: pointer.offset, detail };
    let path = files
        .path(pointer.file)
        .ok_or_else(|| bad("the file is missing; restore it from a backup".into()))?;
    let member = read_member(&path, pointer).map_err(|e| bad(format!("{e} in {}", path.display())))?;
    let mut reader = WarcReader::new(Cursor::new(member)).map_err(|e| bad(e.to_string()))?;
    match reader.next() {
        Some(Ok(record)) if !record.cut_short => Ok(record),
        Some(Ok(_)) => Err(bad("the record is cut short".into())),
        Some(Err(problem)) => Err(bad(problem.what)),
        None => Err(bad("there is no record".into())),
    }
}

/// Reads the response a pointer points to.
pub(crate) fn read_response(files: &WarcFiles, pointer: &WarcPointer) -> Result<StoredResponse, Error> {
    let record = read_record(files, pointer)?;
    let (head, body) = split_message(&record.block);
    let truncated = record.header("WARC-Truncated").map(str::to_owned);
    Ok(StoredResponse { head: head.to_vec(), body_wire: body.to_vec(), truncated })
}

fn read_member(path: &std::path::Path, pointer: &WarcPointer) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(pointer.offset))?;
    let mut member = Vec::new();
    file.take(pointer.length).read_to_end(&mut member)?;
    if (member.len() as u64) < pointer.length {
        return Err(std::io::Error::new(
            std::io::ErrorKind::UnexpectedEof,
            "the file ends before the record does",
        ));
    }
    Ok(member)
}
