use super::build::{TreeLimits, build};
use super::sink::ArenaSink;
use super::{AttributeName, DomTree, NodeId, Tag};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use proptest::prelude::*;

const LIMITS: TreeLimits =
    TreeLimits { nodes_max: 1 << 20, depth_max: 512, attributes_max: 256, attribute_bytes_max: 1 << 20 };

/// The tree as indented lines; kept attributes only.
fn dump(tree: &DomTree) -> String {
    let mut out = String::new();
    let mut after_text = false;
    for (node, depth) in tree.descendants(NodeId::ROOT) {
        let text = tree.tag(node) == Tag::TEXT;
        if text && after_text {
            out.push_str(&format!("{:?}", tree.text(node)));
        } else {
            out.push_str(&format!("\n{:depth$}", "", depth = depth as usize));
            if text {
                out.push_str(&format!("{:?}", tree.text(node)));
            } else {
                out.push_str(tree.name(tree.tag(node)));
            }
        }
        for stored in tree.stored_attributes(node) {
            out.push_str(&format!(" {:?}={:?}", stored.name, tree.value(stored)));
        }
        after_text = text;
    }
    out.replace("\"\"", "")
}

/// The same arena, filled by html5ever's own tokenizer.
fn reference(source: &str) -> DomTree {
    let options =
        TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..TreeBuilderOpts::default() };
    let tokenizer =
        Tokenizer::new(TreeBuilder::new(ArenaSink::with_capacity(0), options), TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(source));
    while !queue.is_empty() {
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    tokenizer.sink.sink.finish()
}

fn agrees(source: &str) {
    assert_eq!(dump(&build(source, LIMITS).tree), dump(&reference(source)), "{source:?}");
}

