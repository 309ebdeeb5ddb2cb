//! `html-links`, `html-text`, `meta-refresh`, `srcset`: what is read out of HTML.

use super::{Reply, Request, Tool};
use serde_json::{Value, json};
use whimbrel_types::{LinkKind, LinkRel};

pub const LINKS: Tool = Tool {
    name: "html-links",
    summary: "Links of a page (a, area, frame, iframe), its title and canonical URL",
    input: &[
        ("base_url", "where the page is"),
        ("html", "the page; as html_b64 when it is not UTF-8"),
        ("content_type", "the Content-Type header; UTF-8 is taken for html when it is left out"),
        ("nofollow_obeyed", "true to leave out links with rel=nofollow, ugc or sponsored"),
    ],
    output: &[
        ("links", "URLs as a browser resolves them, in order, each once; none when the page says nofollow"),
        ("title", "the title, or null"),
        ("canonical", "the URL of link rel=canonical, or null"),
        ("details", "links to other pages with normal_form, kind, text, nofollow, in_navigation"),
        ("refused", "references that are no http URLs, with the reason"),
    ],
    example: r#"{"id":1,"base_url":"http://example.org/a/","html":"<title>T</title><a href=b rel=ugc>to b</a>"}"#,
    example_reply: r#"{"id":1,"links":["http://example.org/a/b"],"title":"T","canonical":null,"details":[{"in_navigation":false,"kind":"a","nofollow":true,"normal_form":"http://example.org/a/b","text":"to b"}],"refused":[]}"#,
    answer: links,
};

fn links(request: &Request) -> Result<Reply, String> {
    let obeyed = request.flag("nofollow_obeyed")?;
    let (page, references) = super::page::parsed_with_references(request, "base_url")?;
    let followed = |rel: LinkRel| !(page.content.robots.nofollow || obeyed && rel.says_no());
    let frames = page.embedded_links.iter().filter(|link| link.kind == LinkKind::Frame);
    let details: Vec<Value> = page
        .content
        .links
        .iter()
        .chain(frames)
        .filter(|link| followed(link.rel))
        .map(|link| {
            json!({
                "normal_form": link.target.as_str(),
                "kind": super::page::kind(link.kind),
                "text": link.text,
                "nofollow": link.rel.says_no(),
                "in_navigation": link.in_navigation,
            })
        })
        .collect();
    let links = references.iter().filter(|found| followed(found.rel)).map(|found| found.url.as_str());
    let refused = page.content.rejected_links.iter();
    let refused: Vec<Value> =
        refused.map(|(href, reason)| json!({ "href": href, "reason": reason.label() })).collect();
    let title = &page.content.title;
    Ok(Reply::new()
        .with("links", super::page::each_once(links))
        .with("title", (!title.is_empty()).then_some(title.as_str()))
        .with("canonical", page.content.canonical.as_ref().map(|url| url.as_str()))
        .with("details", details)
        .with("refused", refused))
}

pub const TEXT: Tool = Tool {
    name: "html-text",
    summary: "All visible text of a page, in document order (HTML standard §13.2)",
    input: &[("html", "the page; as html_b64 when it is not UTF-8")],
    output: &[(
        "text",
        "everything a reader sees: no scripts, styles, templates, frames, form fields, title",
    )],
    example: r#"{"id":1,"html":"<title>T</title><p>One<script>x()</script><p>two"}"#,
    example_reply: r#"{"id":1,"text":"One two"}"#,
    answer: text,
};

fn text(request: &Request) -> Result<Reply, String> {
    let html = request.bytes("html")?;
    let content_type = super::page::content_type(request, "html")?;
    let (html, _, _) = whimbrel_page::charset::decode(&html, content_type, None);
    Ok(Reply::new().with("text", whimbrel_page::visible_text(&html)))
}

pub const META_REFRESH: Tool = Tool {
    name: "meta-refresh",
    summary: "The content of a meta refresh: when and where to (HTML standard §4.2.5.3)",
    input: &[("content", "the attribute's value")],
    output: &[(
        "refresh",
        "{seconds, url}, url as written and null for the page itself; null when it is none",
    )],
    example: r#"{"id":1,"content":"5; url='next.html'"}"#,
    example_reply: r#"{"id":1,"refresh":{"seconds":5,"url":"next.html"}}"#,
    answer: meta_refresh,
};

fn meta_refresh(request: &Request) -> Result<Reply, String> {
    let content = request.text("content")?;
    let refresh = whimbrel_page::parse_refresh(&content);
    Ok(Reply::new()
        .with("refresh", refresh.map(|found| json!({ "seconds": found.seconds, "url": found.url }))))
}

pub const SRCSET: Tool = Tool {
    name: "srcset",
    summary: "The image URLs of a srcset attribute (HTML standard §4.8.4.2.2)",
    input: &[("srcset", "the attribute's value")],
    output: &[("candidates", "URLs in order, as written; candidates with a wrong descriptor are left out")],
    example: r#"{"id":1,"srcset":"small.png 1x, large.png 2x, odd.png 3y"}"#,
    example_reply: r#"{"id":1,"candidates":["small.png","large.png"]}"#,
    answer: srcset,
};

fn srcset(request: &Request) -> Result<Reply, String> {
    let srcset = request.text("srcset")?;
    Ok(Reply::new().with("candidates", whimbrel_page::srcset::candidates(&srcset)))
}
