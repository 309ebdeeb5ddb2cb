//! Gives errors of sockets, TLS and hyper the names the planner knows. Decides by the type of an error, never by
//! its text; the text goes along for people.

use crate::tee::HeadTooLarge;
use crate::watch::TimedOut;
use std::error::Error as StdError;
use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use whimbrel_types::FailureKind;

/// A failure and what there is to say about it.
pub(crate) type Failure = (FailureKind, String);

pub(crate) fn timed_out(which: TimedOut) -> Failure {
    (FailureKind::Timeout, which.as_str().to_owned())
}

/// No connection came about.
pub(crate) fn connecting(error: &io::Error) -> Failure {
    let kind = match error.kind() {
        ErrorKind::TimedOut => FailureKind::Timeout,
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => FailureKind::ConnectionReset,
        _ => FailureKind::ConnectionRefused,
    };
    (kind, format!("cannot connect: {error}"))
}

/// The TLS handshake failed.
pub(crate) fn handshake(error: &io::Error) -> Failure {
    let is_tls = error.get_ref().is_some_and(|inner| inner.is::<rustls::Error>());
    let kind = match error.kind() {
        _ if is_tls => FailureKind::TlsError,
        ErrorKind::TimedOut => FailureKind::Timeout,
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => FailureKind::ConnectionReset,
        _ => FailureKind::TlsError,
    };
    (kind, format!("TLS handshake failed: {error}"))
}

/// The exchange of request and response failed.
pub(crate) fn exchanging(error: &hyper::Error) -> Failure {
    let kind = if error.is_parse_too_large() {
        FailureKind::HeadersTooLarge
    } else if error.is_parse() {
        FailureKind::ProtocolError
    } else if error.is_incomplete_message() || error.is_canceled() || error.is_closed() {
        FailureKind::ConnectionReset
    } else {
        deepest_io(error).map_or(FailureKind::ProtocolError, io_kind)
    };
    (kind, chain(error))
}

fn io_kind(error: &io::Error) -> FailureKind {
    if let Some(inner) = error.get_ref() {
        if inner.is::<HeadTooLarge>() {
            return FailureKind::HeadersTooLarge;
        }
        if inner.is::<rustls::Error>() {
            return FailureKind::TlsError;
        }
    }
    match error.kind() {
        ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::NotConnected
        | ErrorKind::UnexpectedEof => FailureKind::ConnectionReset,
        ErrorKind::TimedOut => FailureKind::Timeout,
        _ => FailureKind::ProtocolError,
    }
}

fn deepest_io<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a io::Error> {
    let mut found = None;
    let mut next = Some(error);
    while let Some(this) = next {
        found = this.downcast_ref::<io::Error>().or(found);
        next = this.source();
    }
    found
}

/// An error with its causes, each once.
fn chain(error: &(dyn StdError + 'static)) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let said = cause.to_string();
        if !text.contains(&said) {
            let _ = write!(text, ": {said}");
        }
        next = cause.source();
    }
    text
}
