//! From host names to addresses: `--resolve` entries, then literals, then the hosts file, then DNS with a cache.
//! Never judges an address (that is the policy's part) and never connects.
//! Invariant: an answer is used for connecting as it is; nothing is looked up a second time on the way.
//! `localhost` and names below it are loopback and are never asked of a server (RFC 6761, section 6.3).

use crate::config::FetchConfig;
use crate::failure::Failure;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{LookupIpStrategy, NameServerConfig, ResolverConfig};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use whimbrel_types::{FailureKind, Limit};

/// Most addresses of one name that are tried.
const ADDRESSES_MAX: usize = 16;
/// Most names that are looked up at once: a DNS connection takes a bounded number of open queries.
const LOOKUPS_MAX: usize = 64;
/// How long an answer of the system's resolver is kept, as it does not tell how long it is valid.
const SYSTEM_TTL: Duration = Duration::from_secs(60);

pub(crate) struct Resolver {
    overrides: HashMap<(String, u16), Vec<IpAddr>>,
    hosts: HashMap<String, Vec<IpAddr>>,
    /// `None` where the system's configuration cannot be read: then the system's own resolver is asked.
    dns: Option<TokioResolver>,
    cache: Mutex<HashMap<String, Answer>>,
    cache_hosts_max: usize,
    ttl_max: Duration,
    lookups: Semaphore,
}

#[derive(Clone)]
struct Answer {
    addresses: Vec<IpAddr>,
    valid_until: Instant,
}

impl Resolver {
    pub(crate) fn new(config: &FetchConfig) -> Resolver {
        let mut overrides: HashMap<(String, u16), Vec<IpAddr>> = HashMap::new();
        for (host, port, ip) in &config.resolve_overrides {
            overrides.entry((plain_name(host), *port)).or_default().push(*ip);
        }
        let hosts = std::fs::read_to_string("/etc/hosts").map(|text| parse_hosts(&text)).unwrap_or_default();
        Resolver {
            overrides,
            hosts,
            dns: dns_client(config),
            cache: Mutex::default(),
            cache_hosts_max: config.dns_cache_hosts_max.max(1),
            ttl_max: crate::connect::duration(config.dns_ttl_ms_max),
            lookups: Semaphore::new(LOOKUPS_MAX),
        }
    }

    /// All addresses of a host, unjudged, IPv4 first; never an empty list.
    pub(crate) async fn addresses(&self, host: &str, port: u16) -> Result<Vec<IpAddr>, Failure> {
        if let Some(addresses) = self.known(host, port) {
            return Ok(addresses);
        }
        let name = plain_name(host);
        if let Some(addresses) = self.cached(&name) {
            return Ok(addresses);
        }
        let _place = self.lookups.acquire().await.map_err(|_| failure("the resolver is closed".into()))?;
        // Someone else may have asked for the same name while this one waited.
        if let Some(addresses) = self.cached(&name) {
            return Ok(addresses);
        }
        let mut answer = match &self.dns {
            Some(dns) => ask_dns(dns, &name).await?,
            None => ask_system(&name, port).await?,
        };
        answer.addresses.sort_by_key(IpAddr::is_ipv6);
        let mut unique: Vec<IpAddr> = Vec::new();
        for ip in answer.addresses.drain(..) {
            if !unique.contains(&ip) && unique.len() < ADDRESSES_MAX {
                unique.push(ip);
            }
        }
        if unique.is_empty() {
            return Err(failure(format!("{name} has no address")));
        }
        answer.addresses = unique;
        self.remember(name, &answer);
        Ok(answer.addresses)
    }

