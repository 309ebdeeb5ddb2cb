//! Bodies without an end, and bodies too slow to have one.

use super::behavior::{Act, Behavior};
use super::script::{HTML, Script, fill};

const PIECE_BYTES: usize = 16 << 10;

pub(super) const BEHAVIORS: &[Behavior] = &[
    Behavior {
        name: "body-endless",
        does: "sends a page that never ends, as fast as it is taken",
        held_by: "fetch.max_body",
        seen_as: "limits: fetch.max_body; the page is stored, cut",
        act: Act::Pages(|_| {
            Script::open_page()
                .then("<title>Endless</title>")
                .endless(fill("<p>and so on</p>\n", PIECE_BYTES))
        }),
    },
    Behavior {
        name: "body-endless-chunks",
        does: "sends chunks without end",
        held_by: "fetch.max_body",
        seen_as: "limits: fetch.max_body; the page is stored, cut",
        act: Act::Pages(|_| {
            let chunk = "<p>and another chunk</p>\n".repeat(400);
            Script::say(format!("HTTP/1.1 200 OK\r\n{HTML}Transfer-Encoding: chunked\r\n\r\n"))
                .endless(format!("{:x}\r\n{chunk}\r\n", chunk.len()))
        }),
    },
    Behavior {
        name: "body-drip",
        does: "sends a page byte by byte, one a second",
        held_by: "fetch.timeout",
        seen_as: "errors.timeout",
        act: Act::Pages(|_| Script::open_page().then("<title>Drip</title>").drip(1000, "a")),
    },
    Behavior {
        name: "body-drip-fast",
        does: "sends a page of ten bytes every 50 milliseconds: never idle, never done",
        held_by: "fetch.timeout",
        seen_as: "errors.timeout",
        act: Act::Pages(|_| Script::open_page().then("<title>Drip</title>").drip(50, "<p>drop</p>")),
    },
    Behavior {
        name: "text-endless",
        does: "sends plain text that never ends",
        held_by: "fetch.max_body",
        seen_as: "limits: fetch.max_body; the text is stored, cut",
        act: Act::Pages(|_| {
            Script::say("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n")
                .endless(fill("all work and no play\n", PIECE_BYTES))
        }),
    },
];
