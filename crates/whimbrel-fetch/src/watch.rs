//! One timer for two limits: the deadline of the whole visit, and the longest silence of the server.
//! The timer is armed rarely: when it fires early because bytes came meanwhile, it is set again.

use crate::tee::SharedRecording;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until};

/// Which limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimedOut {
    /// The visit took too long in all.
    Total,
    /// No byte came for too long.
    Silence,
}

impl TimedOut {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            TimedOut::Total => "the visit took longer than its total time",
            TimedOut::Silence => "no byte came for the idle time",
        }
    }
}

/// Watches one exchange.
pub(crate) struct Watch {
    timer: Pin<Box<Sleep>>,
    deadline: Instant,
    silence_max: Duration,
    recording: SharedRecording,
}

impl Watch {
    pub(crate) fn new(deadline: Instant, silence_max: Duration, recording: SharedRecording) -> Watch {
        let first = deadline.min(Instant::now() + silence_max);
        Watch { timer: Box::pin(sleep_until(first)), deadline, silence_max, recording }
    }

    /// Ready when a limit is reached.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<TimedOut> {
        // A timer does not fire for a task that is always busy; the clock goes on all the same.
        if self.is_late() {
            return Poll::Ready(TimedOut::Total);
        }
        while self.timer.as_mut().poll(cx).is_ready() {
            let now = Instant::now();
            let silent_at = self.recording.lock().last_byte_at + self.silence_max;
            if now >= self.deadline {
                return Poll::Ready(TimedOut::Total);
            }
            if now >= silent_at {
                return Poll::Ready(TimedOut::Silence);
            }
            self.timer.as_mut().reset(silent_at.min(self.deadline));
        }
        Poll::Pending
    }

    /// Whether the deadline has passed, for work that polls nothing.
    pub(crate) fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }
}
