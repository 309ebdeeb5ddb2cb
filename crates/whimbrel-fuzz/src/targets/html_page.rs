//! Whole pages: character set, tree, links, text, facts, robots directives. Laws: every limit holds; every link is a
//! canonical URL; the same bytes give the same page.

use crate::target::{Shared, Target, answer, arguments, size, text, texts};
use whimbrel_page::{ParseInput, ParseLimits, Parsed, parse, visible_text};
use whimbrel_types::CanonicalUrl;

pub(super) const TARGET: Target = Target {
    name: "html_page",
    run,
    seeds: || {
        texts(&[
            "text/html; charset=utf-8\x1f<!doctype html><html lang=en><head><title>A title</title><base href=/b/><meta name=robots content=noindex><meta name=author content='A. N. Other'><link rel=canonical href=/c></head><body><nav><a href=x>x</a></nav><main><h1>Head</h1><p>Some words in a <b>sentence</b> with a <a href='../y?z' rel=nofollow>link</a>.</p><time datetime=2024-01-02>then</time></main><footer>end</footer></body></html>",
            "text/html\x1f<p><table><tr><td>a<b>b<p>c</table><svg><a xlink:href=q>t</a></svg><math><mi></math><template><a href=t></template>",
            "\x1f<frameset><frame src=a><noframes><a href=b></noframes></frameset>",
            "text/html\x1f<img srcset='a 1x, b 2x' src=c><iframe src=d></iframe><map><area href=e></map><meta http-equiv=refresh content='0;url=f'>",
            "text/html\x1f<a><b><i><u><a><b><i><p></a></b></i></p><script>x</script><style>y</style><textarea><a href=z></textarea><plaintext>",
            "text/plain\x1fjust words",
            "application/xhtml+xml\x1f<?xml version='1.0' encoding='latin1'?><html xmlns='http://www.w3.org/1999/xhtml'><body/></html>",
            "text/html\x1f<div itemscope itemtype=http://schema.org/Article><span itemprop=author>x</span><meta itemprop=datePublished content=2020-02-30></div>",
        ])
    },
    tokens: &[
        "<a href=",
        "<b>",
        "</b>",
        "<p>",
        "<table>",
        "<tr><td>",
        "</table>",
        "<svg>",
        "<math>",
        "<template>",
        "<select><option>",
        "<!--",
        "-->",
        "<![CDATA[",
        "<script>",
        "</script>",
        "<style>",
        "<title>",
        "<base href=",
        "<meta ",
        "charset=",
        "&amp;",
        "&#x0;",
        "&#x110000;",
        "&NotEqualTilde;",
        "<html",
        "<body",
        "<frameset>",
        "<form>",
        "<nobr>",
        "<font color=",
        "<applet>",
        "<plaintext>",
        "\0",
        "<li>",
        "<ruby><rt>",
        "<iframe srcdoc=",
        "http-equiv=",
        "content=",
        "<time datetime=",
        "itemprop=",
        "property=article:published_time ",
        "<noscript>",
        "</p>",
        "<dd><dt>",
    ],
    shared: &[
        Shared { file: "html/links.jsonl", fields: &["content_type", "html|html_b64"] },
        Shared { file: "html/tree.jsonl", fields: &["none", "html"] },
        Shared { file: "html/robots_meta.jsonl", fields: &["none", "html"] },
        Shared { file: "charset/declared.jsonl", fields: &["content_type", "body_b64"] },
    ],
    bytes_max: 8192,
    smoke_runs: 400,
};

fn limits() -> ParseLimits {
    ParseLimits {
        nodes_max: 2000,
        depth_max: 200,
        attributes_max: 50,
        links_max: 100,
        rejected_links_max: 20,
        text_bytes_max: 4000,
        headings_max: 10,
        embedded_links: true,
        ..ParseLimits::default()
    }
}

fn run(data: &[u8]) -> u64 {
    let [content_type, body] = arguments::<2>(data);
    let content_type = text(content_type);
    let content_type = (!content_type.is_empty()).then_some(&*content_type);
    let parsed = parse_bounded(content_type, body);
    let content = &parsed.content;
    let seen = answer((
        size(content.links.len()),
        size(parsed.embedded_links.len()),
        size(content.rejected_links.len()),
        size(content.text.len()),
        content.title.is_empty(),
        parsed.encoding.name(),
        parsed.problems.iter().map(|problem| problem.label()).collect::<Vec<_>>(),
        (
            size(content.word_count as usize),
            content.language.clone(),
            content.robots.noindex,
            content.author.is_some(),
        ),
    ));
    // Everything twice would halve the number of inputs; some of them are enough to see chance at work.
    if body.len() % 8 == 3 {
        let again = parse_bounded(content_type, body);
        assert_eq!(again.content, parsed.content, "parsed again");
        let whole = visible_text(&text(body));
        assert!(whole.len() <= body.len() * 12 + 64, "{} of {}", whole.len(), body.len());
    }
    seen
}

/// Parses with small limits and holds the result to them.
pub(super) fn parse_bounded(content_type: Option<&str>, body: &[u8]) -> Parsed {
    let url =
        CanonicalUrl::from_canonical("https://www.example.co.uk/dir/page.html").expect("it is canonical");
    let input = ParseInput { url: &url, content_type, body, x_robots_tag: &["noarchive"], agent: "whimbrel" };
    let limits = limits();
    let parsed = parse(&input, &limits);
    let content = &parsed.content;
    assert!(content.links.len() + parsed.embedded_links.len() <= limits.links_max * 2, "too many links");
    assert!(content.links.len() <= limits.links_max, "too many links");
    assert!(content.rejected_links.len() <= limits.rejected_links_max, "too many rejected links");
    assert!(content.text.len() <= limits.text_bytes_max, "text of {} bytes", content.text.len());
    assert!(content.headings.len() <= limits.headings_max, "too many headings");
    for link in content.links.iter().chain(&parsed.embedded_links) {
        let target = link.target.as_str();
        assert!(CanonicalUrl::from_canonical(target).is_some(), "{target} is not canonical");
        assert!((1..=10).contains(&link.position) || link.position <= 100, "position {}", link.position);
    }
    assert!(content.robots.noarchive, "the header was not heard");
    parsed
}
