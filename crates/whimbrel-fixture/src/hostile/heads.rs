//! Heads without measure: too slow, too long, too many fields, bytes that have no place there.

use super::behavior::{Act, Behavior};
use super::script::{HTML, Script, fill, small_page};

/// A gigabyte in pieces of this size.
const PIECE_BYTES: usize = 8 << 10;
const PIECES_OF_A_GIGABYTE: u64 = (1 << 30) / PIECE_BYTES as u64;

pub(super) const BEHAVIORS: &[Behavior] = &[
    Behavior {
        name: "head-drip",
        does: "sends a head one byte at a time, ten a second, and never ends it",
        held_by: "fetch.timeout",
        seen_as: "errors.timeout",
        act: Act::Pages(|_| Script::say("HTTP/1.1 200 OK\r\nX-Slow: ").drip(100, "a")),
    },
    Behavior {
        name: "headers-1gb",
        does: "sends a gigabyte of header fields",
        held_by: "fetch.max_headers",
        seen_as: "errors.headers_too_large",
        act: Act::Pages(|_| {
            let field = format!("X-Field: {}\r\n", "v".repeat(PIECE_BYTES - 11));
            Script::say("HTTP/1.1 200 OK\r\n").times(PIECES_OF_A_GIGABYTE, field)
        }),
    },
    Behavior {
        name: "header-line-endless",
        does: "sends one header field that never ends",
        held_by: "fetch.max_headers",
        seen_as: "errors.headers_too_large",
        act: Act::Pages(|_| Script::say("HTTP/1.1 200 OK\r\nX-Long: ").endless(fill("v", PIECE_BYTES))),
    },
    Behavior {
        name: "header-name-endless",
        does: "sends a field name that never ends",
        held_by: "fetch.max_headers",
        seen_as: "errors.headers_too_large",
        act: Act::Pages(|_| Script::say("HTTP/1.1 200 OK\r\n").endless(fill("x", PIECE_BYTES))),
    },
    Behavior {
        name: "status-line-endless",
        does: "sends a reason phrase that never ends",
        held_by: "fetch.max_headers",
        seen_as: "errors.headers_too_large",
        act: Act::Pages(|_| Script::say("HTTP/1.1 200 ").endless(fill("fine ", PIECE_BYTES))),
    },
    Behavior {
        name: "headers-100k",
        does: "sends 100,000 small header fields and then a page",
        held_by: "fetch.max_headers, and a count of fields",
        seen_as: "errors.headers_too_large",
        act: Act::Pages(|_| {
            Script::say("HTTP/1.1 200 OK\r\n")
                .times(100_000, "a: b\r\n")
                .then(format!("{HTML}Content-Length: 2\r\n\r\nhi"))
        }),
    },
    Behavior {
        name: "headers-many-within-bytes",
        does: "sends 5,000 header fields that are within the byte limit",
        held_by: "a count of fields",
        seen_as: "errors.headers_too_large",
        act: Act::Pages(|_| {
            Script::say("HTTP/1.1 200 OK\r\n")
                .times(5000, "a: b\r\n")
                .then(format!("{HTML}Content-Length: 2\r\n\r\nhi"))
        }),
    },
    Behavior {
        name: "empty-lines-endless",
        does: "sends empty lines where a status line should be, without end",
        held_by: "fetch.max_headers",
        seen_as: "errors.headers_too_large or errors.protocol",
        act: Act::Pages(|_| Script::default().endless(fill("\r\n", PIECE_BYTES))),
    },
    Behavior {
        name: "cookie-flood",
        does: "sets 10,000 cookies with one page",
        held_by: "fetch.max_headers",
        seen_as: "errors.headers_too_large",
        act: Act::Pages(|_| {
            Script::say("HTTP/1.1 200 OK\r\n")
                .times(10_000, "Set-Cookie: session=0123456789abcdef; Path=/; Max-Age=31536000\r\n")
                .then(format!("{HTML}Content-Length: 2\r\n\r\nhi"))
        }),
    },
    Behavior {
        name: "cookies-within-limits",
        does: "sets 200 cookies with every page, for this host, for others and for whole top-level domains",
        held_by: "cookies are off; per-site jars have limits of their own",
        seen_as: "nothing: the page is stored and no cookie is sent back",
        act: Act::Pages(|ask| {
            let cookies: String =
                (0..200).map(|n| format!("Set-Cookie: c{n}=v; Domain=com; Path=/\r\n")).collect();
            let next = if ask.path == "/" { vec!["/next".to_owned()] } else { Vec::new() };
            Script::answer("200 OK", &format!("{HTML}{cookies}"), small_page("Cookies", "have some", &next))
        }),
    },
    Behavior {
        name: "header-folded-endless",
        does: "folds one field over lines without end (obs-fold)",
        held_by: "fetch.max_headers",
        seen_as: "errors.headers_too_large or errors.protocol",
        act: Act::Pages(|_| {
            Script::say("HTTP/1.1 200 OK\r\nX-Folded: a\r\n").endless(fill(" and on\r\n", PIECE_BYTES))
        }),
    },
    Behavior {
        name: "header-nul-bytes",
        does: "sends NUL, bell and DEL bytes in field values",
        held_by: "the HTTP parser",
        seen_as: "errors.protocol",
        act: Act::Pages(|_| {
            let body = small_page("Controls", "in the head", &[]);
            Script::answer("200 OK", &format!("{HTML}X-Odd: a\0b\x07c\x7f\r\n"), body)
        }),
    },
    Behavior {
        name: "header-line-feeds-only",
        does: "ends the lines of its head with bare line feeds",
        held_by: "read as browsers do",
        seen_as: "nothing: the page is stored",
        act: Act::Pages(|_| {
            let body = small_page("Bare feeds", "lines without carriage returns", &[]);
            let head =
                format!("HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: {}\n\n", body.len());
            Script::say(head + &body)
        }),
    },
];
