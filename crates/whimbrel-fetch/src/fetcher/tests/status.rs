//! Statuses that mean something about the message itself: conditions, ranges, interim answers, old versions.

use super::server::Server;
use super::*;
use whimbrel_types::Validators;

async fn with_validators(server: &Server, validators: Option<Validators>) -> Fetched {
    fetcher().fetch(FetchRequest { validators, ..FetchRequest::new(server.url("/")) }).await
}

#[tokio::test]
async fn not_modified_without_a_condition_is_no_robots_file() {
    let server = Server::saying(b"HTTP/1.1 304 Not Modified\r\n\r\n").await;
    for validators in [None, Some(Validators::default())] {
        let request = FetchRequest { validators, ..FetchRequest::robots(server.url("/robots.txt")) };
        let (kind, detail) = fetcher().fetch(request).await.result.unwrap_err();
        assert!(kind == FailureKind::ProtocolError && detail.contains("304"), "{detail}");
    }
    let validators = Validators { etag: Some("\"x\"".into()), last_modified: None };
    assert_eq!(with_validators(&server, Some(validators)).await.result.unwrap().status, 304);
    assert_eq!(with_validators(&server, None).await.result.unwrap().status, 304, "the planner refuses it");
}

#[tokio::test]
async fn entity_tags_go_out_as_they_came() {
    for etag in ["\"strong\"", "W/\"weak\"", "W/\"\"", "unquoted", "\"a,b\"", "\"caf\u{e9}\""] {
        let head = format!("HTTP/1.1 200 OK\r\nETag: {etag}\r\nContent-Length: 0\r\n\r\n");
        let first = answer(&Server::saying(head).await).await;
        assert_eq!(first.etag().as_deref(), Some(etag));
        let server = Server::handling(|mut stream, _, log| async move {
            use tokio::io::{AsyncReadExt, AsyncWriteExt};
            let mut heard = vec![0; 4096];
            let length = stream.read(&mut heard).await.unwrap();
            log.lock().unwrap().push((0, String::from_utf8_lossy(&heard[..length]).into_owned()));
            let _ = stream.write_all(b"HTTP/1.1 304 Not Modified\r\n\r\n").await;
        })
        .await;
        with_validators(&server, Some(first.validators())).await.result.unwrap();
        assert!(server.heads()[0].1.contains(&format!("If-None-Match: {etag}\r\n")), "{:?}", server.heads());
    }
    let server = Server::saying(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    let broken = Validators { etag: Some("\"a\"\r\nX-Evil: 1".into()), last_modified: None };
    with_validators(&server, Some(broken)).await.result.unwrap();
    assert!(!server.heads()[0].1.contains("Evil") && !server.heads()[0].1.contains("If-None-Match"));
}

#[tokio::test]
async fn no_range_is_ever_asked_for_and_parts_are_no_pages() {
    let server = Server::saying(
        b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-1/100\r\nContent-Length: 2\r\n\r\nhi",
    )
    .await;
    let response = answer(&server).await;
    assert_eq!(
        (response.status, &response.body[..]),
        (206, &b"hi"[..]),
        "handed back; the planner refuses it"
    );
    assert!(!server.heads()[0].1.to_lowercase().contains("range"));
    let robots = fetcher().fetch(FetchRequest::robots(server.url("/robots.txt"))).await.result.unwrap_err();
    assert_eq!(robots.0, FailureKind::ProtocolError, "half a robots.txt is none: {}", robots.1);
    let server =
        Server::saying(b"HTTP/1.1 416 No\r\nContent-Range: bytes */9\r\nContent-Length: 0\r\n\r\n").await;
    assert_eq!(answer(&server).await.status, 416);
}

#[tokio::test]
async fn interim_answers_are_passed_over_up_to_a_number() {
    for (interim, count, fine) in [
        ("HTTP/1.1 100 Continue\r\n\r\n", 1, true),
        ("HTTP/1.1 102 Processing\r\n\r\n", 3, true),
        ("HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n", 16, true),
        ("HTTP/1.1 103 Early Hints\r\n\r\n", 17, false),
        ("HTTP/1.1 199 Odd\r\n\r\n", 5000, false),
    ] {
        let said = format!("{}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", interim.repeat(count));
        let result = get(Server::saying(said).await.url("/")).await.result;
        match result {
            Ok(response) => assert!(fine && &response.body[..] == b"hi", "{count} {interim:?}"),
            Err((kind, detail)) => {
                assert!(!fine && kind == FailureKind::ProtocolError, "{count} {interim:?}: {kind} {detail}");
            }
        }
    }
}

#[tokio::test]
async fn other_statuses_end_as_they_should() {
    for (said, status) in [
        ("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", 204),
        ("HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n", 205),
        ("HTTP/1.1 300 Choose\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n", 300),
        ("HTTP/1.1 305 Use Proxy\r\nLocation: http://evil.example/\r\nContent-Length: 0\r\n\r\n", 305),
        ("HTTP/1.1 306 Switch\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n", 306),
        ("HTTP/1.1 421 Misdirected\r\nContent-Length: 0\r\n\r\n", 421),
        ("HTTP/1.1 999 Whatever\r\nContent-Length: 0\r\n\r\n", 999),
        ("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", 200),
        ("HTTP/1.0 200 OK\r\n\r\nold", 200),
    ] {
        let response = answer(&Server::saying_once(said).await).await;
        assert_eq!(response.status, status, "{said:?}");
        assert!(!response.is_redirect(), "{said:?}");
    }
}

#[tokio::test]
async fn an_old_server_that_keeps_connections_is_taken_at_its_word() {
    let kept =
        Server::saying(b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi").await;
    let closed = Server::saying(b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi").await;
    let fetcher = fetcher();
    for server in [&kept, &closed] {
        for _ in 0..2 {
            let response = fetcher.fetch(FetchRequest::new(server.url("/"))).await.result.unwrap();
            assert_eq!(&response.body[..], b"hi");
        }
    }
    let connections = |server: &Server| server.heads().iter().map(|(number, _)| *number).collect::<Vec<_>>();
    assert_eq!((connections(&kept), connections(&closed)), (vec![0, 0], vec![0, 1]));
}

#[tokio::test]
async fn an_upgrade_nobody_asked_for_is_no_page() {
    let server =
        Server::saying(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n")
            .await;
    match get(server.url("/")).await.result {
        Ok(response) => assert_eq!(response.status, 101),
        Err((kind, _)) => assert_eq!(kind, FailureKind::ProtocolError),
    }
}
