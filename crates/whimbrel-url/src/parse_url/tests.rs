use super::*;
use crate::{normalize, resolve};
use proptest::prelude::*;
use whimbrel_types::RejectReason;

fn href(input: &str, base: Option<&str>) -> Option<String> {
    parse_url(input, base).map(|url| url.href().to_owned())
}

#[test]
fn every_part_can_be_asked_for() {
    let url = parse_url("HTTPS://us%20er:p@ss@Ex\u{e4}mple.com:8443/a/./b/../c d?q='x'#f g", None).unwrap();
    for (part, expected) in [
        (url.href(), "https://us%20er:p%40ss@xn--exmple-cua.com:8443/a/c%20d?q=%27x%27#f%20g"),
        (url.protocol(), "https:"),
        (url.scheme(), "https"),
        (url.username(), "us%20er"),
        (url.password(), "p%40ss"),
        (url.host(), "xn--exmple-cua.com:8443"),
        (url.hostname(), "xn--exmple-cua.com"),
        (url.port(), "8443"),
        (url.pathname(), "/a/c%20d"),
        (url.search(), "?q=%27x%27"),
        (url.hash(), "#f%20g"),
    ] {
        assert_eq!(part, expected);
    }
    let bare = parse_url("http://h?#", None).unwrap();
    assert_eq!((bare.query(), bare.search(), bare.hash(), bare.href()), (Some(""), "", "", "http://h/?#"));
    let mail = parse_url("mailto:a@b", None).unwrap();
    assert_eq!((mail.host(), mail.username(), mail.pathname()), ("", "", "a@b"));
}

#[test]
fn references_are_read_as_browsers_read_them() {
    let web = Some("http://u@h:8/a/b?q#f");
    for (input, base, expected) in [
        ("///evil/x", web, Some("http://evil/x")),
        ("/\\/evil/x", web, Some("http://evil/x")),
        ("http:/x", web, Some("http://u@h:8/x")),
        ("http:\\\\evil", web, Some("http://evil/")),
        ("https:/x", web, Some("https://x/")),
        ("#g", web, Some("http://u@h:8/a/b?q#g")),
        ("?", web, Some("http://u@h:8/a/b?")),
        ("", web, Some("http://u@h:8/a/b?q")),
        ("..", Some("foo://h/a/b/c"), Some("foo://h/a/")),
        ("/.//p", Some("web+demo:/x"), Some("web+demo:/.//p")),
        ("x", Some("web+demo:/.//p/q"), Some("web+demo:/.//p/x")),
        ("#f", Some("mailto:a"), Some("mailto:a#f")),
        ("x", Some("mailto:a"), None),
        ("d|/x", Some("file:///C:/a/b"), Some("file:///d:/x")),
        ("/x", Some("file:///C:/a/b"), Some("file:///C:/x")),
        ("//localhost/x", Some("file:///C:/a"), Some("file:///x")),
        ("x", Some("not a url"), None),
        ("x", None, None),
        ("https://xn--a.com/", None, Some("https://xn--a.com/")),
        ("https://XN--A.b\u{fc}cher.de/", None, None),
    ] {
        assert_eq!(href(input, base).as_deref(), expected, "{input:?} on {base:?}");
    }
}

/// What comes out of the tricks that pages play with hosts: the host that would be asked, or a refusal.
#[test]
fn the_host_that_is_asked_is_the_one_that_is_shown() {
    for (input, expected) in [
        ("http://good.com@evil.com/", Some("evil.com")),
        ("http://good.com%40evil.com/", None),
        ("http://good.com:80@evil.com:81/", Some("evil.com")),
        ("http://good.com\\@evil.com/", Some("good.com")),
        ("http://good.com/@evil.com/", Some("good.com")),
        ("http://good.com#@evil.com/", Some("good.com")),
        ("http://good.com?@evil.com/", Some("good.com")),
        ("http://a@b@evil.com/", Some("evil.com")),
        ("http:evil.com", Some("evil.com")),
        ("ht\ntp://ev\til.com/", Some("evil.com")),
        ("http://good.com\u{2024}evil.com/", None),
        ("http://good\u{3002}com/", Some("good.com")),
        ("http://g\u{200b}ood.com/", Some("good.com")),
        ("http://go\u{ad}od.com/", Some("good.com")),
        ("http://\u{202e}moc.doog/", None),
        ("http://g\u{43e}od.com/", Some("xn--god-sed.com")),
        ("http://\u{ff47}ood.com/", Some("good.com")),
        ("http://fa\u{df}.de/", Some("xn--fa-hia.de")),
        ("http://a\u{200d}b.com/", None),
        ("http://%67ood.com/", Some("good.com")),
        ("http://good%2Ecom/", Some("good.com")),
        ("http://good.com%2F.evil.com/", None),
        ("http://good.com%00.evil.com/", None),
        ("http://good.com%0D%0AHost:x/", None),
        ("http://good.com\u{ff0f}evil.com/", None),
        ("http://good_name.com/", Some("good_name.com")),
        ("http://-good-.com/", Some("-good-.com")),
        ("http://good.com./", Some("good.com.")),
        ("http://./", Some(".")),
        ("http://", None),
        ("http://@/", None),
        ("http://:80/", None),
    ] {
        let url = parse_url(input, None);
        assert_eq!(url.as_ref().map(ParsedUrl::hostname), expected, "{input:?}");
        let canonical = normalize(input).ok();
        assert_eq!(canonical.as_ref().map(|url| url.host()), expected, "{input:?}");
    }
}

