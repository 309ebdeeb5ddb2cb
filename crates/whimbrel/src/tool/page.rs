//! `extract`, `page-links`: a whole page as the crawler reads it; and the page parsing that other tools share.

use super::{Reply, Request, Tool};
use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use whimbrel_page::{ParseInput, ParseLimits, Parsed, Reference};
use whimbrel_types::{CanonicalUrl, LinkKind};

pub const EXTRACT: Tool = Tool {
    name: "extract",
    summary: "Main text of a page without navigation; title, author, dates, language",
    input: &[
        ("url", "where the page is"),
        ("html", "the page; as html_b64 when it is not UTF-8"),
        ("content_type", "the Content-Type header; UTF-8 is taken for html when it is left out"),
    ],
    output: &[
        ("text", "main text, blocks on lines of their own"),
        ("title", "the title; the first heading when there is none"),
        ("author", "who wrote it, or null"),
        ("published", "when it was first published, or null"),
        ("modified", "when it was last changed, or null"),
        ("language", "ISO 639-1 code, declared or detected, or null"),
        ("description", "the page's description of itself"),
        ("problems", "limits that were reached"),
    ],
    example: r#"{"id":1,"url":"http://example.org/","html":"<title>Curlews</title><nav><a href=/>Home</a></nav><main><p>The whimbrel breeds in the north and winters on warm coasts.</p></main>"}"#,
    example_reply: r#"{"id":1,"text":"The whimbrel breeds in the north and winters on warm coasts.","title":"Curlews","author":null,"published":null,"modified":null,"language":"en","description":"","problems":[]}"#,
    answer: extract,
};

fn extract(request: &Request) -> Result<Reply, String> {
    let page = parsed(request, "url")?;
    let content = page.content;
    let time = |at: Option<whimbrel_types::Timestamp>| at.map(|at| at.to_string());
    let problems: Vec<Value> = page.problems.iter().map(|problem| problem.label().into()).collect();
    Ok(Reply::new()
        .with("text", content.text)
        .with("title", content.title)
        .with("author", content.author)
        .with("published", time(content.published))
        .with("modified", time(content.modified))
        .with("language", content.language)
        .with("description", content.description)
        .with("problems", problems))
}

pub const LINKS: Tool = Tool {
    name: "page-links",
    summary: "All links of a page, whatever it says to robots, and what it embeds",
    input: &[
        ("url", "where the page is"),
        ("html", "the page; as html_b64 when it is not UTF-8"),
        ("content_type", "the Content-Type header; UTF-8 is taken for html when it is left out"),
    ],
    output: &[
        ("links", "URLs of a and area as a browser resolves them, in order, each once"),
        ("embedded", "URLs of frames, images, link elements and refreshes, as {url, kind}"),
    ],
    example: r#"{"id":1,"url":"http://example.org/a/","html":"<base href=/b/><a href=c>c</a><img src=d.png>"}"#,
    example_reply: r#"{"id":1,"links":["http://example.org/b/c"],"embedded":[{"kind":"image","url":"http://example.org/b/d.png"}]}"#,
    answer: links,
};

fn links(request: &Request) -> Result<Reply, String> {
    let (page, references) = parsed_with_references(request, "url")?;
    let embedded: Vec<Value> = page
        .embedded_links
        .iter()
        .map(|link| json!({ "url": link.target.as_str(), "kind": kind(link.kind) }))
        .collect();
    let anchors = references.iter().filter(|found| found.kind != LinkKind::Frame);
    Ok(Reply::new()
        .with("links", each_once(anchors.map(|found| found.url.as_str())))
        .with("embedded", embedded))
}

/// The page of a request, with everything it refers to.
pub fn parsed(request: &Request, url_field: &str) -> Result<Parsed, String> {
    Ok(parsed_with_references(request, url_field)?.0)
}

/// The page of a request, and its references as a browser has them.
pub fn parsed_with_references(
    request: &Request,
    url_field: &str,
) -> Result<(Parsed, Vec<Reference>), String> {
    let url = request.text(url_field)?;
    let url = whimbrel_url::normalize(&url)
        .map_err(|reason| format!("the field {url_field} is no http URL: {reason}"))?;
    let input = ParseInput {
        url: &url,
        content_type: content_type(request, "html")?,
        body: &request.bytes("html")?,
        x_robots_tag: &[],
        agent: crate::config::checked::AGENT_TOKEN,
    };
    let limits = ParseLimits { embedded_links: true, ..ParseLimits::default() };
    let page = whimbrel_page::parse(&input, &limits);
    let references = whimbrel_page::references(&page, &url, &limits);
    Ok((page, references))
}

/// The `Content-Type` of a request, HTML when none is given. Text that came as a JSON string is UTF-8 then.
pub fn content_type<'a>(request: &'a Request, body_field: &str) -> Result<Option<&'a str>, String> {
    let given = request.plain_text("content_type")?;
    let default = if request.is_encoded(body_field) { "text/html" } else { "text/html; charset=utf-8" };
    Ok(given.or(Some(default)))
}

/// A page that is nowhere, for what does not depend on the place.
pub fn nowhere() -> CanonicalUrl {
    whimbrel_url::normalize("http://localhost/").expect("a URL in normal form")
}

/// The element's name.
pub fn kind(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Anchor => "a",
        LinkKind::Area => "area",
        LinkKind::Head => "link",
        LinkKind::Frame => "frame",
        LinkKind::Image => "image",
        LinkKind::Refresh => "refresh",
        LinkKind::Redirect => "redirect",
    }
}

/// Without repetitions, in order.
pub fn each_once<'a>(urls: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = FxHashSet::default();
    urls.filter(|url| seen.insert(*url)).collect()
}
