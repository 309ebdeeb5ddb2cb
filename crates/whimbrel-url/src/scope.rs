//! How far from its seeds a crawl may go. Never looks at a page or a redirect, only at the URL.
//! Invariant: asking costs a few hash look-ups, however many seeds there are.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;
use whimbrel_types::{CanonicalUrl, Scheme};

/// What belongs to the crawl, seen from a seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The seeds and nothing else.
    Page,
    /// What lies under a seed's directory.
    Prefix,
    /// A seed's host and port.
    #[default]
    Host,
    /// A seed's registrable domain, with all its hosts and ports.
    Domain,
    /// Everything.
    Any,
}

/// A scope name that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeError(pub String);

impl Scope {
    /// Name in options and configuration.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Scope::Page => "page",
            Scope::Prefix => "prefix",
            Scope::Host => "host",
            Scope::Domain => "domain",
            Scope::Any => "any",
        }
    }
}

impl FromStr for Scope {
    type Err = ScopeError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        [Scope::Page, Scope::Prefix, Scope::Host, Scope::Domain, Scope::Any]
            .into_iter()
            .find(|scope| scope.as_str() == name)
            .ok_or_else(|| ScopeError(name.to_owned()))
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for ScopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown scope `{}`, use page, prefix, host, domain or any", self.0)
    }
}

impl std::error::Error for ScopeError {}

/// Ports of one host; 0 stands for the default of either scheme, so that http and https are one.
type Ports = SmallVec<[u16; 2]>;

/// A scope with its seeds.
#[derive(Clone, Debug, Default)]
pub struct ScopeSet {
    scope: Scope,
    pages: FxHashSet<CanonicalUrl>,
    directories: FxHashMap<Box<str>, FxHashMap<u16, FxHashSet<Box<str>>>>,
    hosts: FxHashMap<Box<str>, Ports>,
    domains: FxHashSet<Box<str>>,
}

impl ScopeSet {
    /// Everything, without seeds.
    #[must_use]
    pub fn any() -> ScopeSet {
        ScopeSet { scope: Scope::Any, ..ScopeSet::default() }
    }

    /// The scope around these seeds.
    #[must_use]
    pub fn new(scope: Scope, seeds: &[CanonicalUrl]) -> ScopeSet {
        let mut set = ScopeSet { scope, ..ScopeSet::default() };
        for seed in seeds {
            set.add(seed);
        }
        set
    }

    /// One more seed.
    pub fn add(&mut self, seed: &CanonicalUrl) {
        match self.scope {
            Scope::Page => {
                self.pages.insert(seed.clone());
            }
            Scope::Prefix => {
                let ports = self.directories.entry(plain_host(seed).into()).or_default();
                ports.entry(port_class(seed)).or_default().insert(directory(seed.path()).into());
            }
            Scope::Host => self.add_host(seed),
            Scope::Domain => match registrable_domain(plain_host(seed)) {
                Some(domain) => {
                    self.domains.insert(domain.into());
                }
                None => self.add_host(seed),
            },
            Scope::Any => {}
        }
    }

    /// Which scope it is.
    #[must_use]
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Whether a URL belongs to the crawl.
    #[must_use]
    pub fn contains(&self, url: &CanonicalUrl) -> bool {
        match self.scope {
            Scope::Page => self.pages.contains(url),
            Scope::Prefix => self.has_directory_above(url),
            Scope::Host => self.has_host(url),
            Scope::Domain => match registrable_domain(plain_host(url)) {
                Some(domain) => self.domains.contains(domain),
                None => self.has_host(url),
            },
            Scope::Any => true,
        }
    }

    fn add_host(&mut self, seed: &CanonicalUrl) {
        let ports = self.hosts.entry(plain_host(seed).into()).or_default();
        if !ports.contains(&port_class(seed)) {
            ports.push(port_class(seed));
        }
    }

    fn has_host(&self, url: &CanonicalUrl) -> bool {
        self.hosts.get(plain_host(url)).is_some_and(|ports| ports.contains(&port_class(url)))
    }

    fn has_directory_above(&self, url: &CanonicalUrl) -> bool {
        let ports = self.directories.get(plain_host(url));
        let Some(seeds) = ports.and_then(|ports| ports.get(&port_class(url))) else { return false };
        let path = url.path();
        path.match_indices('/').any(|(slash, _)| seeds.contains(&path[..=slash]))
    }
}

/// The domain that its owner registered, by the public suffix list; `None` for addresses, single labels and
/// public suffixes, which have no owner in common.
#[must_use]
pub fn registrable_domain(host: &str) -> Option<&str> {
    if host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok() {
        return None;
    }
    psl::domain_str(host)
}

/// Host without the dot of a fully qualified name.
fn plain_host(url: &CanonicalUrl) -> &str {
    let host = url.host();
    host.strip_suffix('.').unwrap_or(host)
}

fn port_class(url: &CanonicalUrl) -> u16 {
    match (url.scheme(), url.port()) {
        (Scheme::Http, 80) | (Scheme::Https, 443) => 0,
        (_, port) => port,
    }
}

/// Up to and with the last slash.
fn directory(path: &str) -> &str {
    path.rfind('/').map_or("/", |slash| &path[..=slash])
}

#[cfg(test)]
mod tests;
