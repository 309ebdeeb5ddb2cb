//! Lengths and chunks that lie, contradict each other or never end (RFC 9112, sections 6 and 7).

use super::behavior::{Act, Behavior};
use super::script::{HTML, Script, fill, small_page};

const PIECE_BYTES: usize = 8 << 10;

pub(super) const BEHAVIORS: &[Behavior] = &[
    Behavior {
        name: "length-too-long",
        does: "promises more than it sends and closes",
        held_by: "an incomplete body is no page",
        seen_as: "errors.reset or errors.protocol",
        act: Act::Pages(|_| with_length("100000", "Short")),
    },
    Behavior {
        name: "length-too-short",
        does: "promises 60 bytes of a longer page",
        held_by: "a body ends where its length says",
        seen_as: "nothing: the first 60 bytes are stored",
        act: Act::Pages(|_| with_length("60", "Long")),
    },
    Behavior {
        name: "length-negative",
        does: "sends a Content-Length of -1",
        held_by: "the HTTP parser",
        seen_as: "errors.protocol",
        act: Act::Pages(|_| with_length("-1", "Negative")),
    },
    Behavior {
        name: "length-not-a-number",
        does: "sends a Content-Length that is a word",
        held_by: "the HTTP parser",
        seen_as: "errors.protocol",
        act: Act::Pages(|_| with_length("some", "Some")),
    },
    Behavior {
        name: "length-overflow",
        does: "sends a Content-Length of 40 digits",
        held_by: "the HTTP parser",
        seen_as: "errors.protocol",
        act: Act::Pages(|_| with_length(&"9".repeat(40), "Overflow")),
    },
    Behavior {
        name: "length-one-exabyte",
        does: "promises an exabyte and begins to send it",
        held_by: "fetch.max_body; nothing is set aside on a server's word",
        seen_as: "limits: fetch.max_body; the page is stored, cut",
        act: Act::Pages(|_| {
            Script::say(format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 1000000000000000000\r\n\r\n"))
                .then("<title>Exabyte</title>")
                .endless(fill("one of many words ", PIECE_BYTES))
        }),
    },
    Behavior {
        name: "lengths-conflicting",
        does: "sends two different Content-Length fields",
        held_by: "the HTTP parser (RFC 9112, 6.3)",
        seen_as: "errors.protocol",
        act: Act::Pages(|_| {
            let body = small_page("Conflict", "two lengths", &[]);
            let fields = format!("{HTML}Content-Length: 7\r\n");
            Script::answer("200 OK", &fields, body)
        }),
    },
    Behavior {
        name: "lengths-in-a-list",
        does: "sends the same Content-Length twice",
        held_by: "read as one (RFC 9112, 6.3)",
        seen_as: "nothing: the page is stored",
        act: Act::Pages(|_| {
            let body = small_page("Twice", "the same length twice", &[]);
            Script::answer("200 OK", &format!("{HTML}Content-Length: {}\r\n", body.len()), body)
        }),
    },
    Behavior {
        name: "length-and-chunked",
        does: "sends Content-Length and Transfer-Encoding: chunked, which smuggles a second answer",
        held_by: "chunked wins, or the answer is refused; the connection is not used again",
        seen_as: "nothing, or errors.protocol",
        act: Act::Pages(|ask| match ask.bare_path() {
            "/victim" => Script::page(small_page("Victim", "the true words of the victim", &[])),
            _ => {
                let body = small_page("Both", "a length and chunks", &["/victim".to_owned()]);
                let smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\npoisoned";
                let head = format!(
                    "HTTP/1.1 200 OK\r\n{HTML}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
                );
                Script::say(format!("{head}{:x}\r\n{body}\r\n0\r\n\r\n{smuggled}", body.len())).keep_open()
            }
        }),
    },
    Behavior {
        name: "chunk-size-no-number",
        does: "sends a chunk whose size is no number",
        held_by: "the HTTP parser",
        seen_as: "errors.protocol",
        act: Act::Pages(|_| {
            chunked().then("1d\r\n<title>Broken chunks</title>\r\n\r\nzz\r\nmore\r\n0\r\n\r\n")
        }),
    },
    Behavior {
        name: "chunk-size-overflow",
        does: "sends a chunk size of 40 digits",
        held_by: "the HTTP parser",
        seen_as: "errors.protocol",
        act: Act::Pages(|_| {
            chunked().then(format!("{}\r\n", "f".repeat(40))).endless(fill("a", PIECE_BYTES))
        }),
    },
    Behavior {
        name: "chunk-size-huge",
        does: "announces a chunk of nine exabytes and begins to send it",
        held_by: "fetch.max_body; nothing is set aside on a server's word",
        seen_as: "limits: fetch.max_body; the page is stored, cut",
        act: Act::Pages(|_| {
            chunked()
                .then("7fffffffffffffff\r\n<title>Huge chunk</title>")
                .endless(fill("huge words ", PIECE_BYTES))
        }),
    },
    Behavior {
        name: "chunk-extension-flood",
        does: "sends a chunk extension that never ends",
        held_by: "the HTTP parser's limit on extensions, fetch.timeout",
        seen_as: "errors.protocol or errors.timeout",
        act: Act::Pages(|_| chunked().then("5;a=").endless(fill("b", PIECE_BYTES))),
    },
    Behavior {
        name: "chunk-extensions-many",
        does: "sends chunks of one byte with an extension of 10 KB each, without end",
        held_by: "the HTTP parser's limit on extensions, fetch.timeout",
        seen_as: "errors.protocol or errors.timeout",
        act: Act::Pages(|_| chunked().endless(format!("1;a={}\r\nx\r\n", "b".repeat(10_000)))),
    },
    Behavior {
        name: "chunks-of-one-byte",
        does: "sends chunks of one byte without end",
        held_by: "a bound on framing per byte of the body",
        seen_as: "errors.protocol",
        act: Act::Pages(|_| chunked().endless(fill("1\r\na\r\n", PIECE_BYTES))),
    },
    Behavior {
        name: "trailer-flood",
        does: "ends its chunks and then sends trailer fields without end",
        held_by: "the HTTP parser's limit on trailers, fetch.timeout",
        seen_as: "errors.protocol or errors.timeout",
        act: Act::Pages(|_| {
            chunked()
                .then("1e\r\n<title>Trailers</title><p>text\r\n0\r\n")
                .endless(fill("X-Trailer: value\r\n", PIECE_BYTES))
        }),
    },
    Behavior {
        name: "transfer-coding-unknown",
        does: "sends a body in a transfer coding that nobody asked for",
        held_by: "the HTTP parser",
        seen_as: "errors.protocol, or the bytes as they are",
        act: Act::Pages(|_| {
            Script::say(format!(
                "HTTP/1.1 200 OK\r\n{HTML}Transfer-Encoding: snappy\r\nConnection: close\r\n\r\n"
            ))
            .then(small_page("Snappy", "in an unknown transfer coding", &[]))
        }),
    },
];

fn chunked() -> Script {
    Script::say(format!("HTTP/1.1 200 OK\r\n{HTML}Transfer-Encoding: chunked\r\n\r\n"))
}

fn with_length(length: &str, title: &str) -> Script {
    let body = small_page(title, "a page whose length is not what it says", &[]);
    Script::say(format!(
        "HTTP/1.1 200 OK\r\n{HTML}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    ))
}
