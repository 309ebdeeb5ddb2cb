//! One request and its response on one connection. The connection is polled from here and from nowhere else, so
//! dropping the exchange drops the request, and no task of ours outlives it.
//! Invariant: a connection is reusable only when its response was read to the end and it is ready for more.

use crate::connect::{Connection, buffer_bytes_max};
use crate::decode::{self, DecodeLimits, Decoder};
use crate::failure::{self, Failure};
use crate::head;
use crate::http2;
use crate::request::{self, Wants};
use crate::response::{Cut, Response, first_value, media_type};
use crate::watch::Watch;
use crate::wire::{Body, Wire};
use bytes::Bytes;
use http_body_util::Empty;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;
use tokio::time::Instant;
use whimbrel_types::FailureKind;

/// Bytes of the wire that are decoded at once.
const DECODE_STEP_BYTES: usize = 16 << 10;
/// Decoded bytes after which other tasks get their turn.
const YIELD_AFTER_DECODED_BYTES: usize = 512 << 10;
/// Most memory that is set aside on the word of a server.
const TRUSTED_LENGTH_MAX: u64 = 1 << 20;

/// Bytes beside heads, bodies and what is read ahead that a server may send: chunk sizes, settings, pings.
const FRAMING_BYTES_FREE: u64 = 64 << 10;

/// The limits of an exchange.
pub(crate) struct ExchangeLimits<'a> {
    pub(crate) deadline: Instant,
    pub(crate) silence_max: Duration,
    pub(crate) header_bytes_max: usize,
    pub(crate) headers_max: usize,
    pub(crate) interim_max: usize,
    pub(crate) codings_max: usize,
    pub(crate) body_bytes_max: u64,
    pub(crate) ratio_max: u64,
    pub(crate) ratio_from_bytes: u64,
    pub(crate) wants: &'a Wants,
}

/// Why an exchange came to nothing.
pub(crate) struct Failed {
    pub(crate) failure: Failure,
    /// The server said that it did not process the request.
    pub(crate) unprocessed: bool,
}

impl<F: Into<Failure>> From<F> for Failed {
    fn from(failure: F) -> Failed {
        Failed { failure: failure.into(), unprocessed: false }
    }
}

/// The head of an answer, in the form of HTTP/1.1 whatever was spoken.
struct Head {
    status: u16,
    request_head: Vec<u8>,
    response_head: Vec<u8>,
}

/// Sends `request` and reads the response; with it, whether the connection can be used again.
pub(crate) async fn exchange(
    connection: &mut Connection,
    request: http::Request<Empty<Bytes>>,
    limits: &ExchangeLimits<'_>,
) -> Result<(Response, bool), Failed> {
    let mut watch = Watch::new(limits.deadline, limits.silence_max, connection.recording.clone());
    let (head, body) = match &connection.wire {
        Wire::One { .. } => ask_one(connection, &mut watch, request, limits).await?,
        Wire::Two { .. } => ask_two(connection, &mut watch, &request, limits).await?,
    };
    let Head { status, request_head, response_head } = head;
    let headers = head::fields(&response_head);
    let content_type =
        first_value(&headers, "content-type").map(|value| String::from_utf8_lossy(value).into_owned());

    let unwanted = !body.is_over() && !(limits.wants)(&media_type(content_type.as_deref()), status);
    let (wire_body, decoded_body, cut) = if unwanted {
        (Bytes::new(), Bytes::new(), Some(Cut::UnwantedType))
    } else {
        read_body(connection, &mut watch, body, &headers, limits).await?
    };
    let whole = !matches!(cut, Some(Cut::UnwantedType | Cut::BodyLimit | Cut::Ratio));
    let reusable = whole && is_ready(connection).await;
    let response = Response {
        status,
        request_head,
        response_head,
        headers,
        wire_body,
        body: decoded_body,
        cut,
        content_type,
    };
    Ok((response, reusable))
}

/// Asks over HTTP/1.1. The heads are those that went over the wire.
async fn ask_one(
    connection: &mut Connection,
    watch: &mut Watch,
    mut request: http::Request<Empty<Bytes>>,
    limits: &ExchangeLimits<'_>,
) -> Result<(Head, Body), Failed> {
    if let Some(proxied) = &connection.proxied {
        request::for_proxy(&mut request, &connection.site, proxied.login.as_ref())?;
    }
    let framing_bytes_free = FRAMING_BYTES_FREE + 2 * buffer_bytes_max(limits.header_bytes_max) as u64;
    connection.recording.lock().start(limits.header_bytes_max, limits.interim_max, framing_bytes_free);
    let Wire::One { sender, .. } = &mut connection.wire else { return Err(not_spoken().into()) };
    let answer = sender.send_request(request);
    let answer = drive(connection, watch, answer).await?.map_err(|error| failure::exchanging(&error))?;
    let (status, body) = (answer.status().as_u16(), Body::One(answer.into_body()));
    let heads = connection.recording.lock().take_heads();
    let (request_head, response_head) =
        heads.filter(|(_, head)| head::status_code(head) == Some(status)).ok_or_else(|| {
            (FailureKind::ProtocolError, "the response head cannot be told from what came before".to_owned())
        })?;
    let request_head = head::without_private(&request_head);
    Ok((Head { status, request_head, response_head }, body))
}

