//! Session ids in URLs: the same page under ever new names. Recognised by the names that servers give them.

use whimbrel_types::CanonicalUrl;

/// Keys whose value is a session, whatever it looks like (lower case).
const KEYS: [&str; 16] = [
    "sid",
    "sessid",
    "session",
    "sessionid",
    "session_id",
    "phpsessid",
    "jsessionid",
    "cfid",
    "cftoken",
    "oscsid",
    "zenid",
    "sessionkey",
    "session_key",
    "sessiontoken",
    "cfsid",
    "aspsessionid",
];
/// The placeholder.
pub(super) const PLACEHOLDER: &str = "{session}";

/// Whether a key names a session.
pub(super) fn is_session_key(key: &str) -> bool {
    let plain = |b: &u8| b.to_ascii_lowercase();
    let lower: Vec<u8> = key.bytes().take(32).map(|b| plain(&b)).collect();
    KEYS.iter().any(|name| name.as_bytes() == lower) || lower.starts_with(b"aspsessionid")
}

/// A link from one session straight into another: the server makes new ids, and each makes every page new.
#[must_use]
pub fn has_fresh_session(page: &CanonicalUrl, target: &CanonicalUrl) -> bool {
    match (session_of(page), session_of(target)) {
        (Some(before), Some(after)) => before != after,
        _ => false,
    }
}

/// The session id of a URL: in its query, in a path parameter, or in brackets as ASP.NET writes it.
fn session_of(url: &CanonicalUrl) -> Option<&str> {
    let of_pair = |pair| -> Option<&str> {
        let (key, value) = str::split_once(pair, '=')?;
        (is_session_key(key) && !value.is_empty()).then_some(value)
    };
    let in_query = url.query().and_then(|query| query.split('&').find_map(of_pair));
    in_query
        .or_else(|| url.path().split(['/', ';']).find_map(of_pair))
        .or_else(|| url.path().split('/').find_map(bracketed))
}

/// The id in `(S(…))`.
pub(super) fn bracketed(segment: &str) -> Option<&str> {
    segment.strip_prefix("(S(")?.strip_suffix("))").filter(|id| !id.is_empty())
}
