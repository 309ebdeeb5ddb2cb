//! HTTP/2 as it is spoken here (RFC 9113): settings, one request, the head of its answer, and what its errors mean.
//! Archives and parsers know one form of head, that of HTTP/1.1, so the answer's is written that way: fields in the
//! order they came, repeated ones beside the first of their name (the decoder below keeps them so).
//! Never takes pushes and never sends a body.
//! Invariant: an answer's head obeys the limits of HTTP/1.1 heads, interim answers are counted, and what a server
//! sends beside the body is bounded by the recording below ([`crate::tee`]).

use crate::failure::{self, Failure};
use bytes::Bytes;
use h2::Reason;
use h2::client::{Builder, ResponseFuture, SendRequest};
use http::header::{CONNECTION, HOST};
use http::{HeaderMap, Request, Response, StatusCode, Uri};
use http_body_util::Empty;
use std::future::{Future as _, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use whimbrel_types::{FailureKind, Limit, Site};

/// Bytes of a body that may be under way unread, per connection and per stream.
pub(crate) const WINDOW_BYTES: u32 = 256 << 10;

/// An answer that may not be asked for a second time, or may.
#[derive(Debug)]
pub(crate) struct NoAnswer {
    /// Why there is none.
    pub(crate) failure: Failure,
    /// The server did not process the request: another connection may serve it (RFC 9113, section 8.7).
    pub(crate) unprocessed: bool,
}

/// The settings of a connection.
pub(crate) fn settings(header_bytes_max: usize) -> Builder {
    let mut builder = Builder::new();
    builder
        .enable_push(false)
        .initial_window_size(WINDOW_BYTES)
        .initial_connection_window_size(WINDOW_BYTES)
        // Twice as much as is taken: what lies between is refused here, by its name.
        .max_header_list_size(u32::try_from(header_bytes_max.saturating_mul(2)).unwrap_or(u32::MAX))
        .max_concurrent_reset_streams(4)
        .max_send_buffer_size(64 << 10);
    builder
}

/// A request as HTTP/2 has it: the authority in the target, no fields about the connection.
pub(crate) fn request(message: &Request<Empty<Bytes>>, site: &Site) -> Result<Request<()>, Failure> {
    let cannot = |_| (FailureKind::ProtocolError, "cannot send the target over HTTP/2".to_owned());
    let target = message.uri().path_and_query().map_or("/", |target| target.as_str());
    let authority = message.headers().get(HOST).map(|host| host.as_bytes()).unwrap_or_default();
    let uri = Uri::builder()
        .scheme(site.scheme.as_str())
        .authority(authority)
        .path_and_query(target)
        .build()
        .map_err(cannot)?;
    let mut request = Request::new(());
    *request.uri_mut() = uri;
    let headers = request.headers_mut();
    *headers = message.headers().clone();
    headers.remove(HOST);
    headers.remove(CONNECTION);
    Ok(request)
}

/// Sends a request and waits for the head of its answer, passing over at most `interim_max` interim ones.
pub(crate) async fn ask(
    sender: SendRequest<Bytes>,
    request: Request<()>,
    interim_max: usize,
) -> Result<Response<h2::RecvStream>, NoAnswer> {
    let mut sender = sender.ready().await.map_err(|error| no_answer(&error))?;
    let (mut answer, _) = sender.send_request(request, true).map_err(|error| no_answer(&error))?;
    let mut interim = 0;
    poll_fn(|cx| {
        while let Poll::Ready(Some(found)) = poll_interim(&mut answer, cx) {
            found.map_err(|error| no_answer(&error))?;
            interim += 1;
            if interim > interim_max {
                let detail = format!("more than {interim_max} interim answers");
                let failure = Failure::at_limit(Limit::Interim, FailureKind::ProtocolError, detail);
                return Poll::Ready(Err(NoAnswer { failure, unprocessed: false }));
            }
        }
        Pin::new(&mut answer).poll(cx).map_err(|error| no_answer(&error))
    })
    .await
}

fn poll_interim(
    answer: &mut ResponseFuture,
    cx: &mut std::task::Context<'_>,
) -> Poll<Option<Result<Response<()>, h2::Error>>> {
    answer.poll_informational(cx)
}

/// The head of a request in the form of HTTP/1.1, without what must not be kept.
pub(crate) fn request_head(message: &Request<Empty<Bytes>>) -> Vec<u8> {
    let target = message.uri().path_and_query().map_or("/", |target| target.as_str());
    let mut head = format!("{} {target} HTTP/1.1\r\n", message.method()).into_bytes();
    push_fields(&mut head, message.headers(), |name| {
        name == CONNECTION || crate::head::is_private(name.as_str())
    });
    head
}

/// The head of an answer in the form of HTTP/1.1, and its fields.
pub(crate) fn response_head(
    status: StatusCode,
    headers: &HeaderMap,
    header_bytes_max: usize,
    headers_max: usize,
) -> Result<Vec<u8>, Failure> {
    let mut head =
        format!("HTTP/1.1 {} {}\r\n", status.as_u16(), status.canonical_reason().unwrap_or_default())
            .into_bytes();
    push_fields(&mut head, headers, |_| false);
    if head.len() > header_bytes_max {
        let detail = format!("the response head is longer than {header_bytes_max} bytes");
        return Err(Failure::at_limit(Limit::Headers, FailureKind::HeadersTooLarge, detail));
    }
    if headers.len() > headers_max {
        let detail = format!("the response head has more than {headers_max} fields");
        return Err(Failure::at_limit(Limit::HeaderFields, FailureKind::HeadersTooLarge, detail));
    }
    Ok(head)
}

fn push_fields(head: &mut Vec<u8>, headers: &HeaderMap, left_out: impl Fn(&http::HeaderName) -> bool) {
    for (name, value) in headers.iter().filter(|(name, _)| !left_out(name)) {
        head.extend_from_slice(name.as_str().as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value.as_bytes());
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(b"\r\n");
}

fn no_answer(error: &h2::Error) -> NoAnswer {
    let refused = error.is_reset() && error.is_remote() && error.reason() == Some(Reason::REFUSED_STREAM);
    let gone = error.is_go_away() && error.is_remote();
    NoAnswer { failure: failure(error), unprocessed: refused || gone || error.is_io() }
}

/// What an error of HTTP/2 means for a visit.
pub(crate) fn failure(error: &h2::Error) -> Failure {
    let said = format!("HTTP/2: {error}");
    if let Some(io) = error.get_io() {
        return failure::exchanging_io(io, said);
    }
    let kind = match error.reason() {
        Some(Reason::NO_ERROR | Reason::REFUSED_STREAM | Reason::CANCEL | Reason::INTERNAL_ERROR)
            if error.is_remote() =>
        {
            FailureKind::ConnectionReset
        }
        _ => FailureKind::ProtocolError,
    };
    (kind, said).into()
}
