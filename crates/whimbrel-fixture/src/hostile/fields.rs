//! Fields that promise, threaten or lie: validators, dates, waits, challenges, statuses nobody asked for.

use super::behavior::{Act, Behavior};
use super::script::{HTML, Script, small_page};

pub(super) const BEHAVIORS: &[Behavior] = &[
    Behavior {
        name: "validators-50kb",
        does: "sends an ETag and a Last-Modified of 25 KB each, to be sent back with every later visit",
        held_by: "validators over 1 KiB are not kept",
        seen_as: "nothing: the page is stored, and asked for whole the next time",
        act: Act::Pages(|_| {
            let long = "e".repeat(25_000);
            let fields = format!("{HTML}ETag: \"{long}\"\r\nLast-Modified: {long}\r\n");
            Script::answer("200 OK", &fields, small_page("Validators", "of great length", &[]))
        }),
    },
    Behavior {
        name: "retry-after-a-million-years",
        does: "is unavailable and asks to come back in a million years",
        held_by: "politeness.retry_after_max",
        seen_as: "errors.http_503",
        act: Act::Pages(|_| {
            Script::answer("503 Service Unavailable", "Retry-After: 31556952000000\r\n", "later")
        }),
    },
    Behavior {
        name: "retry-after-negative",
        does: "is unavailable and asks to come back five seconds ago",
        held_by: "a wait that is no number is none; back_off",
        seen_as: "errors.http_503",
        act: Act::Pages(|_| Script::answer("503 Service Unavailable", "Retry-After: -5\r\n", "sooner")),
    },
    Behavior {
        name: "too-many-requests-forever",
        does: "answers 429 with an overflowing Retry-After to everything",
        held_by: "politeness.retry_after_max, fetch.tries",
        seen_as: "errors.http_429",
        act: Act::Pages(|_| {
            let wait = "9".repeat(60);
            Script::answer("429 Too Many Requests", &format!("Retry-After: {wait}\r\n"), "never")
        }),
    },
    Behavior {
        name: "dates-out-of-range",
        does: "dates its page in the years 9999 and 0000 and lets it expire before it was made",
        held_by: "dates out of range are ignored",
        seen_as: "nothing: the page is stored",
        act: Act::Pages(|_| {
            let fields = format!(
                "{HTML}Date: Fri, 31 Dec 9999 23:59:59 GMT\r\nLast-Modified: Sat, 01 Jan 0000 00:00:00 GMT\r\n\
                 Expires: Thu, 01 Jan 1970 00:00:00 GMT\r\nAge: 99999999999999999999\r\n"
            );
            Script::answer("200 OK", &fields, small_page("Timeless", "dated out of range", &[]))
        }),
    },
    Behavior {
        name: "unauthorized-always",
        does: "answers 401 with a challenge to everything, whatever is sent",
        held_by: "credentials are never guessed; one request per page",
        seen_as: "errors.http_401",
        act: Act::Pages(|_| {
            Script::answer("401 Unauthorized", "WWW-Authenticate: Basic realm=\"again\"\r\n", "who are you")
        }),
    },
    Behavior {
        name: "proxy-challenge",
        does: "poses as a proxy and asks for its credentials with 407",
        held_by: "proxy credentials go to the proxy only",
        seen_as: "errors.http_407",
        act: Act::Pages(|_| {
            let fields = "Proxy-Authenticate: Basic realm=\"proxy\"\r\n";
            Script::answer("407 Proxy Authentication Required", fields, "your password, please")
        }),
    },
    Behavior {
        name: "not-modified-unasked",
        does: "answers 304 to a request without conditions",
        held_by: "a 304 that nobody asked for is a refusal",
        seen_as: "errors.http_304",
        act: Act::Pages(|_| {
            Script::say("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\nConnection: close\r\n\r\n")
        }),
    },
    Behavior {
        name: "partial-unasked",
        does: "answers 206 with a part of a page to a request without a range",
        held_by: "only 200 is a page",
        seen_as: "errors.http_206",
        act: Act::Pages(|_| {
            let fields = format!("{HTML}Content-Range: bytes 0-12/99999999999999\r\n");
            Script::answer("206 Partial Content", &fields, "<p>a part</p>")
        }),
    },
    Behavior {
        name: "no-content-with-body",
        does: "answers 204 and sends a body all the same",
        held_by: "only 200 is a page; the connection is not used again",
        seen_as: "errors.http_204",
        act: Act::Pages(|_| {
            let body = small_page("No content", "with content", &[]);
            Script::say(format!(
                "HTTP/1.1 204 No Content\r\n{HTML}Content-Length: {}\r\n\r\n{body}",
                body.len()
            ))
        }),
    },
    Behavior {
        name: "error-page-endless",
        does: "answers 500 with an error page that never ends",
        held_by: "fetch.max_body, fetch.timeout",
        seen_as: "errors.http_500",
        act: Act::Pages(|_| {
            Script::say(format!("HTTP/1.1 500 Internal Server Error\r\n{HTML}Connection: close\r\n\r\n"))
                .endless("<p>an error occurred while handling the error</p>".repeat(100))
        }),
    },
];
