//! `Set-Cookie` fields (RFC 6265). Laws: a jar never holds more than its limits; what is sent back is one line, to the site's
//! own paths; a cookie whose time has come is not sent.

use crate::target::{SEPARATOR, Target, answer, size, texts};
use whimbrel_fetch::{CookieJar, CookieLimits};
use whimbrel_types::{CanonicalUrl, Timestamp};

pub(super) const TARGET: Target = Target {
    name: "cookies",
    run,
    seeds: || {
        texts(&[
            "a=b; Path=/dir; Secure; HttpOnly\x1fc=d; Max-Age=10\x1fe=f; Domain=.example.org",
            "__Host-x=1; Secure; Path=/\x1f__Secure-y=2; secure\x1f=novalue\x1fnoname",
            "x=1; Expires=Sun, 06 Nov 2094 08:49:37 GMT\x1fx=; expires=Thu, 01 Jan 1970 00:00:00 GMT",
        ])
    },
    tokens: &[
        "=",
        ";",
        " Path=",
        "/dir/",
        "Domain=",
        "example.org",
        "co.uk",
        "Max-Age=",
        "-1",
        "Expires=",
        "GMT",
        "Secure",
        "__Host-",
        "\u{1f}",
        ",",
    ],
    shared: &[],
    bytes_max: 2048,
    smoke_runs: 3000,
};

fn run(data: &[u8]) -> u64 {
    let page = CanonicalUrl::from_canonical("https://www.example.org/dir/page").expect("it is canonical");
    let limits = CookieLimits { cookies_max: 4, cookie_bytes_max: 100 };
    let mut jar = CookieJar::new(&page.site(), limits);
    let now = Timestamp(1_700_000_000_000);
    for field in data.split(|byte| *byte == SEPARATOR) {
        jar.note(field, page.path(), now);
    }
    let mut seen = Vec::new();
    for (path, at) in
        [("/dir/page", now), ("/", now), ("/directory", now), ("/dir/page", Timestamp(u64::MAX / 2))]
    {
        let line = jar.header_value(path, at);
        let bytes = line.as_ref().map_or(0, |line| line.as_bytes().len());
        assert!(bytes <= limits.cookies_max * (limits.cookie_bytes_max + 3), "{bytes} bytes");
        assert!(line.is_none_or(|line| !line.as_bytes().contains(&b'\n')));
        seen.push(size(bytes));
    }
    answer(seen)
}
