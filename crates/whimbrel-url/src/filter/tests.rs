use super::*;
use crate::normalize;
use proptest::prelude::*;

fn accepts(filter: &str, url: &str, depth: u16, content_type: Option<&str>) -> bool {
    let expression = FilterExpression::parse(filter).unwrap_or_else(|error| panic!("{}", error.show(filter)));
    expression.accepts(&FilterInput { url: &normalize(url).unwrap(), depth, content_type })
}

#[test]
fn each_test_answers_its_own_question() {
    for (filter, url, expected) in [
        ("domain(example.org)", "http://example.org/", true),
        ("domain(example.org)", "http://a.b.example.org:8080/", true),
        ("domain(example.org)", "http://notexample.org/", false),
        ("domain(.gov, ac.uk)", "http://www.nasa.gov/", true),
        ("domain(.gov, ac.uk)", "http://www.ox.ac.uk/", true),
        ("domain(.gov, ac.uk)", "http://www.gov.uk/", false),
        ("domain(B\u{fc}cher.de)", "http://www.xn--bcher-kva.de/", true),
        ("host(www.Example.org)", "http://www.example.org/", true),
        ("host(example.org)", "http://www.example.org/", false),
        ("host(127.0.0.1:8080)", "http://127.0.0.1:8080/", true),
        ("host(127.0.0.1:8080)", "http://127.0.0.1/", false),
        ("host(127.0.0.1)", "http://127.0.0.1:8080/", true),
        ("host([::1])", "http://[::1]:8080/", true),
        ("protocol(https)", "https://e.org/", true),
        ("protocol(HTTP)", "https://e.org/", false),
        ("prefix(HTTP://E.org:80/a)", "http://e.org/ab", true),
        ("prefix(http://e.org)", "http://e.org.evil.com/", false),
        ("extension(pdf, .ZIP)", "http://e.org/a.zip?x", true),
        ("extension(pdf)", "http://e.org/pdf", false),
        ("path(/cgi-bin/)", "http://e.org/cgi-bin/x", true),
        ("path(/*.php$)", "http://e.org/a/b.php", true),
        ("path(/*.php$)", "http://e.org/a/b.php?c", false),
        ("query()", "http://e.org/?a", true),
        ("query()", "http://e.org/", false),
        ("query(sid, session)", "http://e.org/?x=1&sid=2", true),
        ("query(sid)", "http://e.org/?x=sid", false),
        ("regex(/[0-9]{4,6}/(a|b)$)", "http://e.org/12345/b", true),
        (r#"regex("\)x,")"#, "http://e.org/a)x,", true),
        ("path('/a,b(c')", "http://e.org/a,b(c/d", true),
        ("path(/f(x)(y))", "http://e.org/f(x)(y)", true),
    ] {
        assert_eq!(accepts(filter, url, 0, None), expected, "{filter} {url}");
    }
}

#[test]
fn depth_is_compared() {
    for (filter, inside, outside) in [
        ("depth(<=5)", 5, 6),
        ("depth(<5)", 4, 5),
        ("depth(>=5)", 5, 4),
        ("depth(>5)", 6, 5),
        ("depth(=5)", 5, 4),
        ("depth(5)", 0, 6),
        ("depth(2..5)", 2, 6),
    ] {
        assert!(accepts(filter, "http://e.org/", inside, None), "{filter}");
        assert!(!accepts(filter, "http://e.org/", outside, None), "{filter}");
    }
}

#[test]
fn an_unknown_content_type_does_not_reject_yet() {
    let page = "http://e.org/a";
    for filter in
        ["content_type(image/*)", "not(content_type(image/*))", "and(domain(e.org), content_type(text/html))"]
    {
        assert!(accepts(filter, page, 0, None), "{filter}");
    }
    assert!(!accepts("and(domain(other.org), content_type(text/html))", page, 0, None));
    assert!(!accepts("not(content_type(image/*, video/*))", page, 0, Some("video/mp4")));
    assert!(accepts("or(content_type(image/*), domain(e.org))", page, 0, Some("text/html")));
    assert!(!accepts("content_type(text/html)", page, 0, Some("image/png; q=1")));
}

#[test]
fn mistakes_are_shown_where_they_are() {
    for (filter, position, part) in [
        ("", 0, "expected a filter name"),
        ("domain example.org", 7, "expected `(`"),
        ("domain()", 0, "needs an argument"),
        ("domain(a,)", 9, "expected an argument"),
        ("domain(a.org", 12, "expected `)`"),
        ("and(domain(a.org), donain(b.org))", 19, "there is no filter `donain`"),
        ("and(domain(a.org) or(b))", 18, "expected `)`"),
        ("domain(a.org) domain(b.org)", 14, "expected the end"),
        ("not(domain(a.org), domain(b.org))", 17, "expected `)`"),
        ("depth(deep)", 6, "is not a depth"),
        ("depth(1, 2)", 0, "takes one argument"),
        ("content_type(image)", 13, "is not a media type"),
        ("regex([a)", 6, "regular expression is wrong"),
        ("prefix(www.a.org/)", 7, "is not an http URL"),
        ("path(a)", 5, "must begin with"),
        ("host(\"a.org)", 5, "not closed"),
        ("host(a b)", 5, "is not a host name"),
    ] {
        let error = FilterExpression::parse(filter).unwrap_err();
        assert_eq!(error.position, position, "{filter}: {error}");
        assert!(error.message.contains(part), "{filter}: {error}");
        assert!(error.show(filter).contains('^'));
    }
    let filter = "and(host(a.org), depht(3))";
    let error = FilterExpression::parse(filter).unwrap_err();
    let shown = error.show(filter);
    let mut lines = shown.lines();
    assert_eq!(lines.next(), Some(filter));
    assert!(lines.next().unwrap().starts_with("                 ^ there is no filter `depht`"));
}

#[test]
fn deep_nesting_is_an_error_not_a_crash() {
    let deep = format!("{}domain(a.org){}", "not(".repeat(100_000), ")".repeat(100_000));
    assert!(FilterExpression::parse(&deep).unwrap_err().message.contains("nested deeper"));
    let allowed = format!("{}domain(a.org){}", "not(".repeat(64), ")".repeat(64));
    assert!(FilterExpression::parse(&allowed).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_is_read_or_refused_inside_it(
        text in "\\PC{0,40}|((and|or|not|domain|path|depth|query|regex|x)?[(),\"'\\\\a.5<\u{e9} ]{0,3}){0,10}",
    ) {
        match FilterExpression::parse(&text) {
            Ok(filter) => {
                let url = normalize("http://a.a/").unwrap();
                let _ = filter.accepts(&FilterInput { url: &url, depth: 1, content_type: None });
            }
            Err(error) => {
                prop_assert!(text.is_char_boundary(error.position));
                prop_assert!(!error.show(&text).is_empty());
            }
        }
    }
}
