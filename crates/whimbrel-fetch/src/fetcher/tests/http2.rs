//! HTTP/2 against servers of the same library, and against servers of raw frames.

use super::tls_server::{TlsServer, certificate};
use super::*;
use crate::Cut;
use crate::decode::stage::Coding;
use crate::decode::tests::encode;
use bytes::Bytes;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

type Log = Arc<Mutex<Vec<(usize, String)>>>;
type Sender = h2::server::SendResponse<Bytes>;

/// A server that answers each stream by `answer`, and the log of `(connection, request as text)`.
async fn serving<F>(answer: F) -> (TlsServer, Log)
where
    F: Fn(usize, usize, &http::Request<h2::RecvStream>, &mut Sender) + Send + Sync + 'static,
{
    let log = Log::default();
    let (seen, answer) = (log.clone(), Arc::new(answer));
    let server = TlsServer::handling(certificate(), &["h2", "http/1.1"], move |stream, number| {
        let (log, answer) = (seen.clone(), answer.clone());
        async move {
            let mut connection = h2::server::handshake(stream).await.unwrap();
            let mut count = 0;
            while let Some(Ok((request, mut respond))) = connection.accept().await {
                log.lock().unwrap().push((number, format!("{request:?}")));
                answer(number, count, &request, &mut respond);
                count += 1;
            }
        }
    })
    .await;
    (server, log)
}

fn reply(respond: &mut Sender, response: http::response::Builder, body: impl Into<Bytes>) {
    let mut stream = respond.send_response(response.body(()).unwrap(), false).unwrap();
    stream.send_data(body.into(), true).unwrap();
}

#[tokio::test]
async fn a_page_comes_over_http2_and_its_heads_read_like_http1() {
    let (server, log) = serving(|_, _, _, respond| {
        let response = http::Response::builder()
            .header("content-type", "text/html")
            .header("x-first", "1")
            .header("set-cookie", "a=1")
            .header("x-latin", http::HeaderValue::from_bytes(b"caf\xe9").unwrap())
            .header("set-cookie", "b=2");
        reply(respond, response, "<p>over two");
    })
    .await;
    let fetcher = server.fetcher(config());
    for _ in 0..3 {
        let fetched = fetcher.fetch(FetchRequest::new(server.url("/a?b=[c]"))).await;
        assert!(fetched.wire_bytes > 0 && fetched.requests == 1);
        let response = fetched.result.unwrap();
        assert_eq!((response.status, &response.body[..], response.cut), (200, &b"<p>over two"[..], None));
        assert_eq!(
            response.response_head,
            b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nx-first: 1\r\nset-cookie: a=1\r\nset-cookie: b=2\r\nx-latin: caf\xe9\r\n\r\n"
        );
        let head = String::from_utf8(response.request_head).unwrap();
        assert!(head.starts_with("GET /a?b=[c] HTTP/1.1\r\n") && head.ends_with("\r\n\r\n"), "{head}");
        assert!(head.contains(&format!("host: site.example:{}\r\n", server.port)), "{head}");
        assert!(head.contains("user-agent: whimbrel-test") && !head.contains("connection:"), "{head}");
    }
    let log = log.lock().unwrap().clone();
    assert!(
        log.iter().all(|(connection, request)| *connection == 0 && request.contains("HTTP/2.0")),
        "{log:?}"
    );
    assert!(log[0].1.contains("accept-encoding") && !log[0].1.contains("\"host\""), "{log:?}");
}

#[tokio::test]
async fn http2_is_spoken_only_where_both_want_it() {
    for (http2, offered, expected) in [
        (true, vec!["http/1.1"], "http/1.1"),
        (true, vec![], ""),
        (false, vec!["h2", "http/1.1"], "http/1.1"),
    ] {
        let seen = Arc::new(Mutex::new(String::new()));
        let chosen = seen.clone();
        let server = TlsServer::handling(certificate(), &offered, move |mut stream, _| {
            let alpn = stream.get_ref().1.alpn_protocol().unwrap_or_default();
            *chosen.lock().unwrap() = String::from_utf8_lossy(alpn).into_owned();
            async move {
                super::server::read_head(&mut stream).await.unwrap();
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi").await.unwrap();
                stream.flush().await.unwrap();
                let _ = stream.read(&mut [0]).await;
            }
        })
        .await;
        let fetcher = server.fetcher(FetchConfig { http2, ..config() });
        let response = fetcher.fetch(FetchRequest::new(server.url("/"))).await.result.unwrap();
        assert_eq!((&response.body[..], seen.lock().unwrap().as_str()), (&b"hi"[..], expected));
    }
}

