//! Framing, codings, limits on bodies.

use super::server::Server;
use super::*;
use crate::Cut;
use crate::decode::stage::Coding;
use crate::decode::tests::encode;

fn with_coding(label: &str, body: &[u8]) -> Vec<u8> {
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Encoding: {label}\r\nContent-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn page() -> Vec<u8> {
    (0..3000).flat_map(|n| format!("<li>item {n}</li>\n").into_bytes()).collect()
}

#[tokio::test]
async fn every_coding_is_undone_and_kept() {
    let plain = page();
    for (label, coding) in [
        ("gzip", Coding::Gzip),
        ("x-gzip", Coding::Gzip),
        ("deflate", Coding::Deflate),
        ("br", Coding::Brotli),
        ("zstd", Coding::Zstd),
    ] {
        let wire = encode(coding, &plain);
        let response = answer(&Server::saying(with_coding(label, &wire)).await).await;
        assert_eq!(response.body, plain, "{label}");
        assert_eq!(response.wire_body, wire, "{label}");
        assert_eq!(response.cut, None, "{label}");
    }
}

#[tokio::test]
async fn chained_codings_are_undone() {
    let plain = page();
    let wire = encode(Coding::Brotli, &encode(Coding::Gzip, &plain));
    let response = answer(&Server::saying(with_coding("gzip, br", &wire)).await).await;
    assert_eq!(response.body, plain);
}

#[tokio::test]
async fn a_plain_body_under_a_wrong_label_is_taken_as_it_is() {
    let response = answer(&Server::saying(with_coding("gzip", b"<p>plain")).await).await;
    assert_eq!((&response.body[..], response.cut), (&b"<p>plain"[..], None));
}

#[tokio::test]
async fn a_coding_that_breaks_off_keeps_what_was_decoded() {
    let plain = page();
    let mut wire = encode(Coding::Gzip, &plain);
    wire.truncate(wire.len() / 2);
    let response = answer(&Server::saying(with_coding("gzip", &wire)).await).await;
    assert_eq!(response.cut, Some(Cut::BrokenCoding));
    assert!(!response.body.is_empty() && plain.starts_with(&response.body));
    assert_eq!(response.wire_body, wire);
}

#[tokio::test]
async fn what_cannot_be_decoded_at_all_is_a_decode_error() {
    let table: &[(&str, &[u8])] = &[
        ("gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff\xff\xff"),
        ("compress", b"\x1f\x9d\x90\0"),
        ("gzip,gzip,gzip,gzip", b"x"),
    ];
    for (label, body) in table {
        assert_eq!(
            failure(&Server::saying(with_coding(label, body)).await).await,
            FailureKind::DecodeError,
            "{label}"
        );
    }
}

#[tokio::test]
async fn bombs_are_stopped_by_their_ratio() {
    let zeros = vec![0; 24 << 20];
    for (label, coding) in [("gzip", Coding::Gzip), ("br", Coding::Brotli), ("zstd", Coding::Zstd)] {
        let wire = encode(coding, &zeros);
        let fetched = get(Server::saying(with_coding(label, &wire)).await.url("/")).await;
        let response = fetched.result.unwrap();
        assert_eq!(response.cut, Some(Cut::Ratio), "{label}");
        assert!(response.body.len() <= 16 << 20, "{label}: {}", response.body.len());
    }
}

#[tokio::test]
async fn chunks_are_joined_and_trailers_dropped() {
    let server = Server::saying(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;ext=1\r\nabc\r\n4\r\ndefg\r\n0\r\nX-Trailer: 1\r\n\r\n",
    )
    .await;
    let fetcher = fetcher();
    for _ in 0..2 {
        let response = fetcher.fetch(FetchRequest::new(server.url("/"))).await.result.unwrap();
        assert_eq!(&response.body[..], b"abcdefg");
        assert!(response.response_head.ends_with(b"chunked\r\n\r\n"));
    }
    assert!(server.heads().iter().all(|(connection, _)| *connection == 0));
}

#[tokio::test]
async fn a_body_may_end_with_the_connection() {
    let server = Server::saying_once(b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nto the end").await;
    assert_eq!(&answer(&server).await.body[..], b"to the end");
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_is_whole_and_one_more_byte_is_cut() {
    for (length, cut) in [(1000usize, None), (1001, Some(Cut::BodyLimit))] {
        let body = vec![b'x'; length];
        for message in [with_coding("identity", &body), with_coding("gzip", &encode(Coding::Gzip, &body))] {
            let server = Server::saying(message).await;
            let request = FetchRequest { body_bytes_max: 1000, ..FetchRequest::new(server.url("/")) };
            let response = fetcher().fetch(request).await.result.unwrap();
            assert_eq!((response.cut, response.body.len()), (cut, 1000), "{length}");
        }
    }
}
