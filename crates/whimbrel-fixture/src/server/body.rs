//! How bytes leave: at once, in pieces with pauses, cut short, or without end; and the log entry that goes
//! with them.
//! Invariant: the entry is recorded before the last piece is handed over, or when the client goes away;
//! exactly once in any case.

use crate::log::{AccessEntry, AccessLog};
use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Sleep, sleep};

/// A log entry that records itself when its request is over, however it ends.
#[derive(Debug)]
pub(super) struct Recording {
    log: Arc<AccessLog>,
    entry: Option<AccessEntry>,
}

impl Recording {
    /// An entry for a request that has just arrived.
    pub(super) fn new(log: Arc<AccessLog>, entry: AccessEntry) -> Recording {
        Recording { log, entry: Some(entry) }
    }

    /// What is sent.
    pub(super) fn set_status(&mut self, status: u16) {
        if let Some(entry) = &mut self.entry {
            entry.status = status;
        }
    }

    /// Records the entry of a request that got its whole answer.
    pub(super) fn finish(&mut self) {
        self.record(true);
    }

    fn add_bytes(&mut self, count: usize) {
        if let Some(entry) = &mut self.entry {
            entry.bytes += count as u64;
        }
    }

    fn record(&mut self, complete: bool) {
        if let Some(mut entry) = self.entry.take() {
            entry.complete = complete;
            entry.end_ms = self.log.now_ms();
            self.log.record(entry);
        }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.record(false);
    }
}

/// The manner of sending.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Manner {
    /// Pieces of this size with a pause before each.
    pub(super) drip: Option<(usize, Duration)>,
    /// The connection ends after so many bytes.
    pub(super) cut_after_bytes: Option<usize>,
    /// The bytes come again and again.
    pub(super) endless: bool,
}

/// A connection is cut only after this: an error drops whatever has not left the buffer yet.
const FLUSH_TIME: Duration = Duration::from_millis(10);

/// A body on its way.
#[derive(Debug)]
pub(super) struct ServedBody {
    rest: Bytes,
    manner: Manner,
    sent_bytes: usize,
    pause: Option<Pin<Box<Sleep>>>,
    recording: Recording,
}

impl ServedBody {
    /// Sends `bytes` in that manner.
    pub(super) fn new(bytes: Bytes, manner: Manner, mut recording: Recording) -> ServedBody {
        if bytes.is_empty() {
            recording.finish();
        }
        ServedBody { rest: bytes, manner, sent_bytes: 0, pause: None, recording }
    }

    /// Sends headers only.
    pub(super) fn none(recording: Recording) -> ServedBody {
        ServedBody::new(Bytes::new(), Manner::default(), recording)
    }

    /// The wait before the next piece.
    fn wait(&self) -> Option<Duration> {
        if self.rest.is_empty() {
            None
        } else if self.manner.cut_after_bytes.is_some_and(|bytes| self.sent_bytes >= bytes) {
            Some(FLUSH_TIME)
        } else {
            self.manner.drip.map(|(_, pause)| pause)
        }
    }

    fn next_piece(&mut self) -> Option<io::Result<Bytes>> {
        let mut length = self.rest.len();
        if length == 0 {
            return None;
        }
        if let Some((piece_bytes, _)) = self.manner.drip {
            length = length.min(piece_bytes.max(1));
        }
        if let Some(after_bytes) = self.manner.cut_after_bytes {
            if self.sent_bytes >= after_bytes {
                return Some(Err(io::Error::other("the connection is cut on purpose")));
            }
            length = length.min(after_bytes - self.sent_bytes);
        }
        let piece = if self.manner.endless { self.rest.slice(..length) } else { self.rest.split_to(length) };
        self.sent_bytes += length;
        self.recording.add_bytes(length);
        if self.rest.is_empty() {
            self.recording.finish();
        }
        Some(Ok(piece))
    }
}

impl Body for ServedBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if let Some(wait) = self.wait() {
            let pause = self.pause.get_or_insert_with(|| Box::pin(sleep(wait)));
            ready!(pause.as_mut().poll(context));
            self.pause = None;
        }
        Poll::Ready(self.next_piece().map(|piece| piece.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        if self.manner.endless { SizeHint::new() } else { SizeHint::with_exact(self.rest.len() as u64) }
    }
}
