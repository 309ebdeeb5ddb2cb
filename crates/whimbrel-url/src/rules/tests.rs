use super::*;
use crate::normalize;
use crate::scope::Scope;

fn url(text: &str) -> CanonicalUrl {
    normalize(text).unwrap()
}

fn strict() -> UrlRules {
    UrlRules {
        url_bytes_max: 60,
        scope: ScopeSet::new(Scope::Host, &[url("http://e.org/")]),
        exclude: vec![Regex::new("/private/").unwrap()],
        include: vec![Regex::new("/docs/").unwrap(), Regex::new("/blog/").unwrap()],
        filters: vec![("no-sessions".to_owned(), FilterExpression::parse("not(query(sid))").unwrap())],
        depth_max: Some(2),
        ..UrlRules::default()
    }
}

#[test]
fn the_first_reason_wins_in_a_fixed_order() {
    let rules = strict();
    let filter = |name: &str| Err(RejectReason::Filter(name.to_owned()));
    let far = format!("http://x.org/private/a.zip?sid={}", "1".repeat(60));
    for (text, expected) in [
        (far.as_str(), Err(RejectReason::TooLong)),
        ("http://x.org/private/a.zip?sid", Err(RejectReason::OutOfScope)),
        ("http://e.org/private/a.zip?sid", filter("exclude /private/")),
        ("http://e.org/a.zip?sid", filter("include")),
        ("http://e.org/docs/a.ZIP?sid", Err(RejectReason::Extension("zip".to_owned()))),
        ("http://e.org/docs/a?sid", filter("no-sessions")),
        ("http://e.org/docs/a", Err(RejectReason::TooDeep)),
    ] {
        assert_eq!(rules.admit(&url(text), 3), expected, "{text}");
    }
    assert_eq!(rules.admit(&url("http://e.org/docs/a"), 2), Ok(()));
    assert_eq!(rules.admit(&url("http://e.org/blog/a"), 0), Ok(()));
}

#[test]
fn explain_lists_every_check_and_agrees_with_admit() {
    let rules = strict();
    let listed = rules.explain(&url("http://e.org/a.zip?sid"), 9);
    let names: Vec<&str> = listed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "length at most 60 bytes",
            "scope host",
            "exclude (1 patterns)",
            "include (2 patterns)",
            "extension",
            "filter no-sessions: not(query(sid))",
            "shape (repetition, segments, parameters, /cgi-bin/)",
            "depth at most 2",
        ]
    );
    let refused: Vec<bool> = listed.iter().map(|(_, result)| result.is_err()).collect();
    assert_eq!(refused, [false, false, false, true, true, true, false, true]);
    for text in
        ["http://e.org/docs/a", "http://x.org/", "http://e.org/docs/a.pdf", "http://e.org/docs/?sid=1"]
    {
        for depth in [0, 5] {
            let first = rules.explain(&url(text), depth).into_iter().find_map(|(_, result)| result.err());
            assert_eq!(rules.admit(&url(text), depth).err(), first, "{text} {depth}");
        }
    }
}

#[test]
fn types_are_judged_when_they_are_known() {
    let mut rules = UrlRules::default();
    let page = url("http://e.org/a");
    assert_eq!(rules.admit_type(&page, 0, "Text/HTML; charset=utf-8"), Ok(()));
    assert_eq!(rules.admit_type(&page, 0, ""), Ok(()));
    let refused = |name: &str| Err(RejectReason::Filter(name.to_owned()));
    assert_eq!(rules.admit_type(&page, 0, "Application/PDF"), refused("type application/pdf"));
    rules.filters.push(("html".to_owned(), FilterExpression::parse("content_type(text/html)").unwrap()));
    assert_eq!(rules.admit(&page, 0), Ok(()));
    assert_eq!(rules.admit_type(&page, 0, "text/plain"), refused("html"));
    rules.deny("text/html").unwrap();
    assert_eq!(rules.admit_type(&page, 0, "text/html"), refused("type text/html"));
}

#[test]
fn denied_kinds_are_refused_by_extension_before_any_request() {
    let mut rules = UrlRules { deny_extensions: FxHashSet::default(), ..UrlRules::default() };
    assert_eq!(rules.admit(&url("http://e.org/a.webm"), 0), Ok(()));
    for kind in ["image/*", "video/*", "*.zip"] {
        rules.deny(kind).unwrap();
    }
    for (text, extension) in [("a.png", "png"), ("a.webm", "webm"), ("a.ZIP", "zip")] {
        let target = url(&format!("http://e.org/{text}?v=1"));
        assert_eq!(rules.admit(&target, 0), Err(RejectReason::Extension(extension.to_owned())));
    }
    assert_eq!(rules.admit(&url("http://e.org/a.mp3"), 0), Ok(()));
    assert!(rules.deny("zip").is_err());
}

#[test]
fn exceptions_beat_the_default_extensions() {
    let mut rules = UrlRules::default();
    let node = url("http://e.org/wiki/Node.js");
    assert_eq!(rules.admit(&node, 0), Err(RejectReason::Extension("js".to_owned())));
    rules.allow_extensions.insert("js".to_owned());
    assert_eq!(rules.admit(&node, 0), Ok(()));
    for page in [
        "http://e.org/",
        "http://e.org/a.html",
        "http://e.org/.png",
        "http://e.org/a.b/c",
        "http://e.org/v1.2",
    ] {
        assert_eq!(rules.admit(&url(page), 0), Ok(()), "{page}");
    }
}

#[test]
fn depth_can_be_unlimited() {
    let rules = UrlRules { depth_max: None, ..UrlRules::default() };
    assert_eq!(rules.admit(&url("http://e.org/"), u16::MAX), Ok(()));
    assert_eq!(UrlRules::default().admit(&url("http://e.org/"), 11), Err(RejectReason::TooDeep));
}

#[test]
fn the_heapless_extension_agrees_with_the_url_type() {
    for text in
        ["/a.PDF", "/a.", "/.a", "/a.b/c", "/a.tar.gz", "/a.toolongextension", "/a.h-l", "/a.html?x.pdf", "/"]
    {
        let url = url(&format!("http://e.org{text}"));
        let own = extension_of(&url).map(|bytes| String::from_utf8(bytes.to_vec()).unwrap());
        assert_eq!(own, url.extension(), "{text}");
    }
}
