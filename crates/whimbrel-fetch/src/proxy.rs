//! The proxy that requests go through, and which hosts go past it. HTTP proxies take http URLs in absolute form and
//! tunnel https by CONNECT (RFC 9110, sections 7.2 and 9.3.6); SOCKS 5 tunnels both (RFC 1928 and 1929).
//! Never read from the environment's HTTP_PROXY and its kin, and never judged by the address policy: the operator
//! named it. What lies behind it is judged as ever, wherever its address is known.

pub(crate) mod socks;
pub(crate) mod tunnel;

use crate::resolve::plain_name;
use crate::secret::Secret;
use ipnet::IpNet;
use std::net::IpAddr;

/// How a proxy is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyKind {
    /// `http://`.
    Http,
    /// `socks5://`: it is given addresses.
    Socks5,
    /// `socks5h://`: it is given names and resolves them.
    Socks5Names,
}

/// A proxy.
#[derive(Clone, Debug)]
pub struct Proxy {
    /// How it is spoken to.
    pub kind: ProxyKind,
    /// Its host.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// `user:password`.
    pub login: Option<Secret>,
    /// Hosts that are visited directly.
    pub except: Vec<ProxyException>,
    /// The proxy resolves names; always so with `socks5h`.
    pub resolves: bool,
}

/// Hosts that no proxy is used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProxyException {
    /// This host.
    Host(String),
    /// Every host below this name, as `.example.org`.
    Below(String),
    /// Every address literal in this network.
    Network(IpNet),
}

impl Proxy {
    /// Reads `http://host:port`, `socks5://host:port` or `socks5h://host:port`.
    ///
    /// # Errors
    /// What is wrong with it; credentials are never shown.
    pub fn parse(text: &str) -> Result<Proxy, String> {
        let (scheme, rest) = text
            .split_once("://")
            .ok_or("write http://HOST:PORT, socks5://HOST:PORT or socks5h://HOST:PORT")?;
        let kind = match scheme.to_ascii_lowercase().as_str() {
            "http" => ProxyKind::Http,
            "socks5" => ProxyKind::Socks5,
            "socks5h" => ProxyKind::Socks5Names,
            other => return Err(format!("a proxy cannot be {other:?}; known are http, socks5 and socks5h")),
        };
        if rest.contains('@') {
            return Err(
                "a proxy's user and password do not stand in its URL; set WHIMBREL_PROXY_AUTH=user:password \
                        in the environment"
                    .into(),
            );
        }
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = authority
            .rsplit_once(':')
            .filter(|(host, _)| !host.is_empty() && (!host.contains(':') || host.starts_with('[')))
            .ok_or_else(|| format!("{text:?} has no port; write {scheme}://HOST:PORT"))?;
        let port =
            port.parse().ok().filter(|port| *port != 0).ok_or_else(|| format!("{port:?} is no port"))?;
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b"-._[]:".contains(&b);
        if !host.bytes().all(allowed) {
            return Err(format!("{host:?} is no host name"));
        }
        let resolves = kind == ProxyKind::Socks5Names;
        Ok(Proxy { kind, host: host.to_owned(), port, login: None, except: Vec::new(), resolves })
    }

    /// Whether requests to `host` go through it.
    pub(crate) fn is_for(&self, host: &str) -> bool {
        let name = plain_name(host);
        let literal = name.parse::<IpAddr>().ok();
        !self.except.iter().any(|exception| match exception {
            ProxyException::Host(except) => *except == name,
            ProxyException::Below(except) => {
                name.strip_suffix(except.as_str()).is_some_and(|rest| rest.ends_with('.'))
            }
            ProxyException::Network(network) => literal.is_some_and(|ip| network.contains(&ip)),
        })
    }

    /// For messages: never with credentials.
    pub(crate) fn label(&self) -> String {
        format!("proxy {}:{}", self.host, self.port)
    }
}

impl ProxyException {
    /// Reads `host`, `.suffix`, an address or a network.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<ProxyException, String> {
        let plain = text.trim();
        if let Ok(network) = plain.parse() {
            return Ok(ProxyException::Network(network));
        }
        if let Ok(ip) = plain_name(plain).parse::<IpAddr>() {
            return Ok(ProxyException::Network(ip.into()));
        }
        let (name, below) = plain.strip_prefix('.').map_or((plain, false), |name| (name, true));
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b"-._".contains(&b);
        if name.is_empty() || !name.bytes().all(allowed) {
            return Err(format!("{text:?} is neither a host, a .suffix nor a network such as 10.0.0.0/8"));
        }
        let name = plain_name(name);
        Ok(if below { ProxyException::Below(name) } else { ProxyException::Host(name) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_read_and_credentials_in_them_refused() {
        let read =
            |text| Proxy::parse(text).map(|proxy| (proxy.kind, proxy.host, proxy.port, proxy.resolves));
        assert_eq!(
            read("http://proxy.example:3128"),
            Ok((ProxyKind::Http, "proxy.example".into(), 3128, false))
        );
        assert_eq!(
            read("socks5://127.0.0.1:1080/"),
            Ok((ProxyKind::Socks5, "127.0.0.1".into(), 1080, false))
        );
        assert_eq!(read("SOCKS5H://[::1]:9050"), Ok((ProxyKind::Socks5Names, "[::1]".into(), 9050, true)));
        for (wrong, named) in [
            ("proxy.example:3128", "write http://"),
            ("https://proxy.example:3128", "https"),
            ("http://proxy.example", "no port"),
            ("http://proxy.example:0", "no port"),
            ("http://proxy.example:99999", "no port"),
            ("http://::1:8080", "no port"),
            ("http://a b:80", "no host name"),
            ("http://user:hunter2@proxy.example:3128", "WHIMBREL_PROXY_AUTH"),
        ] {
            let why = read(wrong).unwrap_err();
            assert!(why.contains(named) && !why.contains("hunter2"), "{wrong}: {why}");
        }
    }

    #[test]
    fn exceptions_go_past_the_proxy() {
        let except = ["intern.example", ".corp.example", "10.0.0.0/8", "[::1]"];
        let except = except.iter().map(|text| ProxyException::parse(text).unwrap()).collect();
        let proxy = Proxy { except, ..Proxy::parse("http://p.example:1").unwrap() };
        for (host, proxied) in [
            ("intern.example", false),
            ("INTERN.example.", false),
            ("a.intern.example", true),
            ("a.corp.example", false),
            ("corp.example", true),
            ("xcorp.example", true),
            ("10.1.2.3", false),
            ("11.1.2.3", true),
            ("[::1]", false),
            ("example.org", true),
        ] {
            assert_eq!(proxy.is_for(host), proxied, "{host}");
        }
        assert!(ProxyException::parse("a b").is_err() && ProxyException::parse(".").is_err());
    }
}
