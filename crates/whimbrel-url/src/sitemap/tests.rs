use super::{ChangeFrequency, ProblemKind, Sitemap, SitemapKind, SitemapLimits};
use crate::date::DatePrecision;

const URL: &str = "http://www.example.com/sitemap.xml";

fn parse(document: &str) -> Sitemap {
    Sitemap::parse(URL, None, document.as_bytes(), SitemapLimits::default())
}

fn locations(sitemap: &Sitemap) -> Vec<&str> {
    sitemap.entries.iter().map(|entry| entry.loc.as_str()).collect()
}

fn kinds(sitemap: &Sitemap) -> Vec<ProblemKind> {
    sitemap.problems.iter().map(|problem| problem.kind).collect()
}

/// Reads the entries inside a urlset.
fn urlset(entries: &str) -> Sitemap {
    let sitemap = parse(&format!(
        "<?xml version='1.0' encoding='UTF-8'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
         xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>{entries}</urlset>"
    ));
    assert_eq!(sitemap.kind, SitemapKind::Urlset);
    sitemap
}

#[test]
fn a_urlset_gives_all_that_the_protocol_has() {
    let sitemap = urlset(
        "<url><loc>http://e.com/?a=1&amp;b=2#c</loc><lastmod>2005-01-01</lastmod>\
         <changefreq>Monthly</changefreq><priority>0.8</priority></url>\
         <url><priority>1</priority><loc><![CDATA[ http://e.com/2?x&y ]]></loc></url>",
    );
    assert_eq!(locations(&sitemap), ["http://e.com/?a=1&b=2#c", "http://e.com/2?x&y"]);
    let first = &sitemap.entries[0];
    assert_eq!(first.url.as_str(), "http://e.com/?a=1&b=2");
    let lastmod = first.lastmod.unwrap();
    assert_eq!(
        (lastmod.at.to_string().as_str(), lastmod.precision),
        ("2005-01-01T00:00:00Z", DatePrecision::Day)
    );
    assert_eq!(first.changefreq, Some(ChangeFrequency::Monthly));
    assert_eq!(first.priority, Some(0.8));
    assert_eq!(sitemap.entries[1].priority, Some(1.0));
    assert!(sitemap.problems.is_empty() && !sitemap.truncated);
}

#[test]
fn an_index_names_sitemaps() {
    let sitemap = parse(
        "<sitemapindex><sitemap><loc>http://e.com/1.xml.gz</loc><lastmod>2004-10-01T18:23:17+00:00</lastmod>\
         </sitemap><sitemap><loc>http://e.com/2.xml</loc></sitemap></sitemapindex>",
    );
    assert_eq!(sitemap.kind, SitemapKind::Index);
    assert_eq!(locations(&sitemap), ["http://e.com/1.xml.gz", "http://e.com/2.xml"]);
    // Sitemaps in the wrong root are sitemaps all the same.
    assert_eq!(
        parse("<urlset><sitemap><loc>http://e.com/1.xml</loc></sitemap></urlset>").kind,
        SitemapKind::Index
    );
}

#[test]
fn images_videos_news_and_alternates_are_no_pages() {
    let sitemap = urlset(
        "<url><image:image><image:loc>http://e.com/i.jpg</image:loc></image:image><loc>http://e.com/1</loc>\
         <video:video><video:content_loc>http://e.com/v.mp4</video:content_loc></video:video>\
         <xhtml:link rel='alternate' href='http://e.com/de'/><mobile:mobile/>\
         <image xmlns='http://www.google.com/schemas/sitemap-image/1.1'><loc>http://e.com/j.jpg</loc></image>\
         <PageMap><DataObject><Attribute name='loc'>x</Attribute></DataObject></PageMap></url>",
    );
    assert_eq!(locations(&sitemap), ["http://e.com/1"]);
    assert!(sitemap.problems.is_empty(), "{:?}", sitemap.problems);
}

