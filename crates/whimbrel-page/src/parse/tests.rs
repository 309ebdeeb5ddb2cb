use super::{ParseInput, Parsed, parse};
use crate::limits::{Omission, ParseLimits, Problem};
use crate::sniff::SniffedType;
use proptest::prelude::*;
use whimbrel_types::{CanonicalUrl, Heading, PageFormat};

fn parse_as(body: &[u8], content_type: Option<&str>, limits: &ParseLimits) -> Parsed {
    let url = CanonicalUrl::from_canonical("http://e.com/d/p.html").expect("a canonical URL");
    parse(
        &ParseInput { url: &url, content_type, body, x_robots_tag: &["noarchive"], agent: "whimbrel" },
        limits,
    )
}

fn html(source: &str) -> Parsed {
    parse_as(source.as_bytes(), Some("text/html; charset=utf-8"), &ParseLimits::default())
}

#[test]
fn a_small_page_gives_all_its_fields() {
    let page = html(
        "<!doctype html><html lang=en-GB><head><title>Waders</title><meta name=description content='Birds of the shore'>\
         <link rel=canonical href=/waders></head><body><h1>Waders</h1><p>The  whimbrel\n<b>migrates</b> far.</p><h2>Food</h2>\
         <ul><li>crabs<li>worms</ul><pre>a\n  b</pre><table><tr><th>x<td>1<tr><th>y<td>2</table></body></html>",
    )
    .content;
    assert_eq!(page.format, PageFormat::Html);
    assert_eq!((page.title.as_str(), page.description.as_str()), ("Waders", "Birds of the shore"));
    assert_eq!(page.language.as_deref(), Some("en"));
    assert_eq!(page.canonical.map(|url| url.as_str().to_owned()).as_deref(), Some("http://e.com/waders"));
    assert_eq!(
        page.headings,
        [Heading { level: 1, text: "Waders".into() }, Heading { level: 2, text: "Food".into() }]
    );
    assert_eq!(page.text, "Waders\nThe whimbrel migrates far.\nFood\ncrabs\nworms\na\n  b\nx 1\ny 2");
    assert_eq!((page.word_count, page.navigation_text.as_str()), (14, ""));
    assert!(page.robots.noarchive && !page.robots.noindex);
}

#[test]
fn the_first_heading_stands_in_for_a_title() {
    assert_eq!(html("<h2>b</h2><h1>a</h1>").content.title, "a");
    assert_eq!(html("<title> </title><h2>b</h2>").content.title, "b");
    assert_eq!(html("<p>nothing").content.title, "");
}

#[test]
fn plain_text_stays_as_it_is() {
    let page = parse_as(
        b"\n\n  Title <b> line \n\n<a href=x>no link</a>\n",
        Some("text/plain"),
        &ParseLimits::default(),
    )
    .content;
    assert_eq!(page.format, PageFormat::Text);
    assert_eq!(page.title, "Title <b> line");
    assert_eq!(page.text, "\n\n  Title <b> line \n\n<a href=x>no link</a>");
    assert!(page.links.is_empty());
    assert_eq!(page.word_count, 6);
}

#[test]
fn text_and_structure_hashes_look_at_one_thing_each() {
    let base = html("<div><p>one</p><p>two</p></div>").content;
    let other_text = html("<div class=x><p>three</p><p>four</p></div>").content;
    let other_tags = html("<div><ul><li>one</li></ul><p>two</p></div>").content;
    assert_eq!(base.structure_hash, other_text.structure_hash);
    assert_ne!(base.text_hash, other_text.text_hash);
    assert_ne!(base.structure_hash, other_tags.structure_hash);
    assert_eq!(base.text_hash, other_tags.text_hash);
}

#[test]
fn structure_hash_tells_unknown_names_apart() {
    let a = html("<x-a></x-a><x-b></x-b>").content.structure_hash;
    let b = html("<x-b></x-b><x-a></x-a>").content.structure_hash;
    assert_ne!(a, b);
}

#[test]
fn limits_cut_and_are_reported() {
    let limits = ParseLimits {
        links_max: 3,
        text_bytes_max: 100,
        headings_max: 2,
        rejected_links_max: 1,
        ..ParseLimits::default()
    };
    let page = format!("{}{}", "<h1>h</h1><a href=x>y</a>".repeat(10), "word ".repeat(100));
    let parsed = parse_as(page.as_bytes(), Some("text/html"), &limits);
    assert_eq!(parsed.content.links.len(), 3);
    assert_eq!(parsed.content.headings.len(), 2);
    assert!(parsed.content.text.len() <= 100);
    assert_eq!(parsed.problems, [Problem::LinksCut(7), Problem::TextCut, Problem::HeadingsCut(8)]);
    let refused = parse_as("<a href='x:y'>1</a>".repeat(3).as_bytes(), Some("text/html"), &limits);
    assert_eq!(refused.problems, [Problem::RejectedLinksCut(2)]);
}

