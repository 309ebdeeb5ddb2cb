//! The records of one visit, made on a worker thread: a pure function of what went over the wire.

use super::head::{request_head, response_head};
use super::member::{compressed_member, stored_member};
use super::record::{Header, derive_id, sha1_label, small_record, uuid_urn};
use sha1::{Digest, Sha1};
use std::net::IpAddr;
use whimbrel_types::{CanonicalUrl, Capture, Timestamp};

/// What went over the wire in one visit.
#[derive(Clone, Copy, Debug)]
pub struct CaptureInput<'a> {
    /// What was asked for.
    pub url: &'a CanonicalUrl,
    /// When the request was sent.
    pub at: Timestamp,
    /// The address that answered.
    pub ip: Option<IpAddr>,
    /// Request line and headers as sent.
    pub request_head: &'a [u8],
    /// Status line and headers as received.
    pub response_head: &'a [u8],
    /// Body as received: transfer coding undone, content coding not.
    pub wire_body: &'a [u8],
    /// `Content-Encoding`, where the body has one.
    pub content_encoding: Option<&'a str>,
    /// Why the body is cut, where it is: `length`, `time`, `disconnect` or `unspecified`.
    pub truncated: Option<&'a str>,
}

/// Makes the request and response records. A body with a content coding goes into a stored member as it is; a plain
/// one is compressed.
#[must_use]
pub fn encode_capture(input: &CaptureInput) -> Capture {
    let head = response_head(input.response_head, input.wire_body.len());
    let payload_sha1: [u8; 20] = Sha1::digest(input.wire_body).into();
    let address = input.ip.map(|ip| ip.to_string()).unwrap_or_default();
    let record_id = derive_id(&[
        b"response",
        input.url.as_str().as_bytes(),
        &input.at.0.to_be_bytes(),
        address.as_bytes(),
        input.request_head,
        &head,
        &payload_sha1,
    ]);
    Capture {
        at: input.at,
        ip: input.ip,
        record_id,
        request: request_record(input, record_id),
        response: response_record(input, record_id, &head, payload_sha1),
        head,
        payload_sha1,
        truncated: input.truncated.is_some(),
    }
}

fn request_record(input: &CaptureInput, response_id: [u8; 16]) -> Vec<u8> {
    let mut header = Header::new("request", derive_id(&[b"request", &response_id]), input.at);
    header.target(input.url.as_str());
    header.address(input.ip);
    header.field("WARC-Concurrent-To", &uuid_urn(response_id));
    header.field("Content-Type", "application/http;msgtype=request");
    small_record(header, &request_head(input.request_head))
}

fn response_record(
    input: &CaptureInput,
    record_id: [u8; 16],
    head: &[u8],
    payload_sha1: [u8; 20],
) -> Vec<u8> {
    let mut header = Header::new("response", record_id, input.at);
    header.target(input.url.as_str());
    header.address(input.ip);
    header.field("WARC-Payload-Digest", &sha1_label(payload_sha1));
    if let Some(reason) = input.truncated {
        header.field("WARC-Truncated", truncation(reason));
    }
    header.field("Content-Type", "application/http;msgtype=response");
    let block_sha1 = Sha1::new().chain_update(head).chain_update(input.wire_body).finalize().into();
    let header = header.finish(block_sha1, head.len() + input.wire_body.len());
    let parts: [&[u8]; 4] = [header.as_bytes(), head, input.wire_body, b"\r\n\r\n"];
    let coded = input.content_encoding.is_some_and(|coding| !matches!(coding.trim(), "" | "identity"));
    if coded && !input.wire_body.is_empty() {
        stored_member(&parts)
    } else {
        compressed_member(&parts.concat())
    }
}

/// The reason as the format names it (ISO 28500 §5.13). A fetch that stopped at a limit on bytes, of the body or of what it
/// decodes to, stopped for its `length`; what is not known is `unspecified`.
fn truncation(reason: &str) -> &'static str {
    match reason {
        "length" | "body_limit" | "ratio" => "length",
        "time" => "time",
        "disconnect" => "disconnect",
        _ => "unspecified",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::warc::WarcReader;

    #[test]
    fn a_cut_body_says_why_in_the_words_of_the_format() {
        let url = CanonicalUrl::from_canonical("http://a.test/").unwrap();
        let table = [
            (None, None),
            (Some("body_limit"), Some("length")),
            (Some("ratio"), Some("length")),
            (Some("time"), Some("time")),
            (Some("broken_coding"), Some("unspecified")),
        ];
        for (truncated, expected) in table {
            let capture = encode_capture(&CaptureInput {
                url: &url,
                at: Timestamp(0),
                ip: None,
                request_head: b"GET / HTTP/1.1\r\n\r\n",
                response_head: b"HTTP/1.1 200 OK\r\n\r\n",
                wire_body: b"some of it",
                content_encoding: None,
                truncated,
            });
            let mut reader = WarcReader::new(std::io::Cursor::new(capture.response)).unwrap();
            assert_eq!(reader.next().unwrap().unwrap().header("WARC-Truncated"), expected);
        }
    }
}
