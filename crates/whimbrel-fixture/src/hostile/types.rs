//! Lies about what a body is: its type, its charset, or none at all.

use super::behavior::{Act, Behavior};
use super::script::{Script, small_page};

pub(super) const BEHAVIORS: &[Behavior] = &[
    Behavior {
        name: "charset-utf16-on-ascii",
        does: "declares UTF-16 on a page in ASCII",
        held_by: "the charset rules of the HTML standard",
        seen_as: "the page is stored, its text garbled",
        act: Act::Pages(|_| typed("text/html; charset=utf-16le", &page("declared as UTF-16"))),
    },
    Behavior {
        name: "charset-utf7",
        does: "declares UTF-7 and hides a script element in it",
        held_by: "UTF-7 is no encoding of the web",
        seen_as: "the page is stored, the script is text",
        act: Act::Pages(|_| {
            typed("text/html; charset=utf-7", &page("+ADw-script+AD4-alert(1)+ADw-/script+AD4-"))
        }),
    },
    Behavior {
        name: "charset-unknown",
        does: "declares a charset that does not exist, twice and differently",
        held_by: "detection",
        seen_as: "the page is stored",
        act: Act::Pages(|_| {
            typed("text/html; charset=klingon; charset=\"\x1b[2J", &page("of an unknown charset"))
        }),
    },
    Behavior {
        name: "charset-invalid-utf8",
        does: "sends bytes that are not the UTF-8 they are declared as",
        held_by: "replacement characters",
        seen_as: "the page is stored",
        act: Act::Pages(|_| {
            let mut body = page("good words then bad bytes ");
            for byte in 0x80..=0xff_u8 {
                body.extend_from_slice(&[byte, 0xc0, 0xaf, 0xed, 0xa0, 0x80, b' ']);
            }
            typed("text/html; charset=utf-8", &body)
        }),
    },
    Behavior {
        name: "type-jpeg-as-html",
        does: "sends an image labelled as a page",
        held_by: "the parser takes anything",
        seen_as: "stored as a page without words, or rejected.content_type",
        act: Act::Pages(|_| typed("text/html", &noise(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00"))),
    },
    Behavior {
        name: "type-zip-as-html",
        does: "sends an archive labelled as a page",
        held_by: "the parser takes anything",
        seen_as: "stored as a page without words, or rejected.content_type",
        act: Act::Pages(|_| typed("text/html", &noise(b"PK\x03\x04\x14\x00"))),
    },
    Behavior {
        name: "type-program-as-text",
        does: "sends a program labelled as plain text",
        held_by: "the parser takes anything",
        seen_as: "stored as text, or rejected.content_type",
        act: Act::Pages(|_| typed("text/plain", &noise(b"\x7fELF\x02\x01\x01\x00"))),
    },
    Behavior {
        name: "type-html-as-pdf",
        does: "sends a page labelled as PDF",
        held_by: "what is no page by its label is not read",
        seen_as: "rejected.content_type, or the page is stored",
        act: Act::Pages(|_| typed("application/pdf", &page("a page in the clothes of a PDF"))),
    },
    Behavior {
        name: "type-image-endless",
        does: "labels an endless body as an image",
        held_by: "unwanted types are cut after the head",
        seen_as: "rejected.content_type",
        act: Act::Pages(|_| {
            Script::say("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n")
                .endless(noise(b"\x89PNG\r\n\x1a\n"))
        }),
    },
    Behavior {
        name: "type-missing",
        does: "sends noise without a type",
        held_by: "sniffing by the first bytes",
        seen_as: "stored, or rejected.content_type",
        act: Act::Pages(|_| Script::answer("200 OK", "", noise(b"\x00\x01\x02"))),
    },
    Behavior {
        name: "type-nonsense",
        does: "sends a type of 10 KB with control characters and slashes",
        held_by: "what is no media type is none",
        seen_as: "stored, or rejected.content_type",
        act: Act::Pages(|_| {
            let label = format!("text/html/../../etc\u{9b}2J;{}=\"", "x".repeat(10_000));
            typed(&label, &page("of a nonsensical type"))
        }),
    },
];

fn page(words: &str) -> Vec<u8> {
    small_page("Mislabelled", words, &[]).into_bytes()
}

fn typed(label: &str, body: &[u8]) -> Script {
    Script::answer("200 OK", &format!("Content-Type: {label}\r\n"), body)
}

/// 64 KB without a pattern after a magic number.
fn noise(magic: &[u8]) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    while bytes.len() < 64 << 10 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes
}
