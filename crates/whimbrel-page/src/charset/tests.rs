use super::{CharsetSource, charset_of, decode, guess, late_prescan, prescan};
use std::borrow::Cow;

fn check(body: &[u8], content_type: Option<&str>, expected: (&str, &str, CharsetSource)) {
    let (text, encoding, source) = decode(body, content_type, Some("org"));
    assert_eq!((&*text, encoding.name(), source), expected);
}

#[test]
fn the_mark_beats_the_header_and_the_header_beats_the_page() {
    check(b"\xEF\xBB\xBFa", Some("text/html; charset=koi8-r"), ("a", "UTF-8", CharsetSource::ByteOrderMark));
    check(b"\xFF\xFEa\0", None, ("a", "UTF-16LE", CharsetSource::ByteOrderMark));
    check(
        b"<meta charset=utf-8>\xE9",
        Some("text/html; charset=\"latin1\""),
        ("<meta charset=utf-8>é", "windows-1252", CharsetSource::Header),
    );
    check(
        b"<meta charset=koi8-r>\xC1",
        Some("text/html"),
        ("<meta charset=koi8-r>а", "KOI8-R", CharsetSource::Meta),
    );
}

#[test]
fn undeclared_bytes_are_guessed() {
    check("größer".as_bytes(), None, ("größer", "UTF-8", CharsetSource::Guess));
    check(b"plain", None, ("plain", "windows-1252", CharsetSource::Guess));
    check(b"gr\xF6\xDFer als", None, ("größer als", "windows-1252", CharsetSource::Guess));
}

#[test]
fn valid_utf8_is_not_copied() {
    let (text, _, _) = decode("größer".as_bytes(), Some("text/html; charset=utf-8"), None);
    assert!(matches!(text, Cow::Borrowed(_)));
}

#[test]
fn strange_hosts_are_no_hint_and_no_panic() {
    for tld in ["ORG", "1]", "", "xn--p1ai", "münchen", "127"] {
        let _ = decode(b"\xE4\xF6\xFC \x1B(B", None, Some(tld));
    }
}

#[test]
fn declarations_are_found_where_the_standard_looks() {
    let found = |body: &str| prescan(body.as_bytes()).map(|encoding| encoding.name());
    assert_eq!(
        found("<meta http-equiv=Content-Type content='text/html; charset=iso-8859-2'>"),
        Some("ISO-8859-2")
    );
    assert_eq!(found("<meta content='text/html; charset=iso-8859-2'>"), None);
    assert_eq!(
        found("<!-- <meta charset=koi8-r> --><p title='<meta charset=big5>'><meta charset=euc-jp>"),
        Some("EUC-JP")
    );
    assert_eq!(found("<meta charset=utf-16>"), Some("UTF-8"));
    assert_eq!(found("<?xml version='1.0' encoding='euc-kr'?>"), Some("EUC-KR"));
    assert_eq!(found(&format!("{}<meta charset=koi8-r>", " ".repeat(1024))), None);
    assert_eq!(found("<meta charset=nonsense>"), None);
    assert_eq!(found("<meta charset=\"koi8-r"), None);
}

#[test]
fn header_parameters_follow_mime_sniffing() {
    let found = |value: &str| charset_of(value).map(|encoding| encoding.name());
    assert_eq!(found("text/html;x=(;charset=gbk"), Some("GBK"));
    assert_eq!(found("text/html;charset=gbk;charset=utf-8"), Some("GBK"));
    assert_eq!(found("text/html; charset=\"g\\bk\""), Some("GBK"));
    assert_eq!(found("text/html;charset= \"gbk\""), None);
    assert_eq!(found("text/html"), None);
    assert_eq!(found("html;charset=gbk"), None);
}

#[test]
fn a_late_declaration_counts_unless_it_is_text() {
    let filler = " ".repeat(2000);
    let found = |body: String| late_prescan(body.as_bytes()).map(|encoding| encoding.name());
    assert_eq!(found(format!("<head>{filler}<meta charset=koi8-r>")), Some("KOI8-R"));
    assert_eq!(
        found(format!("<script>'<meta charset=big5>'</script>{filler}<meta charset=koi8-r>")),
        Some("KOI8-R")
    );
    assert_eq!(found(format!("<script>{filler}<meta charset=big5>")), None);
    assert_eq!(found("<meta charset=koi8-r>".into()), None);
}

#[test]
fn mac_cyrillic_and_hungarian_are_told_from_their_look_alikes() {
    let russian =
        "Каждая семья несчастлива по-своему. Вся семья смеялась, и дня не проходило без неё. ".repeat(4);
    // encoding_rs writes every encoding of the standard, Mac Cyrillic too.
    let bytes = encoding_rs::X_MAC_CYRILLIC.encode(&russian).0.into_owned();
    assert_eq!(guess(&bytes, None).name(), "x-mac-cyrillic");
    let bytes = encoding_rs::WINDOWS_1251.encode(&russian).0.into_owned();
    assert_eq!(guess(&bytes, None).name(), "windows-1251");
    let hungarian =
        "Azt mondta, hogy az időjárás nem jó, csak egy kicsit hűvös. A nő szerint az erdő volt a legszebb. "
            .repeat(3);
    let bytes = encoding_rs::WINDOWS_1250.encode(&hungarian).0.into_owned();
    assert_eq!(guess(&bytes, None).decode_without_bom_handling(&bytes).0, hungarian);
    for latin in [
        "Die Größe der Straße ist weiß Gott süß, müßig zu fragen. ",
        "São Paulo não põe limões. ",
        "Où est l'âne bête ? Le goût du mûr. ",
    ] {
        let bytes = encoding_rs::WINDOWS_1252.encode(&latin.repeat(6)).0.into_owned();
        assert_eq!(guess(&bytes, None).name(), "windows-1252", "{latin}");
    }
}
