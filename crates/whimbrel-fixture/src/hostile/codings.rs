//! Content codings as weapons: bombs in each of them and nested, layers without sense, labels that lie.
//! Bombs are endless: a few bytes that decode to a megabyte, over and over, so neither side ever holds one.

use super::behavior::{Act, Behavior};
use super::script::{Script, small_page};
use flate2::{Compress, Compression, FlushCompress};

/// Decoded size of the piece that is repeated.
const PIECE_BYTES: usize = 1 << 20;

/// A gzip member up to its deflate stream.
const GZIP_HEAD: &[u8] = b"\x1f\x8b\x08\0\0\0\0\0\0\xff";
/// A zlib stream up to its deflate stream.
const ZLIB_HEAD: &[u8] = b"\x78\x9c";
/// Brotli: `<title>brotli</title><p>`, then, as often as one likes, a mebibyte of the letter a. Each part ends
/// with a flush, so the second follows itself.
const BROTLI_HEAD: &[u8] =
    b"\x8b\x0b\0\0\xc4\x6d\x6c\x1f\xf1\x0d\x9f\x20\x28\x51\x16\xa2\x09\x3c\x35\xa5\x3c\xba\x7e\x7c\x82\x85\xd1\0";
const BROTLI_FIRST: &[u8] = b"\xfa\xff\x7f\0\x24\xc2\xe2\xb1\x40\x72\xef\x1f\x0c";
const BROTLI_PIECE: &[u8] = b"\xfa\xff\x7f\0\x24\0\xe2\xb0\0\x74\xef\x1f\x0c";
/// Zstandard (RFC 8878): a frame with a window of 8 MiB.
const ZSTD_HEAD: &[u8] = b"\x28\xb5\x2f\xfd\x00\x68";
/// The same with a window of 3.75 TiB.
const ZSTD_HEAD_HUGE: &[u8] = b"\x28\xb5\x2f\xfd\x00\xff";
/// A block that is 128 KiB of the letter a.
const ZSTD_PIECE: &[u8] = b"\x02\x00\x10a";

