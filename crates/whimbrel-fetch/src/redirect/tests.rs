use super::*;

#[test]
fn targets_are_resolved_and_cleaned() {
    let base = CanonicalUrl::from_canonical("http://site.example:8080/robots.txt").unwrap();
    let table: &[(&str, Option<&str>)] = &[
        ("/r.txt", Some("http://site.example:8080/r.txt")),
        ("r.txt?x=1#frag", Some("http://site.example:8080/r.txt?x=1")),
        ("//Other.Example/robots.txt", Some("http://other.example/robots.txt")),
        ("https://user:pw@other.example:443", Some("https://other.example/")),
        ("http://2130706433/", Some("http://127.0.0.1/")),
        ("http://0x7f.1/", Some("http://127.0.0.1/")),
        ("/a\r\nSet-Cookie: b=1", Some("http://site.example:8080/aSet-Cookie:%20b=1")),
        ("  /spaces  ", Some("http://site.example:8080/spaces")),
        ("\\\\other.example\\x", Some("http://other.example/x")),
        ("http://site.example@other.example/", Some("http://other.example/")),
        ("/caf\u{fffd}", Some("http://site.example:8080/caf%EF%BF%BD")),
        ("http://[::ffff:127.0.0.1]/", Some("http://[::ffff:7f00:1]/")),
        ("ftp://other.example/", None),
        ("file:///etc/passwd", None),
        ("javascript:alert(1)", None),
        ("http://", None),
    ];
    for (location, expected) in table {
        assert_eq!(target(&base, location).as_ref().map(CanonicalUrl::as_str), *expected, "{location}");
    }
}
