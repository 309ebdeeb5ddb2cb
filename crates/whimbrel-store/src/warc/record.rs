//! Headers and small records. Every value passes through `clean`, so that nothing that came from a server or from the
//! configuration can begin a header line of its own.

use super::member::compressed_member;
use sha1::{Digest, Sha1};
use std::net::IpAddr;
use whimbrel_types::{CanonicalUrl, Timestamp};

/// Profile of a revisit whose payload is that of the record referred to.
pub const PROFILE_IDENTICAL: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
/// Profile of a revisit where the server answered 304.
pub const PROFILE_NOT_MODIFIED: &str = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";

/// A record header being written.
pub(crate) struct Header(String);

impl Header {
    /// Begins a record.
    pub(crate) fn new(kind: &str, record_id: [u8; 16], date: Timestamp) -> Header {
        let mut header = Header(String::with_capacity(640));
        header.0.push_str("WARC/1.1\r\n");
        header.field("WARC-Type", kind);
        header.field("WARC-Record-ID", &uuid_urn(record_id));
        header.field("WARC-Date", &date.to_string());
        header
    }

    /// Adds a field; control characters in `value` become spaces.
    pub(crate) fn field(&mut self, name: &str, value: &str) {
        self.0.push_str(name);
        self.0.push_str(": ");
        self.0.push_str(&clean(value));
        self.0.push_str("\r\n");
    }

    /// Adds the target URI, in which white space has no place at all.
    pub(crate) fn target(&mut self, url: &str) {
        let url: String = clean(url).replace(' ', "%20");
        self.field("WARC-Target-URI", &url);
    }

    /// Adds the address that answered.
    pub(crate) fn address(&mut self, address: Option<IpAddr>) {
        if let Some(address) = address {
            self.field("WARC-IP-Address", &address.to_string());
        }
    }

    /// Ends the header of a record with this block.
    pub(crate) fn finish(mut self, block_sha1: [u8; 20], block_bytes: usize) -> String {
        self.field("WARC-Block-Digest", &sha1_label(block_sha1));
        self.field("Content-Length", &block_bytes.to_string());
        self.0.push_str("\r\n");
        self.0
    }
}

/// A whole small record as a gzip member.
pub(crate) fn small_record(header: Header, block: &[u8]) -> Vec<u8> {
    let header = header.finish(Sha1::digest(block).into(), block.len());
    compressed_member(&[header.as_bytes(), block, b"\r\n\r\n"].concat())
}

/// The `warcinfo` record at the start of a file.
pub(crate) fn warcinfo_record(file_name: &str, date: Timestamp, fields: &[(String, String)]) -> Vec<u8> {
    let mut header =
        Header::new("warcinfo", derive_id(&[b"warcinfo", file_name.as_bytes(), &date.0.to_be_bytes()]), date);
    header.field("WARC-Filename", file_name);
    header.field("Content-Type", "application/warc-fields");
    let mut block = fields_block(fields.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    for (name, value) in [
        ("format", "WARC File Format 1.1"),
        ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
    ] {
        if !fields.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)) {
            block.extend_from_slice(&fields_block([(name, value)]));
        }
    }
    small_record(header, &block)
}

/// What the `metadata` record of a visit says.
pub(crate) struct MetadataFields<'a> {
    pub url: &'a CanonicalUrl,
    pub at: Timestamp,
    pub concurrent_to: [u8; 16],
    /// Field `sequence`: of the batch the visit is committed with.
    pub sequence: u64,
    /// Field `committed`: the last batch that was committed when this was written.
    pub committed: u64,
    pub fields: Vec<(&'static str, String)>,
}

/// The `metadata` record of a visit.
pub(crate) fn metadata_record(metadata: &MetadataFields) -> Vec<u8> {
    let mut header = Header::new("metadata", derive_id(&[b"metadata", &metadata.concurrent_to]), metadata.at);
    header.target(metadata.url.as_str());
    header.field("WARC-Concurrent-To", &uuid_urn(metadata.concurrent_to));
    header.field("Content-Type", "application/warc-fields");
    let numbers =
        [("sequence", metadata.sequence.to_string()), ("committed", metadata.committed.to_string())];
    let fields = numbers.iter().chain(&metadata.fields);
    small_record(header, &fields_block(fields.map(|(name, value)| (*name, value.as_str()))))
}

/// What a `revisit` record says.
pub(crate) struct RevisitFields<'a> {
    pub url: &'a CanonicalUrl,
    pub at: Timestamp,
    pub address: Option<IpAddr>,
    pub record_id: [u8; 16],
    pub head: &'a [u8],
    pub payload_sha1: [u8; 20],
    pub not_modified: bool,
    pub refers_to_url: &'a CanonicalUrl,
    pub refers_to_at: Timestamp,
    pub refers_to_id: [u8; 16],
}

/// A `revisit` record: the head of the answer, and where its payload is to be found.
pub(crate) fn revisit_record(revisit: &RevisitFields) -> Vec<u8> {
    let mut header = Header::new("revisit", revisit.record_id, revisit.at);
    header.target(revisit.url.as_str());
    header.address(revisit.address);
    header.field("WARC-Profile", if revisit.not_modified { PROFILE_NOT_MODIFIED } else { PROFILE_IDENTICAL });
    header.field("WARC-Refers-To", &uuid_urn(revisit.refers_to_id));
    header.field("WARC-Refers-To-Target-URI", revisit.refers_to_url.as_str());
    header.field("WARC-Refers-To-Date", &revisit.refers_to_at.to_string());
    // What ISO 28500 asks for: a revisit by digest names the digest; one by 304 had no payload to take it of.
    if !revisit.not_modified {
        header.field("WARC-Payload-Digest", &sha1_label(revisit.payload_sha1));
    }
    header.field("Content-Type", "application/http;msgtype=response");
    small_record(header, revisit.head)
}

/// `sha1:` and the digest in base 32 (RFC 4648), as WARC has it.
pub(crate) fn sha1_label(digest: [u8; 20]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut out = String::from("sha1:");
    for group in digest.chunks_exact(5) {
        let bits = group.iter().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
        out.extend((0..8).rev().map(|place| char::from(ALPHABET[(bits >> (place * 5) & 31) as usize])));
    }
    out
}

/// An identity made of `parts`: the same parts, the same record.
pub(crate) fn derive_id(parts: &[&[u8]]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut id = [0; 16];
    id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    // Version 8 (of one's own making) and variant of RFC 9562.
    id[6] = id[6] & 0x0f | 0x80;
    id[8] = id[8] & 0x3f | 0x80;
    id
}

/// `<urn:uuid:…>`.
pub(crate) fn uuid_urn(id: [u8; 16]) -> String {
    let hex = whimbrel_types::hex(&id);
    format!("<urn:uuid:{}-{}-{}-{}-{}>", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

fn fields_block<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in fields {
        let name: String =
            name.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect();
        if !name.is_empty() {
            block.extend_from_slice(format!("{name}: {}\r\n", clean(value)).as_bytes());
        }
    }
    block
}

fn clean(value: &str) -> String {
    value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests;