#[test]
fn namespaces_may_be_prefixed_missing_or_wrong() {
    let entry = |p: &str| format!("<{p}url><{p}loc>http://e.com/1</{p}loc></{p}url>");
    let sitemaps = "http://www.sitemaps.org/schemas/sitemap/0.9";
    for document in [
        format!("<s:urlset xmlns:s='{sitemaps}'>{}</s:urlset>", entry("s:")),
        format!("<urlset xmlns:s='{sitemaps}'>{}</urlset>", entry("s:")),
        format!("<s:urlset>{}</s:urlset>", entry("s:")),
        format!("<s:urlset>{}</s:urlset>", entry("")),
        format!("<urlset xmlns='http://www.google.com/schemas/sitemap/0.84'>{}</urlset>", entry("")),
        format!("<urlset xmlns='https://example.com/typo'>{}</urlset>", entry("")),
        "<URLSET><Url><LOC>http://e.com/1</LOC></Url></URLSET>".to_owned(),
        format!("<urlset><url xmlns=''>{}</urlset>", "<loc>http://e.com/1</loc></url>"),
    ] {
        assert_eq!(locations(&parse(&document)), ["http://e.com/1"], "{document}");
    }
}

#[test]
fn entries_and_parts_that_nobody_closed_end_where_the_next_begins() {
    let sitemap = urlset(
        "<url><loc>http://e.com/1<lastmod>2005-01-01</lastmod><url><loc>http://e.com/2</loc></url></url>\
         <url><loc>http://e.com/3</loc><loc>http://e.com/4</loc><lastmod>2006-01-01</lastmod></url>\
         <loc>http://e.com/5</loc><url>http://e.com/6</url><url><loc><url>http://e.com/7</url></loc></url>\
         <url><mobile:mobile><loc>http://e.com/8</loc></url><url><loc>http://e.com/9</loc>",
    );
    let expected: Vec<String> = (1..=9).map(|i| format!("http://e.com/{i}")).collect();
    assert_eq!(locations(&sitemap), expected);
    let dated: Vec<bool> = sitemap.entries.iter().map(|entry| entry.lastmod.is_some()).collect();
    assert_eq!(dated, [true, false, false, true, false, false, false, false, false]);
    assert!(kinds(&sitemap).contains(&ProblemKind::SeveralLocations));
    assert!(kinds(&sitemap).contains(&ProblemKind::MisplacedLocation));
}

#[test]
fn locations_are_freed_of_white_space_of_every_kind() {
    let sitemap = urlset(
        "<url><loc>\n\t http://e.com/1 \u{A0}\u{2000}\u{FEFF}\n</loc></url>\
         <url><loc>http://e.com/\n    long/\n    path</loc></url><url><loc>http://e.com/a b</loc></url>",
    );
    assert_eq!(locations(&sitemap), ["http://e.com/1", "http://e.com/long/path", "http://e.com/a b"]);
    assert_eq!(sitemap.entries[2].url.as_str(), "http://e.com/a%20b");
}

#[test]
fn what_is_wrong_is_named_with_its_line_and_costs_only_itself() {
    let sitemap = urlset(
        "\n<url><loc>www.example.com/</loc></url>\n<url><loc>ftp://e.com/</loc></url>\n<url><loc>/rooted</loc></url>\n\
         <url><loc>http://e.com/?a&b</loc></url>\n<url><loc>http://e.com/x</loc><lastmod>soon</lastmod>\n\
         <priority>1.1</priority><changefreq>often</changefreq></url>\n<url></url>\n\
         <url><loc>http://</loc></url><url><loc>mailto:a@b</loc></url>",
    );
    assert_eq!(locations(&sitemap), ["http://www.example.com/rooted", "http://e.com/?a&b", "http://e.com/x"]);
    let found: Vec<_> = sitemap.problems.iter().map(|problem| (problem.kind, problem.line)).collect();
    assert_eq!(
        found,
        [
            (ProblemKind::RelativeLocation, 3),
            (ProblemKind::BadLocation, 4),
            (ProblemKind::RelativeLocation, 5),
            (ProblemKind::LooseAmpersand, 6),
            (ProblemKind::BadDate, 7),
            (ProblemKind::BadChangeFrequency, 7),
            (ProblemKind::BadPriority, 7),
            (ProblemKind::NoLocation, 9),
            (ProblemKind::BadLocation, 10),
            (ProblemKind::BadLocation, 10),
        ]
    );
    assert_eq!(sitemap.problems[4].to_string(), "bad date in line 7: soon");
}

