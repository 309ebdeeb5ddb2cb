//! A site: scheme + host + port, the unit of robots rules and of storage ranges.

use crate::key::{HostId, SiteKey};
use crate::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The schemes that are crawled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Scheme {
    /// Plain HTTP.
    Http,
    /// HTTP over TLS.
    Https,
}

impl Scheme {
    /// Lower-case name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }

    /// The port that is left out of canonical URLs.
    #[must_use]
    pub fn default_port(self) -> u16 {
        match self {
            Scheme::Http => 80,
            Scheme::Https => 443,
        }
    }
}

/// Scheme + host + port.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Site {
    /// How to speak to it.
    pub scheme: Scheme,
    /// Host in canonical form: lower case, IDNA, IPv6 in brackets.
    pub host: String,
    /// Port, also when it is the scheme's default.
    pub port: u16,
}

impl Site {
    /// The site a URL belongs to.
    #[must_use]
    pub fn of(url: &CanonicalUrl) -> Site {
        Site { scheme: url.scheme(), host: url.host().to_owned(), port: url.port() }
    }

    /// `scheme://host[:port]`, the port only when it is not the default.
    #[must_use]
    pub fn origin(&self) -> String {
        let scheme = self.scheme.as_str();
        if self.port == self.scheme.default_port() {
            format!("{scheme}://{}", self.host)
        } else {
            format!("{scheme}://{}:{}", self.host, self.port)
        }
    }

    /// Key of the site's rows.
    #[must_use]
    pub fn key(&self) -> SiteKey {
        SiteKey::of(&self.origin(), &self.host)
    }

    /// Identity of the host, whose gate all its sites share.
    #[must_use]
    pub fn host_id(&self) -> HostId {
        HostId::of(&self.host)
    }

    /// A URL on this site; `path` begins with a slash and is in canonical form.
    #[must_use]
    pub fn url(&self, path: &str) -> CanonicalUrl {
        CanonicalUrl::from_canonical(&format!("{}{path}", self.origin()))
            .expect("an origin and a path make a URL")
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin())
    }
}
