//! What a path answers, good manners and bad ones alike. Pure data and functions: the server acts it out.

use bytes::Bytes;
use http::HeaderMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A function that decides on an answer when asked.
pub type Handler = Arc<dyn Fn(&RequestInfo) -> Answer + Send + Sync>;

/// Makes a [`Handler`] of a closure.
pub fn handler(decide: impl Fn(&RequestInfo) -> Answer + Send + Sync + 'static) -> Handler {
    Arc::new(decide)
}

/// What a handler may know about a request.
#[derive(Clone, Debug)]
pub struct RequestInfo {
    /// Name of the site asked.
    pub site: String,
    /// `GET`, `HEAD`, …
    pub method: String,
    /// Path and query as sent.
    pub path: String,
    /// Request headers.
    pub headers: HeaderMap,
    /// How often this path was asked before on this server.
    pub visits_before: u64,
}

impl RequestInfo {
    /// The path without its query.
    #[must_use]
    pub fn path_only(&self) -> &str {
        self.path.split('?').next().unwrap_or("")
    }

    /// The query without its question mark.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.path.split_once('?').map(|(_, query)| query)
    }

    /// A header as text, where there is one.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// What comes back. `{{origin:NAME}}` in bodies and header values becomes the origin of that site.
#[derive(Clone)]
pub enum Answer {
    /// A body with its headers. With status 200 the server adds `ETag`, and answers 304 where that holds.
    Page {
        /// Status code.
        status: u16,
        /// Value of `Content-Type`; empty for none.
        content_type: String,
        /// Further headers.
        headers: Vec<(String, String)>,
        /// The bytes before any content coding.
        body: Bytes,
    },
    /// A redirect with a short body.
    Redirect {
        /// 301, 302, 303, 307 or 308.
        status: u16,
        /// Value of `Location`, relative or absolute.
        location: String,
    },
    /// 404 with a short page.
    NotFound,
    /// A status with headers and no body.
    Status(u16, Vec<(String, String)>),
    /// The answer, after a wait before its first byte.
    Slow {
        /// The wait.
        delay: Duration,
        /// Then this.
        answer: Box<Answer>,
    },
    /// The answer, its body in pieces with a wait before each.
    Drip {
        /// Size of a piece.
        piece_bytes: usize,
        /// The wait.
        pause: Duration,
        /// The whole.
        answer: Box<Answer>,
    },
    /// The answer promises its full length, and the connection ends after so many bytes of it.
    Cut {
        /// Bytes that are sent.
        after_bytes: usize,
        /// The whole.
        answer: Box<Answer>,
    },
    /// 200 and a body that never ends: the piece again and again.
    Endless {
        /// Value of `Content-Type`.
        content_type: String,
        /// What is repeated.
        piece: Bytes,
    },
    /// The request is taken and never answered.
    Hang,
    /// The connection is closed without an answer.
    Close,
    /// Decided anew for every request.
    Custom(Handler),
}

impl Answer {
    /// A page in HTML, UTF-8.
    #[must_use]
    pub fn html(body: impl Into<String>) -> Answer {
        Answer::bytes("text/html; charset=utf-8", body.into())
    }

    /// A page in plain text, UTF-8.
    #[must_use]
    pub fn text(body: impl Into<String>) -> Answer {
        Answer::bytes("text/plain; charset=utf-8", body.into())
    }

    /// A sitemap or another XML document.
    #[must_use]
    pub fn xml(body: impl Into<String>) -> Answer {
        Answer::bytes("application/xml; charset=utf-8", body.into())
    }

    /// Any bytes under any type.
    #[must_use]
    pub fn bytes(content_type: &str, body: impl Into<Vec<u8>>) -> Answer {
        let body: Vec<u8> = body.into();
        Answer::Page {
            status: 200,
            content_type: content_type.to_owned(),
            headers: Vec::new(),
            body: Bytes::from(body),
        }
    }

    /// 301 to `location`.
    #[must_use]
    pub fn moved(location: impl Into<String>) -> Answer {
        Answer::Redirect { status: 301, location: location.into() }
    }

    /// 302 to `location`.
    #[must_use]
    pub fn found(location: impl Into<String>) -> Answer {
        Answer::Redirect { status: 302, location: location.into() }
    }

    /// Decided by `decide` for every request.
    pub fn custom(decide: impl Fn(&RequestInfo) -> Answer + Send + Sync + 'static) -> Answer {
        Answer::Custom(handler(decide))
    }

    /// The same with one more header, where the answer has headers of its own.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: impl Into<String>) -> Answer {
        if let Answer::Page { headers, .. } | Answer::Status(_, headers) = &mut self {
            headers.push((name.to_owned(), value.into()));
        }
        self
    }

    /// The same with another status, where the answer has a free one.
    #[must_use]
    pub fn with_status(mut self, code: u16) -> Answer {
        if let Answer::Page { status, .. } | Answer::Redirect { status, .. } | Answer::Status(status, _) =
            &mut self
        {
            *status = code;
        }
        self
    }

    /// The same after a wait.
    #[must_use]
    pub fn after(self, delay: Duration) -> Answer {
        Answer::Slow { delay, answer: Box::new(self) }
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Page { status, content_type, body, .. } => {
                write!(f, "Page({status}, {content_type}, {} bytes)", body.len())
            }
            Answer::Redirect { status, location } => write!(f, "Redirect({status}, {location})"),
            Answer::NotFound => f.write_str("NotFound"),
            Answer::Status(code, _) => write!(f, "Status({code})"),
            Answer::Slow { delay, answer } => write!(f, "Slow({delay:?}, {answer:?})"),
            Answer::Drip { piece_bytes, pause, answer } => {
                write!(f, "Drip({piece_bytes}, {pause:?}, {answer:?})")
            }
            Answer::Cut { after_bytes, answer } => write!(f, "Cut({after_bytes}, {answer:?})"),
            Answer::Endless { piece, .. } => write!(f, "Endless({} bytes)", piece.len()),
            Answer::Hang => f.write_str("Hang"),
            Answer::Close => f.write_str("Close"),
            Answer::Custom(_) => f.write_str("Custom"),
        }
    }
}
