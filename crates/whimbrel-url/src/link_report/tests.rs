use super::*;

fn link(href: &str, text: &str) -> ExtractedLink {
    ExtractedLink { href: href.to_owned(), text: text.to_owned() }
}

#[test]
fn links_to_one_url_are_grouped_with_their_texts() {
    let base = ParsedUrl::parse("http://e.org/dir/page.html").unwrap();
    let found = vec![
        link("/a", "first"),
        link("b", "other"),
        link("http://E.org:80/a#top", "second"),
        link("/%61", "first"),
        link("mailto:x@e.org", "mail"),
    ];
    let views = views(found.clone(), Some(&base), |url| if url.path() == "/dir/b" { 7 } else { 3 });
    assert_eq!(views.extracted, found);
    assert_eq!(views.normalized[2].url.as_ref().unwrap().as_str(), "http://e.org/a");
    assert_eq!(views.normalized[4].rejected, Some(RejectReason::Scheme("mailto".to_owned())));
    assert_eq!(
        views.duplicates.groups,
        [DuplicateGroup {
            url: normalize("http://e.org/a").unwrap(),
            texts: vec!["first".to_owned(), "second".to_owned()],
            count: 3,
        }]
    );
    let unique: Vec<&str> = views.duplicates.unique.iter().map(CanonicalUrl::as_str).collect();
    assert_eq!(unique, ["http://e.org/a", "http://e.org/dir/b"]);
    let ordered: Vec<(&str, usize)> =
        views.ordered.iter().map(|l| (l.url.as_str(), l.embedded_links)).collect();
    assert_eq!(ordered, [("http://e.org/dir/b", 7), ("http://e.org/a", 3)]);
}

#[test]
fn equal_counts_keep_the_order_of_the_page() {
    let found = ["c", "a", "b"].map(|name| link(&format!("http://e.org/{name}"), "")).to_vec();
    let ordered = views(found, None, |_| 0).ordered;
    let paths: Vec<&str> = ordered.iter().map(|link| link.url.path()).collect();
    assert_eq!(paths, ["/c", "/a", "/b"]);
}
