//! One request and its response on one connection. The connection is polled from here and from nowhere else, so
//! dropping the exchange drops the request, and no task of ours outlives it.
//! Invariant: a connection is reusable only when its response was read to the end and hyper is ready for more.

use crate::connect::Connection;
use crate::decode::{self, DecodeLimits, Decoded, Decoder, Stop};
use crate::failure::{self, Failure};
use crate::head;
use crate::request::Wants;
use crate::response::{Cut, Response, first_value, media_type};
use crate::watch::Watch;
use bytes::Bytes;
use http_body::Body as _;
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
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

/// The limits of an exchange.
pub(crate) struct ExchangeLimits<'a> {
    pub(crate) deadline: Instant,
    pub(crate) silence_max: Duration,
    pub(crate) header_bytes_max: usize,
    pub(crate) body_bytes_max: u64,
    pub(crate) ratio_max: u64,
    pub(crate) ratio_from_bytes: u64,
    pub(crate) wants: &'a Wants,
}

/// Sends `request` and reads the response; with it, whether the connection can be used again.
pub(crate) async fn exchange(
    connection: &mut Connection,
    request: http::Request<Empty<Bytes>>,
    limits: &ExchangeLimits<'_>,
) -> Result<(Response, bool), Failure> {
    connection.recording.lock().start(limits.header_bytes_max);
    let mut watch = Watch::new(limits.deadline, limits.silence_max, connection.recording.clone());
    let answer = connection.sender.send_request(request);
    let answer = drive(connection, &mut watch, answer).await?.map_err(|error| failure::exchanging(&error))?;
    let (status, body) = (answer.status().as_u16(), answer.into_body());
    let heads = connection.recording.lock().take_heads();
    let (request_head, response_head) =
        heads.filter(|(_, head)| head::status_code(head) == Some(status)).ok_or_else(|| {
            (FailureKind::ProtocolError, "the response head cannot be told from what came before".to_owned())
        })?;
    let headers = head::fields(&response_head);
    let content_type =
        first_value(&headers, "content-type").map(|value| String::from_utf8_lossy(value).into_owned());

    let unwanted = !body.is_end_stream() && !(limits.wants)(&media_type(content_type.as_deref()), status);
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

/// The body as received, the body decoded, and why it is not whole.
async fn read_body(
    connection: &mut Connection,
    watch: &mut Watch,
    mut body: Incoming,
    headers: &[(String, Vec<u8>)],
    limits: &ExchangeLimits<'_>,
) -> Result<(Bytes, Bytes, Option<Cut>), Failure> {
    let values =
        headers.iter().filter(|(name, _)| name == "content-encoding").map(|(_, value)| value.as_slice());
    let codings = decode::codings(values);
    let expected = body.size_hint().exact().unwrap_or(0).min(TRUSTED_LENGTH_MAX).min(limits.body_bytes_max);
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
        let frame = match drive(connection, watch, body.frame()).await? {
            None => break,
            Some(frame) => frame.map_err(|error| failure::exchanging(&error))?,
        };
        let Ok(data) = frame.into_data() else { continue };
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
    if codings.is_none() && !wire.is_empty() {
        return Err((FailureKind::DecodeError, "the content codings are unknown or too many".to_owned()));
    }
    let wire = Bytes::from(wire);
    match decoder.finish() {
        Decoded::AsOnWire => Ok((wire.clone(), wire, cut)),
        Decoded::Bytes(decoded, stop) => {
            let stopped = stop.map(|stop| match stop {
                Stop::Limit => Cut::BodyLimit,
                Stop::Ratio => Cut::Ratio,
                Stop::Broken => Cut::BrokenCoding,
            });
            // A wire that was cut breaks the coding by itself: the limit is the cause.
            Ok((wire, Bytes::from(decoded), cut.or(stopped)))
        }
        Decoded::Failed => Err((
            FailureKind::DecodeError,
            "the body is not of the content coding it is labelled with".to_owned(),
        )),
    }
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
        if let Some(driver) = connection.driver.as_mut() {
            if let Poll::Ready(ended) = Pin::new(driver).poll(cx) {
                connection.driver = None;
                if let Err(error) = ended {
                    tracing::trace!(%error, site = %connection.site, "connection ended with an error");
                }
            }
            // Most often it is the poll above that brought what the future waits for.
            if let Poll::Ready(output) = future.as_mut().poll(cx) {
                return Poll::Ready(Ok(output));
            }
        }
        watch.poll(cx).map(|which| Err(failure::timed_out(which)))
    })
    .await
}

/// Whether the next request could be sent right now. Never waits.
async fn is_ready(connection: &mut Connection) -> bool {
    poll_fn(|cx| {
        let Some(driver) = connection.driver.as_mut() else { return Poll::Ready(false) };
        if Pin::new(driver).poll(cx).is_ready() {
            connection.driver = None;
            return Poll::Ready(false);
        }
        Poll::Ready(matches!(connection.sender.poll_ready(cx), Poll::Ready(Ok(()))))
    })
    .await
}
