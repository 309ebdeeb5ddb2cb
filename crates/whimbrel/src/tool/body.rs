//! `content-encoding`: a body as it came over the wire, unpacked.

use super::{Reply, Request, Tool};
use data_encoding::BASE64;
use whimbrel_fetch::{DecodeLimits, decode_body};
use whimbrel_page::duplicate::digest::{DigestKind, hex};

/// Codings on top of each other, as the crawler's own default has it.
const CODINGS_MAX: usize = 3;

pub const CONTENT_ENCODING: Tool = Tool {
    name: "content-encoding",
    summary: "A body without gzip, deflate, br, zstd, also chained or cut off",
    input: &[
        ("content_encoding", "the header's value; none when left out"),
        ("body", "the body as it came, in base64 as body_b64"),
        ("decoded_bytes_max", "most bytes to unpack; 16 MiB when left out"),
        ("body_wanted", "true to have the unpacked bytes too"),
    ],
    output: &[
        ("length", "unpacked bytes"),
        ("sha256", "their SHA-256 in hexadecimal"),
        ("truncated", "true when they are not all that was packed"),
        ("cut", "why not: body_limit, ratio or broken_coding; else null"),
        ("error", "why nothing can be unpacked; only when that is so"),
        ("body_b64", "the unpacked bytes, when wanted"),
    ],
    example: r#"{"id":1,"content_encoding":"gzip","body_b64":"H4sIAAAAAAACAyvPyMxNKkrNAQArmWOvCAAAAA==","body_wanted":true}"#,
    example_reply: r#"{"id":1,"length":8,"sha256":"5ea054f57a755ee9daf36bb1dc0a0411c8a8dad2a9f83a944bd941d2e22a570f","truncated":false,"cut":null,"body_b64":"d2hpbWJyZWw="}"#,
    answer: content_encoding,
};

fn content_encoding(request: &Request) -> Result<Reply, String> {
    let coding = request.optional_text("content_encoding")?.unwrap_or_default();
    let body = request.bytes("body")?;
    let mut limits = DecodeLimits::default();
    if let Some(bytes_max) = request.optional_number("decoded_bytes_max")? {
        limits.decoded_bytes_max = bytes_max;
    }
    let decoded = decode_body(&coding, &body, CODINGS_MAX, limits);
    let reply = Reply::new()
        .with("length", decoded.bytes.len())
        .with("sha256", hex(DigestKind::Sha256, &decoded.bytes))
        .with("truncated", decoded.cut.is_some())
        .with("cut", decoded.cut.map(|cut| cut.as_str()));
    let reply = match decoded.fault {
        Some(fault) => reply.with("error", fault.to_string()),
        None => reply,
    };
    Ok(if request.flag("body_wanted")? {
        reply.with("body_b64", BASE64.encode(&decoded.bytes))
    } else {
        reply
    })
}
