//! Stored messages and their codings. Laws: head and body are the message; nothing is longer than the limit.

use crate::target::{Target, answer, arguments, size, text, texts};
use whimbrel_store::warc::{header_value, split_message, undo_content_coding};

pub(super) const TARGET: Target = Target {
    name: "stored_response",
    run,
    seeds: || {
        texts(&[
            "gzip\x1fHTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\nbody",
            "deflate, br\x1fx",
            "zstd\x1f(\u{b5}/",
        ])
    },
    tokens: &["gzip", "br", "zstd", "deflate", ", ", "\r\n\r\n", "Content-Encoding: ", "\n", ":"],
    shared: &[crate::target::Shared {
        file: "http/content_encoding.jsonl",
        fields: &["content_encoding", "body_b64"],
    }],
    bytes_max: 2048,
    smoke_runs: 1500,
};

fn run(data: &[u8]) -> u64 {
    let [coding, message] = arguments::<2>(data);
    let (head, body) = split_message(message);
    assert_eq!([head, body].concat(), message);
    let value = header_value(head, "content-encoding").map(|value| size(value.len()));
    let undone = undo_content_coding(&text(coding), message, 50_000);
    if let Ok(plain) = &undone {
        assert!(plain.len() <= 50_000);
    }
    answer((size(head.len()), value, undone.map(|plain| size(plain.len())).map_err(|_| ())))
}