#[test]
fn addresses_have_one_spelling() {
    for (host, expected) in [
        ("127.0.0.1", Some("127.0.0.1")),
        ("2130706433", Some("127.0.0.1")),
        ("0x7f000001", Some("127.0.0.1")),
        ("0177.0.0.01", Some("127.0.0.1")),
        ("127.1", Some("127.0.0.1")),
        ("0x7f.0.1", Some("127.0.0.1")),
        ("0", Some("0.0.0.0")),
        ("0x", Some("0.0.0.0")),
        ("127.0.0.1.", Some("127.0.0.1")),
        ("\u{ff11}27.0.0.\u{2460}", Some("127.0.0.1")),
        ("%31%32%37.0.0.1", Some("127.0.0.1")),
        ("4294967295", Some("255.255.255.255")),
        ("4294967296", None),
        ("99999999999999999999999999", None),
        ("256.0.0.1", None),
        ("1.2.3.4.5", None),
        ("127.0.0.08", None),
        ("good.0x10", None),
        ("1.2.3.4a", Some("1.2.3.4a")),
        ("1..2", None),
        ("[::1]", Some("[::1]")),
        ("[0:0:0:0:0:0:0:1]", Some("[::1]")),
        ("[::ffff:127.0.0.1]", Some("[::ffff:7f00:1]")),
        ("[::FFFF:7F00:1]", Some("[::ffff:7f00:1]")),
        ("[::127.0.0.1]", Some("[::7f00:1]")),
        ("[64:ff9b::10.0.0.1]", Some("[64:ff9b::a00:1]")),
        ("[1:0:0:2:0:0:0:3]", Some("[1:0:0:2::3]")),
        ("[1:0:2:3:4:5:6:7]", Some("[1:0:2:3:4:5:6:7]")),
        ("[2001:db8::]", Some("[2001:db8::]")),
        ("[fe80::1%25eth0]", None),
        ("[::1", None),
        ("[::1]x", None),
        ("[1::2::3]", None),
        ("[v1.x]", None),
    ] {
        let url = parse_url(&format!("http://{host}/"), None);
        assert_eq!(url.as_ref().map(ParsedUrl::hostname), expected, "{host:?}");
    }
}

#[test]
fn ports_are_numbers_that_fit() {
    for (port, expected) in [
        ("", Some("")),
        ("80", Some("")),
        ("00080", Some("")),
        ("0", Some("0")),
        ("65535", Some("65535")),
        ("65536", None),
        ("99999999999999999999", None),
        ("-1", None),
        ("+80", None),
        ("8 0", None),
        ("8\t0", Some("")),
        ("80:80", None),
        ("\u{663}", None),
    ] {
        let url = parse_url(&format!("http://h:{port}/"), None);
        assert_eq!(url.as_ref().map(ParsedUrl::port), expected, "{port:?}");
    }
}

