//! The words of a hostile answer: bytes, repetitions, pauses and endings, in order. Pure.
//! Invariant: a script holds no more than what it repeats; its length in time and bytes is bounded by `play`.

use bytes::Bytes;
use std::time::Duration;

/// One step of an answer.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Sends bytes.
    Send(Bytes),
    /// Sends a piece so many times, with a pause before each.
    Repeat { piece: Bytes, times: u64, pause: Duration },
    /// Says nothing until the client goes away.
    Silence,
    /// Ends the connection with a reset.
    Reset,
}

/// An answer, step by step; the connection is closed after it unless it is kept open.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    pub(super) steps: Vec<Step>,
    pub(super) keeps_open: bool,
}

/// Small repeated pieces are gathered up to this.
const BLOCK_BYTES: usize = 16 << 10;
/// Enough to be endless for any client that has limits.
const ENDLESS: u64 = u64::MAX;

impl Script {
    /// An answer that begins with these bytes.
    pub(super) fn say(bytes: impl Into<Bytes>) -> Script {
        Script::default().then(bytes)
    }

    /// A whole answer with its length, after which the connection closes.
    pub(super) fn answer(status: &str, fields: &str, body: impl AsRef<[u8]>) -> Script {
        let body = body.as_ref();
        let length = body.len();
        let head =
            format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {length}\r\nConnection: close\r\n\r\n");
        Script::say(head).then(body.to_vec())
    }

    /// A whole page in HTML.
    pub(super) fn page(body: impl AsRef<[u8]>) -> Script {
        Script::answer("200 OK", HTML, body)
    }

    /// The head of a page in HTML that has no length: its end is the end of the connection.
    pub(super) fn open_page() -> Script {
        Script::say(format!("HTTP/1.1 200 OK\r\n{HTML}Connection: close\r\n\r\n"))
    }

    /// 404.
    pub(super) fn not_found() -> Script {
        Script::answer("404 Not Found", HTML, "<p>not here</p>")
    }

    /// 302 to a target, which is sent as it is.
    pub(super) fn redirect(target: &str) -> Script {
        Script::answer("302 Found", &format!("Location: {target}\r\n"), "")
    }

    /// Then these bytes.
    pub(super) fn then(mut self, bytes: impl Into<Bytes>) -> Script {
        self.steps.push(Step::Send(bytes.into()));
        self
    }

    /// Then a piece so many times. Small pieces leave by the block, not by the packet.
    pub(super) fn times(mut self, times: u64, piece: impl Into<Bytes>) -> Script {
        let piece = piece.into();
        let per_block =
            (BLOCK_BYTES / piece.len().max(1)).clamp(1, usize::try_from(times).unwrap_or(usize::MAX).max(1));
        let block = if per_block == 1 { piece.clone() } else { Bytes::from(piece.repeat(per_block)) };
        let (blocks, rest) = (times / per_block as u64, times % per_block as u64);
        self.steps.push(Step::Repeat { piece: block, times: blocks, pause: Duration::ZERO });
        self.steps.push(Step::Repeat { piece, times: rest, pause: Duration::ZERO });
        self
    }

    /// Then a piece without end.
    pub(super) fn endless(self, piece: impl Into<Bytes>) -> Script {
        self.times(ENDLESS, piece)
    }

    /// Then a piece without end, with a pause before each.
    pub(super) fn drip(mut self, pause_ms: u64, piece: impl Into<Bytes>) -> Script {
        let pause = Duration::from_millis(pause_ms);
        self.steps.push(Step::Repeat { piece: piece.into(), times: ENDLESS, pause });
        self
    }

    /// Then nothing, until the client goes away.
    pub(super) fn silence(mut self) -> Script {
        self.steps.push(Step::Silence);
        self
    }

    /// Then a reset.
    pub(super) fn reset(mut self) -> Script {
        self.steps.push(Step::Reset);
        self
    }

    /// The connection stays open for the next request.
    pub(super) fn keep_open(mut self) -> Script {
        self.keeps_open = true;
        self
    }
}

/// The field that most answers have.
pub(super) const HTML: &str = "Content-Type: text/html; charset=utf-8\r\n";

/// A small page with a title, a sentence and links.
pub(super) fn small_page(title: &str, sentence: &str, links: &[String]) -> String {
    let links: String = links.iter().map(|link| format!("<p><a href=\"{link}\">on</a></p>\n")).collect();
    format!(
        "<!DOCTYPE html><html lang=en><head><title>{title}</title></head><body><main><p>{sentence}</p>\n{links}</main>"
    )
}

/// About `bytes` bytes of `unit`.
pub(super) fn fill(unit: &str, bytes: usize) -> Bytes {
    Bytes::from(unit.repeat(bytes.div_ceil(unit.len().max(1))))
}
