//! Following sitemaps of sitemaps. Laws: it ends, within its limits, whatever each answer is.

use crate::target::{SEPARATOR, Target, answer, size, texts};
use whimbrel_url::sitemap::{Answer, SitemapTree, TreeRules};

pub(super) const TARGET: Target = Target {
    name: "sitemap_tree",
    run,
    seeds: || {
        texts(&[
            "Sitemap: http://a.test/s.xml\nSitemap: /t.xml\n\x1f<sitemapindex><sitemap><loc>http://a.test/u.xml</loc></sitemap><sitemap><loc>http://a.test/s.xml</loc></sitemap></sitemapindex>\x1f<urlset><url><loc>http://a.test/p</loc></url></urlset>",
            "\x1f301 http://a.test/other\x1f<urlset>",
        ])
    },
    tokens: &[
        "Sitemap: ",
        "<sitemapindex>",
        "<sitemap><loc>http://a.test/",
        "</loc></sitemap>",
        "<urlset>",
        "<url><loc>",
        "301 http://a.test/",
        "\u{1f}",
        "s.xml",
    ],
    shared: &[],
    bytes_max: 2048,
    smoke_runs: 300,
};

fn run(data: &[u8]) -> u64 {
    let rules = TreeRules::default();
    let most = rules.sitemaps_max + 200;
    let answers: Vec<&[u8]> = data.split(|byte| *byte == SEPARATOR).collect();
    let Some(mut tree) = SitemapTree::new("http://a.test/", rules) else { return 0 };
    let mut pages = 0;
    let mut asked = 0;
    while let Some(url) = tree.poll() {
        let body = answers[asked % answers.len()];
        asked += 1;
        assert!(asked <= most, "asked {asked} times");
        let location = body.strip_prefix(b"301 ").and_then(|to| std::str::from_utf8(to).ok());
        let status = if location.is_some() { 301 } else { 200 };
        let handled = tree.handle(&url, &Answer { status, location, content_type: None, body });
        pages += handled.pages.len();
        assert!(pages <= TreeRules::default().pages_max, "too many pages");
    }
    answer((size(asked), size(pages), asked % 7))
}
