//! What the operator may set about fetching, with its defaults, and what can be wrong with it.
//! Never read by anything but the fetcher; limits that change from request to request are in the request.

use crate::address::AddressPolicy;
use crate::proxy::Proxy;
use crate::site::SiteSettings;
use http::{HeaderName, HeaderValue};
use std::net::{IpAddr, SocketAddr};
use whimbrel_types::Site;

/// Settings of a [`crate::Fetcher`].
#[derive(Clone, Debug)]
pub struct FetchConfig {
    /// `User-Agent`, with its contact.
    pub user_agent: String,
    /// Longest wait for one address to accept a connection, and for its TLS handshake.
    pub connect_timeout_ms: u64,
    /// Longest time without a byte from the server.
    pub idle_timeout_ms: u64,
    /// Most bytes of a response head, interim (1xx) responses included.
    pub header_bytes_max: usize,
    /// Most header fields of a response.
    pub headers_max: usize,
    /// Most interim (1xx) responses before the real one.
    pub interim_max: usize,
    /// Offer HTTP/2 on https.
    pub http2: bool,
    /// Most content codings on top of each other.
    pub codings_max: usize,
    /// Most decoded bytes per byte on the wire, once more than `decoded_ratio_from_bytes` are decoded.
    pub decoded_ratio_max: u64,
    /// Decoded bytes below which any ratio is fine.
    pub decoded_ratio_from_bytes: u64,
    /// Which addresses may be connected to.
    pub address_policy: AddressPolicy,
    /// Addresses of endpoints that are not looked up (`--resolve HOST:PORT:ADDR`). They pass the policy as others do.
    pub resolve_overrides: Vec<(String, u16, IpAddr)>,
    /// Most idle connections that are kept, over all sites.
    pub connections_idle_max: usize,
    /// Most idle connections that are kept for one site.
    pub connections_idle_per_site_max: usize,
    /// How long an idle connection is kept.
    pub connection_idle_ms: u64,
    /// Longest time an address is remembered, whatever its record says.
    pub dns_ttl_ms_max: u64,
    /// Name servers that are asked instead of the system's; none leaves it to the system.
    pub name_servers: Vec<SocketAddr>,
    /// Longest wait for one answer of a name server.
    pub dns_timeout_ms: u64,
    /// Most host names whose addresses are remembered.
    pub dns_cache_hosts_max: usize,
    /// Header fields that go with every request.
    pub extra_headers: Vec<(String, String)>,
    /// What is set for one site alone.
    pub sites: Vec<(Site, SiteSettings)>,
    /// Most cookies that are kept for a site, where they are kept at all.
    pub cookies_max: usize,
    /// Most bytes of a cookie, name and value.
    pub cookie_bytes_max: usize,
    /// The proxy that requests go through.
    pub proxy: Option<Proxy>,
    /// Root certificates trusted besides the built-in ones.
    pub extra_roots: Vec<ExtraRoot>,
}

/// Root certificates of one file.
#[derive(Clone, Debug)]
pub struct ExtraRoot {
    /// What messages call it: the file's name.
    pub name: String,
    /// PEM (one certificate or several) or DER.
    pub bytes: Vec<u8>,
}

impl Default for FetchConfig {
    fn default() -> FetchConfig {
        FetchConfig {
            user_agent: "whimbrel".into(),
            connect_timeout_ms: 10_000,
            idle_timeout_ms: 15_000,
            header_bytes_max: 64 << 10,
            headers_max: 256,
            interim_max: 16,
            http2: true,
            codings_max: 3,
            decoded_ratio_max: 200,
            decoded_ratio_from_bytes: 1 << 20,
            address_policy: AddressPolicy::default(),
            resolve_overrides: Vec::new(),
            connections_idle_max: 256,
            connections_idle_per_site_max: 8,
            connection_idle_ms: 30_000,
            dns_ttl_ms_max: 600_000,
            name_servers: Vec::new(),
            dns_timeout_ms: 5_000,
            dns_cache_hosts_max: 20_000,
            extra_headers: Vec::new(),
            sites: Vec::new(),
            cookies_max: 50,
            cookie_bytes_max: 4096,
            proxy: None,
            extra_roots: Vec::new(),
        }
    }
}

/// A mistake in the settings.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The user agent cannot be sent.
    #[error("user agent {0:?} cannot be sent: use visible ASCII characters")]
    UserAgent(String),
    /// A header field cannot be sent.
    #[error("header field {name:?} cannot be sent: {why}")]
    Header {
        /// Its name.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A root certificate cannot be read.
    #[error("cannot read root certificates from {name}: {why}")]
    Root {
        /// Where it came from.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// A site's secret cannot be sent.
    #[error("cannot authenticate to {site}: {why}")]
    Authorization {
        /// The site.
        site: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// TLS cannot be set up.
    #[error("cannot set up TLS: {0}")]
    Tls(#[from] rustls::Error),
}

/// Fields that frame the message, belong to the connection or are set by the fetcher itself.
const RESERVED_HEADERS: &[&str] = &[
    "host",
    "connection",
    "content-length",
    "transfer-encoding",
    "content-encoding",
    "te",
    "upgrade",
    "http2-settings",
    "trailer",
    "expect",
    "accept-encoding",
    "keep-alive",
    "proxy-connection",
    "range",
    "if-range",
    "user-agent",
];

impl FetchConfig {
    /// The user agent and the extra fields in the form they are sent in.
    pub(crate) fn checked_headers(&self) -> Result<Vec<(HeaderName, HeaderValue)>, Error> {
        let agent = HeaderValue::from_str(&self.user_agent)
            .ok()
            .filter(|_| !self.user_agent.trim().is_empty())
            .ok_or_else(|| Error::UserAgent(self.user_agent.clone()))?;
        let mut headers = vec![(http::header::USER_AGENT, agent)];
        headers.extend(checked_fields(&self.extra_headers)?);
        Ok(headers)
    }
}

/// Header fields in the form they are sent in. The errors never show a value.
pub(crate) fn checked_fields(fields: &[(String, String)]) -> Result<Vec<(HeaderName, HeaderValue)>, Error> {
    let mut checked = Vec::with_capacity(fields.len());
    for (name, value) in fields {
        check_field(name, value).map_err(|why| Error::Header { name: name.clone(), why })?;
        let wrong = |why| Error::Header { name: name.clone(), why };
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong(NO_TOKEN))?;
        let value = HeaderValue::from_str(value).map_err(|_| wrong(NO_VALUE))?;
        checked.push((name, value));
    }
    Ok(checked)
}

const NO_TOKEN: &str = "its name is not a token";
const NO_VALUE: &str =
    "its value has characters that cannot be sent (line breaks, control characters, no ASCII)";

/// Whether a header field may be set by the operator.
///
/// # Errors
/// Why not; the value is not shown.
pub fn check_field(name: &str, value: &str) -> Result<(), &'static str> {
    let parsed = HeaderName::from_bytes(name.as_bytes()).map_err(|_| NO_TOKEN)?;
    match parsed.as_str() {
        "authorization" => {
            return Err("use auth and auth_env of [site.\"https://…\"], which keep it out of archives");
        }
        "proxy-authorization" => return Err("set WHIMBREL_PROXY_AUTH=user:password in the environment"),
        "cookie" | "cookie2" => return Err("use cookies = true of [site.\"https://…\"]"),
        reserved if RESERVED_HEADERS.contains(&reserved) => return Err("it is set by the fetcher itself"),
        _ => {}
    }
    HeaderValue::from_str(value).map(|_| ()).map_err(|_| NO_VALUE)
}