#[test]
fn single_values_are_shortened_and_reported() {
    let limits = ParseLimits {
        field_bytes_max: 20,
        anchor_text_bytes_max: 10,
        attribute_bytes_max: 50,
        statements_max: 2,
        json_ld_scripts_max: 1,
        json_ld_bytes_max: 30,
        ..ParseLimits::default()
    };
    let long = "word ".repeat(20);
    let script = "<script type=application/ld+json>{\"author\":\"Ann\"}</script>";
    let page = format!(
        "<title>{long}</title><h1>{long}</h1><a href=x>{long}</a><a href='{long}'>y</a><meta name=a><meta name=b><meta name=c>\
         {script}{script}<script type=application/ld+json>{long}{long}</script>"
    );
    let parsed = parse_as(page.as_bytes(), Some("text/html"), &limits);
    assert_eq!(parsed.problems, []);
    assert_eq!(
        parsed.omissions,
        [
            Omission::AttributeTooLong(1),
            Omission::AnchorTextCut(1),
            Omission::FieldsCut(2),
            Omission::StatementsCut(1),
            Omission::JsonLdCut(2)
        ]
    );
    assert_eq!(parsed.content.title, "word word word word");
    assert_eq!(parsed.content.links.len(), 1);
    assert_eq!(parsed.content.links[0].text, "word word ");
    assert_eq!(parsed.content.author.as_deref(), Some("Ann"));
    let labels: Vec<&str> = parsed.labels().collect();
    assert_eq!(
        labels,
        ["attribute_too_long", "anchor_text_cut", "fields_cut", "statements_cut", "json_ld_cut"]
    );
}

#[test]
fn binary_bodies_give_no_text_whatever_they_are_called() {
    for content_type in [Some("text/html"), Some("text/plain"), None] {
        let parsed = parse_as(
            b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR words <a href=x>y</a>",
            content_type,
            &ParseLimits::default(),
        );
        assert_eq!(parsed.sniffed, SniffedType::Image);
        assert_eq!((parsed.content.text.as_str(), parsed.content.links.len()), ("", 0));
        assert_eq!(parsed.labels().collect::<Vec<_>>(), ["binary"]);
        assert!(parsed.content.robots.noarchive, "headers still count");
    }
}

#[test]
fn embedded_references_are_bounded_too() {
    let limits = ParseLimits { links_max: 5, embedded_links: true, ..ParseLimits::default() };
    let set: String = (0..100).map(|i| format!("{i}.png {i}w,").replace("0w", "1w")).collect();
    let parsed = parse_as(format!("<img alt=words srcset='{set}'>").as_bytes(), Some("text/html"), &limits);
    assert_eq!(parsed.embedded_links.len(), 5);
    assert_eq!(parsed.embedded_links.iter().filter(|link| !link.text.is_empty()).count(), 1);
    assert_eq!(parsed.problems, [Problem::LinksCut(95)]);
}

#[test]
fn titles_hold_no_line_ends_or_markup() {
    let page = html("<title>a\r\nX-Injected: 1\n<script>alert(1)</script>&lt;b&gt;\0</title>");
    assert_eq!(page.content.title, "a X-Injected: 1 <script>alert(1)</script><b>\u{FFFD}");
}

/// Twice the input costs about twice the nodes, never four times.
#[test]
fn hostile_pages_cost_what_their_length_says() {
    let limits = ParseLimits::default();
    let nodes = |source: String| {
        let parsed = parse_as(source.as_bytes(), Some("text/html"), &limits);
        parsed.tree.node_count()
    };
    for piece in [
        "<div>",
        "<b><p>",
        "<a><div>",
        "<table>",
        "<table><tr><td>",
        "<template>",
        "<select><option>",
        "<svg><foreignObject>",
        "<math><mi>",
        "<ul><li>",
        "<font color=x><p>",
        "<button><p>",
        "</p>",
        "</br>",
        "<title>x",
        "<!--x",
        "&amp;",
        "&unknown",
        "<textarea>x",
        "\0",
        "<a href=x>y</a>",
        "<frameset>",
        "<object><param>",
    ] {
        let (once, twice) = (nodes(piece.repeat(1000)), nodes(piece.repeat(2000)));
        assert!(twice <= once * 3 + 200, "{piece}: {once} nodes, then {twice}");
    }
}

