use super::*;
use crate::normalize;
use proptest::prelude::*;
use whimbrel_types::{CanonicalUrl, RejectReason, Timestamp};

fn url(path: &str) -> CanonicalUrl {
    normalize(&format!("http://h.example{path}")).unwrap()
}

fn pattern(path: &str) -> String {
    UrlPattern::of(&url(path)).to_string()
}

#[test]
fn what_counts_up_becomes_a_placeholder() {
    for (path, expected) in [
        ("/", "/"),
        ("/about/us.html", "/about/us.html"),
        ("/home?time=101", "/home?time={n}"),
        ("/cal/2026/11", "/cal/{y}/{m}"),
        ("/cal/2026/11/05.html", "/cal/{y}/{m}/{d}.html"),
        ("/cal/2026/13", "/cal/{n}/{n}"),
        ("/item/40123/7", "/item/{n}/{n}"),
        ("/log/2026-11-05", "/log/{date}"),
        ("/log/20261105.html", "/log/{date}.html"),
        ("/log/day_2026_11_05", "/log/day_{date}"),
        ("/e?date=2026-11", "/e?date={date}"),
        ("/e?m=11&y=2026", "/e?m={m}&y={y}"),
        ("/e?month=11&year=7311&day=3", "/e?day={d}&month={m}&year={y}"),
        ("/e?m=11", "/e?m={n}"),
        ("/node12.html", "/node{n}.html"),
        ("/a00123_source.html", "/a{n}_source.html"),
        ("/x/550e8400-e29b-41d4-a716-446655440000", "/x/{uuid}"),
        ("/c/3f786850e387550fdab836ed7e6dc881de23001b", "/c/{hex}"),
        ("/facade/deadbeef", "/facade/deadbeef"),
        ("/t/aB3xY9kQ2mN7pL4wZ8vC", "/t/{id}"),
        ("/p/tin-kettle-for-two?sid=0ddba11", "/p/tin-kettle-for-two?sid={session}"),
        ("/a;jsessionid=AB12.node3/b", "/a;jsessionid={session}/b"),
        ("/(S(abc123))/b.aspx", "/(S({session}))/b.aspx"),
        ("/w?title=Foo_Bar", "/w?title={w}"),
        ("/f?tag=a&tag=b&tag=c", "/f?tag={w}"),
        ("/s?sort=price&page=2&q=", "/s?page={n}&q=&sort={w}"),
        ("/%E4%B8%AD%E6%96%87", "/%E4%B8%AD%E6%96%87"),
        ("/a*b?x={y}", "/a%2Ab?x={w}"),
    ] {
        assert_eq!(pattern(path), expected, "{path}");
    }
}

#[test]
fn the_month_of_a_url_is_read_from_path_and_query() {
    let month = |path: &str| UrlPattern::with_month(&url(path)).1;
    for path in
        ["/c/2026/11", "/c/2026/11/30", "/c/2026-11-05", "/c/20261105", "/c?y=2026&m=11", "/c?d=2026-11"]
    {
        assert_eq!(month(path), Some(Month::new(2026, 11)), "{path}");
    }
    assert_eq!(month("/c?year=2026"), Some(Month::new(2026, 1)));
    assert_eq!(month("/c/40123/11"), None);
    assert_eq!(Month::of(Timestamp::from_utc(2026, 11, 16, 0).unwrap()), Month::new(2026, 11));
    assert!(Month::new(2026, 12) < Month::new(2027, 1));
}

