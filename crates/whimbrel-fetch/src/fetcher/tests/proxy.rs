//! Proxies: what they are told, what they are not, and that the address policy holds behind them.

use super::server::{Server, read_head};
use super::tls_server::{NAME, TlsServer, certificate};
use super::*;
use crate::{ExtraRoot, Proxy, ProxyException, Secret};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::TcpStream;

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

fn through(scheme: &str, server: &Server) -> Proxy {
    Proxy::parse(&format!("{scheme}://{}", server.address)).unwrap()
}

fn fetcher_through(proxy: Proxy, names: &[(&str, &str)]) -> Fetcher {
    let resolve_overrides =
        names.iter().map(|(host, ip)| ((*host).to_owned(), 80, ip.parse().unwrap())).collect();
    // Only public addresses pass: the proxy's own is private and used all the same.
    let address_policy = AddressPolicy::default();
    Fetcher::new(FetchConfig { proxy: Some(proxy), resolve_overrides, address_policy, ..config() }).unwrap()
}

async fn fetch(fetcher: &Fetcher, url: &str) -> Fetched {
    fetcher.fetch(FetchRequest::new(CanonicalUrl::from_canonical(url).unwrap())).await
}

/// A SOCKS server: answers every request with `reply`, notes what it was told, then speaks HTTP or passes on.
async fn socks(login: bool, reply: u8, to: Option<u16>) -> (Server, Arc<Mutex<Vec<Vec<u8>>>>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let log = told.clone();
    let server = Server::handling(move |mut stream, _, _| {
        let log = log.clone();
        async move {
            let mut head = [0; 2];
            stream.read_exact(&mut head).await.unwrap();
            let mut methods = vec![0; usize::from(head[1])];
            stream.read_exact(&mut methods).await.unwrap();
            let method = if login { 2 } else { 0 };
            if !methods.contains(&method) {
                let _ = stream.write_all(&[5, 0xff]).await;
                return;
            }
            stream.write_all(&[5, method]).await.unwrap();
            if login {
                let mut message = Vec::new();
                for _ in 0..2 {
                    if message.is_empty() {
                        message.push(stream.read_u8().await.unwrap());
                    }
                    let length = stream.read_u8().await.unwrap();
                    let mut text = vec![0; usize::from(length)];
                    stream.read_exact(&mut text).await.unwrap();
                    message.extend(text);
                    message.push(b'|');
                }
                log.lock().unwrap().push(message);
                stream.write_all(&[1, 0]).await.unwrap();
            }
            let mut request = vec![0; 4];
            stream.read_exact(&mut request).await.unwrap();
            let length = match request[3] {
                1 => 4,
                4 => 16,
                _ => usize::from(stream.read_u8().await.unwrap()),
            };
            let mut rest = vec![0; length + 2];
            stream.read_exact(&mut rest).await.unwrap();
            request.extend(rest);
            log.lock().unwrap().push(request);
            stream.write_all(&[5, reply, 0, 3, 4, b'h', b'o', b's', b't', 0, 80]).await.unwrap();
            match to {
                Some(port) => {
                    let mut onward = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
                    let _ = copy_bidirectional(&mut stream, &mut onward).await;
                }
                None => {
                    while read_head(&mut stream).await.is_some() {
                        stream.write_all(OK).await.unwrap();
                    }
                }
            }
        }
    })
    .await;
    (server, told)
}

#[tokio::test]
async fn plain_http_goes_to_an_http_proxy_with_the_whole_url() {
    let server = Server::saying(OK).await;
    let proxy = Proxy { login: Some(Secret::new("me:hunter2")), ..through("http", &server) };
    let fetcher = fetcher_through(proxy, &[("a.example", "93.184.216.34"), ("b.example", "93.184.216.34")]);
    let fetched = fetch(&fetcher, "http://a.example/x?y=1").await;
    fetch(&fetcher, "http://b.example/").await.result.unwrap();
    fetch(&fetcher, "http://a.example/z").await.result.unwrap();
    let heads = server.heads();
    assert!(heads[0].1.starts_with("GET http://a.example/x?y=1 HTTP/1.1\r\n"), "{heads:?}");
    assert!(heads[0].1.contains("\r\nHost: a.example\r\n"), "{heads:?}");
    assert!(heads[0].1.contains("\r\nProxy-Authorization: Basic bWU6aHVudGVyMg==\r\n"), "{heads:?}");
    assert_eq!(
        heads.iter().map(|(connection, _)| *connection).collect::<Vec<_>>(),
        [0, 1, 0],
        "one per site"
    );
    assert_eq!(fetched.ip, None, "which address the proxy took is not known");
    let kept = String::from_utf8(fetched.result.unwrap().request_head).unwrap();
    assert!(!kept.contains("Proxy-Authorization") && !kept.contains("bWU6"), "{kept}");
}

