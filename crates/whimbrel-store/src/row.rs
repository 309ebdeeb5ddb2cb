//! Every key layout and every row encoding of the database, in one place: this file *is* the disk format.
//!
//! Values are one version byte followed by postcard (compressed with zstd for text and links); only bodies of robots.txt,
//! keys, identities and values of the caller stand bare. Keys are fixed-width,
//! numbers big-endian, so that byte order is the order of scans. A change of any of it needs a new version byte here
//! or a new `FORMAT` in `open`.

use crate::error::Error;
use crate::table::Table;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use whimbrel_types::{
    IndexOp, Link, PageContent, PageVersion, QueueEntry, QueuePlace, SiteKey, Timestamp, UrlId, UrlKey,
    UrlRecord,
};

/// Version byte in front of every value.
const ROW_VERSION: u8 = 1;
/// Version byte of rows of the URL table. Version 1 ended before the last two fields, both of them optional.
const URL_ROW_VERSION: u8 = 2;
/// How postcard writes the two fields that rows of version 1 lack, when they are empty.
const URL_ROW_ADDED: [u8; 2] = [0, 0];
/// zstd level of text and links: on pages of 10 kB level 3 takes half again the time of level 1 for 4 % less.
const ZSTD_LEVEL: i32 = 1;
/// No text or link list of one page unpacks to more than this.
const UNPACKED_BYTES_MAX: usize = 256 << 20;

/// Length of a queue key.
pub(crate) const QUEUE_KEY_LEN: usize = SiteKey::LEN + 9;
/// Length of a due key.
pub(crate) const DUE_KEY_LEN: usize = SiteKey::LEN + 24;

/// Row `state` of the meta table: where the last committed group ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StateRow {
    /// Sequence number of the last committed batch.
    pub sequence: u64,
    /// Sequence number of the last row put into the index queue.
    pub index_sequence: u64,
    /// Number of the WARC file being written, 0 before the first.
    pub warc_file: u32,
    /// Committed bytes of it.
    pub warc_offset: u64,
}

/// One committed group, for the check of continuity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CommitRow {
    /// First batch of the group.
    pub first_sequence: u64,
    /// Sequence before the group: the last batch of the group before.
    pub previous_sequence: u64,
}

/// A page version and what a revisit record of a copy needs to know of its capture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PageRow {
    /// The version.
    pub version: PageVersion,
    /// `WARC-Date` of its response record.
    pub captured_at: Timestamp,
    /// `WARC-Record-ID` of its response record.
    pub record_id: [u8; 16],
    /// SHA-1 of its payload as stored.
    pub payload_sha1: [u8; 20],
}

/// One row of the index queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IndexRow {
    /// Which URL.
    pub key: UrlKey,
    /// What to do.
    pub op: IndexOp,
}

/// Encodes a value.
pub(crate) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    let out = Vec::with_capacity(256);
    let out = postcard::to_extend(&ROW_VERSION, out).expect("a byte is written to memory");
    postcard::to_extend(value, out).expect("rows have only types that postcard can write")
}

/// Encodes a row of the URL table.
pub(crate) fn encode_url(record: &UrlRecord) -> Vec<u8> {
    let mut out = encode(record);
    out[0] = URL_ROW_VERSION;
    out
}

/// Decodes a value of `table`.
pub(crate) fn decode<T: DeserializeOwned>(table: Table, bytes: &[u8]) -> Result<T, Error> {
    if let (Table::Urls, Some((&URL_ROW_VERSION, row))) = (table, bytes.split_first()) {
        return postcard::from_bytes(row).map_err(|e| Error::damaged("a row of table Urls", e));
    }
    let row = strip_version(table, bytes)?;
    if table == Table::Urls {
        let whole = [row, &URL_ROW_ADDED].concat();
        return postcard::from_bytes(&whole).map_err(|e| Error::damaged("a row of table Urls", e));
    }
    postcard::from_bytes(row).map_err(|e| Error::damaged(&format!("a row of table {table:?}"), e))
}

/// Encodes a page's content without its links.
pub(crate) fn encode_content(packer: &mut Packer, content: &PageContent) -> Vec<u8> {
    let plain = postcard::to_extend(content, Vec::with_capacity(content.text.len() + 1024));
    packer.pack(&plain.expect("content has only types that postcard can write"))
}

/// Encodes a page's links.
pub(crate) fn encode_links(packer: &mut Packer, links: &[Link]) -> Vec<u8> {
    let plain = postcard::to_extend(links, Vec::with_capacity(links.len() * 96));
    packer.pack(&plain.expect("links have only types that postcard can write"))
}

/// Decodes what `encode_content` or `encode_links` wrote.
pub(crate) fn decode_packed<T: DeserializeOwned>(table: Table, bytes: &[u8]) -> Result<T, Error> {
    let what = || format!("a row of table {table:?}");
    let packed = strip_version(table, bytes)?;
    let bytes_max = zstd::bulk::Decompressor::upper_bound(packed).unwrap_or(UNPACKED_BYTES_MAX);
    let plain = zstd::bulk::decompress(packed, bytes_max.min(UNPACKED_BYTES_MAX))
        .map_err(|e| Error::damaged(&what(), e))?;
    postcard::from_bytes(&plain).map_err(|e| Error::damaged(&what(), e))
}

