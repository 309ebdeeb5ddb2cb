//! Markup that is well received by HTTP and deadly for careless parsers: depth, breadth, length, expansion.
//! Every page is one piece repeated a number of times between a beginning and an end.

use super::behavior::{Act, Behavior};
use super::script::{Script, fill};
use bytes::Bytes;
use std::fmt::Write;
use std::sync::LazyLock;

const PIECE_BYTES: usize = 16 << 10;

/// Pages that take time to write are written once: what they cost is to be the reader's doing.
static LINKS: LazyLock<Bytes> =
    LazyLock::new(|| written(100_000, |out, n| writeln!(out, "<a href=/l/{n}>l{n}</a>")));
static WORDS: LazyLock<Bytes> =
    LazyLock::new(|| written(1_000_000, |out, n| write!(out, "{:x} ", n.wrapping_mul(2_654_435_761))));
static HEADINGS: LazyLock<Bytes> =
    LazyLock::new(|| written(500_000, |out, n| write!(out, "<h2>Heading {n}</h2>")));

fn written(times: u32, mut piece: impl FnMut(&mut String, u32) -> std::fmt::Result) -> Bytes {
    let mut out = String::new();
    for n in 0..times {
        let _ = piece(&mut out, n);
    }
    out.into()
}

pub(super) const BEHAVIORS: &[Behavior] = &[
    Behavior {
        name: "elements-400k-nested",
        does: "nests 400,000 elements",
        held_by: "limits.nesting_max; deeper text is kept",
        seen_as: "limits: limits.nesting_max; the page is stored",
        act: Act::Pages(|_| page("Deep").times(400_000, "<div>").then("bathysphere")),
    },
    Behavior {
        name: "elements-formatting-unclosed",
        does: "opens 100,000 formatting elements across paragraphs and closes none",
        held_by: "limits.nodes_max counts rebuilt elements too",
        seen_as: "the page is stored",
        act: Act::Pages(|_| page("Formats").times(50_000, "<p><b><i><font size=1>x").then("<p>end")),
    },
    Behavior {
        name: "elements-tables-misnested",
        does: "misnests tables, so that text is moved out of each of them",
        held_by: "limits.nodes_max counts moved nodes too",
        seen_as: "the page is stored",
        act: Act::Pages(|_| page("Tables").times(60_000, "<table>x<tr>y<td><select><table>")),
    },
    Behavior {
        name: "attributes-200k",
        does: "gives one element 200,000 attributes",
        held_by: "limits.attributes_max",
        seen_as: "limits: limits.attributes_max; the page is stored",
        act: Act::Pages(|_| {
            let mut tag = String::from("<div");
            for n in 0..200_000 {
                let _ = write!(tag, " a{n}=b");
            }
            page("Attributes").then(tag + ">after the attributes")
        }),
    },
    Behavior {
        name: "attribute-endless",
        does: "opens an attribute value that never ends",
        held_by: "fetch.max_body",
        seen_as: "limits: fetch.max_body; the page is stored, cut",
        act: Act::Pages(|_| page("Attribute").then("<div title=\"").endless(fill("v", PIECE_BYTES))),
    },
    Behavior {
        name: "links-100k",
        does: "puts 100,000 links to as many pages on one page",
        held_by: "limits.links_max, limits.parsed_bytes_max, the queue on disk",
        seen_as: "limits: limits.links_max; the page is stored",
        act: Act::Pages(|ask| match ask.path.as_str() {
            "/" => page("Links").then(LINKS.clone()),
            path => Script::page(format!("<title>Leaf</title><p>the leaf {path}")),
        }),
    },
    Behavior {
        name: "links-of-2kb",
        does: "puts 20,000 links of two kilobytes each on one page",
        held_by: "limits.url_bytes_max, fetch.max_body",
        seen_as: "limits: fetch.max_body; the links are too long to be followed",
        act: Act::Pages(|_| {
            page("Long links").times(20_000, format!("<a href=\"/{}\">l</a>\n", "long".repeat(520)))
        }),
    },
    Behavior {
        name: "entities-expanding",
        does: "declares entities that would expand to gigabytes, and uses a million character references",
        held_by: "HTML declares no entities; a reference is one character",
        seen_as: "the page is stored",
        act: Act::Pages(|_| {
            let mut laughs = String::from("<!DOCTYPE lolz [<!ENTITY lol \"lol\">");
            for n in 1..10 {
                let uses = format!("&lol{};", n - 1).repeat(10);
                let _ = write!(laughs, "<!ENTITY lol{n} \"{uses}\">");
            }
            Script::open_page()
                .then(format!("{laughs}]><title>Entities</title><p>&lol9;"))
                .times(200_000, "&amp;&NotEqualTilde;&#x1F600;&#0;&#xD800; ")
        }),
    },
    Behavior {
        name: "comment-endless",
        does: "opens a comment that never ends",
        held_by: "fetch.max_body",
        seen_as: "limits: fetch.max_body; the page is stored, cut",
        act: Act::Pages(|_| {
            page("Comment").then("<p>before<!--").endless(fill("comment - -- ", PIECE_BYTES))
        }),
    },
    Behavior {
        name: "script-endless",
        does: "opens a script that never ends",
        held_by: "fetch.max_body",
        seen_as: "limits: fetch.max_body; the page is stored, cut",
        act: Act::Pages(|_| {
            page("Script").then("<p>before<script>").endless(fill("while(true){};", PIECE_BYTES))
        }),
    },
    Behavior {
        name: "title-10mb",
        does: "sends a title of ten megabytes",
        held_by: "a limit on the length of titles",
        seen_as: "the page is stored with the beginning of its title",
        act: Act::Pages(|_| {
            Script::open_page()
                .then("<title>")
                .times(640, fill("a title of many words ", PIECE_BYTES))
                .then("</title><p>x")
        }),
    },
    Behavior {
        name: "word-16mb",
        does: "sends one word of sixteen megabytes",
        held_by: "limits.parsed_bytes_max, limits.text_bytes_max, long words are not indexed",
        seen_as: "limits: limits.text_bytes_max; the page is stored",
        act: Act::Pages(|_| page("Word").then("<p>").times(1000, fill("w", PIECE_BYTES)).then(" end")),
    },
    Behavior {
        name: "words-million",
        does: "sends a million distinct words",
        held_by: "limits.parsed_bytes_max, limits.text_bytes_max",
        seen_as: "limits: limits.text_bytes_max; the page is stored",
        act: Act::Pages(|_| page("Words").then("<p>").then(WORDS.clone())),
    },
    Behavior {
        name: "headings-500k",
        does: "sends half a million headings, each with a word of its own",
        held_by: "limits.nodes_max, limits.headings_max; caches of words are bounded",
        seen_as: "limits: limits.headings_max; the page is stored",
        act: Act::Pages(|_| page("Headings").then(HEADINGS.clone())),
    },
    Behavior {
        name: "breaks-10m",
        does: "sends ten million empty elements",
        held_by: "fetch.max_body, limits.nodes_max",
        seen_as: "limits: fetch.max_body; the page is stored, cut",
        act: Act::Pages(|_| page("Breaks").times(2500, fill("<br>", PIECE_BYTES))),
    },
    Behavior {
        name: "headings-million",
        does: "sends a million headings and as many meta elements",
        held_by: "limits.headings_max, limits.nodes_max",
        seen_as: "the page is stored",
        act: Act::Pages(|_| {
            page("Headings")
                .times(100_000, "<h1>a heading</h1><meta name=robots content=noarchive><base href=/b/>")
        }),
    },
    Behavior {
        name: "json-ld-nested",
        does: "puts 200,000 nested arrays into a JSON-LD block",
        held_by: "a depth limit of the JSON reader",
        seen_as: "the page is stored",
        act: Act::Pages(|_| {
            page("Arrays")
                .then("<script type=\"application/ld+json\">")
                .times(200_000, "[")
                .then("</script><p>after the arrays")
        }),
    },
    Behavior {
        name: "base-hostile",
        does: "sets its base to javascript:, to another host and to nonsense",
        held_by: "only an http base counts; scope and address checks follow",
        seen_as: "nothing: links stay where the first http base says",
        act: Act::Pages(|ask| {
            page("Base").then(format!(
                "<base href=\"javascript:alert(1)//\"><base href=\"{}/\"><p><a href=\"relative\">on</a>",
                ask.stranger
            ))
        }),
    },
    Behavior {
        name: "markup-nul-and-noise",
        does: "fills markup with NUL bytes, unpaired brackets and half tags",
        held_by: "tree construction takes anything",
        seen_as: "the page is stored",
        act: Act::Pages(|_| {
            page("Noise").times(20_000, &b"<\0a <!-- <![CDATA[ ]]> </<>< <p \0='\" & &# <svg><math>"[..])
        }),
    },
];

fn page(title: &str) -> Script {
    Script::open_page()
        .then(format!("<!DOCTYPE html><html lang=en><head><title>{title}</title></head><body>"))
}