#[test]
fn other_schemes_are_parsed_and_never_crawled() {
    let base = ParsedUrl::parse("https://h.example/a").unwrap();
    for (input, scheme) in [
        ("javascript:alert(1)//http://h/", "javascript"),
        ("\u{1}JaVa\tScRiPt\n:alert(1)", "javascript"),
        ("data:text/html,<a href=http://h/>", "data"),
        ("mailto:a@b.example", "mailto"),
        ("tel:+1-2", "tel"),
        ("blob:https://h.example/1-2", "blob"),
        ("file:///etc/passwd", "file"),
        ("ftp://h/x", "ftp"),
        ("ws://h/x", "ws"),
        ("view-source:http://h/", "view-source"),
        ("about:blank", "about"),
        ("gopher://h:70/x", "gopher"),
        ("jar:http://h/x!/y", "jar"),
        ("localhost:8080/x", "localhost"),
        ("h.example:80", "h.example"),
    ] {
        assert_eq!(base.join(input).map(|url| url.scheme().to_owned()).as_deref(), Some(scheme), "{input:?}");
        assert_eq!(resolve(&base, input), Err(RejectReason::Scheme(scheme.to_owned())), "{input:?}");
    }
    assert_eq!(resolve(&base, "1http://h/").unwrap().as_str(), "https://h.example/1http://h/");
}

#[test]
fn text_that_could_break_a_line_or_a_page_is_encoded() {
    for (input, expected) in [
        ("http://h/a\r\nSet-Cookie: x", "http://h/aSet-Cookie:%20x"),
        ("http://h/%0d%0aX", "http://h/%0D%0AX"),
        ("http://h/\u{0}\u{1b}[31m", "http://h/%00%1B[31m"),
        ("http://h/<script>\"'`?<script>\"'", "http://h/%3Cscript%3E%22'%60?%3Cscript%3E%22%27"),
        ("http://h/\u{202e}x\u{2028}", "http://h/%E2%80%AEx%E2%80%A8"),
        ("http://u\r:p\"@h/", "http://u:p%22@h/"),
        ("http://h/..\\..\\etc", "http://h/etc"),
        ("http://h/%2e%2e/%2E./etc", "http://h/etc"),
        ("http://h/..%2fetc", "http://h/..%2Fetc"),
        ("http://h/%252e%252e/", "http://h/%252e%252e/"),
    ] {
        assert_eq!(normalize(input).unwrap().as_str(), expected, "{input:?}");
    }
}

#[test]
fn very_long_urls_are_parsed_in_one_pass() {
    let size = 60_000;
    let started = std::time::Instant::now();
    for text in [
        format!("http://h/{}", "a/".repeat(size)),
        format!("http://h/{}", "../".repeat(size)),
        format!("http://h/{}{}", "a/".repeat(size), "../".repeat(size)),
        format!("http://h/{}", "%2e%2e\\".repeat(size / 2)),
        format!("http://{}@h/", "@".repeat(size)),
        format!("http://{}/", "a.".repeat(size)),
        format!("http://{}/", "xn--a.".repeat(size / 4)),
        format!("http://{}/", "\u{e9}".repeat(size)),
        format!("http://{}/", "\u{e9}.".repeat(size)),
        format!("http://{}/", "1.".repeat(size)),
        format!("http://{}/", "0x".repeat(size)),
        format!("http://[{}]/", ":".repeat(size)),
        format!("http://h:{}/", "0".repeat(size)),
        format!("http://h/?{}", "'".repeat(size)),
        format!("{}:x", "s".repeat(size)),
        format!("x:{}", " ".repeat(size) + "#"),
        "\t".repeat(size) + "http://h/",
    ] {
        let url = parse_url(&text, Some("http://h/"));
        let again = url.as_ref().and_then(|url| ParsedUrl::parse(url.href()));
        assert!(url == again, "{}", &text[..40]);
    }
    assert!(started.elapsed().as_secs() < 60, "took {:?}", started.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_was_parsed_parses_to_itself(
        input in "(https?|file|foo|ws)?:?[/\\\\]{0,3}([a-z@:.%?#\\[\\]|/ \t\u{e9}0-9]|%2e|xn--|C:|\\.\\.){0,14}",
        base in proptest::sample::select(vec!["http://u@h:8/a/b?q", "file:///C:/a", "foo://h", "foo:/a//b", "m:x"]),
    ) {
        if let Some(url) = parse_url(&input, Some(base)) {
            prop_assert!(url.href().is_ascii());
            let again = ParsedUrl::parse(url.href());
            prop_assert_eq!(again.as_ref(), Some(&url));
            prop_assert!(url.port().parse::<u16>().is_ok() || url.port().is_empty());
        }
    }

    #[test]
    fn any_text_is_answered(input in any::<String>(), base in any::<String>()) {
        let _ = (parse_url(&input, None), parse_url(&input, Some(&base)), parse_url(&input, Some("http://h")));
    }
}
