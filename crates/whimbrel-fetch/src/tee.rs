//! Listens under hyper: keeps the request head as sent and the response head as received, counts bytes and notes
//! when the last one came. hyper keeps neither the case nor the order of fields, and archives need both.
//! Never changes a byte. Interim responses (1xx but 101) are passed over and counted.
//! Invariant: between two [`Recording::start`] calls there is at most one final head, and no more than
//! `head_bytes_max` bytes of heads are held; past that the read fails with [`TooMuch`]. It also fails when far more bytes
//! come than the body accounts for: so floods of chunk sizes, control frames and the like end, of whatever kind. Under
//! HTTP/2, where heads are no text, bytes are only counted, and a poll hands on no more than [`ROUND_BYTES_MAX`], so
//! that nothing can pile up between two looks at what came.

use crate::head::{EndFinder, status_code};
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

/// Bytes of a request that are kept; ours are far shorter.
const REQUEST_HEAD_BYTES_MAX: usize = 256 << 10;
/// Bytes that one poll of an HTTP/2 connection hands on.
const ROUND_BYTES_MAX: usize = 32 << 10;
/// Bytes received per byte of the body, beside what is free. Chunks of one byte have six: a small page may come so, one
/// without end may not.
const FRAMING_RATIO_MAX: u64 = 4;

/// What went over a connection since the last start.
#[derive(Debug)]
pub(crate) struct Recording {
    listening: bool,
    finder: EndFinder,
    complete: bool,
    interim_bytes: usize,
    interim: usize,
    head_bytes_max: usize,
    interim_max: usize,
    /// Bytes beside the body that are free.
    framing_bytes_free: u64,
    /// HTTP/2 is spoken: bytes are counted, not kept.
    only_counting: bool,
    body_bytes: u64,
    round_bytes: usize,
    /// The request head as sent.
    pub(crate) sent: Vec<u8>,
    /// The response head as received.
    pub(crate) head: Vec<u8>,
    /// Bytes received, heads and framing included (and TLS records not).
    pub(crate) received_bytes: u64,
    /// When the last byte came or went.
    pub(crate) last_byte_at: Instant,
}

/// The server sent more than is taken.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub(crate) enum TooMuch {
    /// The head, with the limit.
    #[error("the response head is longer than {0} bytes")]
    Head(usize),
    /// Interim responses, with the limit.
    #[error("more than {0} interim answers")]
    Interim(usize),
    /// Frames that carry no body, or chunk sizes without end.
    #[error("a flood of bytes that carry no page")]
    Framing,
}

/// A recording that the connection and its user share.
#[derive(Clone, Debug)]
pub(crate) struct SharedRecording(Arc<Mutex<Recording>>);

impl SharedRecording {
    pub(crate) fn new() -> SharedRecording {
        SharedRecording(Arc::new(Mutex::new(Recording {
            listening: false,
            finder: EndFinder::default(),
            complete: false,
            interim_bytes: 0,
            interim: 0,
            head_bytes_max: 0,
            interim_max: 0,
            framing_bytes_free: 0,
            only_counting: false,
            body_bytes: 0,
            round_bytes: 0,
            sent: Vec::new(),
            head: Vec::new(),
            received_bytes: 0,
            last_byte_at: Instant::now(),
        })))
    }

    /// The recording itself. A panic elsewhere cannot leave it in a state that matters, so poison is passed over.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Recording> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recording {
    /// Begins anew, for one request and its response in HTTP/1.1.
    pub(crate) fn start(&mut self, head_bytes_max: usize, interim_max: usize, framing_bytes_free: u64) {
        self.listening = true;
        self.framing_bytes_free = framing_bytes_free;
        self.body_bytes = 0;
        self.finder = EndFinder::default();
        self.complete = false;
        self.interim_bytes = 0;
        self.interim = 0;
        self.head_bytes_max = head_bytes_max;
        self.interim_max = interim_max;
        self.sent.clear();
        self.head.clear();
        self.received_bytes = 0;
        self.last_byte_at = Instant::now();
    }

    /// Begins anew, for one request and its response in HTTP/2.
    pub(crate) fn start_counting(&mut self, framing_bytes_free: u64) {
        self.start(0, 0, framing_bytes_free);
        self.complete = true;
        self.only_counting = true;
    }

    /// So many bytes of the body were taken.
    pub(crate) fn note_body(&mut self, bytes: usize) {
        self.body_bytes += bytes as u64;
    }

    /// Another poll begins.
    pub(crate) fn begin_round(&mut self) {
        self.round_bytes = 0;
    }

    fn round_is_over(&self) -> bool {
        self.only_counting && self.round_bytes >= ROUND_BYTES_MAX
    }

    /// The request head and the final response head, once it is whole.
    pub(crate) fn take_heads(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        self.complete.then(|| (std::mem::take(&mut self.sent), std::mem::take(&mut self.head)))
    }

    fn note_received(&mut self, mut bytes: &[u8]) -> Result<(), TooMuch> {
        self.round_bytes += bytes.len();
        if !self.listening || bytes.is_empty() {
            return Ok(());
        }
        self.received_bytes += bytes.len() as u64;
        self.last_byte_at = Instant::now();
        let by_body = self.body_bytes.saturating_mul(FRAMING_RATIO_MAX);
        if self.complete && self.received_bytes > self.framing_bytes_free.saturating_add(by_body) {
            self.listening = false;
            return Err(TooMuch::Framing);
        }
        while !self.complete && !bytes.is_empty() {
            let end = self.finder.find(bytes);
            let (mine, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            bytes = rest;
            if self.interim_bytes + self.head.len() + mine.len() > self.head_bytes_max {
                self.listening = false;
                return Err(TooMuch::Head(self.head_bytes_max));
            }
            self.head.extend_from_slice(mine);
            if end.is_some() {
                if status_code(&self.head).is_some_and(|code| (100..200).contains(&code) && code != 101) {
                    self.interim_bytes += self.head.len();
                    self.interim += 1;
                    if self.interim > self.interim_max {
                        self.listening = false;
                        return Err(TooMuch::Interim(self.interim_max));
                    }
                    self.head.clear();
                    self.finder = EndFinder::default();
                } else {
                    self.complete = true;
                }
            }
        }
        Ok(())
    }

    fn note_sent(&mut self, bytes: &[u8]) {
        if self.listening {
            self.last_byte_at = Instant::now();
            if self.only_counting {
                return;
            }
            let room = REQUEST_HEAD_BYTES_MAX.saturating_sub(self.sent.len());
            self.sent.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
    }
}

/// A stream that is recorded.
pub(crate) struct Tee<S> {
    stream: S,
    recording: SharedRecording,
}

impl<S> Tee<S> {
    pub(crate) fn new(stream: S, recording: SharedRecording) -> Tee<S> {
        Tee { stream, recording }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Tee<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.recording.lock().round_is_over() {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = buf.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(cx, buf))?;
        Poll::Ready(this.recording.lock().note_received(&buf.filled()[before..]).map_err(io::Error::other))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Tee<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = ready!(Pin::new(&mut this.stream).poll_write(cx, bytes))?;
        this.recording.lock().note_sent(&bytes[..written]);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}