#[tokio::test]
async fn bodies_obey_the_same_limits() {
    let page: Vec<u8> = (0..20_000).flat_map(|n| format!("<li>item {n}</li>\n").into_bytes()).collect();
    let (plain, packed) = (page.clone(), encode(Coding::Gzip, &page));
    let (server, _) = serving(move |_, _, request, respond| {
        let response = http::Response::builder().header("content-type", "text/html");
        match request.uri().path() {
            "/gzip" => reply(respond, response.header("content-encoding", "gzip"), packed.clone()),
            "/bomb" => {
                let bomb = encode(Coding::Gzip, &vec![0; 24 << 20]);
                reply(respond, response.header("content-encoding", "gzip"), bomb);
            }
            "/short" => reply(respond, response.header("content-length", "99"), "short"),
            "/long" => reply(respond, response.header("content-length", "2"), "too long"),
            "/none" => reply(respond, http::Response::builder().status(204), ""),
            _ => reply(respond, response, plain.clone()),
        }
    })
    .await;
    let fetcher = server.fetcher(config());
    let get = async |path: &str, body_bytes_max: u64| {
        fetcher.fetch(FetchRequest { body_bytes_max, ..FetchRequest::new(server.url(path)) }).await.result
    };
    assert_eq!(get("/plain", 1 << 20).await.unwrap().body, page, "more than a window");
    let packed = get("/gzip", 1 << 20).await.unwrap();
    assert!(packed.body == page && packed.wire_body.len() < page.len());
    let cut = get("/plain", 100_000).await.unwrap();
    assert_eq!((cut.cut, cut.body.len()), (Some(Cut::BodyLimit), 100_000));
    assert_eq!(get("/bomb", 16 << 20).await.unwrap().cut, Some(Cut::Ratio));
    assert_eq!(get("/none", 10).await.unwrap().status, 204);
    for path in ["/short", "/long"] {
        assert_eq!(get(path, 1 << 20).await.unwrap_err().0, FailureKind::ProtocolError, "{path}");
    }
    let request = FetchRequest { wants: Arc::new(|_, _| false), ..FetchRequest::new(server.url("/plain")) };
    assert_eq!(fetcher.fetch(request).await.result.unwrap().cut, Some(Cut::UnwantedType));
}

#[tokio::test]
async fn heads_obey_the_same_limits() {
    let (server, _) = serving(|_, _, request, respond| {
        let mut response = http::Response::builder();
        let (count, length) = match request.uri().path() {
            "/many" => (300, 1),
            "/over" => (10, 4000),
            "/long" => (1, 40_000),
            _ => (60, 4000),
        };
        for number in 0..count {
            response = response.header(format!("x-{number}"), "a".repeat(length));
        }
        reply(respond, response, "");
    })
    .await;
    let config = FetchConfig { header_bytes_max: 32 << 10, ..config() };
    for path in ["/many", "/over", "/long", "/much"] {
        let fetched = server.fetcher(config.clone()).fetch(FetchRequest::new(server.url(path))).await;
        let (kind, detail) = fetched.result.unwrap_err();
        // Far beyond the limit the decoder below gives up before it has a head.
        let also = matches!(path, "/long" | "/much") && kind == FailureKind::ProtocolError;
        assert!(kind == FailureKind::HeadersTooLarge || also, "{path}: {kind} {detail}");
        assert!(fetched.wire_bytes < 400_000, "{path}: {}", fetched.wire_bytes);
    }
}

#[tokio::test]
async fn a_kept_connection_that_is_given_up_is_replaced_once() {
    for goes_away in [true, false] {
        let log = Log::default();
        let seen = log.clone();
        let server = TlsServer::handling(certificate(), &["h2"], move |stream, number| {
            let log = seen.clone();
            async move {
                let mut connection = h2::server::handshake(stream).await.unwrap();
                let mut count = 0;
                while let Some(Ok((_, mut respond))) = connection.accept().await {
                    log.lock().unwrap().push((number, String::new()));
                    if number == 0 && count == 1 {
                        if goes_away {
                            connection.abrupt_shutdown(h2::Reason::NO_ERROR);
                        } else {
                            respond.send_reset(h2::Reason::REFUSED_STREAM);
                        }
                        continue;
                    }
                    count += 1;
                    reply(&mut respond, http::Response::builder(), "hi");
                }
            }
        })
        .await;
        let fetcher = server.fetcher(config());
        for _ in 0..2 {
            let fetched = fetcher.fetch(FetchRequest::new(server.url("/"))).await;
            assert_eq!(&fetched.result.unwrap().body[..], b"hi", "goes away: {goes_away}");
        }
        let connections: Vec<usize> = log.lock().unwrap().iter().map(|(number, _)| *number).collect();
        assert_eq!(connections, [0, 0, 1]);
    }
}

