//! The ways to a server that a crawl can take besides a plain connection: HTTP/2 under TLS with a root of the operator's
//! own, and a SOCKS 5 proxy with a login. Judged by what the server and the proxy were told.

use crate::support::{Collection, Served, linking};
use bytes::Bytes;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use tokio_rustls::TlsAcceptor;
use whimbrel_fixture::{SiteSpec, Web};

type Log = Arc<Mutex<Vec<String>>>;

fn crawl(collection: &Collection, seeds: &[&str], config: &str, variables: &[(&str, &str)]) -> Output {
    let config = collection.write("c.toml", config);
    Command::new(env!("CARGO_BIN_EXE_whimbrel"))
        .arg("crawl")
        .args(seeds)
        .args(["--json", "--config", &config, "--data"])
        .arg(collection.data())
        .env_remove("WHIMBREL_DATA")
        .env_remove("WHIMBREL_PROXY_AUTH")
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A site of three pages that speaks HTTP/2 and nothing else. Logs each request with its connection.
struct Http2Site {
    address: SocketAddr,
    certificate: String,
    log: Log,
    _runtime: tokio::runtime::Runtime,
}

impl Http2Site {
    fn start() -> Http2Site {
        let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut tls = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        tls.alpn_protocols = vec![b"h2".to_vec()];
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let log = Log::default();
        let (seen, acceptor) = (Arc::clone(&log), TlsAcceptor::from(Arc::new(tls)));
        runtime.spawn(async move {
            for connection in 0.. {
                let Ok((tcp, _)) = listener.accept().await else { return };
                let (acceptor, log) = (acceptor.clone(), Arc::clone(&seen));
                tokio::spawn(async move {
                    if let Ok(stream) = acceptor.accept(tcp).await {
                        serve_http2(stream, connection, &log).await;
                    }
                });
            }
        });
        Http2Site { address, certificate: made.cert.pem(), log, _runtime: runtime }
    }
}

async fn serve_http2(
    stream: tokio_rustls::server::TlsStream<tokio::net::TcpStream>,
    connection: usize,
    log: &Log,
) {
    let mut session = h2::server::handshake(stream).await.unwrap();
    while let Some(Ok((request, mut respond))) = session.accept().await {
        let path = request.uri().path().to_owned();
        log.lock().unwrap().push(format!("{connection} {:?} {path}", request.version()));
        let (status, body) = match path.as_str() {
            "/" => (200, "<title>Two</title><a href=/one>one</a> <a href=/two>two</a>"),
            "/one" => (200, "<title>One</title><p>a multiplexed dunlin"),
            "/two" => (200, "<title>Other</title><p>another multiplexed dunlin"),
            _ => (404, ""),
        };
        let head = http::Response::builder().status(status).header("content-type", "text/html");
        let mut out = respond.send_response(head.body(()).unwrap(), false).unwrap();
        out.send_data(Bytes::from_static(body.as_bytes()), true).unwrap();
    }
}

#[test]
fn a_site_that_speaks_only_http2_is_crawled_over_one_connection() {
    let site = Http2Site::start();
    let collection = Collection::new();
    let root = collection.write("root.pem", &site.certificate);
    let seed = format!("https://{}/", site.address);
    let config = format!("[politeness]\ndelay = \"5ms\"\n[fetch]\nextra_roots = [\"{root}\"]\n");
    let output = crawl(&collection, &[&seed], &config, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mut found = collection.found("dunlin");
    found.sort();
    assert_eq!(found, [format!("{seed}one"), format!("{seed}two")]);
    let log = site.log.lock().unwrap().clone();
    assert_eq!(
        log,
        ["/robots.txt", "/", "/one", "/two"].map(|path| format!("0 HTTP/2.0 {path}")),
        "one request after the other, on one connection"
    );
}

#[test]
fn a_certificate_that_nobody_vouches_for_ends_the_visit_and_says_what_to_do() {
    let site = Http2Site::start();
    let collection = Collection::new();
    let seed = format!("https://{}/", site.address);
    let config =
        "[politeness]\ndelay = \"5ms\"\nback_off = \"5ms\"\n[fetch]\ntries = 1\nretry_delay = \"5ms\"\n";
    let output = crawl(&collection, &[&seed], config, &[]);
    assert_ne!(output.status.code(), Some(0), "nothing could be read");
    assert!(site.log.lock().unwrap().is_empty(), "no request is sent to a server that is not trusted");
    let told = format!("{}{}", stderr(&output), String::from_utf8_lossy(&output.stdout));
    assert!(told.contains("certificate"), "{told}");
}

/// A SOCKS 5 proxy that leads every tunnel to one address. Logs the login and the target of each.
fn socks_proxy(to: SocketAddr) -> (SocketAddr, Log) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, log) = (listener.local_addr().unwrap(), Log::default());
    let seen = Arc::clone(&log);
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let log = Arc::clone(&seen);
            std::thread::spawn(move || {
                let _ = tunnel(client, to, &log);
            });
        }
    });
    (address, log)
}

