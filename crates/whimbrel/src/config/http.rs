//! How HTTP is spoken, checked: protocol, proxy, root certificates, and what is set for one site alone (header fields,
//! authentication, cookies). Secrets are not here: [`HttpConfig::secrets`] reads them from the environment when a
//! crawl begins, so that questions about a collection need none. No error shows one.

use super::raw::{RawConfig, SiteOverride};
use super::units::bytes;
use anyhow::{Context, Result, anyhow, bail};
use std::net::{IpAddr, SocketAddr};
use whimbrel_fetch::{Authorization, ExtraRoot, Proxy, ProxyException, Secret, SiteSettings};
use whimbrel_types::{Scheme, Site};

/// Variable with the proxy's `user:password`.
pub const PROXY_LOGIN_VARIABLE: &str = "WHIMBREL_PROXY_AUTH";

/// Checked settings of HTTP.
#[derive(Clone, Debug)]
pub struct HttpConfig {
    pub ratio_from_bytes: u64,
    pub cookie_bytes_max: usize,
    pub connection_idle_ms: u64,
    pub name_servers: Vec<SocketAddr>,
    pub dns_timeout_ms: u64,
    pub dns_ttl_ms_max: u64,
    pub extra_roots: Vec<ExtraRoot>,
    proxy: Option<Proxy>,
    sites: Vec<SiteHttp>,
}

/// What the environment adds.
#[derive(Debug)]
pub struct HttpSecrets {
    pub proxy: Option<Proxy>,
    pub sites: Vec<(Site, SiteSettings)>,
}

/// What is set for one site.
#[derive(Clone, Debug)]
struct SiteHttp {
    site: Site,
    /// As typed, for messages.
    name: String,
    headers: Vec<(String, String)>,
    login: Option<(LoginKind, String)>,
    cookies: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LoginKind {
    Basic,
    Bearer,
}

/// Reads everything about HTTP that is not read elsewhere.
pub fn check(raw: &RawConfig, origin: &str) -> Result<HttpConfig> {
    let fetch = &raw.fetch;
    let ms = |key: &str, text: &str| {
        super::units::duration_ms(text).map_err(|why| anyhow!("{key}: {why} (set in {origin})"))
    };
    let size = |key: &str, text: &str| bytes(text).map_err(|why| anyhow!("{key}: {why} (set in {origin})"));
    let mut sites = Vec::new();
    for (name, set) in &raw.site {
        let wrong = |why: String| anyhow!("site.{name:?}{why} (set in {origin})");
        let url = whimbrel_url::normalize(name).map_err(|why| wrong(format!(": {why}")))?;
        let headers = headers(&set.headers).map_err(|why| wrong(format!(".headers: {why}")))?;
        let site = url.site();
        let login = login(set, &site).map_err(|why| wrong(format!(".{why}")))?;
        sites.push(SiteHttp { site, name: name.clone(), headers, login, cookies: set.cookies });
    }
    let mut extra_roots = Vec::new();
    for path in &fetch.extra_roots {
        let bytes = std::fs::read(path)
            .with_context(|| format!("fetch.extra_roots: cannot read {path} (set in {origin})"))?;
        extra_roots.push(ExtraRoot { name: path.clone(), bytes });
    }
    for (key, value) in [
        ("fetch.ratio_max", fetch.ratio_max),
        ("fetch.codings_max", fetch.codings_max as u64),
        ("fetch.header_fields_max", fetch.header_fields_max as u64),
        ("fetch.dns_hosts_max", fetch.dns_hosts_max as u64),
    ] {
        if value == 0 {
            bail!("{key} must be at least 1 (set in {origin})");
        }
    }
    Ok(HttpConfig {
        ratio_from_bytes: size("fetch.ratio_from", &fetch.ratio_from)?,
        cookie_bytes_max: usize::try_from(size("fetch.max_cookie", &fetch.max_cookie)?).unwrap_or(usize::MAX),
        connection_idle_ms: ms("fetch.connection_idle", &fetch.connection_idle)?,
        name_servers: name_servers(&fetch.name_servers)
            .map_err(|why| anyhow!("fetch.name_servers: {why} (set in {origin})"))?,
        dns_timeout_ms: ms("fetch.dns_timeout", &fetch.dns_timeout)?,
        dns_ttl_ms_max: ms("fetch.dns_ttl_max", &fetch.dns_ttl_max)?,
        extra_roots,
        proxy: proxy(raw, origin)?,
        sites,
    })
}

/// Addresses of name servers; the port is that of DNS where none is given.
fn name_servers(list: &[String]) -> Result<Vec<SocketAddr>> {
    const DNS_PORT: u16 = 53;
    let address = |text: &String| {
        let bare = text.parse::<IpAddr>().map(|ip| SocketAddr::new(ip, DNS_PORT));
        text.parse::<SocketAddr>().or(bare).map_err(|_| {
            anyhow!("{text:?} is no address; write it as \"192.0.2.53\", \"192.0.2.53:5353\" or \"[2001:db8::53]:5353\"")
        })
    };
    list.iter().map(address).collect()
}

impl HttpConfig {
    /// Adds the secrets, each from the variable the configuration names.
    pub fn secrets(&self, variable: impl Fn(&str) -> Option<String>) -> Result<HttpSecrets> {
        let mut proxy = self.proxy.clone();
        if let Some(proxy) = &mut proxy {
            proxy.login = variable(PROXY_LOGIN_VARIABLE).filter(|text| !text.is_empty()).map(Secret::new);
        }
        let mut sites = Vec::new();
        for set in &self.sites {
            let mut authorization = None;
            if let Some((kind, name)) = &set.login {
                let secret =
                    variable(name).filter(|text| !text.is_empty()).map(Secret::new).ok_or_else(|| {
                        anyhow!(
                            "site.{:?}.auth_env: the environment has no variable {name}; set it to {}",
                            set.name,
                            kind.form()
                        )
                    })?;
                authorization = Some(match kind {
                    LoginKind::Basic => Authorization::Basic(secret),
                    LoginKind::Bearer => Authorization::Bearer(secret),
                });
            }
            let settings = SiteSettings { headers: set.headers.clone(), authorization, cookies: set.cookies };
            sites.push((set.site.clone(), settings));
        }
        Ok(HttpSecrets { proxy, sites })
    }
}

impl LoginKind {
    fn form(self) -> &'static str {
        match self {
            LoginKind::Basic => "user:password",
            LoginKind::Bearer => "the token",
        }
    }
}