#[test]
fn an_operator_types_a_pattern_a_url_or_a_star() {
    let typed = |text: &str| {
        let typed = TypedPattern::parse(text).unwrap();
        (typed.site.map(|site| site.origin()), typed.pattern.to_string())
    };
    let on_host = Some("https://h.example".to_owned());
    assert_eq!(typed("/cal/{y}/{m}"), (None, "/cal/{y}/{m}".into()));
    assert_eq!(typed(" /f?b={n}&a={w} "), (None, "/f?a={w}&b={n}".into()));
    assert_eq!(typed("https://h.example/cal/2026/11"), (on_host.clone(), "/cal/{y}/{m}".into()));
    assert_eq!(typed("https://H.example:443/cal/{y}/{m}"), (on_host.clone(), "/cal/{y}/{m}".into()));
    assert_eq!(typed("https://h.example/*"), (on_host.clone(), "/*".into()));
    assert_eq!(typed("https://h.example*"), (on_host.clone(), "/*".into()));
    assert_eq!(typed("https://h.example"), (on_host, "/".into()));
    assert_eq!(typed("/cal/2026/11"), (None, "/cal/{y}/{m}".into()));
    for (wrong, named) in [
        ("cal", "slash"),
        ("/a/{year}", "{year}"),
        ("/a/{n", "placeholder"),
        ("/a/n}", "placeholder"),
        ("ftp://h.example/*", "ftp://h.example"),
        ("", "slash"),
    ] {
        let error = TypedPattern::parse(wrong).unwrap_err().to_string();
        assert!(error.contains(named), "{wrong}: {error}");
    }
}

#[test]
fn a_pattern_covers_its_urls_and_a_star_covers_text() {
    let covers = |text: &str, path: &str| {
        let target = url(path);
        TypedPattern::parse(text).unwrap().pattern.covers(&target, &UrlPattern::of(&target))
    };
    assert!(covers("/cal/{y}/{m}", "/cal/2031/02"));
    assert!(!covers("/cal/{y}/{m}", "/cal/2031/02/01"));
    assert!(covers("/cal/*", "/cal/2031/02/01?view=week"));
    assert!(covers("/*/print", "/a/b/print") && !covers("/*/print", "/a/b/print2"));
    assert!(covers("/cal/{y}/*", "/cal/2031/02"));
    assert!(covers("*?sort=*", "/list?sort=price") && !covers("*?sort=*", "/list?page=2"));
    assert!(covers("/*", "/"));
}

#[test]
fn a_refinement_is_the_same_path_with_more_conditions() {
    let refines = |a: &str, b: &str| UrlPattern::of(&url(a)).refines(&UrlPattern::of(&url(b)));
    assert!(refines("/f?color=red&size=xl", "/f?color=blue"));
    assert!(!refines("/f?color=red", "/f?color=blue"));
    assert!(!refines("/f?color=red&item=7", "/f?color=blue"), "an item is no condition");
    assert!(!refines("/g?color=red&size=xl", "/f?color=blue"));
    assert!(!refines("/f?color=red", "/f"));
}

#[test]
fn a_new_session_on_the_next_link_is_noticed() {
    let fresh = |a: &str, b: &str| has_fresh_session(&url(a), &url(b));
    assert!(fresh("/a?sid=1", "/b?sid=2"));
    assert!(!fresh("/a?sid=1", "/b?sid=1"));
    assert!(!fresh("/a", "/b?sid=1"), "the first one is nobody's fault");
    assert!(fresh("/a;jsessionid=1", "/b;JSESSIONID=2?x=1"));
    assert!(fresh("/(S(a))/x", "/(S(b))/x"));
}