#[test]
fn hostile_pages_end_in_time_and_within_limits() {
    let limits = ParseLimits { nodes_max: 30_000, links_max: 10_000, ..ParseLimits::default() };
    let many_links = (0..20_000).map(|i| format!("<a href={i}>{i}</a>")).collect::<String>();
    for source in [
        "<div>".repeat(30_000),
        "<b><i><font>".repeat(8_000),
        "<a>".repeat(15_000),
        "<table><tr><td>".repeat(5_000),
        "<svg><g>".repeat(8_000),
        "<p>&amp;&#x;&notanentity".repeat(10_000),
        "<!--".repeat(20_000),
        "<template>".repeat(8_000),
        "<select><optgroup>".repeat(8_000),
        "<table>".repeat(10_000),
        "&amp;".repeat(100_000),
        format!("&{};", "x".repeat(1 << 18)),
        format!("<title>{}", "x".repeat(1 << 18)),
        format!("<a href='{}", "x".repeat(1 << 18)),
        format!("<script>{}", "<!-- ".repeat(100_000)),
        format!("<p{}>x", " a=1".repeat(30_000)),
        many_links,
        "\0".repeat(20_000),
        format!("<p>{}</p>{}", "A sentence, of words. ".repeat(20), "<p>Tags</p>".repeat(20_000)),
        format!("<p>{}</p>{}", "A sentence, of words. ".repeat(20), "<h3>Related</h3><p>x".repeat(10_000)),
        format!(
            "<title>{0}</title><h1>{0}</h1><p>A sentence, of some words, that is long enough to be one.",
            "a b ".repeat(20_000)
        ),
        format!(
            "<script type=application/ld+json>[{}1]</script>",
            "{\"@type\":\"Article\",\"author\":{\"@id\":\"x\"}},".repeat(2000)
        ),
        "<script>".repeat(10_000),
    ] {
        let parsed = parse_as(source.as_bytes(), Some("text/html"), &limits);
        assert!(parsed.content.links.len() <= limits.links_max);
    }
}

#[test]
fn pages_with_text_have_a_main_text() {
    for source in [
        "<nav>only navigation</nav>",
        "<footer>x</footer>",
        "<ul><li><a href=x>a</a></ul>",
        "<div class=sidebar>text</div>",
        "x",
    ] {
        assert!(!html(source).content.text.is_empty(), "{source}");
    }
    assert_eq!(html("<p hidden>secret</p>").content.text, "");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(body in prop::collection::vec(any::<u8>(), 0..600), kind in prop::sample::select(&[None, Some("text/html"), Some("text/plain"), Some("text/html; charset=shift_jis")])) {
        let limits = ParseLimits { links_max: 5, depth_max: 8, nodes_max: 200, text_bytes_max: 300, embedded_links: true, ..ParseLimits::default() };
        let parsed = parse_as(&body, kind, &limits);
        prop_assert!(parsed.content.links.len() <= 5 && parsed.content.text.len() <= 300);
    }

    #[test]
    fn mutated_pages_never_panic(cuts in prop::collection::vec((0usize..PAGE.len(), any::<u8>()), 0..12), end in 0usize..PAGE.len()) {
        let mut body = PAGE.as_bytes().to_vec();
        for (at, byte) in cuts {
            body[at] = byte;
        }
        body.truncate(end);
        let limits = ParseLimits { links_max: 2, embedded_links: true, ..ParseLimits::default() };
        let parsed = parse_as(&body, None, &limits);
        prop_assert!(parsed.content.links.len() <= 2);
        prop_assert_eq!(parsed.content.word_count > 0, !parsed.content.text.is_empty());
    }
}

const PAGE: &str = "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>T &amp; t</title><base href='/b/'>\
<meta name=robots content='noindex, unavailable_after: 2030-01-01'><script type='application/ld+json'>{\"author\":\"A\"}</script></head>\
<body><nav class='menu'><a href=1>one</a></nav><main><h1>Head</h1><p>Some <b>bold <a href='two?x=1#f'>l<i>i</i>nk</a></b>, text.</p>\
<pre>\n a\n  b</pre><table><tr><td>c<td>d</table><img src=i alt='x y' srcset='a 1x, b 2x'><svg><a xlink:href=z>q</a></svg></main>\
<footer style='display:none'>f &copy; 2024</footer></body></html>";
