//! Heads, connections, conditional requests, redirects.

use super::server::{Server, read_head};
use super::*;
use crate::{Cut, RedirectRule};
use std::sync::Arc;
use tokio::io::AsyncWriteExt;
use whimbrel_types::Validators;

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/html\r\n\r\nhi";

#[tokio::test]
async fn the_response_head_is_kept_byte_for_byte() {
    let head = b"HTTP/1.1 200 Fine  by me\r\nX-MixED-Case:  two  spaces \r\nset-cookie: a=1\r\nSET-COOKIE: b=2\r\nX-Latin: caf\xe9\r\nContent-Length: 2\r\n\r\n";
    let server = Server::saying([&head[..], b"hi"].concat()).await;
    let response = answer(&server).await;
    assert_eq!(response.response_head, head);
    assert_eq!(response.status, 200);
    let names: Vec<&str> = response.headers.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["x-mixed-case", "set-cookie", "set-cookie", "x-latin", "content-length"]);
    assert_eq!(response.header("x-mixed-case"), Some(&b"two  spaces"[..]));
    assert_eq!(response.header("x-latin"), Some(&b"caf\xe9"[..]));
    assert_eq!(&response.body[..], b"hi");
}

#[tokio::test]
async fn the_request_head_is_what_the_server_read() {
    let server = Server::saying(OK).await;
    let config = FetchConfig { extra_headers: vec![("X-Extra".into(), "yes".into())], ..config() };
    let fetched = Fetcher::new(config).unwrap().fetch(FetchRequest::new(server.url("/a%20b?q=[1]|2"))).await;
    let response = fetched.result.unwrap();
    let sent = String::from_utf8(response.request_head).unwrap();
    assert_eq!(server.heads(), [(0, sent.clone())]);
    let lines: Vec<&str> = sent.lines().collect();
    assert_eq!(lines[0], "GET /a%20b?q=[1]|2 HTTP/1.1");
    for line in [
        format!("Host: {}", server.address),
        "User-Agent: whimbrel-test (+mailto:test@example.org)".into(),
        "Accept-Encoding: gzip, deflate, br, zstd".into(),
        "Connection: keep-alive".into(),
        "X-Extra: yes".into(),
    ] {
        assert!(lines.contains(&line.as_str()), "{line} in {sent}");
    }
    assert!(!sent.to_lowercase().contains("cookie:") && !sent.to_lowercase().contains("referer:"), "{sent}");
    assert_eq!(fetched.wire_bytes, OK.len() as u64);
    assert_eq!(fetched.ip, Some(server.address.ip()));
}

#[tokio::test]
async fn a_connection_is_used_again_and_its_heads_do_not_mix() {
    let server = Server::answering(|_, number, _| {
        format!(
            "HTTP/1.1 200 OK\r\nX-Number: {number}\r\nContent-Length: {}\r\n\r\n{}",
            number + 1,
            "x".repeat(number + 1)
        )
        .into()
    })
    .await;
    let fetcher = fetcher();
    for number in 0..5 {
        let response = fetcher.fetch(FetchRequest::new(server.url("/"))).await.result.unwrap();
        assert!(
            response
                .response_head
                .starts_with(format!("HTTP/1.1 200 OK\r\nX-Number: {number}\r\n").as_bytes())
        );
        assert_eq!(response.body.len(), number + 1);
        assert!(response.request_head.starts_with(b"GET / HTTP/1.1\r\n"));
    }
    assert!(server.heads().iter().all(|(connection, _)| *connection == 0), "one connection for all");
}

#[tokio::test]
async fn cookies_are_not_kept() {
    let server =
        Server::saying(b"HTTP/1.1 200 OK\r\nSet-Cookie: id=1; Path=/\r\nContent-Length: 0\r\n\r\n").await;
    let fetcher = fetcher();
    for _ in 0..2 {
        fetcher.fetch(FetchRequest::new(server.url("/"))).await.result.unwrap();
    }
    assert!(server.heads().iter().all(|(_, head)| !head.to_lowercase().contains("cookie")));
}

#[tokio::test]
async fn a_dead_kept_connection_is_replaced_once() {
    // The first connection closes without a word on its second request.
    let server = Server::answering(
        |connection, number, _| if connection == 0 && number == 1 { vec![] } else { OK.into() },
    )
    .await;
    let fetcher = fetcher();
    for _ in 0..2 {
        let fetched = fetcher.fetch(FetchRequest::new(server.url("/"))).await;
        assert_eq!(&fetched.result.unwrap().body[..], b"hi");
    }
    let connections: Vec<usize> = server.heads().iter().map(|(connection, _)| *connection).collect();
    assert_eq!(connections, [0, 0, 1]);
}

