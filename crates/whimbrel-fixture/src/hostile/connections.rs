//! Hosts that misbehave below or beside HTTP: silence, resets, other protocols, answers that nobody asked for.

use super::behavior::{Act, Behavior};
use super::script::{HTML, Script, small_page};

pub(super) const BEHAVIORS: &[Behavior] = &[
    Behavior {
        name: "silence-after-accept",
        does: "takes the connection and never says a word",
        held_by: "fetch.idle_timeout, fetch.timeout",
        seen_as: "errors.timeout",
        act: Act::Greeting(|| Script::default().silence()),
    },
    Behavior {
        name: "silence-after-head",
        does: "sends a whole head and then nothing",
        held_by: "fetch.idle_timeout, fetch.timeout",
        seen_as: "errors.timeout",
        act: Act::Pages(|_| Script::open_page().silence()),
    },
    Behavior {
        name: "silence-in-body",
        does: "sends half of the promised body and then nothing",
        held_by: "fetch.idle_timeout, fetch.timeout",
        seen_as: "errors.timeout",
        act: Act::Pages(|_| {
            Script::say(format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 4000\r\n\r\n"))
                .then("<p>half a page</p>".repeat(100))
                .silence()
        }),
    },
    Behavior {
        name: "reset-after-accept",
        does: "resets every connection as soon as it stands",
        held_by: "fetch.tries",
        seen_as: "errors.reset",
        act: Act::Greeting(|| Script::default().reset()),
    },
    Behavior {
        name: "reset-in-head",
        does: "resets the connection in the middle of the head",
        held_by: "fetch.tries",
        seen_as: "errors.reset",
        act: Act::Pages(|_| Script::say("HTTP/1.1 200 OK\r\nContent-Ty").reset()),
    },
    Behavior {
        name: "reset-in-body",
        does: "resets the connection in the middle of the body",
        held_by: "fetch.tries",
        seen_as: "errors.reset",
        act: Act::Pages(|_| {
            Script::say(format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 100000\r\n\r\n"))
                .then("<p>half a page</p>".repeat(100))
                .reset()
        }),
    },
    Behavior {
        name: "close-without-answer",
        does: "reads the request and closes the connection",
        held_by: "fetch.tries",
        seen_as: "errors.reset",
        act: Act::Pages(|_| Script::default()),
    },
    Behavior {
        name: "garbage",
        does: "answers with bytes that are no protocol at all, without end",
        held_by: "the HTTP parser, fetch.max_headers",
        seen_as: "errors.protocol",
        act: Act::Pages(|_| Script::default().endless(&b"\x00\xff\xfe\x80garbage\n\r\x1b[2J\x01"[..])),
    },
    Behavior {
        name: "banner-of-another-protocol",
        does: "greets as an SSH server and waits",
        held_by: "the HTTP parser",
        seen_as: "errors.reset or errors.protocol",
        act: Act::Greeting(|| Script::say("SSH-2.0-OpenSSH_9.6\r\n").silence()),
    },
    Behavior {
        name: "tls-record-on-plain-port",
        does: "answers a plain request with a TLS alert",
        held_by: "the HTTP parser",
        seen_as: "errors.protocol",
        act: Act::Pages(|_| Script::say(&b"\x15\x03\x01\x00\x02\x02\x46"[..])),
    },
    Behavior {
        name: "http-0.9",
        does: "sends a page without any head, as HTTP/0.9 did",
        held_by: "the HTTP parser",
        seen_as: "errors.protocol",
        act: Act::Pages(|_| Script::say(small_page("Headless", "a page of 1991", &[]))),
    },
    Behavior {
        name: "http-9.9",
        does: "answers in a version of HTTP that does not exist",
        held_by: "the HTTP parser",
        seen_as: "errors.protocol",
        act: Act::Pages(|_| Script::say(format!("HTTP/9.9 200 OK\r\n{HTML}Content-Length: 2\r\n\r\nhi"))),
    },
    Behavior {
        name: "status-not-a-number",
        does: "sends a status line whose status is a word",
        held_by: "the HTTP parser",
        seen_as: "errors.protocol",
        act: Act::Pages(|_| {
            Script::say(format!("HTTP/1.1 fine thanks\r\n{HTML}Content-Length: 2\r\n\r\nhi"))
        }),
    },
    Behavior {
        name: "status-999",
        does: "answers with a status that no standard knows",
        held_by: "only 200 is a page",
        seen_as: "errors.http_999",
        act: Act::Pages(|_| Script::answer("999 Request Denied", HTML, "<p>denied</p>")),
    },
    Behavior {
        name: "interim-flood",
        does: "sends 100 Continue without end and never a final answer",
        held_by: "fetch.max_headers with interim heads included, fetch.interim_max",
        seen_as: "errors.headers_too_large or errors.protocol",
        act: Act::Pages(|_| Script::default().endless("HTTP/1.1 100 Continue\r\nX-Wait: a little\r\n\r\n")),
    },
    Behavior {
        name: "switching-protocols",
        does: "answers 101 to a request that asked for no upgrade, then talks on",
        held_by: "only 200 is a page; the connection is given up",
        seen_as: "errors.http_101 or errors.protocol",
        act: Act::Pages(|_| {
            Script::say(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
            )
            .times(1000, &b"\x81\x7e\x10\x00websocket frames "[..])
        }),
    },
    Behavior {
        name: "second-answer",
        does: "sends a second answer that nobody asked for on a connection that is kept, to be taken for the next page",
        held_by: "a connection with unasked bytes is not used again",
        seen_as: "nothing: both pages are stored with their own words",
        act: Act::Pages(|ask| match ask.bare_path() {
            "/victim" => kept_page("Victim", "the true words of the victim", &[]),
            _ => kept_page("Two answers", "the first answer", &["/victim".to_owned()])
                .then(whole("Poison", "poisoned words in the place of the victim"))
                .keep_open(),
        }),
    },
    Behavior {
        name: "bytes-after-the-end",
        does: "sends more than Content-Length says on a connection that is kept",
        held_by: "a body ends where its length says; the connection is not used again",
        seen_as: "nothing: the page is stored without the rest",
        act: Act::Pages(|ask| match ask.bare_path() {
            "/next" => kept_page("Next", "the true words of the next page", &[]),
            _ => kept_page("More", "the words within the length", &["/next".to_owned()])
                .then("<p>surplus words beyond the length</p>".repeat(200))
                .keep_open(),
        }),
    },
];

fn kept_page(title: &str, sentence: &str, links: &[String]) -> Script {
    let body = small_page(title, sentence, links);
    let head = format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: {}\r\n\r\n", body.len());
    Script::say(format!("{head}{body}")).keep_open()
}

fn whole(title: &str, sentence: &str) -> String {
    let body = small_page(title, sentence, &[]);
    format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: {}\r\n\r\n{body}", body.len())
}
