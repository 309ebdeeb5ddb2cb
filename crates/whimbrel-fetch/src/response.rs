//! What came back: heads and body byte for byte, and the few header fields that visits turn on.
//! Never interprets a body and never decides what a status means.

use bytes::Bytes;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};
use whimbrel_types::{CanonicalUrl, FailureKind, Limit, Timestamp, Validators};

/// Why a body is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cut {
    /// Its type is not wanted: nothing of it was read.
    UnwantedType,
    /// It is longer than the limit; the bytes up to it are there.
    BodyLimit,
    /// It decodes to too many bytes for its size; those up to the limit are there.
    Ratio,
    /// Its coding breaks off; the bytes up to there are there.
    BrokenCoding,
}

impl Cut {
    /// Name in counters and logs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Cut::UnwantedType => "unwanted_type",
            Cut::BodyLimit => "body_limit",
            Cut::Ratio => "ratio",
            Cut::BrokenCoding => "broken_coding",
        }
    }
}

/// What a visit brought.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// Address that was spoken to, if a connection came about (the last one, with redirects).
    pub ip: Option<IpAddr>,
    /// Time from the call to the end.
    pub elapsed_ms: u64,
    /// Bytes received, heads and framing included.
    pub wire_bytes: u64,
    /// Requests that were sent: 1, and 1 more per redirect followed or dead connection.
    pub requests: u32,
    /// The response, or why there is none.
    pub result: Result<Response, (FailureKind, String)>,
    /// Named limits that were reached, those of [`Response::cut`] not among them.
    pub limits: Vec<Limit>,
    /// Targets of the redirects that were followed, in order.
    pub hops: Vec<CanonicalUrl>,
}

/// A response.
#[derive(Clone, Debug)]
pub struct Response {
    /// Status code.
    pub status: u16,
    /// The request head as sent (HTTP/2: as HTTP/1.1 would have it), without `Authorization`, `Proxy-Authorization`
    /// and `Cookie`: what goes into archives must not open doors.
    pub request_head: Vec<u8>,
    /// The response head as received, up to and with its empty line; that of HTTP/2 as HTTP/1.1 would have it.
    pub response_head: Vec<u8>,
    /// Header fields in order: name in lower case, value without surrounding white space.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body as received: transfer coding undone, content coding kept.
    pub wire_body: Bytes,
    /// The body with its content coding undone; the same bytes as `wire_body` when there is none.
    pub body: Bytes,
    /// Why the body is not whole, if it is not.
    pub cut: Option<Cut>,
    /// `Content-Type`, as sent.
    pub content_type: Option<String>,
}

impl Response {
    /// First value of a field; `name` in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&[u8]> {
        first_value(&self.headers, name)
    }

    /// First value of a field as text, when it is UTF-8.
    #[must_use]
    pub fn header_text(&self, name: &str) -> Option<&str> {
        self.header(name).and_then(|value| std::str::from_utf8(value).ok())
    }

    /// All values of a field, in order; `name` in lower case.
    pub fn header_values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> {
        self.headers.iter().filter(move |(n, _)| n == name).map(|(_, value)| value.as_slice())
    }

    /// Media type in lower case without parameters; empty when there is none.
    #[must_use]
    pub fn media_type(&self) -> String {
        media_type(self.content_type.as_deref())
    }

    /// `ETag`, verbatim.
    #[must_use]
    pub fn etag(&self) -> Option<String> {
        self.header_text("etag").filter(|value| !value.is_empty()).map(str::to_owned)
    }

    /// `Last-Modified`, verbatim.
    #[must_use]
    pub fn last_modified(&self) -> Option<String> {
        self.header_text("last-modified").filter(|value| !value.is_empty()).map(str::to_owned)
    }

    /// What the next visit can ask conditionally with.
    #[must_use]
    pub fn validators(&self) -> Validators {
        Validators { etag: self.etag(), last_modified: self.last_modified() }
    }

    /// `Location`, as sent; bytes that are no UTF-8 are replaced.
    #[must_use]
    pub fn location(&self) -> Option<String> {
        self.header("location")
            .map(|value| String::from_utf8_lossy(value).into_owned())
            .filter(|value| !value.is_empty())
    }

    /// `Retry-After` in milliseconds from `now`; a date in the past is 0.
    #[must_use]
    pub fn retry_after_ms(&self, now: Timestamp) -> Option<u64> {
        let value = self.header_text("retry-after")?.trim();
        if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) {
            return Some(value.parse::<u64>().unwrap_or(u64::MAX).saturating_mul(1000));
        }
        http_time(value).map(|time| time.since_ms(now))
    }

    /// `Date`: the server's clock.
    #[must_use]
    pub fn date(&self) -> Option<Timestamp> {
        self.header_text("date").and_then(http_time)
    }

    /// Whether this is a redirect with a target to go to.
    #[must_use]
    pub fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
    }
}

pub(crate) fn first_value<'a>(headers: &'a [(String, Vec<u8>)], name: &str) -> Option<&'a [u8]> {
    headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_slice())
}

pub(crate) fn media_type(content_type: Option<&str>) -> String {
    content_type.and_then(|value| value.split(';').next()).unwrap_or_default().trim().to_ascii_lowercase()
}

pub(crate) fn http_time(text: &str) -> Option<Timestamp> {
    let time = httpdate::parse_http_date(text).ok()?;
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    u64::try_from(since.as_millis()).ok().map(Timestamp)
}

#[cfg(test)]
mod tests;
