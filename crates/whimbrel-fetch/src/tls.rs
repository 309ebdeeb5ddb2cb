//! TLS with rustls and one provider, ring. Certificates are always verified; there is no way to turn that off.
//! Never falls back to plain text and never offers another protocol than HTTP/1.1 (ALPN, RFC 7301).

use crate::config::Error;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;
use tokio_rustls::TlsConnector;

/// The one provider of cryptography.
fn provider() -> CryptoProvider {
    rustls::crypto::ring::default_provider()
}

/// A connector that trusts the Mozilla roots and `extra_roots` (PEM or DER each).
pub(crate) fn connector(extra_roots: &[Vec<u8>]) -> Result<TlsConnector, Error> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for (index, bytes) in extra_roots.iter().enumerate() {
        add_roots(&mut roots, bytes).map_err(|why| Error::Root { position: index + 1, why })?;
    }
    let mut config = ClientConfig::builder_with_provider(Arc::new(provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}

fn add_roots(roots: &mut RootCertStore, bytes: &[u8]) -> Result<(), String> {
    if !bytes.windows(11).any(|w| w == b"-----BEGIN ") {
        return roots.add(CertificateDer::from(bytes.to_vec())).map_err(|e| e.to_string());
    }
    let before = roots.len();
    for certificate in CertificateDer::pem_slice_iter(bytes) {
        roots.add(certificate.map_err(|e| e.to_string())?).map_err(|e| e.to_string())?;
    }
    if roots.len() == before { Err("it has no CERTIFICATE block".into()) } else { Ok(()) }
}
