//! A URL in canonical form. Made by `whimbrel-url::normalize`; here it is only taken apart.
//! Invariant: `scheme://[userinfo@]host[:port]/path[?query]` with scheme http or https, no fragment,
//! no default port, ASCII only.

use crate::key::{SiteKey, UrlId, UrlKey};
use crate::site::{Scheme, Site};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::fmt;

/// Keys of sites that each thread remembers.
const SITE_KEYS_KEPT: usize = 64;

/// An origin as URLs begin with it, and the key of its site.
type KnownSite = (Box<str>, SiteKey);

thread_local! {
    /// Origins met last, each in the one place it can be.
    static SITE_KEYS: RefCell<[Option<KnownSite>; SITE_KEYS_KEPT]> =
        const { RefCell::new([const { None }; SITE_KEYS_KEPT]) };
}

/// A normalised http(s) URL.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Box<str>")]
pub struct CanonicalUrl(Box<str>);

/// Rows and messages come from disks and other machines: what lacks the form is an error there.
impl TryFrom<Box<str>> for CanonicalUrl {
    type Error = &'static str;

    fn try_from(text: Box<str>) -> Result<CanonicalUrl, &'static str> {
        let url = CanonicalUrl(text);
        if url.has_form() { Ok(url) } else { Err("not a canonical URL") }
    }
}

impl CanonicalUrl {
    /// Takes a string that is already canonical (from the normaliser or from the store).
    /// `None` when it lacks the form that the accessors rely on.
    #[must_use]
    pub fn from_canonical(text: &str) -> Option<CanonicalUrl> {
        let url = CanonicalUrl(text.into());
        url.has_form().then_some(url)
    }

    /// The whole URL.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its scheme.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        if self.0.starts_with("https:") { Scheme::Https } else { Scheme::Http }
    }

    /// `[userinfo@]host[:port]`.
    #[must_use]
    pub fn authority(&self) -> &str {
        let start = self.authority_start();
        let end = self.0[start..].find('/').map_or(self.0.len(), |i| start + i);
        &self.0[start..end]
    }

    /// Host name, address, or `[IPv6]`.
    #[must_use]
    pub fn host(&self) -> &str {
        let host_port = self.host_and_port();
        match self.explicit_port() {
            Some(port) => &host_port[..host_port.len() - port.len() - 1],
            None => host_port,
        }
    }

    /// Port, the scheme's default when none is written.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.explicit_port().and_then(|p| p.parse().ok()).unwrap_or(self.scheme().default_port())
    }

    /// Path, beginning with a slash.
    #[must_use]
    pub fn path(&self) -> &str {
        let tail = self.path_and_query();
        tail.split_once('?').map_or(tail, |(path, _)| path)
    }

    /// Query without its question mark.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.path_and_query().split_once('?').map(|(_, query)| query)
    }

    /// What a request line asks for, and what robots rules are matched against.
    #[must_use]
    pub fn path_and_query(&self) -> &str {
        &self.0[self.authority_start() + self.authority().len()..]
    }

    /// Lower-case file extension of the last path segment, if it has one.
    #[must_use]
    pub fn extension(&self) -> Option<String> {
        let name = self.path().rsplit('/').next()?;
        let (stem, extension) = name.rsplit_once('.')?;
        let plain = !extension.is_empty()
            && extension.len() <= 10
            && extension.bytes().all(|b| b.is_ascii_alphanumeric());
        (!stem.is_empty() && plain).then(|| extension.to_ascii_lowercase())
    }

    /// The site it is on.
    #[must_use]
    pub fn site(&self) -> Site {
        Site::of(self)
    }

    /// Its identity.
    #[must_use]
    pub fn id(&self) -> UrlId {
        UrlId::of(&self.0)
    }

    /// Its key in every keyspace.
    #[must_use]
    pub fn key(&self) -> UrlKey {
        UrlKey { site: self.site_key(), url: self.id() }
    }

    /// Key of its site. A crawl asks for the keys of few sites very often, so the last ones are remembered: two hashes
    /// and two strings less.
    #[must_use]
    pub fn site_key(&self) -> SiteKey {
        let origin = &self.0[..self.authority_start() + self.authority().len()];
        let place =
            origin.bytes().rev().take(12).fold(0_usize, |sum, b| sum.wrapping_mul(31) + usize::from(b));
        SITE_KEYS.with_borrow_mut(|known| {
            let slot = &mut known[place % SITE_KEYS_KEPT];
            match slot {
                Some((of, key)) if **of == *origin => *key,
                _ => slot.insert((origin.into(), self.site().key())).1,
            }
        })
    }

    /// Its key, given a URL whose site's key is known: most links stay on their page's site, and then only the URL
    /// itself has to be hashed.
    #[must_use]
    pub fn key_beside(&self, neighbor: &CanonicalUrl, site: SiteKey) -> UrlKey {
        let origin = &neighbor.0[..neighbor.authority_start() + neighbor.authority().len() + 1];
        if self.0.starts_with(origin) { UrlKey { site, url: self.id() } } else { self.key() }
    }

    fn authority_start(&self) -> usize {
        self.scheme().as_str().len() + 3
    }

    /// Whether it has the form that the accessors rely on.
    fn has_form(&self) -> bool {
        let rest = self.0.strip_prefix("http://").or_else(|| self.0.strip_prefix("https://"));
        let Some((authority, _)) = rest.and_then(|rest| rest.split_once('/')) else { return false };
        let bad = |b: u8| b.is_ascii_control() || b == b' ' || b == b'#' || !b.is_ascii();
        !authority.is_empty()
            && !authority.contains('?')
            && !self.0.bytes().any(bad)
            && !self.host().is_empty()
            && self.explicit_port().is_none_or(|port| port.parse::<u16>().is_ok())
    }

    fn host_and_port(&self) -> &str {
        let authority = self.authority();
        authority.rsplit_once('@').map_or(authority, |(_, host_port)| host_port)
    }

    fn explicit_port(&self) -> Option<&str> {
        let host_port = self.host_and_port();
        let after_host = host_port.rfind(']').map_or(0, |i| i + 1);
        host_port[after_host..].rsplit_once(':').map(|(_, port)| port)
    }
}

impl fmt::Display for CanonicalUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for CanonicalUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.0)
    }
}

#[cfg(test)]
mod tests;