/// A reusable zstd context.
pub(crate) struct Packer(zstd::bulk::Compressor<'static>);

impl Packer {
    pub(crate) fn new() -> Packer {
        Packer(zstd::bulk::Compressor::new(ZSTD_LEVEL).expect("the level is one that zstd has"))
    }

    fn pack(&mut self, plain: &[u8]) -> Vec<u8> {
        let mut out = vec![ROW_VERSION];
        let packed = self.0.compress(plain).expect("a buffer of the bound's size is always enough");
        out.extend_from_slice(&packed);
        out
    }
}

/// `url key ‖ sequence`: a page version.
pub(crate) fn page_key(key: &UrlKey, sequence: u64) -> [u8; UrlKey::LEN + 8] {
    let mut out = [0; UrlKey::LEN + 8];
    out[..UrlKey::LEN].copy_from_slice(&key.to_bytes());
    out[UrlKey::LEN..].copy_from_slice(&sequence.to_be_bytes());
    out
}

/// `site ‖ class ‖ sequence`: a place in a site's queue.
pub(crate) fn queue_key(site: &SiteKey, place: QueuePlace) -> [u8; QUEUE_KEY_LEN] {
    let mut out = [0; QUEUE_KEY_LEN];
    out[..SiteKey::LEN].copy_from_slice(&site.to_bytes());
    out[SiteKey::LEN] = place.class;
    out[SiteKey::LEN + 1..].copy_from_slice(&place.sequence.to_be_bytes());
    out
}

/// Reads a row of the queue.
pub(crate) fn queue_entry(key: &[u8], value: &[u8]) -> Result<QueueEntry, Error> {
    let parts = || {
        let class = *key.get(SiteKey::LEN)?;
        let sequence = number(key.get(SiteKey::LEN + 1..)?)?;
        let url = UrlId(value.try_into().ok()?);
        Some(QueueEntry { place: QueuePlace { class, sequence }, url })
    };
    parts().ok_or_else(|| Error::damaged("a row of the queue", "wrong length"))
}

/// `site ‖ time ‖ url id`: a URL that is due.
pub(crate) fn due_key(key: &UrlKey, at: Timestamp) -> [u8; DUE_KEY_LEN] {
    let mut out = [0; DUE_KEY_LEN];
    out[..SiteKey::LEN].copy_from_slice(&key.site.to_bytes());
    out[SiteKey::LEN..SiteKey::LEN + 8].copy_from_slice(&at.0.to_be_bytes());
    out[SiteKey::LEN + 8..].copy_from_slice(&key.url.0);
    out
}

/// Reads a row of the due table.
pub(crate) fn due_entry(key: &[u8]) -> Result<(Timestamp, UrlId), Error> {
    let parts = || {
        let at = number(key.get(SiteKey::LEN..SiteKey::LEN + 8)?)?;
        Some((Timestamp(at), UrlId(key.get(SiteKey::LEN + 8..)?.try_into().ok()?)))
    };
    parts().ok_or_else(|| Error::damaged("a row of the due table", "wrong length"))
}

/// `representative ‖ alias`.
pub(crate) fn alias_key(representative: &UrlKey, alias: &UrlKey) -> [u8; UrlKey::LEN * 2] {
    let mut out = [0; UrlKey::LEN * 2];
    out[..UrlKey::LEN].copy_from_slice(&representative.to_bytes());
    out[UrlKey::LEN..].copy_from_slice(&alias.to_bytes());
    out
}

/// Beginning of the rows of the meta table that mark long pages.
pub(crate) const LONG_PAGE_PREFIX: &[u8] = b"long:";

/// `long:` ‖ page.
pub(crate) fn long_page_key(page: &UrlKey) -> Vec<u8> {
    [LONG_PAGE_PREFIX, &page.to_bytes()].concat()
}

/// A big-endian key of a table ordered by number.
pub(crate) fn number_key(value: u64) -> [u8; 8] {
    value.to_be_bytes()
}

/// Reads a big-endian number.
pub(crate) fn number(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_be_bytes(bytes.try_into().ok()?))
}

/// A URL key at the front of a key.
pub(crate) fn url_key(table: Table, bytes: &[u8]) -> Result<UrlKey, Error> {
    UrlKey::from_bytes(bytes).ok_or_else(|| Error::damaged(&format!("a key of table {table:?}"), "too short"))
}

/// Owners of one fingerprint: their keys one after the other.
pub(crate) fn encode_owners(owners: &[UrlKey]) -> Vec<u8> {
    owners.iter().flat_map(|owner| owner.to_bytes()).collect()
}

/// Reads what `encode_owners` wrote.
pub(crate) fn decode_owners(bytes: &[u8]) -> Result<Vec<UrlKey>, Error> {
    if !bytes.len().is_multiple_of(UrlKey::LEN) {
        return Err(Error::damaged("a row of table Digests", "wrong length"));
    }
    bytes.chunks_exact(UrlKey::LEN).map(|owner| url_key(Table::Digests, owner)).collect()
}

fn strip_version(table: Table, bytes: &[u8]) -> Result<&[u8], Error> {
    match bytes.split_first() {
        Some((&ROW_VERSION, row)) => Ok(row),
        Some((other, _)) => {
            let detail = format!("row version {other}, this program knows {ROW_VERSION}");
            Err(Error::damaged(&format!("a row of table {table:?}"), detail))
        }
        None => Err(Error::damaged(&format!("a row of table {table:?}"), "empty")),
    }
}

#[cfg(test)]
mod tests;
