//! A page made ready to be sent: placeholders filled in, entity tag computed, compressed when first asked.
//! Invariant: the compressed and the plain form have different strong tags, and either tag is recognised
//! (RFC 9110 §8.8.3, §13.1.2).

use super::origins::Origins;
use crate::random::fingerprint;
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use std::io::{self, Write};
use std::sync::OnceLock;

/// Below this a gzip header costs more than it saves.
const GZIP_BYTES_MIN: usize = 256;

/// A page ready to be sent.
#[derive(Debug)]
pub(super) struct ReadyPage {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    tag: String,
    own_tag: bool,
    is_compressible: bool,
    gzip: OnceLock<Bytes>,
}

impl ReadyPage {
    /// Makes the parts of an `Answer::Page` ready.
    pub(super) fn new(
        status: u16,
        content_type: &str,
        headers: &[(String, String)],
        body: &Bytes,
        origins: &Origins,
    ) -> io::Result<ReadyPage> {
        let body = origins.fill(body)?;
        let mut map = header_map(headers, origins)?;
        if !content_type.is_empty() {
            map.insert(header::CONTENT_TYPE, header_value(content_type)?);
        }
        let given = map.get(header::ETAG).and_then(|tag| tag.to_str().ok()).map(str::to_owned);
        let is_text = ["text/", "application/xml", "application/json", "application/xhtml"]
            .iter()
            .any(|start| content_type.starts_with(start));
        Ok(ReadyPage {
            status,
            own_tag: given.is_some(),
            tag: given.unwrap_or_else(|| format!("\"{:016x}\"", fingerprint(&body))),
            is_compressible: is_text
                && body.len() >= GZIP_BYTES_MIN
                && !map.contains_key(header::CONTENT_ENCODING),
            headers: map,
            body,
            gzip: OnceLock::new(),
        })
    }

    /// Whether the answer depends on `Accept-Encoding`.
    pub(super) fn is_compressible(&self) -> bool {
        self.is_compressible
    }

    /// The compressed body, for text that is long enough.
    pub(super) fn gzip(&self) -> Option<Bytes> {
        self.is_compressible.then(|| self.gzip.get_or_init(|| compress(&self.body)).clone())
    }

    /// The entity tag of the plain or the compressed form.
    pub(super) fn tag(&self, compressed: bool) -> String {
        if compressed && !self.own_tag {
            format!("{}-gzip\"", self.tag.trim_end_matches('"'))
        } else {
            self.tag.clone()
        }
    }

    /// Whether a conditional request is satisfied by what the client has. `If-None-Match` beats
    /// `If-Modified-Since` (RFC 9110 §13.2.2).
    pub(super) fn is_unchanged_for(&self, request: &HeaderMap) -> bool {
        if let Some(wanted) = request.get(header::IF_NONE_MATCH) {
            let wanted = wanted.to_str().unwrap_or("");
            let is_mine = |tag: &str| {
                let tag = tag.trim();
                let tag = tag.strip_prefix("W/").unwrap_or(tag);
                let mine = self.tag.strip_prefix("W/").unwrap_or(&self.tag);
                tag == "*" || tag == mine || tag == self.tag(true)
            };
            return wanted.split(',').any(is_mine);
        }
        let date = |headers: &HeaderMap, name: HeaderName| {
            headers.get(name).and_then(|value| httpdate::parse_http_date(value.to_str().ok()?).ok())
        };
        match (date(request, header::IF_MODIFIED_SINCE), date(&self.headers, header::LAST_MODIFIED)) {
            (Some(since), Some(modified)) => modified <= since,
            _ => false,
        }
    }
}

/// Whether `Accept-Encoding` takes gzip (RFC 9110 §12.5.3).
pub(super) fn accepts_gzip(request: &HeaderMap) -> bool {
    let text = request.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    text.split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let name = parts.next().unwrap_or("");
        let weight = parts.find_map(|part| part.strip_prefix("q=")).and_then(|q| q.parse::<f32>().ok());
        (name.eq_ignore_ascii_case("gzip") || name == "*") && weight.unwrap_or(1.0) > 0.0
    })
}

/// Headers with placeholders filled in.
pub(super) fn header_map(headers: &[(String, String)], origins: &Origins) -> io::Result<HeaderMap> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| invalid(format!("{name:?} is no header name")))?;
        map.append(name, header_value(&origins.fill_text(value)?)?);
    }
    Ok(map)
}

/// A header value, which may hold bytes beyond ASCII as real servers send them.
pub(super) fn header_value(value: &str) -> io::Result<HeaderValue> {
    HeaderValue::from_bytes(value.as_bytes()).map_err(|_| invalid(format!("{value:?} is no header value")))
}

fn compress(body: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 3), Compression::fast());
    let packed = encoder.write_all(body).and_then(|()| encoder.finish());
    Bytes::from(packed.expect("writing to memory cannot fail"))
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}
