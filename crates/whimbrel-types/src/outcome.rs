//! What a visit came to. The world's misbehaviour is data here, never an error.

use crate::limit::Limit;
use crate::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a server gave to recognise an unchanged page by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    /// `ETag`, verbatim.
    pub etag: Option<String>,
    /// `Last-Modified`, verbatim.
    pub last_modified: Option<String>,
}

impl Validators {
    /// Nothing to ask conditionally with.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

/// Why a host has no address to visit it at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// The outcome of visits to it.
    pub kind: FailureKind,
    /// More about it, for `explain` and logs.
    pub detail: String,
    /// The limit that was reached, if it was one.
    pub limit: Option<Limit>,
}

/// A redirect that was answered and not followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redirect {
    /// Where it points, in canonical form.
    pub target: CanonicalUrl,
    /// 301 or 308.
    pub permanent: bool,
}

/// Why a visit brought nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FailureKind {
    /// The host name has no address.
    DnsFailure,
    /// Nobody listens.
    ConnectionRefused,
    /// Connected, then cut off.
    ConnectionReset,
    /// Too slow to connect, to answer, or in all.
    Timeout,
    /// The certificate or the handshake is wrong.
    TlsError,
    /// What came is not HTTP, or breaks its rules.
    ProtocolError,
    /// The content coding cannot be undone.
    DecodeError,
    /// The address is private, and not allowed.
    AddressRefused,
    /// More header bytes than allowed.
    HeadersTooLarge,
    /// A redirect without a target, to a target that is no http URL, or too long a chain of them.
    BadRedirect,
    /// The visit was given up because the program is ending.
    Cancelled,
    /// Our own bug: the visit's task panicked.
    Panicked,
}

impl FailureKind {
    /// Name in summaries and logs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            FailureKind::DnsFailure => "dns",
            FailureKind::ConnectionRefused => "refused",
            FailureKind::ConnectionReset => "reset",
            FailureKind::Timeout => "timeout",
            FailureKind::TlsError => "tls",
            FailureKind::ProtocolError => "protocol",
            FailureKind::DecodeError => "decode",
            FailureKind::AddressRefused => "address_refused",
            FailureKind::HeadersTooLarge => "headers_too_large",
            FailureKind::BadRedirect => "bad_redirect",
            FailureKind::Cancelled => "cancelled",
            FailureKind::Panicked => "panicked",
        }
    }

    /// Whether trying again later can help.
    #[must_use]
    pub fn is_passing(self) -> bool {
        !matches!(self, FailureKind::AddressRefused | FailureKind::BadRedirect | FailureKind::HeadersTooLarge)
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The result of one visit, as the planner sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FetchOutcome {
    /// 200 with a body that was read.
    Fetched,
    /// 304, or 200 with the digest that is known.
    NotModified,
    /// 3xx with a target.
    Redirected(Redirect),
    /// 404 or 410.
    Gone {
        /// Which of the two.
        status: u16,
    },
    /// 200, but of a type that is not wanted: cut after the headers.
    UnwantedType {
        /// The media type.
        media_type: String,
    },
    /// Forbidden by robots.txt at the time of the visit.
    Disallowed,
    /// Another 4xx: the server does not want to give it.
    Refused {
        /// The status.
        status: u16,
    },
    /// 429 or 5xx: come back later.
    Unavailable {
        /// The status.
        status: u16,
        /// `Retry-After`, in milliseconds from the visit.
        retry_after_ms: Option<u64>,
    },
    /// Nothing usable came.
    Failed(FailureKind),
}

impl FetchOutcome {
    /// Short name for summaries, logs and `explain`.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            FetchOutcome::Fetched => "fetched".into(),
            FetchOutcome::NotModified => "not_modified".into(),
            FetchOutcome::Redirected(r) => {
                if r.permanent { "redirected_permanently" } else { "redirected" }.into()
            }
            FetchOutcome::Gone { status }
            | FetchOutcome::Refused { status }
            | FetchOutcome::Unavailable { status, .. } => {
                format!("http_{status}")
            }
            FetchOutcome::UnwantedType { .. } => "unwanted_type".into(),
            FetchOutcome::Disallowed => "disallowed".into(),
            FetchOutcome::Failed(kind) => kind.as_str().into(),
        }
    }

    /// Whether the same request may succeed later, so that it is tried again.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        match self {
            FetchOutcome::Unavailable { .. } => true,
            FetchOutcome::Failed(kind) => kind.is_passing(),
            _ => false,
        }
    }
}
