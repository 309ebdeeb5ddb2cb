//! Archives of others. Laws: reading ends; no block is longer than its limit; a record lies within the file; what was
//! kept is not much more than what was unpacked.

use crate::target::{Shared, Target, answer, size};
use flate2::{Compression, write::GzEncoder};
use std::io::{Cursor, Write};
use whimbrel_store::warc::{ReadLimits, WarcReader};

pub(super) const TARGET: Target = Target {
    name: "warc",
    run,
    seeds: || {
        let one = record("warcinfo", "software: x\r\n");
        let two = record(
            "response",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        );
        let arc = b"filedesc://x.arc 0.0.0.0 20140216050221 text/plain 5\n1 0 x\nhttp://a.test/ 1.2.3.4 20140216050221 text/html 4\nbody\n".to_vec();
        let gzip = [gzip(&one), gzip(&two)].concat();
        let zstd = [zstd::encode_all(&one[..], 1), zstd::encode_all(&two[..], 1)]
            .map(|frame| frame.expect("memory"));
        let dictionary = [b"\x5d\x2a\x4d\x18\x04\0\0\0WARC".to_vec(), zstd.concat()].concat();
        let lz4 = b"\x04\x22\x4d\x18\x60\x40\x82\x05\0\0\x80WARC/\0\0\0\0".to_vec();
        vec![[one, two].concat(), gzip, zstd.concat(), dictionary, arc, lz4]
    },
    tokens: &[
        "WARC/1.0\r\n",
        "WARC/1.1\r\n",
        "WARC-Type: response\r\n",
        "Content-Length: ",
        "\r\n\r\n",
        "WARC-Target-URI: ",
        "\n",
        "WARC-Block-Digest: sha1:",
        "WARC-Payload-Digest: ",
        "http://a.test/ 1.2.3.4 20140216050221 text/html 9\n",
        "Content-Type: application/http\r\n",
    ],
    shared: &[Shared { file: "warc/files", fields: &[] }],
    bytes_max: 16_384,
    smoke_runs: 800,
};

fn run(data: &[u8]) -> u64 {
    let limits = ReadLimits {
        header_bytes_max: 2000,
        header_lines_max: 30,
        block_bytes_max: 5000,
        member_bytes_max: 200_000,
        check_digests: true,
    };
    let Ok(reader) = WarcReader::with_limits(Cursor::new(data), 0, limits) else { return 0 };
    let packing = reader.packing();
    let (mut records, mut bad, mut cut, mut problems) = (0usize, 0usize, 0usize, 0usize);
    for item in reader {
        assert!(records + bad <= data.len() * 4 + 100_000, "it does not end");
        match item {
            Ok(record) => {
                records += 1;
                cut += usize::from(record.cut_short);
                problems += record.problems.len();
                assert!(
                    record.block.len() as u64 <= limits.block_bytes_max,
                    "a block of {}",
                    record.block.len()
                );
                assert!(
                    record.headers.len() <= limits.header_lines_max.max(6),
                    "{} lines",
                    record.headers.len()
                );
                assert!(
                    record.offset + record.length <= data.len() as u64,
                    "{} + {}",
                    record.offset,
                    record.length
                );
                assert!(record.cut_short || record.length > 0 || record.block.is_empty());
                // It is named by what is asked of it.
                let _ = (record.kind(), record.target(), record.block_field("software"));
            }
            Err(what) => {
                bad += 1;
                assert!(what.offset <= data.len() as u64 && !what.what.is_empty(), "{what:?}");
            }
        }
    }
    answer((format!("{packing:?}"), size(records), size(bad), size(cut), size(problems)))
}

fn record(kind: &str, block: &str) -> Vec<u8> {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.test/\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
    .into_bytes()
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(plain).and_then(|()| encoder.finish()).expect("memory is written to")
}
