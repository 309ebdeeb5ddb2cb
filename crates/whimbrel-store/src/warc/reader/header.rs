//! Header lines of records. Nothing is refused here that can be understood: continuation lines (RFC 822), line feeds
//! alone, other character sets than UTF-8, blanks in URIs.

use super::super::arc::ArcLine;
use super::record::WarcRecord;

/// Versions whose rules are known. Others are read by the same rules, and named.
const KNOWN_VERSIONS: [&str; 4] = ["WARC/0.17", "WARC/0.18", "WARC/1.0", "WARC/1.1"];

/// Begins a record by its version line.
pub(super) fn warc_record(version_line: &[u8]) -> WarcRecord {
    let version = decode(version_line.trim_ascii());
    let mut problems = Vec::new();
    if !KNOWN_VERSIONS.iter().any(|known| known.eq_ignore_ascii_case(&version)) {
        problems.push(format!("unknown version {:?}", shorten(&version)));
    }
    WarcRecord { version, problems, ..WarcRecord::default() }
}

/// Adds a header line, which is not empty.
pub(super) fn add_field(record: &mut WarcRecord, line: &[u8]) {
    let text = decode(line);
    let text = text.trim_end();
    if text.starts_with([' ', '\t']) {
        if let Some((_, value)) = record.headers.last_mut() {
            value.push(' ');
            value.push_str(text.trim_start());
        }
        return;
    }
    match text.split_once(':') {
        Some((name, value)) => record.headers.push((name.trim_end().to_owned(), value.trim().to_owned())),
        None => record.problems.push(format!("a header line without a colon: {:?}", shorten(text))),
    }
}

/// Says what the fields together lack, once all are there.
pub(super) fn finish(record: &mut WarcRecord) {
    if record.header("WARC-Type").is_none() {
        record.problems.push("no WARC-Type".into());
    }
    for (name, value) in &mut record.headers {
        if name.eq_ignore_ascii_case("WARC-Target-URI") && value.contains(' ') {
            *value = value.replace(' ', "%20");
            record.problems.push("a blank in WARC-Target-URI".into());
        }
    }
}

/// The record that an ARC line begins.
pub(super) fn arc_record(arc: ArcLine) -> WarcRecord {
    let kind = if arc.url.starts_with("filedesc:") { "arc_header" } else { "response" };
    let headers = [
        ("WARC-Type", kind.to_owned()),
        ("WARC-Target-URI", arc.url),
        ("WARC-IP-Address", arc.address),
        ("WARC-Date", arc.date),
        ("Content-Type", arc.media_type),
        ("Content-Length", arc.length),
    ];
    let headers = headers.map(|(name, value)| (name.to_owned(), value)).to_vec();
    WarcRecord { version: "ARC/1.0".into(), headers, ..WarcRecord::default() }
}

/// UTF-8, or else ISO 8859-1.
pub(super) fn decode(line: &[u8]) -> String {
    match str::from_utf8(line) {
        Ok(text) => text.to_owned(),
        Err(_) => line.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// The beginning of a text that may be long, for messages.
pub(super) fn shorten(text: &str) -> String {
    text.chars().take(60).collect()
}
