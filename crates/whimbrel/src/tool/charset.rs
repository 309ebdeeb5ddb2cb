//! `charset`, `charset-detect`, `charset-label`, `content-type`: which characters the bytes mean.

use super::{Reply, Request, Tool};
use encoding_rs::Encoding;
use whimbrel_page::charset::{self, CharsetSource};
use whimbrel_page::media_type::MediaType;
use whimbrel_page::sniff::sniff;

pub const CHARSET: Tool = Tool {
    name: "charset",
    summary: "A page's charset by mark, header, declaration or guess, and its text",
    input: &[
        ("body", "the page; as body_b64 when it is not UTF-8"),
        ("content_type", "the Content-Type header"),
        ("host", "host name, whose last label is a hint for the guess"),
    ],
    output: &[
        ("encoding", "name of the Encoding standard"),
        ("source", "byte-order-mark, header, meta or guess"),
        ("text", "the decoded page"),
    ],
    example: r#"{"id":1,"content_type":"text/html","body_b64":"PG1ldGEgY2hhcnNldD1pc28tODg1OS0xPuQ="}"#,
    example_reply: r#"{"id":1,"encoding":"windows-1252","source":"meta","text":"<meta charset=iso-8859-1>ä"}"#,
    answer: declared,
};

fn declared(request: &Request) -> Result<Reply, String> {
    let body = request.bytes("body")?;
    let host = request.optional_text("host")?;
    let tld = host.as_deref().and_then(|host| host.rsplit('.').next());
    let (text, encoding, source) = charset::decode(&body, request.plain_text("content_type")?, tld);
    let source = match source {
        CharsetSource::ByteOrderMark => "byte-order-mark",
        CharsetSource::Header => "header",
        CharsetSource::Meta => "meta",
        CharsetSource::Guess => "guess",
    };
    Ok(Reply::new().with("encoding", encoding.name()).with("source", source).with("text", text.into_owned()))
}

pub const DETECT: Tool = Tool {
    name: "charset-detect",
    summary: "The charset that bytes look like, whatever is said about them",
    input: &[
        ("body", "the bytes; as body_b64 when they are not UTF-8"),
        ("host", "host name, whose last label is a hint"),
    ],
    output: &[("encoding", "name of the Encoding standard"), ("text", "the bytes read in it")],
    example: r#"{"id":1,"body_b64":"z/Do4uXyLCDs6PAhIMrg6iDk5evgPw=="}"#,
    example_reply: r#"{"id":1,"encoding":"windows-1251","text":"Привет, мир! Как дела?"}"#,
    answer: detect,
};

fn detect(request: &Request) -> Result<Reply, String> {
    let body = request.bytes("body")?;
    let host = request.optional_text("host")?;
    let tld = host.as_deref().and_then(|host| host.rsplit('.').next());
    let encoding = charset::guess(&body, tld);
    let (text, _) = encoding.decode_without_bom_handling(&body);
    Ok(Reply::new().with("encoding", encoding.name()).with("text", text.into_owned()))
}

pub const LABEL: Tool = Tool {
    name: "charset-label",
    summary: "The encoding that a label names (Encoding standard §4.2)",
    input: &[("label", "the label, in any case")],
    output: &[("encoding", "its name, or null")],
    example: r#"{"id":1,"label":" latin1 "}"#,
    example_reply: r#"{"id":1,"encoding":"windows-1252"}"#,
    answer: label,
};

fn label(request: &Request) -> Result<Reply, String> {
    let label = request.text("label")?;
    Ok(Reply::new().with("encoding", Encoding::for_label(label.as_bytes()).map(Encoding::name)))
}

pub const CONTENT_TYPE: Tool = Tool {
    name: "content-type",
    summary: "A Content-Type value; with a body, what that really is (MIME Sniffing)",
    input: &[
        ("input", "the header's value"),
        ("body", "the beginning of the body, to be sniffed; as body_b64 when it is not UTF-8"),
    ],
    output: &[
        ("encoding", "the encoding that its charset names, or null"),
        ("serialized", "the value as the standard writes it, or null when it is no media type"),
        ("essence", "type and subtype in lower case, or null"),
        ("sniffed", "html, xml, text, document, image, media, font, archive or binary; only with a body"),
    ],
    example: r#"{"id":1,"input":"Text/HTML; charset=\"GBK\""}"#,
    example_reply: r#"{"id":1,"encoding":"GBK","serialized":"text/html;charset=GBK","essence":"text/html"}"#,
    answer: content_type,
};

fn content_type(request: &Request) -> Result<Reply, String> {
    let input = request.text("input")?;
    let media_type = MediaType::parse(&input);
    let media_type = media_type.as_ref();
    let reply = Reply::new()
        .with("encoding", media_type.and_then(MediaType::encoding).map(Encoding::name))
        .with("serialized", media_type.map(ToString::to_string))
        .with("essence", media_type.map(MediaType::essence));
    Ok(if request.has("body") {
        reply.with("sniffed", sniff(Some(&input), &request.bytes("body")?).label())
    } else {
        reply
    })
}