#[test]
fn a_file_that_ends_early_gives_its_whole_entries() {
    let whole = "<urlset><url><loc>http://e.com/1</loc></url><url><loc>http://e.com/2</loc></url>\
                 <url><loc>http://e.com/3</loc><news:news><news:name>";
    for end in 0..whole.len() {
        let sitemap = parse(&whole[..end]);
        let complete = whole[..end].matches("</url>").count();
        // An end tag without its bracket is one all the same.
        let complete = complete + usize::from(whole[..end].ends_with("</url"));
        assert_eq!(sitemap.entries.len(), complete, "{}", &whole[..end]);
        assert!(
            !sitemap.problems.is_empty()
                || whole[..end].ends_with("</url>")
                || whole[..end].ends_with("<urlset>")
        );
    }
    assert_eq!(kinds(&parse(whole)), [ProblemKind::EndsEarly]);
}

#[test]
fn text_before_the_xml_and_other_roots_are_passed_over() {
    let good = "<urlset><url><loc>http://e.com/1</loc></url></urlset>";
    for (before, problem) in [
        ("\u{FEFF}\n \t\r\n<?xml version='1.0'?>", None),
        ("Warning: foo() in bar.php on line 3\n<?xml version='1.0'?>", Some(ProblemKind::TextBeforeXml)),
        ("x", Some(ProblemKind::TextBeforeXml)),
        ("<wrapper>", Some(ProblemKind::UnknownRoot)),
    ] {
        let sitemap = parse(&format!("{before}{good}"));
        assert_eq!(locations(&sitemap), ["http://e.com/1"], "{before}");
        assert_eq!(kinds(&sitemap), problem.into_iter().collect::<Vec<_>>(), "{before}");
    }
    let rootless = parse("<url><loc>http://e.com/1</loc></url><url><loc>http://e.com/2</loc></url>");
    assert_eq!((rootless.kind, rootless.entries.len()), (SitemapKind::Urlset, 2));
}

#[test]
fn what_is_no_sitemap_gives_nothing_and_says_so() {
    for document in [
        "",
        "this is a bogus sitemap",
        "<!DOCTYPE html><html><body><url><loc>http://e.com/1</loc></url></body></html>",
        "<html><head><link href='http://e.com/'/></head></html>",
        "<h1>404 Not Found!</h1>",
        "<opml><body><outline xmlUrl='http://e.com/feed'/></body></opml>",
        "{\"urls\": [\"http://e.com/\"]}",
        "\0\0\0\0",
    ] {
        let sitemap = parse(document);
        assert_eq!(sitemap.kind, SitemapKind::Unknown, "{document}");
        assert!(sitemap.entries.is_empty());
        assert!(kinds(&sitemap).contains(&ProblemKind::NotASitemap), "{document}");
    }
}

#[test]
fn lists_of_urls_have_one_per_line() {
    let sitemap = parse(
        "\u{FEFF}http://e.com/1\r\n\n  HTTPS://e.com/2#x  \rwww.e.com/3\nhttp://e.com/4\t2020-01-01\nftp://e.com/\n",
    );
    assert_eq!(sitemap.kind, SitemapKind::Text);
    assert_eq!(locations(&sitemap), ["http://e.com/1", "HTTPS://e.com/2#x", "http://e.com/4"]);
    assert_eq!(kinds(&sitemap), [ProblemKind::RelativeLocation, ProblemKind::RelativeLocation]);
}

