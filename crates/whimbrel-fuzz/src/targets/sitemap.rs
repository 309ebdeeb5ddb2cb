//! Sitemaps and feeds, packed or not. Laws: the limits hold; every URL is canonical; the list of problems is bounded.

use crate::target::{Shared, Target, answer, arguments, size, text, texts};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use whimbrel_types::CanonicalUrl;
use whimbrel_url::sitemap::{PROBLEMS_MAX, Sitemap, SitemapLimits, in_scope};

pub(super) const TARGET: Target = Target {
    name: "sitemap",
    run,
    seeds: || {
        let mut seeds = texts(&[
            "application/xml\x1f<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://a.test/x?a=1&amp;b=2</loc><lastmod>2024-01-02</lastmod><changefreq>daily</changefreq><priority>0.8</priority></url></urlset>",
            "text/xml\x1f<sitemapindex><sitemap><loc><![CDATA[http://a.test/s.xml]]></loc></sitemap></sitemapindex>",
            "text/plain\x1fhttp://a.test/1\nhttp://a.test/2\r\n",
            "application/rss+xml\x1f<rss version='2.0'><channel><link>http://a.test/</link><item><link>http://a.test/i</link><pubDate>Sun, 06 Nov 1994 08:49:37 GMT</pubDate><guid>http://a.test/g</guid></item></channel></rss>",
            "application/atom+xml\x1f<feed xmlns='http://www.w3.org/2005/Atom'><entry><link rel='alternate' href='/e'/><updated>2024-01-02T03:04:05Z</updated></entry></feed>",
            "text/xml\x1f<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><urlset><url><loc>http://a.test/&b;</loc></url>",
            "\x1f<rdf:RDF><item rdf:about='http://a.test/r'><dc:date>2024</dc:date></item></rdf:RDF>",
        ]);
        let mut packed = b"application/gzip\x1f".to_vec();
        packed.extend(gzip(b"<urlset><url><loc>http://a.test/z</loc></url></urlset>"));
        seeds.push(packed);
        seeds
    },
    tokens: &[
        "<urlset>",
        "<url>",
        "<loc>",
        "</loc>",
        "<lastmod>",
        "<sitemapindex>",
        "<sitemap>",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "&amp;",
        "&#x41;",
        "&#0;",
        "<!ENTITY ",
        "<!DOCTYPE ",
        "<rss>",
        "<item>",
        "<link>",
        "<feed>",
        "<entry>",
        "href='",
        "http://a.test/",
        "xmlns:x='",
        "<image:loc>",
        "/>",
        "<?xml encoding='utf-16'?>",
        "\u{feff}",
        "priority",
    ],
    shared: &[Shared { file: "sitemap/parse.jsonl", fields: &["content_type", "body|body_b64"] }],
    bytes_max: 4096,
    smoke_runs: 1500,
};

const PLACE: &str = "http://a.test/dir/sitemap.xml";

fn run(data: &[u8]) -> u64 {
    let [content_type, body] = arguments::<2>(data);
    let content_type = text(content_type);
    let limits = SitemapLimits { bytes_max: 6000, entries_max: 20 };
    let sitemap = Sitemap::parse(PLACE, Some(&content_type), body, limits);
    assert!(sitemap.entries.len() <= limits.entries_max, "too many entries");
    assert!(sitemap.problems.len() <= PROBLEMS_MAX, "too many problems");
    let mut inside = 0;
    for entry in &sitemap.entries {
        assert!(CanonicalUrl::from_canonical(entry.url.as_str()).is_some(), "{} is not canonical", entry.url);
        assert!(
            entry.priority.is_none_or(|priority| (0.0..=1.0).contains(&priority)),
            "{:?}",
            entry.priority
        );
        inside += usize::from(in_scope(PLACE, &entry.loc, None));
    }
    // Packing it changes nothing but where the limit falls.
    if body.len() < 3000 && !body.starts_with(&[0x1f, 0x8b]) && body.len() % 4 == 1 {
        let packed = Sitemap::parse(PLACE, Some(&content_type), &gzip(body), limits);
        assert_eq!(packed.entries, sitemap.entries, "packed");
    }
    answer((
        sitemap.kind.as_str(),
        size(sitemap.entries.len()),
        sitemap.truncated,
        size(inside),
        sitemap
            .problems
            .iter()
            .map(|problem| problem.kind.as_str())
            .collect::<std::collections::BTreeSet<_>>(),
    ))
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(plain).and_then(|()| encoder.finish()).expect("memory is written to")
}
