use super::super::{Problem, ProblemKind};
use super::{Answer, Probe, SitemapTree, TreeRules, WELL_KNOWN_PLACES};
use std::collections::BTreeMap;

/// A site: what is at each path of `http://e.com`, with `> path` for a redirect.
type Site<'a> = BTreeMap<&'a str, String>;

struct Walk {
    fetched: Vec<String>,
    pages: Vec<(String, bool)>,
    problems: Vec<Problem>,
    truncated: bool,
}

fn walk(site: &Site<'_>, rules: TreeRules) -> Walk {
    let mut tree = SitemapTree::new("http://e.com/some/page?x", rules).unwrap();
    let mut walk = Walk { fetched: Vec::new(), pages: Vec::new(), problems: Vec::new(), truncated: false };
    while let Some(url) = tree.poll() {
        assert!(walk.fetched.len() < 1000, "it never ends");
        let path = url.as_str().strip_prefix("http://e.com").unwrap_or(url.as_str());
        walk.fetched.push(path.to_owned());
        let body = site.get(path).map_or("", String::as_str);
        let (status, location) = match body.strip_prefix("> ") {
            Some(location) => (301, Some(location)),
            None if site.contains_key(path) => (200, None),
            None => (404, None),
        };
        let answer = Answer { status, location, content_type: None, body: body.as_bytes() };
        let handled = tree.handle(&url, &answer);
        walk.pages.extend(handled.pages.into_iter().map(|page| (page.entry.loc, page.in_scope)));
        walk.problems.extend(handled.problems);
        walk.truncated |= handled.truncated;
    }
    walk
}

fn never() -> TreeRules {
    TreeRules { probe: Probe::Never, ..TreeRules::default() }
}

fn index(children: &[&str]) -> String {
    let entries: String =
        children.iter().map(|child| format!("<sitemap><loc>http://e.com{child}</loc></sitemap>")).collect();
    format!("<sitemapindex>{entries}</sitemapindex>")
}

fn pages(paths: &[&str]) -> String {
    paths.iter().map(|path| format!("http://e.com{path}\n")).collect()
}

#[test]
fn pages_come_in_the_order_of_the_files_and_once() {
    let site = Site::from([
        ("/robots.txt", "Sitemap: http://e.com/a.xml\nsitemap: /d.txt\nSitemap: http://e.com/a.xml".into()),
        ("/a.xml", index(&["/b.txt", "/missing.xml", "/c.xml"])),
        ("/b.txt", pages(&["/1", "/2"])),
        ("/c.xml", index(&["/b.txt", "/e.txt"])),
        ("/e.txt", pages(&["/2", "/3"])),
        ("/d.txt", pages(&["/4", "/1#again"])),
    ]);
    let walk = walk(&site, TreeRules::default());
    assert_eq!(
        walk.fetched,
        ["/robots.txt", "/a.xml", "/b.txt", "/missing.xml", "/c.xml", "/e.txt", "/d.txt"]
    );
    let found: Vec<&str> = walk.pages.iter().map(|(page, _)| page.as_str()).collect();
    assert_eq!(found, ["http://e.com/1", "http://e.com/2", "http://e.com/3", "http://e.com/4"]);
    assert!(!walk.truncated);
}

#[test]
fn cycles_and_redirects_end() {
    let site = Site::from([
        ("/robots.txt", "Sitemap: http://e.com/a.xml\nSitemap: /r0.xml".into()),
        ("/a.xml", index(&["/a.xml", "/b.xml", "/back.xml", "/robots.txt"])),
        ("/b.xml", index(&["/c.xml"])),
        ("/c.xml", index(&["/a.xml"])),
        ("/back.xml", "> /a.xml".into()),
        ("/r0.xml", "> /r1.xml".into()),
        ("/r1.xml", "> http://e.com/pages.txt".into()),
        ("/pages.txt", pages(&["/1"])),
    ]);
    let walk = walk(&site, never());
    assert_eq!(
        walk.fetched,
        ["/robots.txt", "/a.xml", "/b.xml", "/c.xml", "/back.xml", "/r0.xml", "/r1.xml", "/pages.txt"]
    );
    assert_eq!(walk.pages, [("http://e.com/1".to_owned(), true)]);
}

