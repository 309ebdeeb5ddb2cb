use super::*;
use proptest::prelude::*;

fn canonical(input: &str) -> String {
    normalize(input).unwrap_or_else(|reason| panic!("{input}: {reason}")).as_str().to_owned()
}

#[test]
fn equivalent_spellings_have_one_canonical_form() {
    let table = [
        ("HTTP://WWW.Example.COM", "http://www.example.com/"),
        ("http://example.com:80/a", "http://example.com/a"),
        ("https://example.com:443", "https://example.com/"),
        ("https://example.com:80/", "https://example.com:80/"),
        ("http://example.com:/a", "http://example.com/a"),
        ("http://example.com?x=1", "http://example.com/?x=1"),
        ("http://example.com/a#part", "http://example.com/a"),
        ("http://example.com/%7Esmith/a%2db%5fc", "http://example.com/~smith/a-b_c"),
        ("http://example.com/%2fa%3f?q=%2f%41", "http://example.com/%2Fa%3F?q=%2FA"),
        ("http://example.com/a/./b/../c/%2e%2E/d", "http://example.com/a/d"),
        ("http://example.com/caf\u{e9}?q=\u{e9}", "http://example.com/caf%C3%A9?q=%C3%A9"),
        ("http://b\u{fc}cher.de/", "http://xn--bcher-kva.de/"),
        ("http://User:Pw@Example.com/", "http://User:Pw@example.com/"),
        ("http://e.com/?q=a|b^c`{d}", "http://e.com/?q=a%7Cb%5Ec%60%7Bd%7D"),
        ("http://e.com/100%?q=5%", "http://e.com/100%25?q=5%25"),
        ("http://[2001:DB8:0::1]:80/", "http://[2001:db8::1]/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        (" \thttp://e.com/a\nb ", "http://e.com/ab"),
        ("http://e.com\\a\\b", "http://e.com/a/b"),
    ];
    for (input, expected) in table {
        assert_eq!(canonical(input), expected, "{input}");
    }
}

#[test]
fn what_a_server_may_tell_apart_stays_apart() {
    for kept in [
        "http://e.com/a/",
        "http://e.com/a",
        "http://e.com/index.html",
        "http://e.com/a//b",
        "http://e.com/?",
        "http://e.com/?b=2&a=1",
        "http://e.com/?a=",
        "http://e.com/a;jsessionid=1",
        "http://e.com/a%2Fb",
        "http://e.com/a%252Fb",
        "http://e.com/?a[]=1&b='%27",
        "http://e.com./",
    ] {
        let expected = kept.replace('\'', "%27");
        assert_eq!(canonical(kept), expected);
    }
}

#[test]
fn a_stray_percent_sign_never_grows_into_a_triplet() {
    assert_eq!(canonical("http://e.com/a/%%32e/b"), "http://e.com/a/%252e/b");
    assert_eq!(canonical("http://e.com/a/%252e/b"), "http://e.com/a/%252e/b");
}

#[test]
fn refusals_name_their_reason() {
    let scheme = |name: &str| Err(RejectReason::Scheme(name.to_owned()));
    assert_eq!(normalize("mailto:a@b.org"), scheme("mailto"));
    assert_eq!(normalize(" JavaScript:void(0)"), scheme("javascript"));
    assert_eq!(normalize("java\nscript:void(0)"), scheme("javascript"));
    assert_eq!(normalize("ftp://e.com/a"), scheme("ftp"));
    assert_eq!(normalize(&format!("data:,{}", "x".repeat(1_000_000))), scheme("data"));
    assert_eq!(normalize("/relative"), Err(RejectReason::Malformed));
    assert_eq!(normalize("http://"), Err(RejectReason::Malformed));
    assert_eq!(normalize("http://a b/"), Err(RejectReason::Malformed));
    assert_eq!(normalize("http://e.com:99999/"), Err(RejectReason::Malformed));
    assert_eq!(normalize(""), Err(RejectReason::Malformed));
}

#[test]
fn length_is_judged_on_the_canonical_form() {
    let stem = "http://e.com/";
    let longest = format!("{stem}{}", "a".repeat(URL_BYTES_MAX - stem.len()));
    assert_eq!(canonical(&longest), longest);
    assert_eq!(canonical(&format!("{longest}#{}", "f".repeat(5000))), longest);
    assert_eq!(normalize(&format!("{longest}a")), Err(RejectReason::TooLong));
    assert_eq!(normalize(&format!("{stem}{}", "a".repeat(100_000))), Err(RejectReason::TooLong));
    let short = Normalizer { url_bytes_max: 14 };
    assert!(short.normalize("http://e.com/a").is_ok());
    assert_eq!(short.normalize("http://e.com/\u{e9}"), Err(RejectReason::TooLong));
}

#[test]
fn references_are_resolved_as_browsers_do() {
    let base = ParsedUrl::parse("http://a/b/c/d;p?q").unwrap();
    for (reference, expected) in [
        ("g", "http://a/b/c/g"),
        ("../../../g", "http://a/g"),
        ("?y", "http://a/b/c/d;p?y"),
        ("", "http://a/b/c/d;p?q"),
        ("#s", "http://a/b/c/d;p?q"),
        ("//g", "http://g/"),
        ("///g/x", "http://g/x"),
        ("\\/\\g/x", "http://g/x"),
        (" /\n//g/x", "http://g/x"),
        ("http:g", "http://a/b/c/g"),
        ("https:///g", "https://g/"),
    ] {
        assert_eq!(resolve(&base, reference).unwrap().as_str(), expected, "{reference:?}");
    }
    assert_eq!(resolve(&base, "tel:+1"), Err(RejectReason::Scheme("tel".to_owned())));
    assert_eq!(resolve(&base, "///"), Err(RejectReason::Malformed));
}

#[test]
fn a_query_is_encoded_by_the_document_character_set() {
    let base = ParsedUrl::parse("http://a/").unwrap();
    let resolved = resolve_in(&base, "/\u{e9}?\u{e9}", encoding_rs::WINDOWS_1252).unwrap();
    assert_eq!(resolved.as_str(), "http://a/%C3%A9?%E9");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_answered_and_the_answer_is_stable(text in "\\PC*") {
        if let Ok(url) = normalize(&text) {
            prop_assert_eq!(normalize(url.as_str()), Ok(url));
        }
    }

    #[test]
    fn normal_form_is_a_fixed_point(
        host in "[a-zA-Z]{1,5}(\\.[a-zA-Z]{2,3})?",
        tail in "([/?&=%.a-fA-F0-9 |{}\\[\\]\u{e9}#~]|%2[eEfF5]|%[0-9a-f]{2}){0,24}",
    ) {
        if let Ok(url) = normalize(&format!("HTTP://{host}/{tail}")) {
            prop_assert!(url.as_str().is_ascii());
            prop_assert_eq!(normalize(url.as_str()), Ok(url));
        }
    }

    #[test]
    fn resolving_any_reference_is_answered(reference in "[/\\\\.?#:%a-z\\t ]{0,20}") {
        let base = ParsedUrl::parse("http://h/a/b").unwrap();
        if let Ok(url) = resolve(&base, &reference) {
            prop_assert_eq!(normalize(url.as_str()), Ok(url));
        }
    }
}
