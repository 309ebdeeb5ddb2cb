use super::*;
use proptest::prelude::*;

#[test]
fn five_parts_of_the_papers_example() {
    let parts = components("http://www.jabong.com/women/clothing/Biba/?q=biba#pos=3");
    assert_eq!(parts.scheme.as_deref(), Some("http"));
    assert_eq!(parts.authority.as_deref(), Some("www.jabong.com"));
    assert_eq!(parts.path, "/women/clothing/Biba/");
    assert_eq!(parts.query.as_deref(), Some("q=biba"));
    assert_eq!(parts.fragment.as_deref(), Some("pos=3"));
}

#[test]
fn schemes_the_papers_list_are_recognised() {
    for url in [
        "ftp://h/a",
        "gopher://h:70/",
        "mailto:user@h",
        "news:comp.infosystems",
        "nntp://h/group/1",
        "telnet://u@h:23",
        "wais://h:210/db",
        "file:///etc/hosts",
        "prospero://h:1525//x",
    ] {
        let parts = components(url);
        assert_eq!(parts.scheme.as_deref(), url.split_once(':').map(|(scheme, _)| scheme));
        assert_eq!(parts.to_string(), url);
    }
    assert_eq!(full_rfc3986("telnet://u@H:23"), "telnet://u@h/");
    assert_eq!(full_rfc3986("MAILTO:User@H"), "mailto:User@H");
}

#[test]
fn dot_segments_are_resolved_not_deleted() {
    for (path, expected) in [
        ("/a/../b/./c", "/b/c"),
        ("/..", "/"),
        ("/../a", "/a"),
        ("/a/b/..", "/a/"),
        ("/a/.", "/a/"),
        ("/a/...", "/a/..."),
        ("/a//../b", "/a/b"),
        ("/%2e%2E/a/%2e/b", "/a/b"),
    ] {
        assert_eq!(full_rfc3986(&format!("http://h{path}")), format!("http://h{expected}"), "{path}");
    }
}

#[test]
fn trailing_slash_and_reserved_triplets_stay() {
    assert_eq!(full_rfc3986("http://h/a/"), "http://h/a/");
    assert_eq!(full_rfc3986("http://h/a%2fb"), "http://h/a%2Fb");
    assert_eq!(full_rfc3986("http://u%41:p@H%41.org:80/"), "http://uA:p@ha.org/");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn joining_the_parts_gives_the_text_back(text in "[a-zA-Z0-9:/?#@%\\[\\].\u{e9} ]{0,30}") {
        prop_assert_eq!(components(&text).to_string(), text);
    }

    #[test]
    fn both_normal_forms_are_fixed_points(text in "(http:)?[a-zA-Z0-9:/?#@%\\[\\].\u{e9}]{0,30}|https?://([a-zA-Z:@.8034]|%[0-9a-fA-F]{1,2}){0,12}(/|%2e|\\.|%|[a-f0-9?]){0,12}") {
        let six = six_steps(&text)[5].clone();
        prop_assert_eq!(&six_steps(&six)[5], &six);
        let full = full_rfc3986(&text);
        prop_assert_eq!(full_rfc3986(&full), full);
    }
}
