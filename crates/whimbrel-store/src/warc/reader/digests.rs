//! Comparing the digests that a record's header names with what they are of: `sha1` and `sha256`, in base 32 or
//! hexadecimal. Others are left alone. A payload digest may be of the body as it lies there or, where it is chunked, of
//! what the chunks hold: both are written.

use super::super::head::{header_value, split_message};
use super::record::WarcRecord;
use sha1::{Digest, Sha1};
use sha2::Sha256;

/// Adds what does not agree to the problems of `record`.
pub(super) fn check(record: &mut WarcRecord) {
    let mut wrong = Vec::new();
    if let Some(label) = record.header("WARC-Block-Digest")
        && agrees(label, &record.block) == Some(false)
    {
        wrong.push("WARC-Block-Digest is not that of the block".to_owned());
    }
    // The payload of a revisit lies elsewhere; that of a part of a record is that of the whole.
    let elsewhere = record.kind() == "revisit" || record.header("WARC-Segment-Number").is_some();
    if let Some(label) = record.header("WARC-Payload-Digest").filter(|_| !elsewhere) {
        let (head, body) = payload(record);
        let chunked = header_value(head, "transfer-encoding").is_some();
        let right = agrees(label, body) != Some(false)
            || chunked && unchunk(body).is_some_and(|plain| agrees(label, &plain) == Some(true));
        if !right {
            wrong.push("WARC-Payload-Digest is not that of the payload".to_owned());
        }
    }
    record.problems.append(&mut wrong);
}

fn payload(record: &WarcRecord) -> (&[u8], &[u8]) {
    let http = record.header("Content-Type").is_some_and(|media| media.starts_with("application/http"));
    match record.kind() {
        "request" | "response" if http => split_message(&record.block),
        _ => (&[], &record.block),
    }
}

/// Whether `label` is a digest of `bytes`; `None` when that cannot be told.
fn agrees(label: &str, bytes: &[u8]) -> Option<bool> {
    let (algorithm, text) = label.split_once(':')?;
    let digest = match algorithm.trim().to_ascii_lowercase().as_str() {
        "sha1" | "sha-1" => Sha1::digest(bytes).to_vec(),
        "sha256" | "sha-256" => Sha256::digest(bytes).to_vec(),
        _ => return None,
    };
    let text = text.trim().trim_end_matches('=');
    if text.len() == digest.len() * 2 {
        return Some(text.eq_ignore_ascii_case(&whimbrel_types::hex(&digest)));
    }
    (text.len() == (digest.len() * 8).div_ceil(5)).then(|| text.eq_ignore_ascii_case(&base32(&digest)))
}

/// RFC 4648 §6, without padding.
fn base32(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut out = String::new();
    for group in bytes.chunks(5) {
        let bits =
            group.iter().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte)) << (8 * (5 - group.len()));
        let letters = (group.len() * 8).div_ceil(5);
        out.extend((0..letters).map(|place| char::from(ALPHABET[(bits >> (35 - place * 5) & 31) as usize])));
    }
    out
}

/// What the chunks of a body hold (RFC 9112 §7.1); `None` when they are wrong.
fn unchunk(mut body: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    loop {
        let feed = body.iter().position(|b| *b == b'\n')?;
        let line = str::from_utf8(&body[..feed]).ok()?;
        let length = usize::from_str_radix(line.split(';').next()?.trim(), 16).ok()?;
        body = &body[feed + 1..];
        if length == 0 {
            return Some(plain);
        }
        plain.extend_from_slice(body.get(..length)?);
        body = &body[length..];
        body = body.strip_prefix(b"\r\n").or_else(|| body.strip_prefix(b"\n"))?;
    }
}