pub(super) const BEHAVIORS: &[Behavior] = &[
    Behavior {
        name: "bomb-gzip",
        does: "sends a gzip body of zeros at a ratio of 1,000 without end",
        held_by: "fetch.max_body, fetch.ratio_max past fetch.ratio_from",
        seen_as: "limits: fetch.max_body or fetch.ratio_max; the page is stored, cut",
        act: Act::Pages(|_| coded("gzip").then(GZIP_HEAD).endless(deflated(&vec![b'a'; PIECE_BYTES]))),
    },
    Behavior {
        name: "bomb-deflate",
        does: "the same in deflate",
        held_by: "fetch.max_body, fetch.ratio_max past fetch.ratio_from",
        seen_as: "limits: fetch.max_body or fetch.ratio_max; the page is stored, cut",
        act: Act::Pages(|_| coded("deflate").then(ZLIB_HEAD).endless(deflated(&vec![b'a'; PIECE_BYTES]))),
    },
    Behavior {
        name: "bomb-brotli",
        does: "the same in Brotli, at a ratio of 80,000",
        held_by: "fetch.max_body, fetch.ratio_max past fetch.ratio_from",
        seen_as: "limits: fetch.max_body or fetch.ratio_max; the page is stored, cut",
        act: Act::Pages(|_| coded("br").then(BROTLI_HEAD).then(BROTLI_FIRST).endless(BROTLI_PIECE)),
    },
    Behavior {
        name: "bomb-zstd",
        does: "the same in Zstandard, at a ratio of 32,000",
        held_by: "fetch.max_body, fetch.ratio_max past fetch.ratio_from",
        seen_as: "limits: fetch.max_body or fetch.ratio_max; the page is stored, cut",
        act: Act::Pages(|_| coded("zstd").then(ZSTD_HEAD).endless(ZSTD_PIECE.repeat(64))),
    },
    Behavior {
        name: "bomb-gzip-in-gzip",
        does: "sends a gzip bomb within gzip, at a ratio of 100,000 and more",
        held_by: "the limits hold at every layer",
        seen_as: "limits: fetch.max_body; what came out is stored, or errors.decode",
        act: Act::Pages(|_| {
            let inner = deflated(&vec![b'a'; PIECE_BYTES]);
            coded("gzip, gzip")
                .then(GZIP_HEAD)
                .then(deflated(GZIP_HEAD))
                .endless(deflated(&inner.repeat(200)))
        }),
    },
    Behavior {
        name: "bomb-brotli-in-gzip",
        does: "sends a Brotli bomb within gzip",
        held_by: "the limits hold at every layer",
        seen_as: "limits: fetch.max_body; what came out is stored, or errors.decode",
        act: Act::Pages(|_| {
            let head = [BROTLI_HEAD, BROTLI_FIRST].concat();
            coded("br, gzip")
                .then(GZIP_HEAD)
                .then(deflated(&head))
                .endless(deflated(&BROTLI_PIECE.repeat(10_000)))
        }),
    },
    Behavior {
        name: "zstd-window-huge",
        does: "sends a Zstandard frame that wants a window of terabytes",
        held_by: "the window is limited to 8 MiB",
        seen_as: "errors.decode",
        act: Act::Pages(|_| coded("zstd").then(ZSTD_HEAD_HUGE).times(1000, ZSTD_PIECE)),
    },
    Behavior {
        name: "gzip-members-empty",
        does: "sends empty gzip members without end: much work, no output",
        held_by: "a member must bring 64 bytes, past the first thousand",
        seen_as: "errors.decode",
        act: Act::Pages(|_| coded("gzip").endless(empty_member().repeat(400))),
    },
    Behavior {
        name: "codings-twenty",
        does: "names twenty layers of gzip",
        held_by: "fetch.codings_max",
        seen_as: "errors.decode",
        act: Act::Pages(|_| {
            coded(&vec!["gzip"; 20].join(", ")).then(GZIP_HEAD).endless(deflated(&[b'a'; 1000]))
        }),
    },
    Behavior {
        name: "coding-unknown",
        does: "sends a coding that was not asked for",
        held_by: "known codings only",
        seen_as: "errors.decode",
        act: Act::Pages(|_| coded("xz").then(vec![0xfd, b'7', b'z', b'X', b'Z', 0, 0, 4])),
    },
    Behavior {
        name: "coding-lie",
        does: "labels a plain page as gzip",
        held_by: "the label is not trusted",
        seen_as: "nothing: the page is stored",
        act: Act::Pages(|_| coded("gzip").then(small_page("Plain", "a plain page labelled gzip", &[]))),
    },
    Behavior {
        name: "coding-breaks-off",
        does: "sends gzip that turns into noise in the middle",
        held_by: "what was decoded before the fault is kept and marked",
        seen_as: "the page is stored, cut; or errors.decode",
        act: Act::Pages(|_| {
            let text = small_page("Breaks off", &"words before the fault ".repeat(500), &[]);
            coded("gzip").then(GZIP_HEAD).then(deflated(text.as_bytes())).then(vec![0xff; 5000])
        }),
    },
];

fn coded(coding: &str) -> Script {
    Script::say(format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\nConnection: close\r\n\r\n"
    ))
}

/// A part of a deflate stream that stands on its own: it may follow itself.
fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut stream = Compress::new(Compression::best(), false);
    let mut out = Vec::with_capacity(bytes.len() / 100 + 1024);
    while (stream.total_in() as usize) < bytes.len() || out.len() == out.capacity() {
        out.reserve(1024);
        let from = stream.total_in() as usize;
        // Memory to memory with room in the output: there is nothing to go wrong.
        if stream.compress_vec(&bytes[from..], &mut out, FlushCompress::Full).is_err() {
            break;
        }
    }
    out
}

/// A gzip member with nothing in it.
fn empty_member() -> Vec<u8> {
    [GZIP_HEAD, b"\x03\0", &[0; 8]].concat()
}

/// A robots.txt that is a bomb: comments without end.
pub(super) fn robots_bomb() -> Script {
    let comment = "# nothing to see here\n".repeat(PIECE_BYTES / 22);
    let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n";
    Script::say(head).then(GZIP_HEAD).endless(deflated(comment.as_bytes()))
}
