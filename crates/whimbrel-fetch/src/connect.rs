//! Opens a connection to a site: resolve, judge, connect, TLS, hyper's handshake. The addresses that were judged are
//! the ones that are connected to, one after the other until one accepts.
//! Never retries a handshake on another address: a wrong certificate is an answer.

use crate::address::{AddressPolicy, CheckedAddress};
use crate::failure::{self, Failure};
use crate::resolve::{Resolver, plain_name};
use crate::stream::Stream;
use crate::tee::{SharedRecording, Tee};
use bytes::Bytes;
use http_body_util::Empty;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use std::net::IpAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use whimbrel_types::{FailureKind, Scheme, Site};

/// A connection with everything that belongs to it. It does something only while it is polled.
pub(crate) struct Connection {
    pub(crate) sender: http1::SendRequest<Empty<Bytes>>,
    /// `None` once the connection has ended.
    pub(crate) driver: Option<http1::Connection<TokioIo<Tee<Stream>>, Empty<Bytes>>>,
    pub(crate) recording: SharedRecording,
    pub(crate) ip: IpAddr,
    pub(crate) site: Site,
}

/// What a connection is opened with.
pub(crate) struct Connector {
    pub(crate) resolver: Resolver,
    pub(crate) tls: TlsConnector,
    pub(crate) connect_timeout: Duration,
    pub(crate) http: http1::Builder,
}

/// A time span from a setting; settings without a sensible bound are cut at a month, which no timer minds.
pub(crate) fn duration(ms: u64) -> Duration {
    Duration::from_millis(ms.min(30 * whimbrel_types::DAY_MS))
}

/// How hyper reads responses: lenient where the web is (folded lines, junk lines), strict about framing.
pub(crate) fn http_settings(header_bytes_max: usize, headers_max: usize) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        .title_case_headers(true)
        .max_headers(headers_max)
        .max_header_size(header_bytes_max)
        .max_buf_size(header_bytes_max.max(128 << 10))
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true)
        .ignore_invalid_headers_in_responses(true);
    builder
}

impl Connector {
    /// The addresses of a host that may be connected to; at least one.
    pub(crate) async fn checked_addresses(
        &self,
        policy: &std::sync::RwLock<AddressPolicy>,
        host: &str,
        port: u16,
    ) -> Result<Vec<CheckedAddress>, Failure> {
        let addresses =
            self.resolver.addresses(host, port).await.map_err(|detail| (FailureKind::DnsFailure, detail))?;
        let policy = policy.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut passed = Vec::with_capacity(addresses.len());
        let mut refusal = None;
        for ip in addresses {
            match policy.checked(ip, port, host) {
                Ok(address) => passed.push(address),
                Err(refused) => refusal = Some(refused),
            }
        }
        match refusal {
            Some(refused) if passed.is_empty() => Err((FailureKind::AddressRefused, refused.to_string())),
            _ => Ok(passed),
        }
    }

    /// A fresh connection to `site`. `seen_ip` is told the address as soon as one accepts.
    pub(crate) async fn open(
        &self,
        policy: &std::sync::RwLock<AddressPolicy>,
        site: &Site,
        seen_ip: &mut Option<IpAddr>,
    ) -> Result<Connection, Failure> {
        let addresses = self.checked_addresses(policy, &site.host, site.port).await?;
        let (tcp, ip) = self.open_any(&addresses).await?;
        *seen_ip = Some(ip);
        // Requests are one small write each: waiting to fill a segment only costs time.
        tcp.set_nodelay(true).map_err(|error| failure::connecting(&error))?;
        let stream = match site.scheme {
            Scheme::Http => Stream::Plain(tcp),
            Scheme::Https => self.secure(tcp, &site.host).await?,
        };
        let recording = SharedRecording::new();
        let io = TokioIo::new(Tee::new(stream, recording.clone()));
        let (sender, driver) = self.http.handshake(io).await.map_err(|error| failure::exchanging(&error))?;
        Ok(Connection { sender, driver: Some(driver), recording, ip, site: site.clone() })
    }

    async fn open_any(&self, addresses: &[CheckedAddress]) -> Result<(TcpStream, IpAddr), Failure> {
        let mut last = (FailureKind::DnsFailure, "the host has no address".to_owned());
        for address in addresses {
            let socket = address.socket();
            match timeout(self.connect_timeout, TcpStream::connect(socket)).await {
                Ok(Ok(tcp)) => return Ok((tcp, socket.ip())),
                Ok(Err(error)) => last = failure::connecting(&error),
                Err(_) => last = (FailureKind::Timeout, "the address does not answer".to_owned()),
            }
            last.1 = format!("{}: {}", socket, last.1);
        }
        Err(last)
    }

    async fn secure(&self, tcp: TcpStream, host: &str) -> Result<Stream, Failure> {
        let name = ServerName::try_from(plain_name(host))
            .map_err(|_| (FailureKind::TlsError, format!("{host} is no name that a certificate can have")))?;
        match timeout(self.connect_timeout, self.tls.connect(name, tcp)).await {
            Ok(Ok(stream)) => Ok(Stream::Tls(Box::new(stream))),
            Ok(Err(error)) => Err(failure::handshake(&error)),
            Err(_) => Err((FailureKind::Timeout, "the TLS handshake takes too long".to_owned())),
        }
    }
}
