//! Heads and framing of HTTP/1.1 that break the rules: what each is taken for.

use super::server::Server;
use super::*;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;

/// What a server that says this comes to: the body, or the failure.
async fn outcome(said: &[u8]) -> Result<Vec<u8>, FailureKind> {
    let fetched = get(Server::saying_once(said).await.url("/")).await;
    fetched.result.map(|response| response.body.to_vec()).map_err(|(kind, _)| kind)
}

#[tokio::test]
async fn the_table_of_framing() {
    use FailureKind::{ConnectionReset, ProtocolError};
    type Row = (&'static str, &'static [u8], Result<&'static [u8], FailureKind>);
    let table: &[Row] = &[
        ("equal lengths", b"Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi", Ok(b"hi")),
        ("equal lengths in a list", b"Content-Length: 2, 2\r\n\r\nhi", Ok(b"hi")),
        ("different lengths", b"Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi!", Err(ProtocolError)),
        ("different lengths in a list", b"Content-Length: 2, 3\r\n\r\nhi!", Err(ProtocolError)),
        ("negative length", b"Content-Length: -1\r\n\r\nhi", Err(ProtocolError)),
        ("length with a sign", b"Content-Length: +2\r\n\r\nhi", Err(ProtocolError)),
        ("length in hex", b"Content-Length: 0x2\r\n\r\nhi", Err(ProtocolError)),
        ("empty length", b"Content-Length: \r\n\r\nhi", Err(ProtocolError)),
        ("huge length", b"Content-Length: 99999999999999999999\r\n\r\nhi", Err(ProtocolError)),
        ("long length, short body", b"Content-Length: 9223372036854775807\r\n\r\nhi", Err(ConnectionReset)),
        (
            "chunks beat a length",
            b"Content-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
            Ok(b"hi"),
        ),
        (
            "chunks of HTTP/1.1 in capitals",
            b"TRANSFER-ENCODING: Chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
            Ok(b"hi"),
        ),
        (
            "trailers",
            b"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-T: 1\r\nContent-Length: 9\r\n\r\n",
            Ok(b"hi"),
        ),
        ("extensions", b"Transfer-Encoding: chunked\r\n\r\n2;a=b;c=\"d\"\r\nhi\r\n0;x\r\n\r\n", Ok(b"hi")),
        (
            "upper-case hex",
            b"Transfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n",
            Ok(b"0123456789"),
        ),
        ("negative chunk", b"Transfer-Encoding: chunked\r\n\r\n-2\r\nhi\r\n0\r\n\r\n", Err(ProtocolError)),
        ("chunk without size", b"Transfer-Encoding: chunked\r\n\r\n\r\nhi\r\n0\r\n\r\n", Err(ProtocolError)),
        (
            "chunk that is longer than said",
            b"Transfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
            Err(ProtocolError),
        ),
        (
            "chunk size that overflows",
            b"Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\nhi",
            Err(ProtocolError),
        ),
        ("no last chunk", b"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n", Err(ConnectionReset)),
        ("folded field", b"X-A: one\r\n two\r\n\tthree\r\nContent-Length: 2\r\n\r\nhi", Ok(b"hi")),
        ("name with a space", b"Content Type: x\r\nContent-Length: 2\r\n\r\nhi", Ok(b"hi")),
        ("space before the colon", b"X-A : b\r\nContent-Length: 2\r\n\r\nhi", Ok(b"hi")),
        ("line without colon", b"nonsense\r\nContent-Length: 2\r\n\r\nhi", Ok(b"hi")),
        ("bytes that are no UTF-8", b"X-A: \xff\xfe\x80\r\nContent-Length: 2\r\n\r\nhi", Ok(b"hi")),
        ("bare line feeds", b"Content-Length: 2\n\nhi", Ok(b"hi")),
        ("no length at all", b"\r\nto the end", Ok(b"to the end")),
    ];
    for (name, rest, expected) in table {
        let said = [&b"HTTP/1.1 200 OK\r\n"[..], rest].concat();
        let found = outcome(&said).await;
        assert_eq!(found.as_deref().map_err(|kind| *kind), *expected, "{name}");
    }
}

#[tokio::test]
async fn endless_heads_chunks_and_extensions_are_left() {
    let table: &[(&str, &'static [u8], &'static [u8])] = &[
        ("one endless field", b"HTTP/1.1 200 OK\r\nX-A: ", b"aaaaaaaaaaaaaaaa"),
        ("endless fields", b"HTTP/1.1 200 OK\r\n", b"X-Some-Name: some value\r\n"),
        ("an endless status line", b"HTTP/1.1 200 ", b"OK OK OK OK "),
        (
            "an endless extension",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;",
            b"extension=value;",
        ),
        (
            "endless trailers",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
            b"X-Trailer: value\r\n",
        ),
        (
            "extensions of many chunks",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"1;abcdefghijklmnopqrstuvwxyz=0123456789\r\nx\r\n",
        ),
        (
            "zeros before a chunk size",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"0000000000000000",
        ),
        ("blank lines before the head", b"", b"\r\n\r\n\r\n\r\n"),
    ];
    for (name, first, again) in table {
        let server = Server::handling(move |mut stream, _, _| async move {
            super::server::read_head(&mut stream).await;
            let _ = stream.write_all(first).await;
            let piece = again.repeat(1024);
            // A gigabyte, if anybody takes it.
            for _ in 0..(1usize << 30) / piece.len() {
                if stream.write_all(&piece).await.is_err() {
                    return;
                }
            }
        })
        .await;
        let started = Instant::now();
        let fetched = get(server.url("/")).await;
        let (kind, detail) = fetched.result.unwrap_err();
        assert!(
            matches!(kind, FailureKind::ProtocolError | FailureKind::HeadersTooLarge),
            "{name}: {kind} {detail}"
        );
        assert!(fetched.wire_bytes < 4 << 20, "{name}: {} bytes were taken", fetched.wire_bytes);
        assert!(started.elapsed() < Duration::from_secs(4), "{name}: {:?}", started.elapsed());
    }
}
