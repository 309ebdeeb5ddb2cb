//! A TLS server for tests, with a certificate made for it; what it says after the handshake is the test's affair.

use crate::{ExtraRoot, FetchConfig, FetchRequest, Fetched, Fetcher};
use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::future::Future;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use whimbrel_types::CanonicalUrl;

/// The name the server has in the tests.
pub(crate) const NAME: &str = "site.example";

pub(crate) struct TlsServer {
    pub(crate) port: u16,
    pub(crate) der: Vec<u8>,
}

impl TlsServer {
    /// Hands every connection after its handshake to `handle`, with its number. `protocols` are offered by ALPN.
    pub(crate) async fn handling<F, Fut>(
        params: CertificateParams,
        protocols: &[&str],
        handle: F,
    ) -> TlsServer
    where
        F: Fn(TlsStream<TcpStream>, usize) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let key = KeyPair::generate().unwrap();
        let der = params.self_signed(&key).unwrap().der().to_vec();
        TlsServer::with_certificate(der, key.serialize_der(), protocols, handle).await
    }

    /// The same with a certificate and key made elsewhere.
    pub(crate) async fn with_certificate<F, Fut>(
        der: Vec<u8>,
        key: Vec<u8>,
        protocols: &[&str],
        handle: F,
    ) -> TlsServer
    where
        F: Fn(TlsStream<TcpStream>, usize) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![der.clone().into()], key)
            .unwrap();
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let handle = Arc::new(handle);
        tokio::spawn(async move {
            let mut number = 0;
            while let Ok((tcp, _)) = listener.accept().await {
                let (acceptor, handle) = (acceptor.clone(), handle.clone());
                tokio::spawn(async move {
                    if let Ok(stream) = acceptor.accept(tcp).await {
                        handle(stream, number).await;
                    }
                });
                number += 1;
            }
        });
        TlsServer { port, der }
    }

    /// A fetcher that trusts and finds this server under [`NAME`].
    pub(crate) fn fetcher(&self, config: FetchConfig) -> Fetcher {
        let extra_roots = vec![ExtraRoot { name: "test".into(), bytes: self.der.clone() }];
        let resolve_overrides = vec![(NAME.to_owned(), self.port, "127.0.0.1".parse().unwrap())];
        Fetcher::new(FetchConfig { extra_roots, resolve_overrides, ..config }).unwrap()
    }

    pub(crate) fn url(&self, path: &str) -> CanonicalUrl {
        CanonicalUrl::from_canonical(&format!("https://{NAME}:{}{path}", self.port)).unwrap()
    }

    pub(crate) async fn get(&self) -> Fetched {
        self.fetcher(super::config()).fetch(FetchRequest::new(self.url("/"))).await
    }
}

/// A certificate for [`NAME`].
pub(crate) fn certificate() -> CertificateParams {
    CertificateParams::new(vec![NAME.to_owned()]).unwrap()
}