/// RFC 1928 with RFC 1929, as far as a client needs it that asks for names.
fn tunnel(mut client: TcpStream, to: SocketAddr, log: &Log) -> std::io::Result<()> {
    let take = |client: &mut TcpStream, length: usize| {
        let mut bytes = vec![0; length];
        client.read_exact(&mut bytes).map(|()| bytes)
    };
    let greeting = take(&mut client, 2)?;
    let methods = take(&mut client, usize::from(greeting[1]))?;
    assert!(greeting[0] == 5 && methods.contains(&2), "a login is offered");
    client.write_all(&[5, 2])?;
    let user_length = take(&mut client, 2)?[1];
    let user = take(&mut client, usize::from(user_length))?;
    let password_length = take(&mut client, 1)?[0];
    let password = take(&mut client, usize::from(password_length))?;
    client.write_all(&[1, 0])?;
    let request = take(&mut client, 5)?;
    assert_eq!(request[..4], [5, 1, 0, 3], "a connection to a name");
    let name = take(&mut client, usize::from(request[4]))?;
    let port = take(&mut client, 2)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let port = u16::from_be_bytes([port[0], port[1]]);
    log.lock().unwrap().push(format!("{}:{} {}:{port}", text(&user), text(&password), text(&name)));
    client.write_all(&[5, 0, 0, 1, 127, 0, 0, 1, 0, 0])?;
    let mut server = TcpStream::connect(to)?;
    let (mut client_half, mut server_half) = (client.try_clone()?, server.try_clone()?);
    let up = std::thread::spawn(move || std::io::copy(&mut client_half, &mut server_half));
    std::io::copy(&mut server, &mut client)?;
    let _ = up.join();
    Ok(())
}

#[test]
fn a_crawl_goes_through_a_socks_proxy_that_resolves_names() {
    let site = SiteSpec::new("s")
        .with("/", linking("Home", "a far godwit", &["/next"]))
        .with("/next", linking("Next", "the next godwit", &[]));
    let web = Served::hosts(Web::new([site]));
    let address: SocketAddr =
        web.seeds()[0].trim_start_matches("http://").trim_end_matches('/').parse().unwrap();
    let (proxy, log) = socks_proxy(address);
    let collection = Collection::new();
    let config = format!(
        "[agent]\ncontact = \"mailto:test@example.org\"\n[politeness]\ndelay = \"1s\"\nip_delay = \"1s\"\n\
         [fetch]\nproxy = \"socks5h://{proxy}\"\n"
    );
    let seeds = ["http://far.example/", "http://10.0.0.1/"];
    let output = crawl(&collection, &seeds, &config, &[("WHIMBREL_PROXY_AUTH", "me:hunter2")]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mut found = collection.found("godwit");
    found.sort();
    assert_eq!(found, ["http://far.example/", "http://far.example/next"]);
    let log = log.lock().unwrap().clone();
    assert!(!log.is_empty() && log.iter().all(|line| line == "me:hunter2 far.example:80"), "{log:?}");
    assert!(!stderr(&output).contains("hunter2"));
}