#[test]
fn rss_of_every_version_gives_its_items() {
    let rss = parse(
        "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom' xmlns:dc='http://purl.org/dc/elements/1.1/'>\
         <channel><link>http://e.com/</link><atom:link href='http://e.com/feed' rel='self'/>\
         <image><link>http://e.com/logo</link></image>\
         <item><atom:link href='http://e.com/no' rel='self'/><link>http://e.com/1</link>\
         <guid isPermaLink='false'>abc</guid><pubDate>Thu, 05 Jan 17 13:34:52 +0100</pubDate>\
         <source url='http://other/'>x</source><description><link>http://e.com/no</link></description></item>\
         <item><guid>http://e.com/2</guid><dc:date>2020-01-02</dc:date></item>\
         <item><guid>no url</guid></item><item><title>nothing</title></item>\
         <item><link>/3</link></item><item><link/><link>http://e.com/4</link></item></channel></rss>",
    );
    assert_eq!(rss.kind, SitemapKind::Rss);
    assert_eq!(
        locations(&rss),
        ["http://e.com/1", "http://e.com/2", "http://www.example.com/3", "http://e.com/4"]
    );
    assert_eq!(rss.entries[0].lastmod.unwrap().at.to_string(), "2017-01-05T12:34:52Z");
    assert_eq!(rss.entries[1].lastmod.unwrap().precision, DatePrecision::Day);
    assert_eq!(kinds(&rss), [ProblemKind::NoLocation, ProblemKind::NoLocation]);
    let rdf = parse(
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>\
         <channel rdf:about='http://e.com/'><link>http://e.com/</link><items><rdf:Seq>\
         <rdf:li resource='http://e.com/no'/></rdf:Seq></items></channel><image><url>http://e.com/i</url>\
         <link>http://e.com/no</link></image><item rdf:about='http://e.com/a'><link>http://e.com/1</link>\
         <dc:date>2001-01-01T00:00Z</dc:date></item><item rdf:about='http://e.com/2'/></rdf:RDF>",
    );
    assert_eq!(locations(&rdf), ["http://e.com/1", "http://e.com/2"]);
    assert!(rdf.entries[0].lastmod.is_some());
}

#[test]
fn atom_gives_the_first_alternate_of_each_entry() {
    let atom = parse(
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://e.com/base/'><link href='http://e.com/'/>\
         <updated>2003-12-13T18:30:02Z</updated>\
         <entry><link rel='edit' href='http://e.com/no'/><link href='http://e.com/1?a&amp;b'/>\
         <link rel='alternate' href='http://e.com/no'/><published>2001-01-01</published>\
         <updated>2003-12-13T18:30:02Z</updated><source><id>x</id><link href='http://e.com/no'/>\
         <updated>2009-01-01</updated></source>\
         <content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><link href='/no'/></div></content></entry>\
         <entry><link rel='alternate' href='two'/></entry><entry><link href='3' xml:base='http://f.com/'/></entry>\
         <entry><id>http://e.com/4</id></entry><entry><id>urn:uuid:1</id></entry></feed>",
    );
    assert_eq!(atom.kind, SitemapKind::Atom);
    assert_eq!(
        locations(&atom),
        ["http://e.com/1?a&b", "http://e.com/base/two", "http://f.com/3", "http://e.com/4"]
    );
    assert_eq!(atom.entries[0].lastmod.unwrap().at.to_string(), "2003-12-13T18:30:02Z");
    assert_eq!(kinds(&atom), [ProblemKind::NoLocation]);
    let old = parse(
        "<a:feed version='0.3' xmlns:a='http://purl.org/atom/ns#'><a:entry><a:link rel='alternate' \
         href='http://e.com/1'/><a:issued>2009-12-17T12:04:56+02:00</a:issued></a:entry></a:feed>",
    );
    assert_eq!(old.entries[0].lastmod.unwrap().at.to_string(), "2009-12-17T10:04:56Z");
}
