//! Says which addresses may be connected to: the guard against being led into private networks (SSRF).
//! Never resolves and never connects. It judges addresses, not names, so it holds for literals, for names, for
//! `--resolve` entries and for redirects alike, and a name that changes its address (rebinding) gains nothing.
//! Invariant: what is not global unicast by the IANA special-purpose registries (RFC 6890 and updates) is
//! refused unless the operator opened it. Forms of IPv6 that carry an IPv4 address are refused as a whole.

use ipnet::IpNet;
use std::collections::HashSet;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Which addresses may be connected to.
#[derive(Clone, Debug, Default)]
pub struct AddressPolicy {
    /// Networks that are open although they are private (`--allow-private`).
    pub allow: Vec<IpNet>,
    /// Host (in canonical form, IPv6 in brackets) and port of the loopback seeds: each opens itself, no other.
    pub loopback_endpoints: HashSet<(String, u16)>,
}

/// Why an address was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The address.
    pub ip: IpAddr,
    /// The port that was asked for.
    pub port: u16,
    /// The host whose address it is.
    pub host: String,
    /// What kind of address it is.
    pub kind: &'static str,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refusal { ip, port, host, kind } = self;
        let net = IpNet::from(*ip);
        write!(
            f,
            "{host} port {port} is at {ip}, a {kind} address; allow it with --allow-private {net} if it is meant"
        )
    }
}

impl std::error::Error for Refusal {}

impl AddressPolicy {
    /// Opens one loopback endpoint: this host under this port, nothing else on the machine.
    pub fn open_loopback(&mut self, host: &str, port: u16) {
        self.loopback_endpoints.insert((host.to_owned(), port));
    }

    /// Whether `ip`, one of the addresses of `host`, may be connected to on `port`.
    ///
    /// # Errors
    /// The refusal, when it may not.
    pub fn check(&self, ip: IpAddr, port: u16, host: &str) -> Result<(), Refusal> {
        let Some(kind) = special_kind(ip) else { return Ok(()) };
        let plain = ip.to_canonical();
        if self.allow.iter().any(|net| net.contains(&ip) || net.contains(&plain)) {
            return Ok(());
        }
        if plain.is_loopback() && self.loopback_endpoints.iter().any(|(h, p)| *p == port && h == host) {
            return Ok(());
        }
        Err(Refusal { ip, port, host: host.to_owned(), kind })
    }

    /// The only way to an address that can be connected to.
    pub(crate) fn checked(&self, ip: IpAddr, port: u16, host: &str) -> Result<CheckedAddress, Refusal> {
        self.check(ip, port, host).map(|()| CheckedAddress(SocketAddr::new(ip, port)))
    }
}

/// An address that passed the policy. The connector takes nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CheckedAddress(SocketAddr);

impl CheckedAddress {
    pub(crate) fn socket(self) -> SocketAddr {
        self.0
    }
}

/// Name of the special range an address lies in; `None` for global unicast.
fn special_kind(ip: IpAddr) -> Option<&'static str> {
    match ip {
        IpAddr::V4(v4) => special_kind_v4(v4),
        IpAddr::V6(v6) => special_kind_v6(v6),
    }
}

fn special_kind_v4(ip: Ipv4Addr) -> Option<&'static str> {
    match ip.octets() {
        [0, ..] => Some("this-network"),
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Some("private"),
        [100, 64..=127, ..] => Some("carrier-grade NAT"),
        [127, ..] => Some("loopback"),
        [169, 254, ..] => Some("link-local"),
        [192, 0, 0, _] | [192, 88, 99, _] => Some("protocol"),
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Some("documentation"),
        [198, 18..=19, ..] => Some("benchmark"),
        [224..=239, ..] => Some("multicast"),
        [240..=255, ..] => Some("reserved"),
        _ => None,
    }
}

fn special_kind_v6(ip: Ipv6Addr) -> Option<&'static str> {
    match ip.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => Some("unspecified"),
        [0, 0, 0, 0, 0, 0, 0, 1] => Some("loopback"),
        [0, 0, 0, 0, 0, 0xffff, _, _] | [0, 0, 0, 0, 0xffff, 0, _, _] => Some("IPv4-mapped"),
        [0, 0, 0, 0, 0, 0, _, _] => Some("IPv4-compatible"),
        [0x64, 0xff9b, ..] => Some("NAT64"),
        [0xfc00..=0xfdff, ..] => Some("unique-local"),
        [0xfe80..=0xfeff, ..] => Some("link-local"),
        [0xff00..=0xffff, ..] => Some("multicast"),
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0x0fff, ..] => Some("documentation"),
        [0x2001, 0..=0x01ff, ..] => Some("protocol"),
        [0x2002, ..] => Some("6to4"),
        [0x2000..=0x3fff, ..] => None,
        _ => Some("reserved"),
    }
}

#[cfg(test)]
mod tests;