#[tokio::test]
async fn a_fresh_connection_that_dies_is_not_tried_again() {
    let server = Server::answering(|_, _, _| vec![]).await;
    assert_eq!(failure(&server).await, FailureKind::ConnectionReset);
    assert_eq!(server.heads().len(), 1);
}

#[tokio::test]
async fn connection_close_is_honoured() {
    let server = Server::saying(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi").await;
    let fetcher = fetcher();
    for _ in 0..2 {
        fetcher.fetch(FetchRequest::new(server.url("/"))).await.result.unwrap();
    }
    let connections: Vec<usize> = server.heads().iter().map(|(connection, _)| *connection).collect();
    assert_eq!(connections, [0, 1]);
}

#[tokio::test]
async fn bytes_after_a_response_never_become_the_next_one() {
    let poison =
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
    let server = Server::answering(
        move |connection, _, _| if connection == 0 { poison.to_vec() } else { OK.to_vec() },
    )
    .await;
    let fetcher = fetcher();
    for _ in 0..2 {
        let response = fetcher.fetch(FetchRequest::new(server.url("/"))).await.result.unwrap();
        assert_eq!(&response.body[..], b"hi");
    }
}

#[tokio::test]
async fn interim_responses_are_passed_over() {
    let server = Server::saying(
        [&b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"[..], OK]
            .concat(),
    )
    .await;
    let response = answer(&server).await;
    assert_eq!(response.status, 200);
    assert!(response.response_head.starts_with(b"HTTP/1.1 200 OK\r\n") && response.header("link").is_none());
}

#[tokio::test]
async fn validators_go_out_verbatim_and_304_has_no_body() {
    let server =
        Server::saying(b"HTTP/1.1 304 Not Modified\r\nETag: W/\"x y\"\r\nContent-Length: 500\r\n\r\n").await;
    let fetcher = fetcher();
    let validators = Validators {
        etag: Some("W/\"x y\"".into()),
        last_modified: Some("Sun, 06 Nov 1994 08:49:37 GMT".into()),
    };
    let request = FetchRequest { validators: Some(validators.clone()), ..FetchRequest::new(server.url("/")) };
    for _ in 0..2 {
        let response = fetcher.fetch(request.clone()).await.result.unwrap();
        assert_eq!((response.status, response.body.len(), response.cut), (304, 0, None));
        assert_eq!(response.etag(), validators.etag);
    }
    for (connection, head) in server.heads() {
        assert_eq!(connection, 0, "a 304 leaves the connection usable");
        assert!(head.contains("\r\nIf-None-Match: W/\"x y\"\r\n"), "{head}");
        assert!(head.contains("\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n"), "{head}");
    }
}

#[tokio::test]
async fn statuses_without_body_end_with_their_head() {
    let server = Server::saying(b"HTTP/1.1 204 No Content\r\n\r\n").await;
    let response = answer(&server).await;
    assert_eq!((response.status, response.body.len()), (204, 0));
}

#[tokio::test]
async fn page_redirects_are_handed_back() {
    let server = Server::saying(b"HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n").await;
    let fetched = get(server.url("/")).await;
    let response = fetched.result.unwrap();
    assert_eq!((response.status, response.location().as_deref()), (302, Some("/next")));
    assert!(fetched.hops.is_empty());
    assert_eq!(server.heads().len(), 1);
}

#[tokio::test]
async fn robots_redirects_are_followed_across_hosts() {
    let target = Server::saying(b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nUser-agent: *").await;
    let there = target.url("/r.txt").to_string();
    let server = Server::answering(move |_, _, head| {
        let to = if head.starts_with("GET /robots.txt ") { "/moved".into() } else { there.clone() };
        format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\nContent-Length: 3\r\n\r\nbye").into()
    })
    .await;
    let fetched = fetcher().fetch(FetchRequest::robots(server.url("/robots.txt"))).await;
    assert_eq!(&fetched.result.unwrap().body[..], b"User-agent: *");
    assert_eq!(fetched.hops, [server.url("/moved"), target.url("/r.txt")]);
    assert_eq!(fetched.requests, 3);
    assert_eq!(
        server.heads().iter().filter(|(connection, _)| *connection == 0).count(),
        2,
        "kept alive over the hop"
    );
}

#[tokio::test]
async fn robots_redirects_end_after_five() {
    let server = Server::answering(|_, number, _| {
        format!("HTTP/1.1 302 Found\r\nLocation: /{number}\r\nContent-Length: 0\r\n\r\n").into()
    })
    .await;
    let fetched = fetcher().fetch(FetchRequest::robots(server.url("/robots.txt"))).await;
    assert_eq!(fetched.result.unwrap_err().0, FailureKind::BadRedirect);
    assert_eq!(fetched.hops.len(), 5);
    assert_eq!(server.heads().len(), 6);
}

#[tokio::test]
async fn robots_redirects_to_nowhere_fail() {
    for location in ["", "Location: \r\n", "Location: gopher://a.example/\r\n"] {
        let server =
            Server::saying(format!("HTTP/1.1 301 Moved\r\n{location}Content-Length: 0\r\n\r\n")).await;
        let fetched = fetcher().fetch(FetchRequest::robots(server.url("/robots.txt"))).await;
        assert_eq!(fetched.result.unwrap_err().0, FailureKind::BadRedirect, "{location:?}");
    }
    assert_eq!(RedirectRule::default(), RedirectRule::None);
}

#[tokio::test]
async fn an_unwanted_type_is_cut_after_its_head() {
    // The body never comes: a reader of it would wait.
    let server = Server::saying(
        b"HTTP/1.1 200 OK\r\nContent-Type: Video/MP4; codecs=x\r\nContent-Length: 99999\r\n\r\n",
    )
    .await;
    let asked = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = asked.clone();
    let wants: crate::Wants = Arc::new(move |media_type, status| {
        seen.lock().unwrap().push((media_type.to_owned(), status));
        false
    });
    let request = FetchRequest { wants, ..FetchRequest::new(server.url("/v")) };
    let fetcher = fetcher();
    for _ in 0..2 {
        let response = fetcher.fetch(request.clone()).await.result.unwrap();
        assert_eq!((response.cut, response.body.len()), (Some(Cut::UnwantedType), 0));
    }
    assert_eq!(asked.lock().unwrap()[0], ("video/mp4".to_owned(), 200));
    let connections: Vec<usize> = server.heads().iter().map(|(connection, _)| *connection).collect();
    assert_eq!(connections, [0, 1], "the connection with the unread body is gone");
}

#[tokio::test]
async fn idle_connections_are_bounded() {
    let server = Server::handling(|mut stream, connection, log| async move {
        while let Some(head) = read_head(&mut stream).await {
            log.lock().unwrap().push((connection, head));
            stream.write_all(OK).await.unwrap();
        }
        log.lock().unwrap().push((connection, "closed".into()));
    })
    .await;
    let fetcher = Fetcher::new(FetchConfig { connections_idle_per_site_max: 1, ..config() }).unwrap();
    let visits = (0..4).map(|_| {
        let (fetcher, url) = (fetcher.clone(), server.url("/"));
        tokio::spawn(async move { fetcher.fetch(FetchRequest::new(url)).await.result.unwrap() })
    });
    for visit in visits.collect::<Vec<_>>() {
        visit.await.unwrap();
    }
    // Every connection but one is closed, which the server sees as an end of stream.
    let opened = server.heads().iter().map(|(connection, _)| *connection).max().unwrap() + 1;
    while server.heads().iter().filter(|(_, head)| head == "closed").count() + 1 < opened {
        tokio::task::yield_now().await;
    }
    let off = Fetcher::new(FetchConfig { connections_idle_max: 0, ..config() }).unwrap();
    let before = server.heads().len();
    for _ in 0..2 {
        off.fetch(FetchRequest::new(server.url("/off"))).await.result.unwrap();
    }
    let used: std::collections::HashSet<usize> =
        server.heads()[before..].iter().filter(|(_, head)| head.contains("/off")).map(|(c, _)| *c).collect();
    assert_eq!(used.len(), 2, "nothing is kept");
}

#[test]
fn settings_that_cannot_be_sent_are_refused() {
    let with = |name: &str, value: &str| {
        let extra_headers = vec![(name.to_owned(), value.to_owned())];
        Fetcher::new(FetchConfig { extra_headers, ..FetchConfig::default() })
            .err()
            .map(|error| error.to_string())
    };
    assert!(with("Good", "value").is_none());
    assert!(with("bad name", "v").unwrap().contains("bad name"));
    assert!(with("Host", "v").unwrap().contains("set by the fetcher"));
    assert!(with("X", "line\r\nbreak").unwrap().contains("characters"));
    assert!(Fetcher::new(FetchConfig { user_agent: "bad\nagent".into(), ..FetchConfig::default() }).is_err());
    for (bytes, why) in
        [(&b"no certificate"[..], "neither PEM"), (b"-----BEGIN X-----\n-----END X-----\n", "no CERTIFICATE")]
    {
        let extra_roots = vec![crate::ExtraRoot { name: "intranet.pem".into(), bytes: bytes.to_vec() }];
        let error =
            Fetcher::new(FetchConfig { extra_roots, ..FetchConfig::default() }).err().unwrap().to_string();
        assert!(error.contains("intranet.pem") && error.contains(why), "{error}");
    }
}