#[test]
fn repetition_without_end_is_refused_and_honest_paths_are_not() {
    let limits = TrapLimits::default();
    for good in [
        "/",
        "/2020/2020/",
        "/a/a/a/",
        "/a/b/a/b/a/b",
        "/en/docs/en/api/en/",
        "/x/1/2/3/4/5/6/7/8/9",
        "/f?tag=a&tag=b&tag=c&tag=d&tag=e",
        "/go?to=http%3A%2F%2Fa.example%2F%3Fto%3Dhttp%253A%252F%252Fb.example%252F",
        "/s?q=0%2F0%2F0",
        "/list?a=1&b=1&c=1&d=1&e=1",
    ] {
        assert_eq!(limits.judge(&url(good)), Ok(()), "{good}");
    }
    let nested = (0..9).fold("/login".to_owned(), |inner, _| {
        format!("/login?return={}", inner.replace('%', "%25").replace(['/', '?', '='], "%2F"))
    });
    let long = "/s".to_owned() + &(0..40).map(|n| format!("/{n}")).collect::<String>();
    let many = "/q?".to_owned() + &(0..40).map(|n| format!("k{n}=v&")).collect::<String>();
    for bad in [
        "/more/more/more/more/",
        "/a/b/a/b/a/b/a/b",
        "/x/a/b/c/a/b/c/a/b/c/a/b/c/y",
        "/a/b/b/a/b/a/a/b/b/a/a/b/a/b",
        "/p?a=1&a=1&a=1&a=1",
        "/p?path=a/b/a/b/a/b/a/b/a/b",
        &nested,
        &long,
        &many,
    ] {
        let verdict = limits.judge(&url(bad));
        assert!(matches!(verdict, Err(RejectReason::Trap(_))), "{bad}: {verdict:?}");
    }
}

#[test]
fn cgi_programs_are_skipped_unless_the_operator_wants_them() {
    let crawl = TrapLimits { cgi: CgiPolicy::Crawl, ..TrapLimits::default() };
    for path in ["/cgi-bin/test", "/a/CGI-BIN/counter.pl?n=1"] {
        assert_eq!(TrapLimits::default().judge(&url(path)), Err(RejectReason::Cgi), "{path}");
        assert_eq!(crawl.judge(&url(path)), Ok(()), "{path}");
    }
    for path in ["/cgi-bin-help", "/script.cgi?x=1", "/search?q=cgi-bin"] {
        assert_eq!(TrapLimits::default().judge(&url(path)), Ok(()), "{path}");
    }
}

fn any_path() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,6}",
        "[0-9]{1,9}",
        "20[0-9]{2}",
        "(0[1-9]|1[0-2])",
        "20[0-9]{2}-[0-1][0-9]-[0-3][0-9]",
        "[0-9a-f]{8,20}",
        "[A-Za-z0-9%{}*;=._~-]{0,24}",
        "\\PC{0,8}",
        Just("(S(x))".to_owned()),
        Just("a;jsessionid=x9".to_owned()),
    ];
    let key = prop_oneof![
        "[a-z]{1,4}",
        Just("sid".to_owned()),
        Just("year".to_owned()),
        Just("m".to_owned()),
        "\\PC{0,5}"
    ];
    let pairs = prop::collection::vec((key, piece.clone()), 0..5);
    (prop::collection::vec(piece, 0..6), pairs).prop_map(|(path, pairs)| {
        let query: Vec<String> = pairs.into_iter().map(|(key, value)| format!("{key}={value}")).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("/{}{mark}{}", path.join("/"), query.join("&"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn every_pattern_can_be_typed_back_and_covers_its_url(path in any_path()) {
        if let Ok(target) = normalize(&format!("http://h.example{path}")) {
            let own = UrlPattern::of(&target);
            prop_assert!(own.as_str().is_ascii() && own.as_str().starts_with('/'));
            prop_assert!(!own.is_glob());
            let typed = UrlPattern::parse(own.as_str());
            prop_assert_eq!(typed.as_ref(), Ok(&own), "{}", target);
            prop_assert!(own.covers(&target, &own));
            let _ = TrapLimits::default().judge(&target);
            let with_site = TypedPattern::parse(&format!("{}{own}", target.site())).unwrap();
            prop_assert_eq!(with_site.pattern, own);
            prop_assert_eq!(with_site.site, Some(target.site()));
        }
    }

    #[test]
    fn no_text_breaks_the_reader_of_patterns(text in "\\PC{0,60}", tail in "[/{}*?&=a-z0-9]{0,40}") {
        let _ = TypedPattern::parse(&text);
        let _ = TypedPattern::parse(&format!("/{tail}"));
        if let Ok(typed) = UrlPattern::parse(&format!("/{tail}")) {
            prop_assert_eq!(UrlPattern::parse(typed.as_str()), Ok(typed));
        }
    }
}
