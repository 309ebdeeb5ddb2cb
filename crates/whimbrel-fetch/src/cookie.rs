//! The cookies of one site (RFC 6265, reduced): a jar belongs to one origin, lives in memory and is sent back to that
//! origin only, so a `Domain` can narrow nothing and widen nothing; it is checked and then means the site's own host.
//! Never keeps more than its limits: the oldest cookie goes when a new one comes, and one that is too long is ignored.
//! Deviations: no third parties, no `SameSite`, `HttpOnly` has no meaning here; `__Secure-` and `__Host-` are kept to.

use http::HeaderValue;
use whimbrel_types::{Limit, Site, Timestamp};

/// Most bytes of the `Path` of a cookie.
const PATH_BYTES_MAX: usize = 1024;
/// Longest life of a cookie, 400 days, as browsers have it.
const AGE_MS_MAX: u64 = 400 * whimbrel_types::DAY_MS;

/// The limits of a jar.
#[derive(Clone, Copy, Debug)]
pub struct CookieLimits {
    /// Most cookies.
    pub cookies_max: usize,
    /// Most bytes of a cookie, name and value.
    pub cookie_bytes_max: usize,
}

/// The cookies of one site, oldest first.
#[derive(Debug)]
pub struct Jar {
    host: String,
    secure: bool,
    limits: CookieLimits,
    cookies: Vec<Cookie>,
}

#[derive(Clone, PartialEq, Eq)]
struct Cookie {
    name: Vec<u8>,
    value: Vec<u8>,
    path: String,
    /// `None` for one that lives as long as the jar.
    expires: Option<Timestamp>,
}

impl std::fmt::Debug for Cookie {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cookie({:?}, not shown)", String::from_utf8_lossy(&self.name))
    }
}

impl Jar {
    /// An empty jar.
    #[must_use]
    pub fn new(site: &Site, limits: CookieLimits) -> Jar {
        let secure = site.scheme == whimbrel_types::Scheme::Https;
        Jar { host: site.host.clone(), secure, limits, cookies: Vec::new() }
    }

    /// Takes in one `Set-Cookie` field of a response for `request_path`. What breaks the rules is passed over; a limit
    /// that was reached is named.
    pub fn note(&mut self, field: &[u8], request_path: &str, now: Timestamp) -> Option<Limit> {
        let mut parts = field.split(|&b| b == b';');
        let (name, value) = pair(parts.next().unwrap_or_default())?;
        if name.len() + value.len() > self.limits.cookie_bytes_max {
            return Some(Limit::Cookie);
        }
        let broken = |b: &u8| b.is_ascii_control() && *b != b'\t';
        if self.limits.cookies_max == 0 || name.iter().chain(value).any(broken) {
            return None;
        }
        let attributes = Attributes::read(parts, now).filter(|attributes| self.allows(name, attributes))?;
        let path = attributes.path.unwrap_or_else(|| default_path(request_path));
        let expires = attributes.expires;
        let cookie = Cookie { name: name.to_vec(), value: value.to_vec(), path, expires };
        let same = |other: &Cookie| other.name == cookie.name && other.path == cookie.path;
        let gone = expires.is_some_and(|at| at <= now);
        match self.cookies.iter().position(same) {
            Some(place) if gone => drop(self.cookies.remove(place)),
            Some(place) => self.cookies[place] = cookie,
            None if gone => {}
            None => return self.add(cookie, now),
        }
        None
    }

    fn add(&mut self, cookie: Cookie, now: Timestamp) -> Option<Limit> {
        self.cookies.retain(|other| other.expires.is_none_or(|at| at > now));
        let full = self.cookies.len() >= self.limits.cookies_max;
        if full {
            self.cookies.remove(0);
        }
        self.cookies.push(cookie);
        full.then_some(Limit::Cookies)
    }

    /// Whether this site may set a cookie of this name with these attributes.
    fn allows(&self, name: &[u8], attributes: &Attributes) -> bool {
        let Attributes { domain, path, secure, .. } = attributes;
        let prefixed =
            |prefix: &[u8]| name.get(..prefix.len()).is_some_and(|p| p.eq_ignore_ascii_case(prefix));
        let own = domain.as_deref().is_none_or(|domain| self.may_have(domain));
        let in_clear = *secure && !self.secure;
        let unsafe_prefix = prefixed(b"__Secure-") && !secure;
        let bound = *secure && domain.is_none() && path.as_deref() == Some("/");
        own && !in_clear && !unsafe_prefix && (bound || !prefixed(b"__Host-"))
    }

