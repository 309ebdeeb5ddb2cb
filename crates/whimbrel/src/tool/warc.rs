//! `warc-read`: the records of a WARC or ARC file of any maker.

use super::{Reply, Request, Tool};
use serde_json::{Value, json};
use std::io::{Cursor, Read, Seek};
use std::path::Path;
use whimbrel_store::warc::{Packing, ReadLimits, WarcReader, WarcRecord, read_file};

/// Records that are listed of one file.
const RECORDS_MAX: usize = 1_000_000;

pub const READ: Tool = Tool {
    name: "warc-read",
    summary: "The records of a WARC or ARC file, plain or packed; damage is passed over",
    input: &[
        ("path", "the file; what it is and how it is packed is told by its bytes"),
        ("body", "the file's bytes in place of a path, or body_b64"),
        ("check_digests", "true to compute block and payload digests and compare"),
    ],
    output: &[
        (
            "records",
            "each with type, uri, id, date, version, offset, length, content_length, cut_short, problems",
        ),
        ("packing", "plain, gzip, zstd or lz4"),
        ("problems", "places where no record could be read, as {offset, what}"),
        ("error", "the first of them, when there is one"),
    ],
    example: r#"{"id":1,"body":"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://example.org/\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n"}"#,
    example_reply: r#"{"id":1,"records":[{"content_length":2,"cut_short":false,"date":"2026-01-02T03:04:05Z","id":"<urn:uuid:1>","length":155,"offset":0,"problems":[],"type":"resource","uri":"http://example.org/","version":"WARC/1.1"}],"packing":"plain","problems":[]}"#,
    answer: read,
};

fn read(request: &Request) -> Result<Reply, String> {
    let limits = ReadLimits { check_digests: request.flag("check_digests")?, ..ReadLimits::default() };
    match request.optional_text("path")? {
        Some(path) => {
            let reader = read_file(Path::new(&*path), limits);
            records(reader.map_err(|error| format!("cannot read {path}: {error}"))?)
        }
        None => {
            let body = request.bytes("body").map_err(|_| "the field path is missing".to_owned())?;
            let reader = WarcReader::with_limits(Cursor::new(&*body), 0, limits);
            records(reader.map_err(|error| format!("cannot read the field body: {error}"))?)
        }
    }
}

fn records<R: Read + Seek>(reader: WarcReader<R>) -> Result<Reply, String> {
    let packing = match reader.packing() {
        Packing::Plain => "plain",
        Packing::Gzip => "gzip",
        Packing::Zstd => "zstd",
        Packing::Lz4 => "lz4",
    };
    let (mut records, mut problems) = (Vec::new(), Vec::new());
    for record in reader.take(RECORDS_MAX) {
        match record {
            Ok(record) => records.push(record_json(&record)),
            Err(bad) => problems.push(json!({ "offset": bad.offset, "what": bad.what })),
        }
    }
    if records.len() + problems.len() == RECORDS_MAX {
        problems.push(
            json!({ "offset": null, "what": format!("no more than {RECORDS_MAX} records are listed") }),
        );
    }
    let first = problems.first().map(|problem: &Value| problem["what"].clone());
    let reply = Reply::new().with("records", records).with("packing", packing).with("problems", problems);
    Ok(match first {
        Some(what) => reply.with("error", what),
        None => reply,
    })
}

fn record_json(record: &WarcRecord) -> Value {
    json!({
        "type": record.kind(),
        "uri": record.target(),
        "id": record.header("WARC-Record-ID"),
        "date": record.header("WARC-Date"),
        "version": record.version,
        "offset": record.offset,
        "length": record.length,
        "content_length": record.block.len(),
        "cut_short": record.cut_short,
        "problems": record.problems,
    })
}
