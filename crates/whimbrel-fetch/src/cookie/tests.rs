use super::*;
use whimbrel_types::CanonicalUrl;

const NOW: Timestamp = Timestamp(1_800_000_000_000);

fn jar(origin: &str) -> Jar {
    let url = CanonicalUrl::from_canonical(origin).unwrap();
    Jar::new(&Site::of(&url), CookieLimits { cookies_max: 5, cookie_bytes_max: 64 })
}

fn sent(jar: &mut Jar, path: &str) -> String {
    jar.header_value(path, NOW).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
}

/// What a jar of `origin` sends to `/dir/page` after one `Set-Cookie` from there.
fn after(origin: &str, field: &str) -> String {
    let mut jar = jar(origin);
    jar.note(field.as_bytes(), "/dir/page?x=/y", NOW);
    sent(&mut jar, "/dir/page")
}

#[test]
fn which_cookies_are_kept() {
    let https = "https://www.example.co.uk/";
    for (field, kept) in [
        ("a=1", "a=1"),
        (" a = 1 ; x", "a=1"),
        ("a=\"q=1\"", "a=\"q=1\""),
        ("a=", "a="),
        ("=1", ""),
        ("novalue", ""),
        ("", ""),
        ("a=b\x01c", ""),
        ("a=1; Secure", "a=1"),
        ("a=1; Domain=www.example.co.uk", "a=1"),
        ("a=1; Domain=.EXAMPLE.co.uk", "a=1"),
        ("a=1; Domain=", "a=1"),
        ("a=1; Domain=co.uk", ""),
        ("a=1; Domain=uk", ""),
        ("a=1; Domain=other.co.uk", ""),
        ("a=1; Domain=ample.co.uk", ""),
        ("a=1; Domain=sub.www.example.co.uk", ""),
        ("a=1; Path=/dir", "a=1"),
        ("a=1; Path=/dir/", "a=1"),
        ("a=1; Path=/di", ""),
        ("a=1; Path=/other", ""),
        ("a=1; Path=relative", "a=1"),
        ("a=1; Max-Age=10", "a=1"),
        ("a=1; Max-Age=99999999999999999999999", "a=1"),
        ("a=1; Max-Age=0", ""),
        ("a=1; Max-Age=-5", ""),
        ("a=1; Max-Age=soon", "a=1"),
        ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", ""),
        ("a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT", "a=1"),
        ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=9", "a=1"),
        ("a=1; Expires=tomorrow", "a=1"),
        ("__Secure-a=1; Secure", "__Secure-a=1"),
        ("__secure-a=1", ""),
        ("__Host-a=1; Secure; Path=/", "__Host-a=1"),
        ("__Host-a=1; Secure; Path=/; Domain=www.example.co.uk", ""),
        ("__Host-a=1; Secure", ""),
    ] {
        assert_eq!(after(https, field), kept, "{field:?}");
    }
    assert_eq!(
        after("http://example.org/", "a=1; Secure"),
        "",
        "a secure cookie is not taken over plain http"
    );
    assert_eq!(after("http://127.0.0.1/", "a=1; Domain=0.0.1"), "", "an address has no domains above it");
    assert_eq!(after("http://co.uk/", "a=1; Domain=co.uk"), "a=1", "a host that is itself a suffix");
    assert_eq!(after(https, &format!("a={}", "x".repeat(64))), "", "one byte too long");
    assert_eq!(after(https, &format!("a=1; Path=/{}", "x".repeat(2000))), "");
}

#[test]
fn a_cookie_replaces_its_elder_and_a_past_date_removes_it() {
    let mut jar = jar("https://example.org/");
    jar.note(b"a=1; Path=/", "/", NOW);
    jar.note(b"b=1; Path=/dir", "/", NOW);
    jar.note(b"a=2; Path=/", "/", NOW);
    assert_eq!(sent(&mut jar, "/dir"), "b=1; a=2", "longer paths first");
    jar.note(b"a=; Path=/; Max-Age=0", "/", NOW);
    assert_eq!(sent(&mut jar, "/dir"), "b=1");
    jar.note(b"c=1; Max-Age=1", "/", NOW);
    assert_eq!(jar.header_value("/", NOW.plus_ms(1001)), None);
}

#[test]
fn a_flood_of_cookies_stays_within_the_limits() {
    let mut jar = jar("https://example.org/");
    for number in 0..10_000 {
        let reached = jar.note(format!("c{number}={number}").as_bytes(), "/", NOW);
        assert_eq!(reached, (number >= 5).then_some(Limit::Cookies));
        let long = format!("d{number}={}", "x".repeat(1000));
        assert_eq!(jar.note(long.as_bytes(), "/", NOW), Some(Limit::Cookie));
    }
    assert_eq!(sent(&mut jar, "/"), "c9995=9995; c9996=9996; c9997=9997; c9998=9998; c9999=9999");
}

#[test]
fn values_are_not_shown() {
    let mut jar = jar("https://example.org/");
    jar.note(b"session=hunter2", "/", NOW);
    let shown = format!("{jar:?}");
    assert!(shown.contains("session") && !shown.contains("hunter2"), "{shown}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(256))]
    #[test]
    fn any_field_is_survived_within_the_limits(
        fields in proptest::collection::vec(
            (proptest::collection::vec(proptest::prelude::any::<u8>(), 0..80), "[ -~]{0,60}"), 0..20
        ),
        path in "/[a-z/?#]{0,12}",
    ) {
        let mut jar = jar("https://www.example.org/");
        for (bytes, text) in &fields {
            jar.note(bytes, &path, NOW);
            jar.note(format!("{text}; Domain={text}; Path={text}; Max-Age={text}; Expires={text}").as_bytes(), &path, NOW);
        }
        proptest::prop_assert!(jar.cookies.len() <= 5);
        if let Some(value) = jar.header_value(&path, NOW) {
            proptest::prop_assert!(value.len() <= 5 * (64 + 3));
        }
    }
}
