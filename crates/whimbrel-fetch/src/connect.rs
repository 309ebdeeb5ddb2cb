//! Opens a connection to a site: resolve, judge, connect (or have the proxy connect), TLS, the handshake of HTTP/2 where
//! the server chose it. The addresses that were judged are the ones that are connected to, one after the other until
//! one accepts.
//! Never retries a handshake on another address: a wrong certificate is an answer.
//! With a proxy that resolves names, a host that says by its name that it is private is still refused; others are the
//! proxy's to judge.

use crate::address::{AddressPolicy, CheckedAddress};
use crate::failure::{self, Failure};
use crate::proxy::{Proxy, ProxyKind, socks, tunnel};
use crate::resolve::{Resolver, plain_name};
use crate::stream::Stream;
use crate::tee::{SharedRecording, Tee};
use crate::wire::Wire;
use http::HeaderValue;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use whimbrel_types::{FailureKind, HostId, Limit, Scheme, Site};

/// A connection with everything that belongs to it. It does something only while it is polled.
pub(crate) struct Connection {
    pub(crate) wire: Wire,
    pub(crate) recording: SharedRecording,
    /// Address of the server, where it is known: a proxy that resolves names does not tell.
    pub(crate) ip: Option<IpAddr>,
    pub(crate) site: Site,
    /// Requests name the whole URL and the login, since they are read by a proxy.
    pub(crate) proxied: Option<Proxied>,
}

/// What a proxy that reads the requests is told.
#[derive(Clone)]
pub(crate) struct Proxied {
    pub(crate) login: Option<HeaderValue>,
}

/// What a connection is opened with.
pub(crate) struct Connector {
    pub(crate) resolver: Resolver,
    pub(crate) tls: TlsConnector,
    pub(crate) connect_timeout: Duration,
    pub(crate) http: http1::Builder,
    pub(crate) http2: h2::client::Builder,
    pub(crate) proxy: Option<Proxy>,
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
        .max_buf_size(buffer_bytes_max(header_bytes_max))
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true)
        .ignore_invalid_headers_in_responses(true);
    builder
}

/// Most bytes that HTTP/1.1 reads ahead.
pub(crate) fn buffer_bytes_max(header_bytes_max: usize) -> usize {
    header_bytes_max.max(128 << 10)
}

impl Connector {
    /// The addresses of a host that may be connected to; at least one, or none at all where a proxy resolves the name.
    pub(crate) async fn checked_addresses(
        &self,
        policy: &RwLock<AddressPolicy>,
        host: &str,
        port: u16,
    ) -> Result<Vec<CheckedAddress>, Failure> {
        let resolved_elsewhere = self.proxy_for(host).is_some_and(|proxy| proxy.resolves);
        let addresses = match self.resolver.known(host, port) {
            Some(addresses) => addresses,
            None if resolved_elsewhere => return Ok(Vec::new()),
            None => self.resolver.addresses(host, port).await?,
        };
        let policy = policy.read().unwrap_or_else(PoisonError::into_inner);
        let mut passed = Vec::with_capacity(addresses.len());
        let mut refusal = None;
        for ip in addresses {
            match policy.checked(ip, port, host) {
                Ok(address) => passed.push(address),
                Err(refused) => refusal = Some(refused),
            }
        }
        match refusal {
            Some(refused) if passed.is_empty() => {
                Err((FailureKind::AddressRefused, refused.to_string()).into())
            }
            _ => Ok(passed),
        }
    }

    /// A fresh connection to `site`. `seen_ip` is told the address as soon as one accepts.
    pub(crate) async fn open(
        &self,
        policy: &RwLock<AddressPolicy>,
        site: &Site,
        seen_ip: &mut Option<IpAddr>,
    ) -> Result<Connection, Failure> {
        let addresses = self.checked_addresses(policy, &site.host, site.port).await?;
        let (tcp, ip, proxied) = match self.proxy_for(&site.host) {
            Some(proxy) => self.open_through(proxy, site, &addresses).await?,
            None => {
                let (tcp, ip) = self.open_any(addresses.iter().map(|address| address.socket())).await?;
                (tcp, Some(ip), None)
            }
        };
        *seen_ip = ip;
        let stream = match site.scheme {
            Scheme::Http => Stream::Plain(tcp),
            Scheme::Https => self.secure(tcp, &site.host).await?,
        };
        let recording = SharedRecording::new();
        let is_two = stream.speaks_http2();
        let io = Tee::new(stream, recording.clone());
        let wire = if is_two {
            let (sender, driver) =
                self.http2.handshake(io).await.map_err(|error| crate::http2::failure(&error))?;
            Wire::Two { sender, driver: Some(Box::new(driver)) }
        } else {
            let (sender, driver) =
                self.http.handshake(TokioIo::new(io)).await.map_err(|error| failure::exchanging(&error))?;
            Wire::One { sender, driver: Some(Box::new(driver)) }
        };
        Ok(Connection { wire, recording, ip, site: site.clone(), proxied })
    }