#[test]
fn our_tokenizer_agrees_with_html5ever_on_awkward_markup() {
    for source in [
        "",
        "plain & simple &amp; &lt;b&gt; &copy &notit; &#x80; &#0; &#xD800; &#99999999; &; &#; &#x; &#x;z",
        "<a href=?a&copy=1&amp;b&copy;>x</a><a href='&lt;'>y</a><a href=\"a\nb\">z",
        "<a href=x/y/>1</a><a href = 'q' / rel=\"a b\"id=c>2</a><a href>3</a><a =href=4>5</a><a href=>6</a>",
        "<p class=a class=b CLASS=c ID=X>dup</p><div / id=y></div><br/><img src=x/>",
        "<script>if (a<b) '<a href=x>' </scripty> <!-- <script> </script> --> </script>after",
        "<script><!-- x --></script>1<script><!--<script></script></script>2<script><!--></script>3<script><!---></script>4",
        "<script>unclosed <!-- <script> </script>",
        "<title>a &amp; b <b></titl></title><textarea>\n<p>&lt;</textarea><style>a>b</style><xmp><b></xmp>",
        "<!doctype html><!-- a --><!----><!--><p>1<!---><p>2<!--x--!><p>3<!-- -- --><p>4<!- x><p>5<!x>6<?php x ?>7</ x>8</>9",
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 3.2//EN\"><p><table><tr><td>quirk",
        "<!doctype><p><table>",
        "<!doctype html system 'x><p>1",
        "<!doctype html bogus><p><table>1",
        "a<b",
        "a<",
        "a</",
        "a</b",
        "a<!",
        "a<!-",
        "a<!--",
        "a<b c",
        "a<b c=",
        "a<b c='",
        "a<b c=d",
        "< a",
        "<1",
        "<\u{e9}",
        "<svg><title>t</title><a xlink:href=x href=y>l</a><![CDATA[ <b> ]]></svg><![CDATA[x]]>",
        "<math><mi>x<annotation-xml encoding=text/html><p>y",
        "nul\0in<p i\0d=1 id=a\0b>te\0xt<script>a\0b</script><title>c\0d</title>",
        "<plaintext><b>x</plaintext>",
        "<noscript><a href=x>y</a></noscript><iframe><a></iframe><noembed><a></noembed>",
        "<b><p>1</b>2<table><b>x<tr><td>y</table>z",
        "<select><option>1<b>2</select>",
        "<pre>\n\nx</pre><p>a\r\nb\rc",
        "<font color=red><svg><font color=x><p>y",
        "<template><a href=x></template>",
        "<frameset><frame src=x></frameset>",
        "<tr><td>x",
        "<li>1<li>2<dl><dt>a<dd>b<p>c<div>d</p>e",
    ] {
        agrees(&source.replace("\r\n", "\n").replace('\r', "\n"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn our_tokenizer_agrees_with_html5ever_on_any_mixture(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24)) {
        agrees(&pieces.concat());
    }
}

const PIECES: &[&str] = &[
    "<",
    ">",
    "/",
    "!",
    "--",
    "-",
    "=",
    "\"",
    "'",
    " ",
    "\n",
    "&",
    ";",
    "#",
    "x",
    "a",
    "\0",
    "é",
    "<a href=",
    "</a>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<title>",
    "</title>",
    "<b>",
    "</b>",
    "<p>",
    "<table>",
    "<td>",
    "</table>",
    "<svg>",
    "</svg>",
    "<![CDATA[",
    "]]>",
    "<div class='",
    "&amp",
    "&lt;",
    "&#65",
    "<!doctype html>",
    "<style>",
    "</style>",
    "<br/>",
    "script",
    "<textarea>",
    "</textarea>",
];

#[test]
fn a_second_body_tag_adds_what_the_first_lacks() {
    let tree = build("<body class=a><p>x<body class=b id=c>", LIMITS).tree;
    let body =
        tree.descendants(NodeId::ROOT).find(|(node, _)| tree.tag(*node) == Tag::BODY).expect("a body").0;
    assert_eq!(tree.attribute(body, AttributeName::Class), Some("a"));
    assert_eq!(tree.attribute(body, AttributeName::Id), Some("c"));
}

#[test]
fn children_names_and_depth_can_be_read() {
    let tree = build("<ul><li>1<li>2<x-y>3</x-y></ul>", LIMITS).tree;
    let (list, depth) =
        tree.descendants(NodeId::ROOT).find(|(node, _)| tree.tag(*node) == Tag::UL).expect("a list");
    assert_eq!((tree.children(list).count(), tree.depth(list)), (2, depth));
    let names: Vec<&str> = tree.descendants(list).map(|(node, _)| tree.name(tree.tag(node))).collect();
    assert_eq!(names, ["ul", "li", "#text", "li", "#text", "x-y", "#text"]);
    assert!(tree.bytes() < 1000);
}

#[test]
fn depth_nodes_and_attributes_end_at_their_limits() {
    let limits = TreeLimits { nodes_max: 5000, depth_max: 64, attributes_max: 16, ..LIMITS };
    let deep = build(&format!("{}text<a href=x>y", "<div>".repeat(400_000)), limits);
    assert!(deep.too_deep > 399_000);
    assert!(deep.tree.descendants(NodeId::ROOT).all(|(_, depth)| depth <= 70));
    assert!(deep.tree.text.contains("text"));
    assert!(build(&"<p>x".repeat(10_000), limits).nodes_cut);
    let tag = (0..200_000).map(|i| format!(" a{i}=1")).collect::<String>();
    assert_eq!(build(&format!("<p{tag} id=z>x"), limits).attributes_cut, 200_000 - 16 + 1);
}

#[test]
fn rebuilt_formatting_elements_cannot_make_a_page_quadratic() {
    let limits = TreeLimits { nodes_max: 50_000, ..LIMITS };
    let many: String = (0..300).map(|i| format!("<b id={i}>")).collect();
    let built = build(&format!("<p>{many}{}", "<p>x".repeat(20_000)), limits);
    assert!(built.nodes_cut);
    assert!(built.tree.node_count() < 60_000);
}