    /// The addresses of a host, where no server has to be asked for them.
    pub(crate) fn known(&self, host: &str, port: u16) -> Option<Vec<IpAddr>> {
        let key = (plain_name(host), port);
        if let Some(addresses) = self.overrides.get(&key) {
            return Some(addresses.clone());
        }
        let name = key.0;
        if let Ok(ip) = name.parse::<IpAddr>() {
            return Some(vec![ip]);
        }
        if let Some(addresses) = self.hosts.get(&name) {
            return Some(addresses.clone());
        }
        (name == "localhost" || name.ends_with(".localhost"))
            .then(|| vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()])
    }

    fn cached(&self, name: &str) -> Option<Vec<IpAddr>> {
        let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache
            .get(name)
            .filter(|answer| answer.valid_until > Instant::now())
            .map(|answer| answer.addresses.clone())
    }

    fn remember(&self, name: String, answer: &Answer) {
        let now = Instant::now();
        let valid_until = answer.valid_until.min(now + self.ttl_max);
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.len() >= self.cache_hosts_max {
            cache.retain(|_, old| old.valid_until > now);
        }
        if cache.len() >= self.cache_hosts_max {
            // All are fresh: begin anew rather than pick; the resolver below has a cache of its own.
            cache.clear();
        }
        cache.insert(name, Answer { addresses: answer.addresses.clone(), valid_until });
    }
}

/// Lower case, without the brackets of IPv6 literals and the final dot of full names.
pub(crate) fn plain_name(host: &str) -> String {
    let host = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

fn dns_client(config: &FetchConfig) -> Option<TokioResolver> {
    let mut builder = if config.name_servers.is_empty() {
        TokioResolver::builder_tokio()
            .inspect_err(
                |error| tracing::warn!(%error, "cannot read the system's DNS settings, asking the system instead"),
            )
            .ok()?
    } else {
        let servers =
            ResolverConfig::from_name_servers(config.name_servers.iter().map(name_server).collect());
        TokioResolver::builder_with_config(servers, TokioRuntimeProvider::default())
    };
    let options = builder.options_mut();
    options.timeout = crate::connect::duration(config.dns_timeout_ms.max(1));
    options.attempts = 2;
    options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
    options.max_active_requests = LOOKUPS_MAX * 4;
    options.cache_size = 4096;
    builder
        .build()
        .inspect_err(
            |error| tracing::warn!(%error, "cannot set up the DNS client, asking the system instead"),
        )
        .ok()
}

fn name_server(address: &SocketAddr) -> NameServerConfig {
    let mut server = NameServerConfig::udp_and_tcp(address.ip());
    for connection in &mut server.connections {
        connection.port = address.port();
    }
    server
}

fn failure(detail: String) -> Failure {
    (FailureKind::DnsFailure, detail).into()
}

async fn ask_dns(dns: &TokioResolver, name: &str) -> Result<Answer, Failure> {
    // A name with a dot is complete: the system's search domains are for bare names (an intranet's `http://wiki/`).
    let question = if name.contains('.') { format!("{name}.") } else { name.to_owned() };
    let found = dns.lookup_ip(question).await.map_err(|error| {
        let detail = format!("cannot resolve {name}: {error}");
        match error {
            NetError::Timeout => Failure::at_limit(Limit::DnsTimeout, FailureKind::DnsFailure, detail),
            _ => failure(detail),
        }
    })?;
    Ok(Answer { addresses: found.iter().collect(), valid_until: found.valid_until() })
}

async fn ask_system(name: &str, port: u16) -> Result<Answer, Failure> {
    let found = tokio::net::lookup_host((name, port))
        .await
        .map_err(|error| failure(format!("cannot resolve {name}: {error}")))?;
    Ok(Answer {
        addresses: found.map(|address| address.ip()).collect(),
        valid_until: Instant::now() + SYSTEM_TTL,
    })
}

fn parse_hosts(text: &str) -> HashMap<String, Vec<IpAddr>> {
    let mut hosts: HashMap<String, Vec<IpAddr>> = HashMap::new();
    for line in text.lines() {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let Some(Ok(ip)) = words.next().map(str::parse::<IpAddr>) else { continue };
        for name in words {
            let addresses = hosts.entry(plain_name(name)).or_default();
            if !addresses.contains(&ip) && addresses.len() < ADDRESSES_MAX {
                addresses.push(ip);
            }
        }
    }
    for addresses in hosts.values_mut() {
        addresses.sort_by_key(IpAddr::is_ipv6);
    }
    hosts
}

#[cfg(test)]
mod tests;
