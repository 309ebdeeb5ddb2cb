use super::*;

fn url(text: &str) -> CanonicalUrl {
    CanonicalUrl::from_canonical(text).expect(text)
}

#[test]
fn accessors_take_a_url_apart() {
    let u = url("https://user:pw@docs.example.org:8443/a/b.HTML?q=1/2:3@x");
    assert_eq!(u.scheme(), Scheme::Https);
    assert_eq!(u.authority(), "user:pw@docs.example.org:8443");
    assert_eq!((u.host(), u.port()), ("docs.example.org", 8443));
    assert_eq!((u.path(), u.query()), ("/a/b.HTML", Some("q=1/2:3@x")));
    assert_eq!(u.extension().as_deref(), Some("html"));
    let six = url("http://[2001:db8::1]/");
    assert_eq!((six.host(), six.port(), six.path()), ("[2001:db8::1]", 80, "/"));
    assert_eq!(url("http://[::1]:81/x").port(), 81);
    assert_eq!(url("http://h/.hidden").extension(), None);
}

#[test]
fn what_is_not_canonical_is_refused() {
    for bad in [
        "",
        "ftp://a/",
        "http://a",
        "http:///x",
        "http://a/#f",
        "http://a/ b",
        "http://a?x/",
        "http://a:99999/",
        "http://é/",
    ] {
        assert_eq!(CanonicalUrl::from_canonical(bad), None, "{bad}");
    }
}

#[test]
fn a_neighbors_key_is_the_same_by_either_way() {
    let page = url("http://a.example:81/x");
    for text in [
        "http://a.example:81/y",
        "http://a.example:8/y",
        "http://a.example/y",
        "https://a.example:81/y",
        "http://b.example/",
    ] {
        assert_eq!(url(text).key_beside(&page, page.key().site), url(text).key(), "{text}");
    }
}

#[test]
fn a_site_has_one_key_however_many_sites_were_met_in_between() {
    // More sites than are remembered, twice, so that each is met remembered and forgotten.
    for _ in 0..2 {
        for n in 0..200 {
            for text in [
                format!("http://h{n}.example/"),
                format!("https://h{n}.example/x?y"),
                format!("http://h{n}.example:8080/"),
                format!("http://user@h{n}.example:8080/a/b"),
            ] {
                assert_eq!(url(&text).site_key(), url(&text).site().key(), "{text}");
            }
        }
    }
}

#[test]
fn what_lacks_the_form_is_not_read_from_rows_or_messages() {
    use serde::Deserialize;
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, StrDeserializer};

    for (text, fine) in
        [("http://a.example/x?y", true), ("", false), ("http://", false), ("http://a b/", false)]
    {
        let row: StrDeserializer<'_, Error> = text.into_deserializer();
        assert_eq!(CanonicalUrl::deserialize(row).is_ok(), fine, "{text}");
    }
}
