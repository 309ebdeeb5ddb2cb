//! Keys of every per-URL keyspace: `partition (1) ‖ site (8) ‖ url hash (16)`.
//! So a site is a range and a partition is a range, on one machine or on many.
//! Invariant: all sites of one host have one partition, because the gate is per host.

use crate::digest::hex;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One of 256 slices of the web, from the host name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Partition(pub u8);

/// Identity of a host: unit of politeness.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HostId(pub [u8; 8]);

/// Identity of a site (scheme + host + port): unit of robots rules and of storage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SiteId(pub [u8; 8]);

/// Identity of a canonical URL.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UrlId(pub [u8; 16]);

/// Where a site's rows begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SiteKey {
    /// Slice of the site's host.
    pub partition: Partition,
    /// The site.
    pub site: SiteId,
}

/// The key of a URL in every keyspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UrlKey {
    /// The site's key, which is the prefix.
    pub site: SiteKey,
    /// The URL within it.
    pub url: UrlId,
}

impl HostId {
    /// Identity of a host name in canonical form.
    #[must_use]
    pub fn of(host: &str) -> HostId {
        HostId(first_bytes(blake3::hash(host.as_bytes())))
    }

    /// The slice the host falls into.
    #[must_use]
    pub fn partition(self) -> Partition {
        Partition(self.0[0])
    }
}

impl UrlId {
    /// Identity of a URL in canonical form.
    #[must_use]
    pub fn of(canonical: &str) -> UrlId {
        UrlId(first_bytes(blake3::hash(canonical.as_bytes())))
    }
}

impl SiteKey {
    /// Length of the encoded form.
    pub const LEN: usize = 9;

    /// Key of the site with this origin (`scheme://host:port`) on `host`.
    #[must_use]
    pub fn of(origin: &str, host: &str) -> SiteKey {
        SiteKey {
            partition: HostId::of(host).partition(),
            site: SiteId(first_bytes(blake3::hash(origin.as_bytes()))),
        }
    }

    /// Encoded form, in the order of keyspaces.
    #[must_use]
    pub fn to_bytes(self) -> [u8; Self::LEN] {
        let mut out = [0; Self::LEN];
        out[0] = self.partition.0;
        out[1..].copy_from_slice(&self.site.0);
        out
    }

    /// From the first nine bytes of a key.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<SiteKey> {
        let site = bytes.get(1..Self::LEN)?.try_into().ok()?;
        Some(SiteKey { partition: Partition(bytes[0]), site: SiteId(site) })
    }
}

impl UrlKey {
    /// Length of the encoded form.
    pub const LEN: usize = 25;

    /// Encoded form, in the order of keyspaces.
    #[must_use]
    pub fn to_bytes(self) -> [u8; Self::LEN] {
        let mut out = [0; Self::LEN];
        out[..SiteKey::LEN].copy_from_slice(&self.site.to_bytes());
        out[SiteKey::LEN..].copy_from_slice(&self.url.0);
        out
    }

    /// From the first 25 bytes of a key.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<UrlKey> {
        let url = bytes.get(SiteKey::LEN..Self::LEN)?.try_into().ok()?;
        Some(UrlKey { site: SiteKey::from_bytes(bytes)?, url: UrlId(url) })
    }
}

fn first_bytes<const N: usize>(hash: blake3::Hash) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&hash.as_bytes()[..N]);
    out
}

macro_rules! print_as_hex {
    ($($name:ident),*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&hex(&self.0))
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), hex(&self.0))
            }
        }
    )*};
}
print_as_hex!(HostId, SiteId, UrlId);

#[cfg(test)]
mod tests;
