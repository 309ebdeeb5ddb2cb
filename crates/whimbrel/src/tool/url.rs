//! `url-parse`, `url-resolve`, `url-normalize`, `url-query-encoding`: what a URL is.

use super::{Reply, Request, Tool};
use serde_json::Value;
use whimbrel_types::CanonicalUrl;
use whimbrel_url::{ParsedUrl, parse_url};

pub const PARSE: Tool = Tool {
    name: "url-parse",
    summary: "A URL, on a base or not, parsed and taken apart (URL standard §4.4)",
    input: &[("input", "the URL or reference"), ("base", "an absolute URL, or null")],
    output: &[
        ("href", "the URL, or null when it is none"),
        ("protocol", "scheme with its colon; all parts below only when there is a URL"),
        ("username", "user name"),
        ("password", "password"),
        ("host", "host and port"),
        ("hostname", "host"),
        ("port", "port, empty when it is the scheme's"),
        ("pathname", "path"),
        ("search", "query with its ?"),
        ("hash", "fragment with its #"),
    ],
    example: r##"{"id":1,"input":"../c?d#e","base":"HTTP://user@Example.ORG:80/a/b"}"##,
    example_reply: r##"{"id":1,"href":"http://user@example.org/c?d#e","protocol":"http:","username":"user","password":"","host":"example.org","hostname":"example.org","port":"","pathname":"/c","search":"?d","hash":"#e"}"##,
    answer: parse,
};

fn parse(request: &Request) -> Result<Reply, String> {
    let input = request.text("input")?;
    let base = request.optional_text("base")?;
    let Some(url) = parse_url(&input, base.as_deref()) else {
        return Ok(Reply::new().with("href", Value::Null));
    };
    Ok(Reply::new()
        .with("href", url.href())
        .with("protocol", url.protocol())
        .with("username", url.username())
        .with("password", url.password())
        .with("host", url.host())
        .with("hostname", url.hostname())
        .with("port", url.port())
        .with("pathname", url.pathname())
        .with("search", url.search())
        .with("hash", url.hash()))
}

pub const RESOLVE: Tool = Tool {
    name: "url-resolve",
    summary: "A reference resolved against a base (URL standard; RFC 3986 §5)",
    input: &[("reference", "as it stands in a page"), ("base", "an absolute URL")],
    output: &[
        ("url", "the absolute URL, or null when it is none"),
        ("normal_form", "the key it is crawled under, or null"),
    ],
    example: r#"{"id":1,"reference":"../g?y#s","base":"http://a/b/c/d;p?q"}"#,
    example_reply: r#"{"id":1,"url":"http://a/b/g?y#s","normal_form":"http://a/b/g?y"}"#,
    answer: resolve,
};

fn resolve(request: &Request) -> Result<Reply, String> {
    let reference = request.text("reference")?;
    let base = request.text("base")?;
    let url = parse_url(&reference, Some(&base));
    let normal = url.as_ref().and_then(|url| whimbrel_url::normalize_parsed(url).ok());
    Ok(Reply::new()
        .with("url", url.as_ref().map(ParsedUrl::href))
        .with("normal_form", normal.as_ref().map(|url| url.as_str())))
}

pub const NORMALIZE: Tool = Tool {
    name: "url-normalize",
    summary: "The normal forms under which URLs are known (RFC 3986 §6)",
    input: &[("a", "a URL"), ("b", "another one, which may be left out")],
    output: &[
        ("a", "the normal form of a, or null when it is not crawled"),
        ("b", "that of b"),
        ("same", "whether both are one page to the crawler"),
    ],
    example: r##"{"id":1,"a":"HTTP://Example.org:80/%7Ejoe/./x#y","b":"http://example.org/~joe/x"}"##,
    example_reply: r#"{"id":1,"a":"http://example.org/~joe/x","b":"http://example.org/~joe/x","same":true}"#,
    answer: normalize,
};

fn normalize(request: &Request) -> Result<Reply, String> {
    let form = |text: &str| whimbrel_url::normalize(text).ok();
    let a = form(&request.text("a")?);
    let b = request.optional_text("b")?.map(|text| form(&text));
    let value = |url: &Option<CanonicalUrl>| Value::from(url.as_ref().map(|url| url.as_str()));
    let reply = Reply::new().with("a", value(&a));
    Ok(match b {
        Some(b) => reply.with("b", value(&b)).with("same", a.is_some() && a == b),
        None => reply,
    })
}

pub const QUERY_ENCODING: Tool = Tool {
    name: "url-query-encoding",
    summary: "A query as a page in some charset sends it (URL standard §1.3)",
    input: &[
        ("query_input", "the query without its ?"),
        ("document_encoding", "label of the page's charset"),
    ],
    output: &[("query", "the percent-encoded query")],
    example: r#"{"id":1,"query_input":"q=ä€","document_encoding":"windows-1252"}"#,
    example_reply: r#"{"id":1,"query":"q=%E4%80"}"#,
    answer: query_encoding,
};

fn query_encoding(request: &Request) -> Result<Reply, String> {
    let label = request.text("document_encoding")?;
    let query = whimbrel_url::encode_query(&request.text("query_input")?, &label)
        .ok_or_else(|| format!("the field document_encoding names no known charset: {label}"))?;
    Ok(Reply::new().with("query", query))
}