    /// A connection by way of the proxy: a tunnel, or for plain http an HTTP proxy itself.
    async fn open_through(
        &self,
        proxy: &Proxy,
        site: &Site,
        addresses: &[CheckedAddress],
    ) -> Result<(TcpStream, Option<IpAddr>, Option<Proxied>), Failure> {
        let label = proxy.label();
        let at_proxy = |failure: Failure| failure.at(&label);
        let found = self.resolver.addresses(&proxy.host, proxy.port).await;
        let found = found.map_err(at_proxy)?;
        let sockets = found.into_iter().map(|ip| SocketAddr::new(ip, proxy.port));
        let (mut tcp, _) = self.open_any(sockets).await.map_err(at_proxy)?;
        let login = proxy.login.as_ref();
        // The address is told only where it is we who chose it.
        let chosen = addresses.first().map(|address| address.socket().ip()).filter(|_| !proxy.resolves);
        let name = plain_name(&site.host);
        let opening = async {
            match (proxy.kind, site.scheme) {
                (ProxyKind::Http, Scheme::Http) => {
                    let login = login.map(|login| HeaderValue::from_str(&tunnel::login_value(login)));
                    let login = login.transpose().map_err(|_| {
                        (FailureKind::ConnectionRefused, "the proxy's login cannot be sent".to_owned())
                    })?;
                    Ok((None, Some(Proxied { login: login.map(sensitive) })))
                }
                (ProxyKind::Http, Scheme::Https) => {
                    tunnel::open(&mut tcp, &format!("{}:{}", site.host, site.port), login).await?;
                    Ok((None, None))
                }
                (ProxyKind::Socks5 | ProxyKind::Socks5Names, _) => {
                    let literal = name.parse().ok();
                    let target =
                        chosen.or(literal).map_or(socks::Target::Name(&name), socks::Target::Address);
                    socks::open(&mut tcp, target, site.port, login).await?;
                    Ok((chosen.or(literal), None))
                }
            }
        };
        let (ip, proxied) = timeout(self.connect_timeout, opening)
            .await
            .unwrap_or_else(|_| Err(too_slow("it does not open a tunnel in time")))
            .map_err(at_proxy)?;
        Ok((tcp, ip, proxied))
    }

    fn proxy_for(&self, host: &str) -> Option<&Proxy> {
        self.proxy.as_ref().filter(|proxy| proxy.is_for(host))
    }

    async fn open_any(
        &self,
        sockets: impl Iterator<Item = SocketAddr>,
    ) -> Result<(TcpStream, IpAddr), Failure> {
        let mut last = Failure::from((FailureKind::DnsFailure, "the host has no address".to_owned()));
        for socket in sockets {
            match timeout(self.connect_timeout, TcpStream::connect(socket)).await {
                Ok(Ok(tcp)) => {
                    // Requests are one small write each: waiting to fill a segment only costs time.
                    tcp.set_nodelay(true).map_err(|error| failure::connecting(&error))?;
                    return Ok((tcp, socket.ip()));
                }
                Ok(Err(error)) => last = failure::connecting(&error),
                Err(_) => last = too_slow("the address does not answer"),
            }
            last = last.at(&socket.to_string());
        }
        Err(last)
    }

    async fn secure(&self, tcp: TcpStream, host: &str) -> Result<Stream, Failure> {
        let name = ServerName::try_from(plain_name(host))
            .map_err(|_| (FailureKind::TlsError, format!("{host} is no name that a certificate can have")))?;
        match timeout(self.connect_timeout, self.tls.connect(name, tcp)).await {
            Ok(Ok(stream)) => Ok(Stream::Tls(Box::new(stream))),
            Ok(Err(error)) => Err(failure::handshake(&error)),
            Err(_) => Err(too_slow("the TLS handshake takes too long")),
        }
    }
}

/// Stands for the address of a host that only a proxy can resolve, so that gates can tell hosts apart: one of the
/// discard-only block 100::/64 (RFC 6666), which no packet is ever sent to.
pub(crate) fn stand_in_address(host: &str) -> IpAddr {
    let mut octets = [0; 16];
    octets[0] = 1;
    octets[8..].copy_from_slice(&HostId::of(&plain_name(host)).0);
    IpAddr::V6(Ipv6Addr::from(octets))
}

/// A connection, a tunnel or a handshake did not come about in its time.
fn too_slow(what: &str) -> Failure {
    Failure::at_limit(Limit::ConnectTimeout, FailureKind::Timeout, what)
}

fn sensitive(mut value: HeaderValue) -> HeaderValue {
    value.set_sensitive(true);
    value
}
