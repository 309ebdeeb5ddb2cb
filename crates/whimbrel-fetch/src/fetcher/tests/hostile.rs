//! Servers that are slow, endless, silent or wrong.

use super::server::{Server, read_head};
use super::*;
use crate::Cut;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Fails the test when a visit takes longer than its limits allow, with room for a busy machine.
fn assert_ended_by(started: Instant, limit_ms: u64) {
    let elapsed = started.elapsed();
    assert!(elapsed >= Duration::from_millis(limit_ms), "too early: {elapsed:?}");
    assert!(elapsed < Duration::from_millis(limit_ms + 3_000), "too late: {elapsed:?}");
}

#[tokio::test]
async fn an_endless_body_is_cut_at_the_limit() {
    let server = Server::handling(|mut stream, _, _| async move {
        read_head(&mut stream).await;
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n").await.unwrap();
        while stream.write_all(&[b'x'; 8192]).await.is_ok() {}
    })
    .await;
    let request = FetchRequest { body_bytes_max: 100_000, ..FetchRequest::new(server.url("/")) };
    let fetched = fetcher().fetch(request).await;
    let response = fetched.result.unwrap();
    assert_eq!(
        (response.cut, response.body.len(), response.wire_body.len()),
        (Some(Cut::BodyLimit), 100_000, 100_000)
    );
    assert!(fetched.wire_bytes < 1_000_000, "{}", fetched.wire_bytes);
}