/// Header fields as `Name: value`; those that only the fetcher may set are refused.
pub fn headers(list: &[String]) -> Result<Vec<(String, String)>, String> {
    list.iter()
        .map(|text| {
            let (name, value) =
                text.split_once(':').ok_or_else(|| format!("{text:?} is not \"Name: value\""))?;
            let (name, value) = (name.trim(), value.trim_matches([' ', '\t']));
            if value.is_empty() {
                return Err(format!("the field {name:?} has no value"));
            }
            whimbrel_fetch::check_field(name, value)
                .map_err(|why| format!("the field {name:?} cannot be set: {why}"))?;
            Ok((name.to_owned(), value.to_owned()))
        })
        .collect()
}

fn proxy(raw: &RawConfig, origin: &str) -> Result<Option<Proxy>> {
    let fetch = &raw.fetch;
    let except = fetch
        .no_proxy
        .iter()
        .map(|text| ProxyException::parse(text))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|why| anyhow!("fetch.no_proxy: {why} (set in {origin})"))?;
    if fetch.proxy.is_empty() {
        return Ok(None);
    }
    let mut proxy =
        Proxy::parse(&fetch.proxy).map_err(|why| anyhow!("fetch.proxy: {why} (set in {origin})"))?;
    proxy.except = except;
    proxy.resolves |= fetch.proxy_resolves;
    Ok(Some(proxy))
}

fn login(set: &SiteOverride, site: &Site) -> Result<Option<(LoginKind, String)>, String> {
    let kind = match (set.auth.as_deref(), set.auth_env.as_deref()) {
        (None, None) => return Ok(None),
        (None, Some(_)) => return Err("auth is missing; set it to \"basic\" or \"bearer\"".into()),
        (Some("basic"), _) => LoginKind::Basic,
        (Some("bearer"), _) => LoginKind::Bearer,
        (Some(other), _) => return Err(format!("auth: {other:?} is unknown; known are basic and bearer")),
    };
    let name = set.auth_env.as_deref().unwrap_or_default();
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if name.is_empty() || !name.bytes().all(is_name) {
        // What stands here may be the secret itself: it is not shown.
        return Err("auth_env must name a variable of the environment (letters, digits and _)".into());
    }
    if site.scheme == Scheme::Http && !is_loopback(&site.host) && !set.auth_insecure {
        return Err("auth would send the secret in plain text; use https, or say auth_insecure = true".into());
    }
    Ok(Some((kind, name.to_owned())))
}

fn is_loopback(host: &str) -> bool {
    let plain = host.trim_start_matches('[').trim_end_matches(']');
    plain == "localhost"
        || plain.ends_with(".localhost")
        || plain.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests;