#[tokio::test]
async fn a_stream_refused_on_a_fresh_connection_is_a_failure_and_421_an_answer() {
    let (server, log) = serving(|_, _, request, respond| match request.uri().path() {
        "/421" => reply(respond, http::Response::builder().status(421), ""),
        "/refused" => respond.send_reset(h2::Reason::REFUSED_STREAM),
        _ => respond.send_reset(h2::Reason::PROTOCOL_ERROR),
    })
    .await;
    let get =
        async |path: &str| server.fetcher(config()).fetch(FetchRequest::new(server.url(path))).await.result;
    assert_eq!(get("/421").await.unwrap().status, 421);
    assert_eq!(get("/refused").await.unwrap_err().0, FailureKind::ConnectionReset);
    assert_eq!(get("/wrong").await.unwrap_err().0, FailureKind::ProtocolError);
    assert_eq!(log.lock().unwrap().len(), 3, "no request is sent twice");
}

/// A frame as it is on the wire (RFC 9113, section 4.1).
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RESET: u8 = 3;
const SETTINGS: u8 = 4;
const PUSH: u8 = 5;
const PING: u8 = 6;
const GO_AWAY: u8 = 7;
const WINDOW: u8 = 8;
const CONTINUATION: u8 = 9;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// What a server does after its greeting: says `first`, then `again` over and over, then keeps silent.
async fn saying(first: Vec<u8>, again: Vec<u8>, times: usize) -> TlsServer {
    TlsServer::handling(certificate(), &["h2"], move |mut stream, _| {
        let (first, again) = (first.clone(), again.clone());
        async move {
            // The preface and the request; what else the client says is of no interest.
            let mut heard = vec![0; 24];
            stream.read_exact(&mut heard).await.unwrap();
            loop {
                let mut head = [0; 9];
                stream.read_exact(&mut head).await.unwrap();
                let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
                stream.read_exact(&mut vec![0; length]).await.unwrap();
                if head[3] == HEADERS {
                    break;
                }
            }
            let _ = stream.write_all(&frame(SETTINGS, 0, 0, &[])).await;
            let _ = stream.write_all(&first).await;
            let _ = stream.flush().await;
            for _ in 0..times {
                if stream.write_all(&again).await.is_err() {
                    return;
                }
            }
            let _ = stream.flush().await;
            let _ = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut Vec::new())).await;
        }
    })
    .await
}

