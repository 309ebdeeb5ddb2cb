//! Gives errors of sockets, TLS and hyper the names the planner knows. Decides by the type of an error, never by
//! its text; the text goes along for people.

use crate::tee::TooMuch;
use crate::watch::TimedOut;
use std::error::Error as StdError;
use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use whimbrel_types::{FailureKind, Limit};

/// A failure and what there is to say about it.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    pub(crate) detail: String,
    /// The named limit behind it, if it is one.
    pub(crate) limit: Option<Limit>,
}

impl From<(FailureKind, String)> for Failure {
    fn from((kind, detail): (FailureKind, String)) -> Failure {
        Failure { kind, detail, limit: None }
    }
}

impl Failure {
    /// A limit was reached.
    pub(crate) fn at_limit(limit: Limit, kind: FailureKind, detail: impl Into<String>) -> Failure {
        Failure { kind, detail: detail.into(), limit: Some(limit) }
    }

    /// The same, with where it happened put before the detail.
    pub(crate) fn at(self, place: &str) -> Failure {
        Failure { detail: format!("{place}: {}", self.detail), ..self }
    }
}

pub(crate) fn timed_out(which: TimedOut) -> Failure {
    let limit = match which {
        TimedOut::Total => Limit::Timeout,
        TimedOut::Silence => Limit::IdleTimeout,
    };
    Failure::at_limit(limit, FailureKind::Timeout, which.as_str())
}

/// No connection came about.
pub(crate) fn connecting(error: &io::Error) -> Failure {
    let kind = match error.kind() {
        ErrorKind::TimedOut => FailureKind::Timeout,
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => FailureKind::ConnectionReset,
        _ => FailureKind::ConnectionRefused,
    };
    (kind, format!("cannot connect: {error}")).into()
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
    let meaning =
        error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()).and_then(tls_meaning);
    match meaning {
        Some(meaning) => (kind, format!("TLS handshake failed: {meaning} ({error})")).into(),
        None => (kind, format!("TLS handshake failed: {error}")).into(),
    }
}

/// What is wrong, in words that say what could be done about it.
fn tls_meaning(error: &rustls::Error) -> Option<&'static str> {
    use rustls::CertificateError as Wrong;
    const VERSION: &str = "the server offers neither TLS 1.2 nor TLS 1.3";
    Some(match error {
        rustls::Error::InvalidCertificate(wrong) => match wrong {
            Wrong::Expired | Wrong::ExpiredContext { .. } => "the certificate has expired",
            Wrong::NotValidYet | Wrong::NotValidYetContext { .. } => "the certificate is not valid yet",
            Wrong::NotValidForName | Wrong::NotValidForNameContext { .. } => {
                "the certificate is for another name"
            }
            Wrong::UnknownIssuer => {
                "the certificate is signed by itself or by an authority not trusted (see fetch.extra_roots)"
            }
            Wrong::Other(_) if error.to_string().contains("CaUsedAsEndEntity") => {
                "the certificate is that of an authority, not of a server"
            }
            Wrong::Revoked => "the certificate was withdrawn",
            Wrong::BadSignature => "the certificate has a wrong signature",
            _ => return None,
        },
        rustls::Error::InvalidMessage(_) => {
            "what came is not TLS; the server may speak plain HTTP on this port"
        }
        rustls::Error::AlertReceived(rustls::AlertDescription::ProtocolVersion) => VERSION,
        rustls::Error::PeerIncompatible(
            rustls::PeerIncompatible::ServerDoesNotSupportTls12Or13
            | rustls::PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig,
        ) => VERSION,
        _ => return None,
    })
}

/// The exchange of request and response failed.
pub(crate) fn exchanging(error: &hyper::Error) -> Failure {
    let detail = chain(error);
    if let Some(io) = deepest_io(error) {
        return exchanging_io(io, detail);
    }
    if error.is_parse_too_large() {
        // The bytes of a head are counted below hyper, so here it is the number of its fields.
        return Failure::at_limit(Limit::HeaderFields, FailureKind::HeadersTooLarge, detail);
    }
    let broke_off = error.is_incomplete_message() || error.is_canceled() || error.is_closed();
    let kind = if broke_off { FailureKind::ConnectionReset } else { FailureKind::ProtocolError };
    (kind, detail).into()
}

/// Reading or writing failed in the middle of an exchange.
pub(crate) fn exchanging_io(error: &io::Error, detail: String) -> Failure {
    if let Some(inner) = error.get_ref() {
        match inner.downcast_ref::<TooMuch>() {
            Some(TooMuch::Head(_)) => {
                return Failure::at_limit(Limit::Headers, FailureKind::HeadersTooLarge, detail);
            }
            Some(TooMuch::Interim(_)) => {
                return Failure::at_limit(Limit::Interim, FailureKind::ProtocolError, detail);
            }
            Some(TooMuch::Framing) => return (FailureKind::ProtocolError, detail).into(),
            None => {}
        }
        if inner.is::<rustls::Error>() {
            return (FailureKind::TlsError, detail).into();
        }
    }
    let kind = match error.kind() {
        ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::NotConnected
        | ErrorKind::UnexpectedEof => FailureKind::ConnectionReset,
        ErrorKind::TimedOut => FailureKind::Timeout,
        _ => FailureKind::ProtocolError,
    };
    (kind, detail).into()
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
