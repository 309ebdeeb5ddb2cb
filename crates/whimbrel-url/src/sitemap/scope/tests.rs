use super::in_scope;

#[test]
fn a_sitemap_speaks_for_its_directory() {
    for (sitemap, loc, expected) in [
        (
            "http://example.com/catalog/sitemap.xml",
            "http://example.com/catalog/show?item=233&user=3453",
            true,
        ),
        ("http://example.com/catalog/sitemap.xml", "http://example.com/catalog/", true),
        ("http://example.com/catalog/sitemap.xml", "http://example.com/image/show?item=233", false),
        ("http://example.com/catalog/sitemap.xml", "http://example.com/catalog", false),
        ("http://example.com/catalog/sitemap.xml", "http://example.com/catalogue/a", false),
        ("http://example.com/catalog/sitemap.xml", "https://example.com/catalog/a", false),
        ("http://example.com:100/sitemap.xml", "http://example.com/a", false),
        ("http://example.com:80/sitemap.xml", "http://example.com/a", true),
        ("http://EXAMPLE.com/sitemap.xml", "http://example.com/a", true),
        ("http://example.com/sitemap.xml", "http://www.example.com/a", false),
        ("https://example.com/index.php?route=path/sitemap", "https://example.com/catalog/page1.php", true),
        ("http://example.com/a/sitemap.xml", "http://example.com/a/../b", false),
        ("http://example.com", "http://example.com/a", true),
        ("no url", "http://example.com/a", false),
        ("http://example.com/", "/a", false),
    ] {
        assert_eq!(in_scope(sitemap, loc, None), expected, "{sitemap} {loc}");
    }
}

#[test]
fn a_robots_file_lets_a_sitemap_speak_for_its_host_only() {
    let sitemap = "https://sitemaps.example.net/a/one.xml";
    let loc = "https://www.example.org/deep/page";
    assert!(in_scope(sitemap, loc, Some("https://www.example.org/robots.txt")));
    for other in [
        "https://example.org/robots.txt",
        "http://www.example.org/robots.txt",
        "https://www.example.org/x",
        "?",
    ] {
        assert!(!in_scope(sitemap, loc, Some(other)), "{other}");
    }
    // The host's own robots.txt widens the scope from a directory to the host.
    let own = "https://sitemaps.example.net/robots.txt";
    assert!(in_scope(sitemap, "https://sitemaps.example.net/b/page", Some(own)));
    assert!(!in_scope(sitemap, "https://sitemaps.example.net/b/page", None));
}