#[tokio::test]
async fn what_is_not_http2_is_a_protocol_error() {
    let table: Vec<(&str, Vec<u8>)> = vec![
        ("http/1.1", b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".to_vec()),
        ("garbage", vec![0xaa; 4096]),
        ("a frame that is too long", frame(DATA, 0, 1, &vec![0; 20_000])),
        ("data before the head", frame(DATA, 0, 1, b"x")),
        ("data on stream 0", frame(DATA, 0, 0, b"x")),
        ("a stream nobody opened", frame(HEADERS, END_HEADERS, 7, &[0x88])),
        ("a push that was not allowed", frame(PUSH, END_HEADERS, 1, &[0, 0, 0, 2, 0x82])),
        ("a head without status", frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\x00\x01a\x01b")),
        (
            "a field about the connection",
            frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\x88\x00\x0aconnection\x05close"),
        ),
        ("an upper-case name", frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\x88\x00\x01A\x01b")),
        ("a line break in a value", frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\x88\x00\x01a\x03b\r\n")),
        ("broken compression", frame(HEADERS, END_HEADERS, 1, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
        ("a window of nothing", frame(WINDOW, 0, 0, &[0, 0, 0, 0])),
        ("settings of a wrong size", frame(SETTINGS, 0, 0, &[1, 2, 3])),
        ("a head cut by another frame", [frame(HEADERS, 0, 1, &[0x88]), frame(PING, 0, 0, &[0; 8])].concat()),
        ("a reset for a protocol error", frame(RESET, 0, 1, &[0, 0, 0, 1])),
        ("a farewell for a protocol error", frame(GO_AWAY, 0, 0, &[0, 0, 0, 0, 0, 0, 0, 1])),
    ];
    for (name, bytes) in table {
        let fetched = saying(bytes, vec![], 0).await.get().await;
        let (kind, detail) = fetched.result.unwrap_err();
        assert_eq!(kind, FailureKind::ProtocolError, "{name}: {detail}");
    }
}

#[tokio::test]
async fn floods_of_frames_end_early() {
    let ok = frame(HEADERS, END_HEADERS, 1, &[0x88]);
    // An indexed field of 4 KB, repeated: few bytes on the wire, many in memory.
    let indexed = [&b"\x88\x40\x01x\x7f\x81\x1e"[..], &[b'v'; 4000]].concat();
    let table: Vec<(&str, Vec<u8>, Vec<u8>)> = vec![
        ("pings", vec![], frame(PING, 0, 0, &[7; 8])),
        ("settings", vec![], frame(SETTINGS, 0, 0, &[])),
        ("window updates", vec![], frame(WINDOW, 0, 1, &[0, 0, 0, 1])),
        ("unknown frames", vec![], frame(0xbb, 0, 0, &[0; 64])),
        ("continuations", frame(HEADERS, 0, 1, &[0x88]), frame(CONTINUATION, 0, 1, b"\x00\x01a\x01b")),
        ("empty continuations", frame(HEADERS, 0, 1, &[0x88]), frame(CONTINUATION, 0, 1, &[])),
        ("interim heads", vec![], frame(HEADERS, END_HEADERS, 1, b"\x08\x03103")),
        (
            "fat interim heads",
            frame(HEADERS, END_HEADERS, 1, &indexed),
            frame(HEADERS, END_HEADERS, 1, b"\x08\x03103\xbe\xbe\xbe\xbe\xbe\xbe\xbe\xbe"),
        ),
        ("empty data", ok.clone(), frame(DATA, 0, 1, &[])),
        ("padding", ok.clone(), frame(DATA, 8, 1, &[&[255][..], &[0; 255]].concat())),
        ("pings in a body", ok, frame(PING, 0, 0, &[7; 8])),
    ];
    for (name, first, again) in table {
        let started = Instant::now();
        let server = saying(first, again.repeat(64), 40_000).await;
        let fetcher = server.fetcher(FetchConfig { idle_timeout_ms: 2_000, ..config() });
        let request = FetchRequest { total_timeout_ms: 10_000, ..FetchRequest::new(server.url("/")) };
        let fetched = fetcher.fetch(request).await;
        let (kind, detail) = fetched.result.unwrap_err();
        assert!(
            matches!(kind, FailureKind::ProtocolError | FailureKind::HeadersTooLarge),
            "{name}: {kind:?} {detail}"
        );
        assert!(fetched.wire_bytes < 1 << 20, "{name}: {} bytes were taken", fetched.wire_bytes);
        assert!(started.elapsed() < Duration::from_secs(9), "{name}: {:?}", started.elapsed());
    }
}

#[tokio::test]
async fn silence_and_drip_end_in_time() {
    let ok = frame(HEADERS, END_HEADERS, 1, &[0x88]);
    for first in [vec![], ok.clone(), [ok, frame(DATA, 0, 1, b"half")].concat()] {
        let server = saying(first, vec![], 0).await;
        let started = Instant::now();
        let fetcher = server.fetcher(FetchConfig { idle_timeout_ms: 150, ..config() });
        let failure = fetcher.fetch(FetchRequest::new(server.url("/"))).await.result.unwrap_err();
        assert_eq!(failure.0, FailureKind::Timeout, "{failure:?}");
        assert!(started.elapsed() < Duration::from_secs(4));
    }
    let server = TlsServer::handling(certificate(), &["h2"], |stream, _| async move {
        let mut connection = h2::server::handshake(stream).await.unwrap();
        while let Some(Ok((_, mut respond))) = connection.accept().await {
            tokio::spawn(async move {
                let mut body = respond.send_response(http::Response::new(()), false).unwrap();
                while body.send_data(Bytes::from_static(b"x"), false).is_ok() {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            });
        }
    })
    .await;
    let fetcher = server.fetcher(FetchConfig { idle_timeout_ms: 150, ..config() });
    let request = FetchRequest { total_timeout_ms: 400, ..FetchRequest::new(server.url("/")) };
    let started = Instant::now();
    assert_eq!(fetcher.fetch(request).await.result.unwrap_err().0, FailureKind::Timeout);
    assert!(started.elapsed() >= Duration::from_millis(400) && started.elapsed() < Duration::from_secs(4));
}
