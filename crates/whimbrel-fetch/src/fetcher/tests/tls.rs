//! TLS with certificates made for the test.

use super::server::read_head;
use super::tls_server::certificate;
use super::*;
use rcgen::{CertificateParams, CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
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
    let extra_roots =
        extra_roots.into_iter().map(|bytes| crate::ExtraRoot { name: "root".into(), bytes }).collect();
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

/// What a server that answers the greeting with these bytes comes to.
async fn after_greeting(bytes: &'static [u8]) -> (FailureKind, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut tcp, _)) = listener.accept().await {
            let _ = tcp.read(&mut [0; 4096]).await;
            let _ = tcp.write_all(bytes).await;
        }
    });
    let server = TlsServer { port, der: vec![], pem: vec![] };
    fetch(&server, "site.example", vec![]).await.result.unwrap_err()
}

#[tokio::test]
async fn the_detail_says_what_is_wrong_with_the_server() {
    // A server that knows nothing newer than TLS 1.0 answers with an alert, or with a greeting of that version.
    let hello = b"\x16\x03\x01\x00\x2a\x02\x00\x00\x26\x03\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x2f\x00";
    let table: &[(&'static [u8], &str)] = &[
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "plain HTTP"),
        (b"\x00\x01\x02garbage garbage garbage", "not TLS"),
        (b"\x15\x03\x01\x00\x02\x02\x46", "neither TLS 1.2 nor TLS 1.3"),
        (hello, "neither TLS 1.2 nor TLS 1.3"),
        (b"\x15\x03\x03\x00\x02\x02\x28", "HandshakeFailure"),
        (b"", "eof"),
    ];
    for (bytes, said) in table {
        let (kind, detail) = after_greeting(bytes).await;
        assert_eq!(kind, FailureKind::TlsError, "{detail}");
        assert!(detail.contains(said), "{said}: {detail}");
    }
}

#[tokio::test]
async fn the_detail_says_what_is_wrong_with_the_certificate() {
    let authority_key = rcgen::KeyPair::generate().unwrap();
    let mut authority = CertificateParams::new(vec![]).unwrap();
    authority.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    authority.distinguished_name.push(rcgen::DnType::CommonName, "An Intranet CA");
    let issuer = rcgen::Issuer::new(authority, authority_key);
    let signed = |params: CertificateParams| {
        let key = rcgen::KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &issuer).unwrap();
        (certificate.der().to_vec(), key.serialize_der())
    };
    let mut expired = certificate();
    (expired.not_before, expired.not_after) =
        (rcgen::date_time_ymd(2001, 1, 1), rcgen::date_time_ymd(2002, 1, 1));
    let mut early = certificate();
    (early.not_before, early.not_after) =
        (rcgen::date_time_ymd(2900, 1, 1), rcgen::date_time_ymd(2901, 1, 1));
    let other = CertificateParams::new(vec!["other.example".to_owned()]).unwrap();
    for (params, trusted, said) in [
        (expired, true, "has expired"),
        (early, true, "not valid yet"),
        (other, true, "for another name"),
        (certificate(), false, "signed by itself"),
    ] {
        let server = super::tls_server::TlsServer::handling(params, &[], |_, _| async {}).await;
        let root = if trusted { vec![server.der.clone()] } else { vec![] };
        let plain = TlsServer { port: server.port, der: vec![], pem: vec![] };
        let (kind, detail) = fetch(&plain, "site.example", root).await.result.unwrap_err();
        assert!(kind == FailureKind::TlsError && detail.contains(said), "{said}: {detail}");
    }
    let (der, key) = signed(certificate());
    let server = super::tls_server::TlsServer::with_certificate(der, key, &[], |_, _| async {}).await;
    let plain = TlsServer { port: server.port, der: vec![], pem: vec![] };
    let (kind, detail) = fetch(&plain, "site.example", vec![]).await.result.unwrap_err();
    assert_eq!(kind, FailureKind::TlsError);
    assert!(detail.contains("not trusted") && detail.contains("extra_roots"), "{detail}");
}

#[tokio::test]
async fn a_server_that_closes_without_notice_still_ends_an_unframed_body() {
    let server = serve(&["site.example"], true).await;
    let response = fetch(&server, "site.example", vec![server.der.clone()]).await.result.unwrap();
    assert_eq!(&response.body[..], b"secret");
}
