//! What is read from response heads: dates, waits, places, types. Laws: a wait is never longer than the date allows; text
//! that is handed on has no line ends in it.

use crate::target::{Target, answer, size, texts};
use whimbrel_fetch::Response;
use whimbrel_types::Timestamp;

pub(super) const TARGET: Target = Target {
    name: "response_head",
    run,
    seeds: || {
        texts(&[
            "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: 120\r\nETag: W/\"x\"\r\nLast-Modified: Sunday, 06-Nov-94 08:49:37 GMT\r\n\r\n",
            "HTTP/1.1 503\r\nRetry-After: Fri, 31 Dec 2999 23:59:59 GMT\r\nLocation:  /x y \r\nContent-Type: Text/HTML ; charset=x\r\n\r\n",
            "HTTP/1.0 301 Moved\nlocation: http://b.test/é\n folded\n\n",
        ])
    },
    tokens: &[
        "Date: ", "Retry-After: ", "ETag: ", "Last-Modified: ", "Location: ", "Content-Type: ", "\r\n", "\n", "GMT", "Sun, ", "Nov", "1994", ":", "W/\"", " ",
    ],
    shared: &[],
    bytes_max: 1024,
    smoke_runs: 3000,
};

fn run(data: &[u8]) -> u64 {
    let mut headers = Vec::new();
    for line in data.split(|byte| *byte == b'\n') {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        let name = String::from_utf8_lossy(line[..colon].trim_ascii()).to_ascii_lowercase();
        headers.push((name, line[colon + 1..].trim_ascii().to_vec()));
    }
    let response = Response {
        status: 503,
        request_head: Vec::new(),
        response_head: data.to_vec(),
        headers,
        wire_body: bytes::Bytes::new(),
        body: bytes::Bytes::new(),
        cut: None,
        content_type: None,
    };
    let now = Timestamp(1_700_000_000_000);
    let wait = response.retry_after_ms(now);
    let validators = response.validators();
    for text in [response.etag(), response.last_modified(), response.location()].into_iter().flatten() {
        assert!(!text.contains(['\r', '\n']) && text.len() <= data.len() * 3, "{text:?}");
    }
    answer((
        wait.map(|ms| size(ms as usize)),
        response.date().map(|at| at.0 / 1_000_000_000_000),
        response.media_type().len().min(20),
        validators.etag.is_some(),
        validators.last_modified.is_some(),
        response.location().map(|place| size(place.len())),
    ))
}
