//! What is asked for and within which limits, and how it looks on the wire: a plain GET, no referrer, no range, and no
//! cookies but those of a site's own jar.
//! Never decides what to fetch.

use crate::failure::Failure;
use crate::response::Response;
use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, CONNECTION, HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH, PROXY_AUTHORIZATION,
};
use http::uri::PathAndQuery;
use http::{HeaderName, HeaderValue, Request, Uri};
use http_body_util::Empty;
use std::borrow::Cow;
use std::sync::Arc;
use whimbrel_types::{CanonicalUrl, FailureKind, Site, Validators};

/// Most redirects of a robots.txt that are followed (RFC 9309, section 2.3.1.2).
pub const REDIRECTS_MAX: usize = 5;

/// What pages are asked for with.
pub const ACCEPT_PAGE: &str = "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5";

/// Asked after the headers, with the media type (lower case, empty when absent) and the status: whether to read
/// the body. Not asked where there is none.
pub type Wants = Arc<dyn Fn(&str, u16) -> bool + Send + Sync>;

/// What becomes of a redirect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RedirectRule {
    /// It is handed back like any response.
    #[default]
    None,
    /// It is followed at once, also to other hosts, up to [`REDIRECTS_MAX`] times; each address is checked.
    RobotsTxt,
}

/// One visit.
#[derive(Clone)]
pub struct FetchRequest {
    /// What to fetch.
    pub url: CanonicalUrl,
    /// Ask only for what has changed since.
    pub validators: Option<Validators>,
    /// Longest time for everything: resolving, connecting, TLS, head, body, decoding, redirects.
    pub total_timeout_ms: u64,
    /// Most body bytes, decoded and on the wire each; what is longer is cut there.
    pub body_bytes_max: u64,
    /// Whether a body of this type is read at all.
    pub wants: Wants,
    /// `Accept`.
    pub accept: Cow<'static, str>,
    /// What becomes of a redirect.
    pub follow: RedirectRule,
}

impl FetchRequest {
    /// A request with the default limits (30 s, 16 MiB) that takes every type and follows nothing.
    #[must_use]
    pub fn new(url: CanonicalUrl) -> FetchRequest {
        FetchRequest {
            url,
            validators: None,
            total_timeout_ms: 30_000,
            body_bytes_max: 16 << 20,
            wants: Arc::new(|_, _| true),
            accept: Cow::Borrowed(ACCEPT_PAGE),
            follow: RedirectRule::None,
        }
    }

    /// The request for a robots.txt: its redirects are followed, and no more is read than parsers must take.
    #[must_use]
    pub fn robots(url: CanonicalUrl) -> FetchRequest {
        FetchRequest {
            body_bytes_max: 500 << 10,
            accept: Cow::Borrowed("text/plain,*/*;q=0.5"),
            follow: RedirectRule::RobotsTxt,
            ..FetchRequest::new(url)
        }
    }
}

impl std::fmt::Debug for FetchRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FetchRequest")
            .field("url", &self.url)
            .field("validators", &self.validators)
            .field("total_timeout_ms", &self.total_timeout_ms)
            .field("body_bytes_max", &self.body_bytes_max)
            .field("follow", &self.follow)
            .finish_non_exhaustive()
    }
}

/// The request for `url` as hyper takes it; `common` are the fields of every request.
pub(crate) fn build(
    url: &CanonicalUrl,
    validators: Option<&Validators>,
    accept: &str,
    common: &[(HeaderName, HeaderValue)],
) -> Result<Request<Empty<Bytes>>, Failure> {
    let cannot = |what: &str| (FailureKind::ProtocolError, format!("cannot send {what} of {url}"));
    let authority = url.authority();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let mut request = Request::new(Empty::new());
    *request.uri_mut() = Uri::from(target(url.path_and_query()).ok_or_else(|| cannot("the path"))?);
    let headers = request.headers_mut();
    headers.insert(HOST, HeaderValue::from_str(host).map_err(|_| cannot("the host"))?);
    headers.insert(ACCEPT, HeaderValue::from_str(accept).map_err(|_| cannot("the accepted types"))?);
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate, br, zstd"));
    headers.insert(CONNECTION, HeaderValue::from_static("keep-alive"));
    for (name, value) in common {
        headers.append(name.clone(), value.clone());
    }
    if let Some(validators) = validators {
        // A validator that cannot be sent as it came is left out: the answer is then a full one, never a wrong 304.
        let value =
            |text: &Option<String>| text.as_ref().and_then(|t| HeaderValue::from_bytes(t.as_bytes()).ok());
        if let Some(etag) = value(&validators.etag) {
            headers.insert(IF_NONE_MATCH, etag);
        }
        if let Some(time) = value(&validators.last_modified) {
            headers.insert(IF_MODIFIED_SINCE, time);
        }
    }
    Ok(request)
}

/// Refuses answers that cannot be the answer to this request, whatever they say.
pub(crate) fn judge_answer(
    response: Response,
    validators: Option<&Validators>,
    follow: RedirectRule,
    proxied: bool,
) -> Result<Response, Failure> {
    let robots = follow == RedirectRule::RobotsTxt;
    let unasked = validators.is_none_or(|validators| validators.is_empty());
    let why = match response.status {
        // What pages with such answers are worth is judged elsewhere; rules that are missing would be taken for none.
        304 if robots && unasked => "the server says that nothing changed (304), but was not asked whether",
        206 if robots => "the server sent a part (206), but was asked for the whole",
        // It is the proxy that speaks, not the site: its 4xx must not be taken for one of robots.txt.
        407 if proxied => return Err(crate::proxy::tunnel::login_refused()),
        _ => return Ok(response),
    };
    Err((FailureKind::ProtocolError, why.to_owned()).into())
}

/// Turns a request into one that an HTTP proxy reads: with the whole URL and the login (RFC 9112, section 3.2.2).
pub(crate) fn for_proxy<B>(
    request: &mut Request<B>,
    site: &Site,
    login: Option<&HeaderValue>,
) -> Result<(), Failure> {
    let target = request.uri().path_and_query().map_or("/", |target| target.as_str());
    let uri = format!("{}{target}", site.origin())
        .parse()
        .map_err(|_| (FailureKind::ProtocolError, "cannot send the URL to the proxy".to_owned()))?;
    *request.uri_mut() = uri;
    if let Some(login) = login {
        request.headers_mut().insert(PROXY_AUTHORIZATION, login.clone());
    }
    Ok(())
}

/// The request target. What `http` does not let through (it is stricter than URLs are) is percent-encoded.
fn target(path_and_query: &str) -> Option<PathAndQuery> {
    if let Ok(target) = path_and_query.parse() {
        return Some(target);
    }
    let mut encoded = String::with_capacity(path_and_query.len() + 16);
    for byte in path_and_query.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:/?@!$&'()*+,;=%".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded.parse().ok()
}
