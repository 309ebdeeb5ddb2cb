//! Content codings (RFC 9110). Laws: never more bytes than the limit; with a fault there are none; the same each time.

use crate::target::{Shared, Target, answer, arguments, size, text};
use flate2::{Compression, write::GzEncoder, write::ZlibEncoder};
use std::io::Write;
use whimbrel_fetch::{DecodeLimits, decode_body};

pub(super) const TARGET: Target = Target {
    name: "body_coding",
    run,
    seeds: || {
        let plain = b"some words that repeat, some words that repeat, and an end".repeat(4);
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&plain).and_then(|()| zlib.write_all(&plain)).expect("memory is written to");
        let gzip = gzip.finish().expect("memory is written to");
        let zlib = zlib.finish().expect("memory is written to");
        let zstd = zstd::encode_all(&plain[..], 3).expect("memory is written to");
        // A brotli stream of one stored block.
        let brotli = b"\x0b\x02\x80hello\x03".to_vec();
        let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
        bomb.write_all(&vec![0; 1 << 20]).expect("memory is written to");
        let bomb = bomb.finish().expect("memory is written to");
        let named: [(&str, Vec<u8>); 8] = [
            ("gzip", gzip.clone()),
            ("deflate", zlib.clone()),
            ("deflate", zlib[2..zlib.len() - 4].to_vec()),
            ("zstd", zstd),
            ("br", brotli),
            ("gzip, deflate", zlib),
            ("", plain),
            ("x-gzip", bomb),
        ];
        named.iter().map(|(name, body)| [name.as_bytes(), &[0x1f], body].concat()).collect()
    },
    tokens: &["gzip", "deflate", "br", "zstd", "identity", ", ", "x-gzip", "\u{1f}", "compress", "aes128gcm"],
    shared: &[Shared { file: "http/content_encoding.jsonl", fields: &["content_encoding", "body_b64"] }],
    bytes_max: 4096,
    smoke_runs: 1500,
};

fn run(data: &[u8]) -> u64 {
    let [coding, body] = arguments::<2>(data);
    let coding = text(coding);
    let limits = DecodeLimits { decoded_bytes_max: 100_000, ratio_max: 100, ratio_from_bytes: 10_000 };
    let decoded = decode_body(&coding, body, 3, limits);
    assert!(decoded.bytes.len() as u64 <= limits.decoded_bytes_max, "{} bytes", decoded.bytes.len());
    assert!(decoded.fault.is_none() || decoded.bytes.is_empty(), "a fault and yet bytes");
    assert_eq!(decoded, decode_body(&coding, body, 3, limits), "decoded again");
    answer((
        size(decoded.bytes.len()),
        decoded.cut.map(|cut| cut.as_str()),
        decoded.fault.map(|fault| std::mem::discriminant(&fault)),
        size(body.len()),
    ))
}
