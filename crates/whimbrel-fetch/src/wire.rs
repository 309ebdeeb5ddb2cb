//! A connection in one of the two protocols, HTTP/1.1 (RFC 9112) or HTTP/2 (RFC 9113), and the body of an answer.
//! Decides nothing but which of the two it is. A connection carries one request at a time in either protocol, so that
//! times, bytes and reuse mean the same in both, and `connections_per_site` is what its name says.
//! Invariant: it does something only while it is polled.

use crate::failure::{self, Failure};
use crate::http2;
use crate::stream::Stream;
use crate::tee::Tee;
use bytes::Bytes;
use http_body::Body as _;
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

type OneDriver = http1::Connection<TokioIo<Tee<Stream>>, Empty<Bytes>>;
type TwoDriver = h2::client::Connection<Tee<Stream>, Bytes>;

/// A connection; its driver is `None` once it has ended.
pub(crate) enum Wire {
    /// HTTP/1.1.
    One { sender: http1::SendRequest<Empty<Bytes>>, driver: Option<Box<OneDriver>> },
    /// HTTP/2.
    Two { sender: h2::client::SendRequest<Bytes>, driver: Option<Box<TwoDriver>> },
}

impl Wire {
    /// Lets the connection do its work; ready when it has ended.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match self {
            Wire::One { driver, .. } => {
                let Some(running) = driver else { return Poll::Ready(()) };
                if let Err(error) = ready!(Pin::new(running.as_mut()).poll(cx)) {
                    tracing::trace!(%error, "connection ended with an error");
                }
                *driver = None;
            }
            Wire::Two { driver, .. } => {
                let Some(running) = driver else { return Poll::Ready(()) };
                if let Err(error) = ready!(Pin::new(running.as_mut()).poll(cx)) {
                    tracing::trace!(%error, "connection ended with an error");
                }
                *driver = None;
            }
        }
        Poll::Ready(())
    }

    /// Whether another request can be sent right now.
    pub(crate) fn is_ready(&mut self, cx: &mut Context<'_>) -> bool {
        match self {
            Wire::One { sender, .. } => matches!(sender.poll_ready(cx), Poll::Ready(Ok(()))),
            Wire::Two { sender, .. } => matches!(sender.poll_ready(cx), Poll::Ready(Ok(()))),
        }
    }
}

/// The body of an answer, in pieces.
pub(crate) enum Body {
    /// Of HTTP/1.1: transfer coding undone.
    One(Incoming),
    /// Of HTTP/2, with the length its head gives.
    Two(h2::RecvStream, Option<u64>),
}

impl Body {
    /// Whether nothing (more) comes.
    pub(crate) fn is_over(&self) -> bool {
        match self {
            Body::One(body) => body.is_end_stream(),
            Body::Two(body, _) => body.is_end_stream(),
        }
    }

    /// What the server says of its length.
    pub(crate) fn expected_bytes(&self) -> u64 {
        match self {
            Body::One(body) => body.size_hint().exact().unwrap_or(0),
            Body::Two(_, length) => length.unwrap_or(0),
        }
    }

    /// The next piece; trailers are dropped.
    pub(crate) fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Failure>>> {
        match self {
            Body::One(body) => loop {
                let Some(frame) = ready!(Pin::new(&mut *body).poll_frame(cx)) else {
                    return Poll::Ready(None);
                };
                match frame.map(hyper::body::Frame::into_data) {
                    Ok(Ok(data)) => return Poll::Ready(Some(Ok(data))),
                    Ok(Err(_trailers)) => {}
                    Err(error) => return Poll::Ready(Some(Err(failure::exchanging(&error)))),
                }
            },
            Body::Two(body, _) => Poll::Ready(ready!(body.poll_data(cx)).map(|data| {
                let data = data.map_err(|error| http2::failure(&error))?;
                // Only what was taken may be sent anew: at most one window waits unread.
                body.flow_control().release_capacity(data.len()).map_err(|error| http2::failure(&error))?;
                Ok(data)
            })),
        }
    }
}