#[tokio::test]
async fn https_goes_through_a_tunnel() {
    let target = TlsServer::handling(certificate(), &["h2", "http/1.1"], |stream, _| async move {
        let mut connection = h2::server::handshake(stream).await.unwrap();
        while let Some(Ok((request, mut respond))) = connection.accept().await {
            assert!(!format!("{request:?}").to_lowercase().contains("proxy"));
            let mut body = respond.send_response(http::Response::new(()), false).unwrap();
            body.send_data("hi".into(), true).unwrap();
        }
    })
    .await;
    let port = target.port;
    let http = Server::handling(move |mut stream, connection, log| async move {
        let head = read_head(&mut stream).await.unwrap();
        log.lock().unwrap().push((connection, head));
        stream.write_all(b"HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n").await.unwrap();
        let mut onward = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let _ = copy_bidirectional(&mut stream, &mut onward).await;
    })
    .await;
    let (socks_server, told) = socks(true, 0, Some(port)).await;
    for (scheme, server) in [("http", &http), ("socks5", &socks_server), ("socks5h", &socks_server)] {
        let proxy = Proxy { login: Some(Secret::new("me:hunter2")), ..through(scheme, server) };
        let extra_roots = vec![ExtraRoot { name: "test".into(), bytes: target.der.clone() }];
        let resolve_overrides = vec![(NAME.to_owned(), port, "127.0.0.1".parse().unwrap())];
        let config = FetchConfig { proxy: Some(proxy), extra_roots, resolve_overrides, ..config() };
        let fetcher = Fetcher::new(config).unwrap();
        for _ in 0..2 {
            let response = fetcher.fetch(FetchRequest::new(target.url("/"))).await.result.unwrap();
            assert_eq!(&response.body[..], b"hi", "{scheme}");
        }
    }
    let heads = http.heads();
    assert_eq!(heads.len(), 1, "the tunnel is kept");
    assert!(heads[0].1.starts_with(&format!("CONNECT {NAME}:{port} HTTP/1.1\r\nHost: {NAME}:{port}\r\n")));
    assert!(heads[0].1.contains("Proxy-Authorization: Basic bWU6aHVudGVyMg=="));
    let told = told.lock().unwrap().clone();
    assert_eq!(told[0], b"\x01me|hunter2|");
    assert_eq!(told[1], [&[5, 1, 0, 1, 127, 0, 0, 1][..], &port.to_be_bytes()].concat(), "an address");
    assert_eq!(told[3], [&[5, 1, 0, 3][..], NAME.as_bytes(), &port.to_be_bytes()].concat(), "a name");
}

#[tokio::test]
async fn private_addresses_are_refused_behind_a_proxy_too() {
    let http = Server::saying(OK).await;
    let (socks_server, told) = socks(false, 0, None).await;
    for (scheme, server) in [("http", &http), ("socks5", &socks_server), ("socks5h", &socks_server)] {
        let names = [("inside.example", "10.0.0.1"), ("outside.example", "93.184.216.34")];
        let fetcher = fetcher_through(through(scheme, server), &names);
        for url in [
            "http://127.0.0.1/",
            "http://169.254.169.254/latest/meta-data/",
            "http://[::1]/",
            "http://localhost/",
            "http://inside.example/",
        ] {
            let refused = fetch(&fetcher, url).await.result.unwrap_err();
            assert_eq!(refused.0, FailureKind::AddressRefused, "{scheme} {url}");
        }
        assert_eq!(fetch(&fetcher, "http://outside.example/").await.result.unwrap().status, 200, "{scheme}");
    }
    assert_eq!((http.heads().len(), told.lock().unwrap().len()), (1, 2));
}

