//! WARC 1.1 (ISO 28500:2017): making records, appending them to files, reading them back.
//!
//! Each record is a gzip member of its own, so that a pointer (file, offset, length) is enough to read it.
//! `encode_capture` is pure and runs on worker threads; the writer thread only appends.
//! A response keeps its content coding as received; its transfer coding is undone.

mod append;
mod arc;
mod capture;
mod coding;
mod files;
mod head;
mod member;
mod reader;
mod record;
mod response;

pub use capture::{CaptureInput, encode_capture};
pub use coding::undo_content_coding;
pub use head::{header_value, split_message};
pub use reader::{BadRecord, Packing, ReadLimits, WarcReader, WarcRecord, read_file};
pub use record::{PROFILE_IDENTICAL, PROFILE_NOT_MODIFIED};
pub use response::StoredResponse;

pub(crate) use append::{WarcAppender, WarcPosition};
pub(crate) use files::WarcFiles;
pub(crate) use record::{MetadataFields, RevisitFields, metadata_record, revisit_record};
pub(crate) use response::{read_record, read_response};
