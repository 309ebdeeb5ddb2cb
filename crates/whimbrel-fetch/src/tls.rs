//! TLS with rustls and one provider, ring. Certificates are always verified; there is no way to turn that off.
//! Never falls back to plain text and never offers another protocol than HTTP/2 and HTTP/1.1 (ALPN, RFC 7301).

use crate::config::{Error, ExtraRoot};
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
pub(crate) fn connector(extra_roots: &[ExtraRoot], protocols: &[&[u8]]) -> Result<TlsConnector, Error> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for root in extra_roots {
        add_roots(&mut roots, &root.bytes).map_err(|why| Error::Root { name: root.name.clone(), why })?;
    }
    let mut config = ClientConfig::builder_with_provider(Arc::new(provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    Ok(TlsConnector::from(Arc::new(config)))
}

fn add_roots(roots: &mut RootCertStore, bytes: &[u8]) -> Result<(), String> {
    if !bytes.windows(11).any(|w| w == b"-----BEGIN ") {
        return roots
            .add(CertificateDer::from(bytes.to_vec()))
            .map_err(|error| format!("it is neither PEM nor a certificate in DER ({error})"));
    }
    let before = roots.len();
    for certificate in CertificateDer::pem_slice_iter(bytes) {
        roots.add(certificate.map_err(|e| e.to_string())?).map_err(|e| e.to_string())?;
    }
    if roots.len() == before { Err("it has no CERTIFICATE block".into()) } else { Ok(()) }
}
