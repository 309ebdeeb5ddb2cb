//! What is read from response heads: dates, waits, places, types. Laws: a wait is never longer than the date allows; text
//! that is handed on has no line feeds in it and is not longer than the head.

use crate::target::{Target, answer, size, texts};
use whimbrel_fetch::{Response, head_fields, head_status};
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
        "Date: ",
        "Retry-After: ",
        "ETag: ",
        "Last-Modified: ",
        "Location: ",
        "Content-Type: ",
        "\r\n",
        "\n",
        "GMT",
        "Sun, ",
        "Nov",
        "1994",
        ":",
        "W/\"",
        " ",
    ],
    shared: &[],
    bytes_max: 1024,
    smoke_runs: 3000,
};

fn run(data: &[u8]) -> u64 {
    let headers = head_fields(data);
    let told: usize = headers.iter().map(|(name, value)| name.len() + value.len()).sum();
    assert!(told <= data.len(), "{told} of {}", data.len());
    for (name, value) in &headers {
        assert!(!name.is_empty() && !name.contains([' ', ':', '\n', '\r']), "{name:?}");
        assert!(!value.contains(&b'\n'), "{value:?}");
    }
    let status = head_status(data);
    assert!(status.is_none_or(|status| status < 1000));
    let response = Response {
        status: status.unwrap_or(503),
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
        assert!(!text.contains('\n') && text.len() <= data.len() * 3, "{text:?}");
    }
    answer((
        (status, size(response.headers.len())),
        wait.map(|ms| size(ms as usize)),
        response.date().map(|at| at.0 / 1_000_000_000_000),
        response.media_type().len().min(20),
        validators.etag.is_some(),
        validators.last_modified.is_some(),
        response.location().map(|place| size(place.len())),
    ))
}
