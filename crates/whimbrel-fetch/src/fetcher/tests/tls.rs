//! TLS with certificates made for the test.

use super::server::read_head;
use super::*;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::sync::Arc;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

struct TlsServer {
    port: u16,
    der: Vec<u8>,
    pem: Vec<u8>,
}

/// Serves one small page over TLS under `names`; closes without close_notify when `rude`.
async fn serve(names: &[&str], rude: bool) -> TlsServer {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((tcp, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(tcp).await else { continue };
            while read_head(&mut stream).await.is_some() {
                let length = if rude { "" } else { "Content-Length: 6\r\n" };
                stream.write_all(format!("HTTP/1.1 200 OK\r\n{length}\r\nsecret").as_bytes()).await.unwrap();
                stream.flush().await.unwrap();
                if rude {
                    break;
                }
            }
        }
    });
    TlsServer { port, der: cert.der().to_vec(), pem: cert.pem().into_bytes() }
}

async fn fetch(server: &TlsServer, host: &str, extra_roots: Vec<Vec<u8>>) -> Fetched {
    let resolve_overrides = vec![(host.to_owned(), server.port, "127.0.0.1".parse().unwrap())];
    let fetcher = Fetcher::new(FetchConfig { extra_roots, resolve_overrides, ..config() }).unwrap();
    let url = CanonicalUrl::from_canonical(&format!("https://{host}:{}/", server.port)).unwrap();
    fetcher.fetch(FetchRequest::new(url)).await
}

#[tokio::test]
async fn a_certificate_nobody_vouches_for_is_a_tls_error() {
    let server = serve(&["site.example"], false).await;
    let fetched = fetch(&server, "site.example", vec![]).await;
    let (kind, detail) = fetched.result.unwrap_err();
    assert_eq!(kind, FailureKind::TlsError);
    assert!(detail.contains("certificate"), "{detail}");
    assert_eq!(fetched.requests, 0, "nothing was asked over that connection");
}

#[tokio::test]
async fn an_extra_root_is_trusted_as_der_and_as_pem() {
    let server = serve(&["site.example", "127.0.0.1"], false).await;
    for root in [server.der.clone(), server.pem.clone()] {
        for host in ["site.example", "127.0.0.1"] {
            let response = fetch(&server, host, vec![root.clone()]).await.result.unwrap();
            assert_eq!(&response.body[..], b"secret", "{host}");
        }
    }
}

#[tokio::test]
async fn a_trusted_certificate_for_another_name_is_a_tls_error() {
    let server = serve(&["other.example"], false).await;
    let fetched = fetch(&server, "site.example", vec![server.der.clone()]).await;
    assert_eq!(fetched.result.unwrap_err().0, FailureKind::TlsError);
}

#[tokio::test]
async fn plain_http_on_a_tls_url_is_a_tls_error() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut tcp, _)) = listener.accept().await {
            let _ = tcp.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let server = TlsServer { port, der: vec![], pem: vec![] };
    assert_eq!(fetch(&server, "site.example", vec![]).await.result.unwrap_err().0, FailureKind::TlsError);
}

#[tokio::test]
async fn a_server_that_closes_without_notice_still_ends_an_unframed_body() {
    let server = serve(&["site.example"], true).await;
    let response = fetch(&server, "site.example", vec![server.der.clone()]).await.result.unwrap();
    assert_eq!(&response.body[..], b"secret");
}