/// Asks over HTTP/2. The heads are written as HTTP/1.1 would have them.
async fn ask_two(
    connection: &mut Connection,
    watch: &mut Watch,
    request: &http::Request<Empty<Bytes>>,
    limits: &ExchangeLimits<'_>,
) -> Result<(Head, Body), Failed> {
    let framing_bytes_free =
        FRAMING_BYTES_FREE + u64::from(http2::WINDOW_BYTES) + limits.header_bytes_max as u64;
    connection.recording.lock().start_counting(framing_bytes_free);
    let Wire::Two { sender, .. } = &connection.wire else { return Err(not_spoken().into()) };
    let asking = http2::ask(sender.clone(), http2::request(request, &connection.site)?, limits.interim_max);
    let answer = drive(connection, watch, asking)
        .await?
        .map_err(|none| Failed { failure: none.failure, unprocessed: none.unprocessed })?;
    let (parts, body) = answer.into_parts();
    let response_head =
        http2::response_head(parts.status, &parts.headers, limits.header_bytes_max, limits.headers_max)?;
    let length = parts.headers.get(http::header::CONTENT_LENGTH);
    let length = length.and_then(|value| value.to_str().ok()?.parse().ok());
    let head =
        Head { status: parts.status.as_u16(), request_head: http2::request_head(request), response_head };
    Ok((head, Body::Two(body, length)))
}

/// Cannot be met: the protocol was looked at just before.
fn not_spoken() -> Failure {
    (FailureKind::ProtocolError, "the connection speaks another protocol".to_owned()).into()
}

/// The body as received, the body decoded, and why it is not whole.
async fn read_body(
    connection: &mut Connection,
    watch: &mut Watch,
    mut body: Body,
    headers: &[(String, Vec<u8>)],
    limits: &ExchangeLimits<'_>,
) -> Result<(Bytes, Bytes, Option<Cut>), Failure> {
    let values =
        headers.iter().filter(|(name, _)| name == "content-encoding").map(|(_, value)| value.as_slice());
    let codings = decode::codings(values, limits.codings_max);
    let expected = body.expected_bytes().min(TRUSTED_LENGTH_MAX).min(limits.body_bytes_max);
    let expected = usize::try_from(expected).unwrap_or(0);
    let decode_limits = DecodeLimits {
        decoded_bytes_max: limits.body_bytes_max,
        ratio_max: limits.ratio_max,
        ratio_from_bytes: limits.ratio_from_bytes,
    };
    let mut decoder =
        Decoder::new(codings.as_deref().unwrap_or_default(), decode_limits, expected.saturating_mul(4));
    let mut wire = Vec::with_capacity(expected);
    let mut cut = None;
    while cut.is_none() {
        let next = poll_fn(|cx| body.poll_piece(cx));
        let Some(data) = drive(connection, watch, next).await? else { break };
        let data = data?;
        connection.recording.lock().note_body(data.len());
        let room = limits.body_bytes_max.saturating_sub(wire.len() as u64);
        let fits = usize::try_from(room).map_or(data.len(), |room| room.min(data.len()));
        if fits < data.len() {
            cut = Some(Cut::BodyLimit);
        }
        wire.extend_from_slice(&data[..fits]);
        decode_some(&mut decoder, &data[..fits], watch).await?;
        if decoder.is_full() {
            break;
        }
    }
    if let (Err(fault), false) = (&codings, wire.is_empty()) {
        return Err(fault.clone().into());
    }
    let wire = Bytes::from(wire);
    let (decoded, stopped) = decoder.finish().into_body(&wire)?;
    // A wire that was cut breaks the coding by itself: the limit is the cause.
    Ok((wire, decoded, cut.or(stopped)))
}

/// Decodes in small steps, so that one body cannot hold a worker thread for long.
async fn decode_some(decoder: &mut Decoder, data: &[u8], watch: &Watch) -> Result<(), Failure> {
    let mut last_yield_at = decoder.decoded_bytes();
    for step in data.chunks(DECODE_STEP_BYTES) {
        decoder.push(step);
        if decoder.decoded_bytes() - last_yield_at >= YIELD_AFTER_DECODED_BYTES {
            last_yield_at = decoder.decoded_bytes();
            tokio::task::yield_now().await;
        }
        if watch.is_late() {
            return Err(failure::timed_out(crate::watch::TimedOut::Total));
        }
    }
    Ok(())
}

/// Waits for `future`, polling the connection it depends on and the clock.
async fn drive<F: Future>(
    connection: &mut Connection,
    watch: &mut Watch,
    future: F,
) -> Result<F::Output, Failure> {
    let mut future = pin!(future);
    poll_fn(|cx| {
        if let Poll::Ready(output) = future.as_mut().poll(cx) {
            return Poll::Ready(Ok(output));
        }
        connection.recording.lock().begin_round();
        let ended = connection.wire.poll(cx).is_ready();
        // Most often it is the poll above that brought what the future waits for.
        if let Poll::Ready(output) = future.as_mut().poll(cx) {
            return Poll::Ready(Ok(output));
        }
        if ended {
            tracing::trace!(site = %connection.site, "the connection ended before the answer");
        }
        watch.poll(cx).map(|which| Err(failure::timed_out(which)))
    })
    .await
}

/// Whether the next request could be sent right now. Never waits.
async fn is_ready(connection: &mut Connection) -> bool {
    poll_fn(|cx| {
        connection.recording.lock().begin_round();
        let ended = connection.wire.poll(cx).is_ready();
        Poll::Ready(!ended && connection.wire.is_ready(cx))
    })
    .await
}
