//! Which site is where, and the filling in of `{{origin:NAME}}`. A name that is not there is an error and
//! never a link to nowhere: a test web with a slip in it would judge wrongly.

use super::Addresses;
use crate::web::Web;
use bytes::Bytes;
use std::io;
use std::net::SocketAddr;

const OPENING: &[u8] = b"{{origin:";
const CLOSING: &[u8] = b"}}";

/// Origins of all sites.
#[derive(Debug)]
pub(super) struct Origins {
    named: Vec<(String, String)>,
}

impl Origins {
    /// Origins of `web` when its listeners are at `bound`.
    pub(super) fn new(web: &Web, addresses: &Addresses, bound: &[SocketAddr]) -> io::Result<Origins> {
        let mut named: Vec<(String, String)> = Vec::new();
        for (number, site) in web.sites.iter().enumerate() {
            if named.iter().any(|(name, _)| *name == site.name) {
                return Err(invalid(format!("cannot serve two sites named {:?}", site.name)));
            }
            let origin = match addresses {
                Addresses::NamesEndingWith(ending) => {
                    let port = bound.first().map_or(0, SocketAddr::port);
                    format!("http://{}{ending}:{port}", site.name)
                }
                _ => format!("http://{}", bound[number]),
            };
            named.push((site.name.clone(), origin));
        }
        Ok(Origins { named })
    }

    /// Origin of one site.
    pub(super) fn of(&self, name: &str) -> Option<&str> {
        self.named.iter().find(|(site, _)| site == name).map(|(_, origin)| origin.as_str())
    }

    /// Name and origin of each site.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.named.iter().map(|(name, origin)| (name.as_str(), origin.as_str()))
    }

    /// Number of the site that a `Host` header names.
    pub(super) fn site_of_host(&self, host: &str) -> Option<usize> {
        let bare = |authority: &str| authority.split(':').next().unwrap_or("").to_ascii_lowercase();
        let wanted = bare(host);
        self.named.iter().position(|(_, origin)| bare(origin.trim_start_matches("http://")) == wanted)
    }

    /// `body` with every placeholder filled in; the same bytes when there is none.
    pub(super) fn fill(&self, body: &Bytes) -> io::Result<Bytes> {
        let Some(mut at) = find(body, OPENING) else { return Ok(body.clone()) };
        let mut filled = Vec::with_capacity(body.len());
        let mut rest: &[u8] = body;
        loop {
            filled.extend_from_slice(&rest[..at]);
            rest = &rest[at + OPENING.len()..];
            let end = find(rest, CLOSING).ok_or_else(|| invalid("a placeholder is not closed".to_owned()))?;
            let name = String::from_utf8_lossy(&rest[..end]);
            let origin =
                self.of(&name).ok_or_else(|| invalid(format!("a page names the unknown site {name:?}")))?;
            filled.extend_from_slice(origin.as_bytes());
            rest = &rest[end + CLOSING.len()..];
            match find(rest, OPENING) {
                Some(next) => at = next,
                None => break,
            }
        }
        filled.extend_from_slice(rest);
        Ok(Bytes::from(filled))
    }

    /// The same for a header value.
    pub(super) fn fill_text(&self, text: &str) -> io::Result<String> {
        let filled = self.fill(&Bytes::copy_from_slice(text.as_bytes()))?;
        Ok(String::from_utf8_lossy(&filled).into_owned())
    }
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut from = 0;
    while let Some(step) = text[from..].iter().position(|byte| *byte == first) {
        if text[from + step..].starts_with(wanted) {
            return Some(from + step);
        }
        from += step + 1;
    }
    None
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}
