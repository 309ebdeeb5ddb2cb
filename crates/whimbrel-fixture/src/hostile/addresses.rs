//! Ways into places a crawler has no business in: private and link-local addresses in every spelling, and URLs
//! that look like one host and are another.

use super::behavior::{Act, Behavior};
use super::redirects::one_of;
use super::script::{Script, small_page};

/// Private, link-local and otherwise special addresses, and a name for this machine.
const PRIVATE: &[&str] = &[
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.1.1/admin",
    "http://100.64.0.1/",
    "http://0.0.0.0/",
    "http://[::1]/",
    "http://[fe80::1]/",
    "http://[fd00::1]/",
    "http://localhost/",
    "http://router.localhost/",
];

/// IPv6 addresses that carry an IPv4 address.
const MAPPED: &[&str] = &[
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:a9fe:a9fe]/latest/",
    "http://[::ffff:10.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b::10.0.0.1]/",
    "http://[2002:7f00:1::]/",
];

/// 127.0.0.1, 169.254.169.254 and 10.0.0.1 in the spellings that browsers take.
const ENCODED: &[&str] = &[
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://0xa.0.0.1/",
    "http://%31%30.0.0.1/",
    "http://１０.0.0.1/",
];

pub(super) const BEHAVIORS: &[Behavior] = &[
    Behavior {
        name: "redirect-to-private",
        does: "redirects to private, link-local and loopback addresses and to localhost",
        held_by: "the address check before every connection; fetch.allow_private",
        seen_as: "errors.robots_address_refused: the host is asked for its robots.txt first",
        act: Act::Pages(|ask| one_of(ask, PRIVATE)),
    },
    Behavior {
        name: "redirect-to-mapped-addresses",
        does: "redirects to IPv4 addresses inside IPv6 ones: mapped, compatible, NAT64, 6to4",
        held_by: "the address check before every connection",
        seen_as: "errors.robots_address_refused: the host is asked for its robots.txt first",
        act: Act::Pages(|ask| one_of(ask, MAPPED)),
    },
    Behavior {
        name: "redirect-to-encoded-addresses",
        does: "redirects to private addresses written in decimal, octal, hexadecimal, percent or full-width form",
        held_by: "normalization, then the address check",
        seen_as: "errors.robots_address_refused: the host is asked for its robots.txt first",
        act: Act::Pages(|ask| one_of(ask, ENCODED)),
    },
    Behavior {
        name: "redirect-to-another-port",
        does: "redirects to another service of this machine",
        held_by: "a loopback seed opens its own host and port only",
        seen_as: "errors.robots_address_refused: the host is asked for its robots.txt first",
        act: Act::Pages(|ask| one_of(ask, &[&format!("{}/admin", ask.stranger)])),
    },
    Behavior {
        name: "links-to-private",
        does: "links to private addresses in all spellings",
        held_by: "the address check before every connection",
        seen_as: "errors.robots_address_refused: the host is asked for its robots.txt first",
        act: Act::Pages(|ask| {
            let all = [PRIVATE, MAPPED, ENCODED].concat();
            let mut links: Vec<String> = all.into_iter().map(str::to_owned).collect();
            links.push(format!("{}/secret", ask.stranger));
            Script::page(small_page("Ways in", "none of these is for you", &links))
        }),
    },
    Behavior {
        name: "links-with-userinfo",
        does: "links to URLs whose user information looks like a host",
        held_by: "user information is taken off; the host decides",
        seen_as: "errors.robots_address_refused; what is on this host is visited",
        act: Act::Pages(|ask| {
            let here = ask.origin.trim_start_matches("http://");
            let there = ask.stranger.trim_start_matches("http://");
            Script::page(small_page(
                "At signs",
                "who is who",
                &[
                    format!("http://{here}@{there}/behind-the-at"),
                    format!("http://{here}:80@{there}/password"),
                    format!("http://{there}@{here}/harmless"),
                    format!("http://{here}%2f@{there}/encoded-slash"),
                    format!("http://{here}\\@{there}/backslash"),
                    "http://user:secret@10.0.0.1/".to_owned(),
                ],
            ))
        }),
    },
    Behavior {
        name: "links-with-idn-tricks",
        does: "links to host names of look-alike, invisible, over-long and forbidden characters",
        held_by: "IDNA processing of the URL standard; names that do not exist are not asked often",
        seen_as: "errors.robots_address_refused; malformed names are no links",
        act: Act::Pages(|ask| {
            let port = ask.stranger.rsplit(':').next().unwrap_or_default();
            let long = "a".repeat(300);
            Script::page(small_page(
                "Look-alikes",
                "which is which",
                &[
                    format!("http://lоcalhost.localhost:{port}/cyrillic"),
                    format!("http://local\u{ad}host:{port}/soft-hyphen"),
                    format!("http://local\u{200b}host:{port}/zero-width"),
                    format!("http://127。0。0。1:{port}/ideographic-stops"),
                    format!("http://①②⑦.0.0.1:{port}/circled"),
                    format!("http://xn--a:{port}/bad-punycode"),
                    format!("http://xn--{long}.localhost:{port}/long-punycode"),
                    format!("http://{long}.localhost:{port}/long-label"),
                    format!("http://a b.localhost:{port}/space"),
                    format!("http://a%00b.localhost:{port}/nul"),
                    format!("http://-.localhost:{port}/hyphen"),
                    format!("http://\u{202e}tsohlacol.localhost:{port}/right-to-left"),
                ],
            ))
        }),
    },
    Behavior {
        name: "hosts-endless",
        does: "links to a thousand hosts below localhost",
        held_by: "a loopback seed opens its own host only; one refusal per host",
        seen_as: "errors.robots_address_refused: the host is asked for its robots.txt first",
        act: Act::Pages(|ask| {
            let port = ask.origin.rsplit(':').next().unwrap_or_default();
            let links: Vec<String> = (0..1000).map(|n| format!("http://h{n}.localhost:{port}/")).collect();
            Script::page(small_page("Hosts", "a thousand hosts", &links))
        }),
    },
    Behavior {
        name: "links-to-other-schemes",
        does: "links to file:, javascript:, data:, gopher:, ftp:, blob: and nonsense",
        held_by: "http and https only",
        seen_as: "nothing: the page is stored",
        act: Act::Pages(|_| {
            let links = [
                "file:///etc/passwd",
                "FILE://localhost/etc/shadow",
                "javascript:alert(document.cookie)",
                " java\nscript:alert(1)",
                "data:text/html;base64,PHNjcmlwdD4=",
                "gopher://127.0.0.1:70/_GET%20/",
                "ftp://127.0.0.1/",
                "blob:http://127.0.0.1/x",
                "jar:http://127.0.0.1/x!/",
                "tel:+123",
                "http:",
                "http://",
                "://",
                "http://[::1",
                "http://127.0.0.1:99999/",
                "http:///",
            ];
            Script::page(small_page("Schemes", "no pages behind these", &links.map(str::to_owned)))
        }),
    },
];