#[test]
fn redirects_depth_and_number_are_bounded() {
    let mut site = Site::from([("/robots.txt", "Sitemap: /0.xml\nSitemap: /r0".to_owned())]);
    let names: Vec<(String, String)> = (0..100).map(|i| (format!("/{i}.xml"), format!("/r{i}"))).collect();
    for pair in names.windows(2) {
        site.insert(&pair[0].0, index(&[&pair[1].0]));
        site.insert(&pair[0].1, format!("> {}", pair[1].1));
    }
    let deep = walk(&site, never());
    // Robots, the first index and five below it, the first redirect and five behind it.
    assert_eq!(deep.fetched.len(), 1 + 6 + 6);
    assert!(deep.truncated);
    let few = walk(&site, TreeRules { sitemaps_max: 4, ..never() });
    assert_eq!(few.fetched, ["/robots.txt", "/0.xml", "/1.xml", "/r0"]);
    assert!(few.truncated);
    let wide: Vec<String> = (0..50).map(|i| format!("/{i}.txt")).collect();
    let wide: Vec<&str> = wide.iter().map(String::as_str).collect();
    let site = Site::from([("/robots.txt", "Sitemap: /a.xml".into()), ("/a.xml", index(&wide))]);
    let first = walk(&site, TreeRules { sitemaps_max: 4, ..never() });
    assert_eq!(first.fetched, ["/robots.txt", "/a.xml", "/0.txt", "/1.txt"]);
    assert!(first.truncated);
}

#[test]
fn the_number_of_pages_is_bounded() {
    let site =
        Site::from([("/robots.txt", "Sitemap: /a.txt".into()), ("/a.txt", pages(&["/1", "/1", "/2", "/3"]))]);
    let walk = walk(&site, TreeRules { pages_max: 2, ..never() });
    assert_eq!(walk.pages.len(), 2);
    assert!(walk.truncated);
}

#[test]
fn well_known_places_are_tried_as_asked() {
    let published = Site::from([
        ("/robots.txt", "Sitemap: /a.txt".into()),
        ("/a.txt", pages(&["/1"])),
        ("/sitemap_index.xml", pages(&["/2"])),
    ]);
    let polite = walk(&published, TreeRules::default());
    assert_eq!(polite.fetched, ["/robots.txt", "/a.txt"]);
    let all = walk(&published, TreeRules { probe: Probe::All, ..TreeRules::default() });
    assert_eq!(all.fetched.len(), 2 + WELL_KNOWN_PLACES.len());
    assert_eq!(all.pages.len(), 2);
    let unpublished = Site::from([
        ("/robots.txt", "Sitemap: /gone.xml".into()),
        ("/sitemap.xml", "<html>soft 404</html>".into()),
        ("/sitemap_index.xml", index(&["/a.txt"])),
        ("/a.txt", pages(&["/1"])),
    ]);
    let until = walk(&unpublished, TreeRules::default());
    assert_eq!(until.fetched, ["/robots.txt", "/gone.xml", "/sitemap.xml", "/sitemap_index.xml", "/a.txt"]);
    assert_eq!(until.problems[0].kind, ProblemKind::NotASitemap);
    assert_eq!(walk(&Site::new(), never()).fetched, ["/robots.txt"]);
}

#[test]
fn pages_that_a_sitemap_may_not_speak_for_are_marked() {
    let site = Site::from([
        ("/robots.txt", "Sitemap: https://other.example/dir/a.txt".into()),
        (
            "https://other.example/dir/a.txt",
            "http://e.com/1\nhttps://other.example/dir/2\nhttps://other.example/3\nhttp://third.example/4"
                .into(),
        ),
    ]);
    let marks: Vec<bool> = walk(&site, never()).pages.into_iter().map(|(_, in_scope)| in_scope).collect();
    assert_eq!(marks, [true, true, false, false]);
}

#[test]
fn answers_that_nobody_asked_for_change_nothing() {
    let mut tree = SitemapTree::new("http://e.com/", TreeRules::default()).unwrap();
    let stranger = crate::normalize("http://e.com/a.txt").unwrap();
    let body = b"http://e.com/1";
    let answer = Answer { status: 200, location: None, content_type: None, body };
    assert!(tree.handle(&stranger, &answer).pages.is_empty());
    let robots = tree.poll().unwrap();
    // Until its answer is there, nothing follows.
    assert_eq!(tree.poll(), None);
    tree.handle(&robots, &Answer { status: 0, ..answer });
    assert_eq!(tree.poll().unwrap().as_str(), "http://e.com/sitemap.xml");
    assert!(SitemapTree::new("ftp://e.com/", TreeRules::default()).is_none());
}