    /// The `Cookie` field for a request: longer paths first, then the older ones (RFC 6265, section 5.4).
    pub fn header_value(&mut self, request_path: &str, now: Timestamp) -> Option<HeaderValue> {
        self.cookies.retain(|cookie| cookie.expires.is_none_or(|at| at > now));
        let mut fitting: Vec<&Cookie> =
            self.cookies.iter().filter(|cookie| path_matches(&cookie.path, request_path)).collect();
        fitting.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let mut line = Vec::new();
        for cookie in fitting {
            if !line.is_empty() {
                line.extend_from_slice(b"; ");
            }
            line.extend_from_slice(&cookie.name);
            line.push(b'=');
            line.extend_from_slice(&cookie.value);
        }
        HeaderValue::from_bytes(&line).ok().filter(|_| !line.is_empty())
    }

    /// Whether the site's host lies in `domain`, and `domain` is not one under which strangers register names.
    fn may_have(&self, domain: &str) -> bool {
        if domain == self.host {
            return true;
        }
        let below = self.host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'));
        let is_address = self.host.starts_with('[') || self.host.parse::<std::net::Ipv4Addr>().is_ok();
        let is_public_suffix =
            psl::suffix(domain.as_bytes()).is_some_and(|suffix| suffix == domain.as_bytes());
        below && !is_address && !is_public_suffix
    }
}

/// What follows the pair in a `Set-Cookie` field.
struct Attributes {
    domain: Option<String>,
    path: Option<String>,
    expires: Option<Timestamp>,
    secure: bool,
}

impl Attributes {
    /// The last of each counts; `None` when one of them is too long to be kept.
    fn read<'a>(parts: impl Iterator<Item = &'a [u8]>, now: Timestamp) -> Option<Attributes> {
        let mut read = Attributes { domain: None, path: None, expires: None, secure: false };
        let mut max_age = None;
        for part in parts {
            let (name, value) = part
                .iter()
                .position(|&b| b == b'=')
                .map_or((part, &b""[..]), |at| (&part[..at], &part[at + 1..]));
            let value = String::from_utf8_lossy(value.trim_ascii());
            match name.trim_ascii().to_ascii_lowercase().as_slice() {
                b"secure" => read.secure = true,
                b"domain" => {
                    let domain = value.strip_prefix('.').unwrap_or(&value).to_ascii_lowercase();
                    read.domain = Some(domain).filter(|domain| !domain.is_empty());
                }
                b"path" => {
                    if value.len() > PATH_BYTES_MAX {
                        return None;
                    }
                    read.path = value.starts_with('/').then(|| value.into_owned());
                }
                b"max-age" => max_age = age_ms(&value).or(max_age),
                b"expires" => read.expires = crate::response::http_time(&value).or(read.expires),
                _ => {}
            }
        }
        let longest = Timestamp(now.0.saturating_add(AGE_MS_MAX));
        let by_age = max_age.map(|age_ms| Timestamp(now.0.saturating_add(age_ms)));
        read.expires = by_age.or(read.expires).map(|at| at.min(longest));
        Some(read)
    }
}

/// Milliseconds of a `Max-Age`; zero and less is at once.
fn age_ms(value: &str) -> Option<u64> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    if value.starts_with('-') {
        return Some(0);
    }
    Some(digits.parse::<u64>().unwrap_or(u64::MAX).saturating_mul(1000))
}

/// Name and value; a cookie without a name is not kept.
fn pair(part: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = part.iter().position(|&b| b == b'=')?;
    let (name, value) = (part[..at].trim_ascii(), part[at + 1..].trim_ascii());
    (!name.is_empty()).then_some((name, value))
}

/// The directory of the page that set the cookie.
fn default_path(request_path: &str) -> String {
    let path = request_path.split(['?', '#']).next().unwrap_or_default();
    match path.rfind('/') {
        Some(0) | None => "/".to_owned(),
        Some(at) => path[..at].to_owned(),
    }
}

fn path_matches(cookie_path: &str, request_path: &str) -> bool {
    let path = request_path.split(['?', '#']).next().unwrap_or_default();
    path.strip_prefix(cookie_path)
        .is_some_and(|rest| rest.is_empty() || cookie_path.ends_with('/') || rest.starts_with('/'))
}

#[cfg(test)]
mod tests;