#[tokio::test]
async fn a_proxy_does_not_make_all_hosts_one_address() {
    let (server, told) = socks(false, 0, None).await;
    let fetcher = fetcher_through(through("socks5h", &server), &[]);
    let mut found = Vec::new();
    for host in ["a.example", "b.example", "A.example."] {
        found.push(fetcher.resolve(host, 80).await.unwrap()[0]);
    }
    assert_ne!(found[0], found[1]);
    assert_eq!(found[0], found[2]);
    assert!(found.iter().all(|ip| !ip.is_loopback() && ip.to_string().starts_with("100::")), "{found:?}");
    assert_eq!(fetch(&fetcher, "http://a.example/").await.result.unwrap().status, 200);
    assert_eq!(told.lock().unwrap()[0], b"\x05\x01\x00\x03a.example\x00\x50");
    let local = fetcher_through(through("http", &server), &[("a.example", "93.184.216.34")]);
    assert_eq!(local.resolve("a.example", 80).await, Ok(vec!["93.184.216.34".parse().unwrap()]));
    let http = Proxy { resolves: true, ..through("http", &server) };
    assert!(fetcher_through(http, &[]).resolve("a.example", 80).await.is_ok(), "left to the proxy");
}

#[tokio::test]
async fn exceptions_are_visited_directly() {
    let proxy = Server::saying(OK).await;
    let direct = Server::saying(OK).await;
    let except = vec![ProxyException::parse("127.0.0.0/8").unwrap()];
    let config = FetchConfig { proxy: Some(Proxy { except, ..through("http", &proxy) }), ..config() };
    let fetched = Fetcher::new(config).unwrap().fetch(FetchRequest::new(direct.url("/"))).await;
    assert_eq!(fetched.ip, Some(direct.address.ip()));
    assert!(proxy.heads().is_empty() && direct.heads()[0].1.starts_with("GET / HTTP/1.1\r\n"));
}

#[tokio::test]
async fn refusals_of_a_proxy_are_told_apart_from_those_of_sites() {
    let needs_login = Server::saying(b"HTTP/1.1 407 Login\r\nContent-Length: 0\r\n\r\n").await;
    let forbids = Server::saying(b"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n").await;
    let garbage = Server::saying(b"SSH-2.0-OpenSSH_9.2p1\r\n\r\n").await;
    let ssh = Server::handling(|mut stream, _, _| async move {
        let _ = stream.write_all(b"SSH-2.0-OpenSSH_9.2p1\r\n").await;
        let _ = stream.read_to_end(&mut Vec::new()).await;
    })
    .await;
    let endless = Server::saying(format!("HTTP/1.1 200 OK\r\nX: {}", "a".repeat(100_000))).await;
    let (socks_login, _) = socks(true, 0, None).await;
    let (socks_refuses, _) = socks(false, 5, None).await;
    let (socks_lost, _) = socks(false, 4, None).await;
    use FailureKind::{ConnectionRefused, DnsFailure, HeadersTooLarge, ProtocolError};
    for (scheme, server, url, kind, said) in [
        ("http", &needs_login, "http://a.example/", ConnectionRefused, "WHIMBREL_PROXY_AUTH"),
        ("http", &needs_login, "https://a.example/", ConnectionRefused, "WHIMBREL_PROXY_AUTH"),
        ("http", &forbids, "https://a.example/", ConnectionRefused, "status 403"),
        ("http", &garbage, "https://a.example/", ProtocolError, "not HTTP"),
        ("http", &endless, "https://a.example/", HeadersTooLarge, "proxy"),
        ("socks5h", &ssh, "http://a.example/", ProtocolError, "SOCKS"),
        ("socks5h", &socks_login, "http://a.example/", ConnectionRefused, "WHIMBREL_PROXY_AUTH"),
        ("socks5h", &socks_refuses, "http://a.example/", ConnectionRefused, "nobody listens"),
        ("socks5h", &socks_lost, "https://a.example/", DnsFailure, "cannot be found"),
    ] {
        let proxy = Proxy { resolves: true, ..through(scheme, server) };
        let (found, detail) = fetch(&fetcher_through(proxy, &[]), url).await.result.unwrap_err();
        assert_eq!(found, kind, "{scheme} {url}: {detail}");
        assert!(detail.contains(said), "{scheme} {url}: {detail}");
    }
    let mute = Server::handling(|mut stream, _, _| async move {
        let _ = stream.read_to_end(&mut Vec::new()).await;
    })
    .await;
    for scheme in ["http", "socks5h"] {
        let proxy = Proxy { resolves: true, ..through(scheme, &mute) };
        let config = FetchConfig { proxy: Some(proxy), connect_timeout_ms: 200, ..config() };
        let (kind, detail) =
            fetch(&Fetcher::new(config).unwrap(), "https://a.example/").await.result.unwrap_err();
        assert!(kind == FailureKind::Timeout && detail.contains("proxy"), "{detail}");
    }
}