#[tokio::test]
async fn a_dripping_body_ends_with_the_total_time() {
    let server = Server::handling(|mut stream, _, _| async move {
        read_head(&mut stream).await;
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n").await.unwrap();
        while stream.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
    let started = Instant::now();
    let fetcher = Fetcher::new(FetchConfig { idle_timeout_ms: 150, ..config() }).unwrap();
    let request = FetchRequest { total_timeout_ms: 300, ..FetchRequest::new(server.url("/")) };
    let fetched = fetcher.fetch(request).await;
    assert_eq!(fetched.result.unwrap_err().0, FailureKind::Timeout);
    assert!(fetched.wire_bytes > 0);
    assert_ended_by(started, 300);
}

#[tokio::test]
async fn a_dripping_head_ends_with_the_total_time() {
    let server = Server::handling(|mut stream, _, _| async move {
        read_head(&mut stream).await;
        stream.write_all(b"HTTP/1.1 200 OK\r\nX-A: ").await.unwrap();
        while stream.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
    let started = Instant::now();
    let request = FetchRequest { total_timeout_ms: 200, ..FetchRequest::new(server.url("/")) };
    assert_eq!(fetcher().fetch(request).await.result.unwrap_err().0, FailureKind::Timeout);
    assert_ended_by(started, 200);
}

#[tokio::test]
async fn silence_ends_with_the_idle_time() {
    for said in
        [&b""[..], b"HTTP/1.1 200 OK\r\nContent-", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"]
    {
        let server = Server::handling(move |mut stream, _, _| async move {
            read_head(&mut stream).await;
            let _ = stream.write_all(said).await;
            let _ = stream.read(&mut [0]).await;
        })
        .await;
        let started = Instant::now();
        let fetcher = Fetcher::new(FetchConfig { idle_timeout_ms: 150, ..config() }).unwrap();
        let failure = fetcher.fetch(FetchRequest::new(server.url("/"))).await.result.unwrap_err();
        assert_eq!(failure.0, FailureKind::Timeout, "{failure:?}");
        assert_ended_by(started, 150);
    }
}

#[tokio::test]
async fn the_total_time_covers_redirects_and_handshakes() {
    let mute = Server::handling(|mut stream, _, _| async move {
        let _ = stream.read_to_end(&mut Vec::new()).await;
    })
    .await;
    let started = Instant::now();
    let tls = CanonicalUrl::from_canonical(&format!("https://{}/", mute.address)).unwrap();
    let request = FetchRequest { total_timeout_ms: 200, ..FetchRequest::new(tls) };
    assert_eq!(fetcher().fetch(request).await.result.unwrap_err().0, FailureKind::Timeout);
    assert_ended_by(started, 200);

    let to = mute.url("/robots.txt");
    let server =
        Server::saying(format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n")).await;
    let started = Instant::now();
    let request = FetchRequest { total_timeout_ms: 200, ..FetchRequest::robots(server.url("/robots.txt")) };
    let fetched = fetcher().fetch(request).await;
    assert_eq!(fetched.result.unwrap_err().0, FailureKind::Timeout);
    assert_eq!(fetched.hops, [to]);
    assert_ended_by(started, 200);
}

#[tokio::test]
async fn long_heads_and_many_fields_are_refused() {
    let long = format!("HTTP/1.1 200 OK\r\nX-Long: {}\r\n\r\n", "a".repeat(2 << 20));
    let lines = format!("HTTP/1.1 200 OK\r\n{}\r\n", "X-Line: some value\r\n".repeat(100_000));
    let many = format!("HTTP/1.1 200 OK\r\n{}Content-Length: 0\r\n\r\n", "X: y\r\n".repeat(300));
    let interim = format!("HTTP/1.1 103 Early Hints\r\nLink: {}\r\n\r\n", "a".repeat(10_000)).repeat(7);
    for head in [long, lines, many, interim] {
        let fetched = get(Server::saying(head.clone()).await.url("/")).await;
        let failure = fetched.result.unwrap_err();
        assert_eq!(failure.0, FailureKind::HeadersTooLarge, "{} {failure:?}", &head[..40]);
        assert!(fetched.wire_bytes < 400_000, "{} read", fetched.wire_bytes);
    }
}

#[tokio::test]
async fn what_is_not_http_is_a_protocol_error() {
    let table: &[&[u8]] = &[
        b"SSH-2.0-OpenSSH_9.2p1 Debian\r\n\r\n",
        b"<html>not http at all</html>\r\n\r\n",
        b"\x16\x03\x01\x00\x05hello\r\n\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc\r\n",
    ];
    for bytes in table {
        let failure = get(Server::saying_once(*bytes).await.url("/")).await.result.unwrap_err();
        assert_eq!(failure.0, FailureKind::ProtocolError, "{:?} {failure:?}", String::from_utf8_lossy(bytes));
    }
}

#[tokio::test]
async fn bodies_and_heads_that_break_off_are_resets() {
    let table: &[&[u8]] = &[
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    ];
    for bytes in table {
        let failure = get(Server::saying_once(*bytes).await.url("/")).await.result.unwrap_err();
        assert_eq!(
            failure.0,
            FailureKind::ConnectionReset,
            "{:?} {failure:?}",
            String::from_utf8_lossy(bytes)
        );
    }
}

#[tokio::test]
async fn a_connection_closed_unread_is_a_reset() {
    let server = Server::handling(|stream, _, _| async move { drop(stream) }).await;
    assert_eq!(failure(&server).await, FailureKind::ConnectionReset);
    let server = Server::handling(|mut stream, _, _| async move {
        // Part of the request stays unread, so the kernel answers with a reset in the middle of the body.
        let _ = stream.read(&mut [0]).await;
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf").await;
    })
    .await;
    assert_eq!(failure(&server).await, FailureKind::ConnectionReset);
}

#[tokio::test]
async fn more_body_than_said_is_not_read() {
    let server = Server::saying(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi and much more").await;
    assert_eq!(&answer(&server).await.body[..], b"hi");
}

#[tokio::test]
async fn nobody_listening_is_refused() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let url = CanonicalUrl::from_canonical(&format!("http://{address}/")).unwrap();
    let fetched = get(url).await;
    assert_eq!(fetched.result.unwrap_err().0, FailureKind::ConnectionRefused);
    assert_eq!((fetched.ip, fetched.requests), (None, 0));
}

#[tokio::test]
async fn a_dropped_visit_closes_its_connection() {
    let (closed, mut notice) = tokio::sync::mpsc::unbounded_channel();
    let server = Server::handling(move |mut stream, _, log| {
        let closed = closed.clone();
        async move {
            let head = read_head(&mut stream).await.unwrap();
            log.lock().unwrap().push((0, head));
            let _ = stream.read(&mut [0]).await;
            closed.send(()).unwrap();
        }
    })
    .await;
    let fetcher = fetcher();
    let url = server.url("/");
    let visit = tokio::spawn(async move { fetcher.fetch(FetchRequest::new(url)).await });
    while server.heads().is_empty() {
        tokio::task::yield_now().await;
    }
    visit.abort();
    tokio::time::timeout(Duration::from_secs(5), notice.recv())
        .await
        .expect("the server sees the end")
        .unwrap();
}

#[tokio::test]
async fn limits_that_were_reached_are_named() {
    use whimbrel_types::Limit;
    let ok = "HTTP/1.1 200 OK\r\n";
    let table: Vec<(String, &[Limit])> = vec![
        (format!("{ok}Content-Length: 2\r\n\r\nhi"), &[]),
        (String::new(), &[Limit::IdleTimeout]),
        (format!("{ok}X: {}\r\n\r\n", "a".repeat(100_000)), &[Limit::Headers]),
        (format!("{ok}{}\r\n", "X: y\r\n".repeat(300)), &[Limit::HeaderFields]),
        ("HTTP/1.1 103 Hint\r\n\r\n".repeat(20), &[Limit::Interim]),
        (format!("{ok}Content-Encoding: br, br, br, br\r\nContent-Length: 1\r\n\r\nx"), &[Limit::Codings]),
    ];
    for (said, limits) in table {
        let shown = said.chars().take(40).collect::<String>();
        let server = Server::handling(move |mut stream, _, _| {
            let said = said.clone();
            async move {
                read_head(&mut stream).await;
                let _ = stream.write_all(said.as_bytes()).await;
                let _ = stream.read(&mut [0]).await;
            }
        })
        .await;
        let fetcher = Fetcher::new(FetchConfig { idle_timeout_ms: 300, ..config() }).unwrap();
        let fetched = fetcher.fetch(FetchRequest::new(server.url("/"))).await;
        assert_eq!(fetched.limits, limits, "{shown:?}");
    }
    let mute = Server::handling(|mut stream, _, _| async move {
        let _ = stream.read_to_end(&mut Vec::new()).await;
    })
    .await;
    let tls = CanonicalUrl::from_canonical(&format!("https://{}/", mute.address)).unwrap();
    let fetcher = Fetcher::new(FetchConfig { connect_timeout_ms: 150, ..config() }).unwrap();
    assert_eq!(fetcher.fetch(FetchRequest::new(tls)).await.limits, [Limit::ConnectTimeout]);
    let request = FetchRequest { total_timeout_ms: 150, ..FetchRequest::new(mute.url("/")) };
    assert_eq!(fetcher.fetch(request).await.limits, [Limit::Timeout]);
    let looping = Server::saying(b"HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n").await;
    let fetched = fetcher.fetch(FetchRequest::robots(looping.url("/robots.txt"))).await;
    assert_eq!(fetched.limits, [Limit::Redirects]);
}
