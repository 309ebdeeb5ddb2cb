//! The states of the basic URL parser (URL standard §4.4), each as a function over the text that is left.
//! Never looks back: parts are appended to the result in their order, and `..` cuts the path that is there.

use super::ParsedUrl;
use super::encode_set::{FRAGMENT, QUERY, SPECIAL_QUERY, USERINFO, push_encoded};
use super::host::push_host;
use super::path::{is_drive, starts_with_drive_letter};
use std::borrow::Cow;

/// Appends the query of an http URL, percent-encoded.
pub(crate) type QueryEncoder<'a> = &'a dyn Fn(&str, &mut String);

pub(super) fn parse(
    input: &str,
    base: Option<&ParsedUrl>,
    encode_query: Option<QueryEncoder<'_>>,
) -> Option<ParsedUrl> {
    let cleaned = cleaned(input);
    let text: &str = &cleaned;
    let mut builder =
        Builder::with_capacity(text.len() + base.map_or(0, |base| base.href.len()), encode_query);
    match split_scheme(text) {
        Some((scheme, rest)) => {
            builder.scheme(&scheme.to_ascii_lowercase());
            builder.after_scheme(rest, base)?;
        }
        None => {
            let base = base?;
            builder.scheme(base.scheme());
            if base.has_opaque_path() {
                builder.fragment_on_opaque(base, text)?;
            } else if builder.is_file {
                builder.file(text, Some(base))?;
            } else {
                builder.relative(text, base)?;
            }
        }
    }
    Some(builder.finish())
}

/// Without surrounding controls and blanks, and without tabs and line ends anywhere.
fn cleaned(input: &str) -> Cow<'_, str> {
    let trimmed = input.trim_matches(|c: char| c <= ' ');
    match trimmed.contains(['\t', '\n', '\r']) {
        true => Cow::Owned(trimmed.replace(['\t', '\n', '\r'], "")),
        false => Cow::Borrowed(trimmed),
    }
}

fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let end = text.bytes().position(|b| !part(b))?;
    let well_formed = text.as_bytes()[end] == b':' && text.as_bytes()[0].is_ascii_alphabetic();
    well_formed.then(|| (&text[..end], &text[end + 1..]))
}

/// Port that is left out; `None` for schemes that the standard does not call special, 0 for `file`.
fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "ftp" => Some(21),
        "file" => Some(0),
        _ => None,
    }
}

/// The URL as far as it is parsed: its text, and where the parts are in it.
pub(super) struct Builder<'a> {
    pub(super) out: String,
    encode_query: Option<QueryEncoder<'a>>,
    default_port: Option<u16>,
    is_special: bool,
    pub(super) is_file: bool,
    has_host: bool,
    scheme_end: usize,
    username_end: usize,
    host_start: usize,
    host_end: usize,
    pub(super) path_start: usize,
    query_start: Option<usize>,
    fragment_start: Option<usize>,
}

impl<'a> Builder<'a> {
    fn with_capacity(capacity: usize, encode_query: Option<QueryEncoder<'a>>) -> Builder<'a> {
        Builder {
            out: String::with_capacity(capacity + 8),
            encode_query,
            default_port: None,
            is_special: false,
            is_file: false,
            has_host: false,
            scheme_end: 0,
            username_end: 0,
            host_start: 0,
            host_end: 0,
            path_start: 0,
            query_start: None,
            fragment_start: None,
        }
    }

    fn scheme(&mut self, scheme: &str) {
        self.out.push_str(scheme);
        self.scheme_end = self.out.len();
        self.out.push(':');
        self.default_port = default_port(scheme);
        self.is_special = self.default_port.is_some();
        self.is_file = scheme == "file";
        self.no_host();
    }

    fn no_host(&mut self) {
        let end = self.out.len();
        [self.username_end, self.host_start, self.host_end, self.path_start] = [end; 4];
    }

    pub(super) fn is_slash(&self, c: char) -> bool {
        c == '/' || (self.is_special && c == '\\')
    }

    /// States "scheme" (its end), "special relative or authority", "path or authority".
    fn after_scheme(&mut self, rest: &str, base: Option<&ParsedUrl>) -> Option<()> {
        let same = base.filter(|base| base.href[..=base.scheme_end] == self.out);
        if self.is_file {
            return self.file(rest, same);
        }
        if self.is_special {
            return match same {
                Some(base) if !rest.starts_with("//") => self.relative(rest, base),
                _ => self.authority(rest.trim_start_matches(['/', '\\'])),
            };
        }
        if let Some(rest) = rest.strip_prefix("//") {
            return self.authority(rest);
        }
        match rest.strip_prefix('/') {
            Some(rest) => self.path(rest),
            None => self.opaque_path(rest),
        }
        Some(())
    }

    /// States "relative" and "relative slash".
    fn relative(&mut self, text: &str, base: &ParsedUrl) -> Option<()> {
        if let Some(rest) = text.strip_prefix(|c| self.is_slash(c)) {
            if self.is_special && rest.starts_with(['/', '\\']) {
                return self.authority(rest.trim_start_matches(['/', '\\']));
            }
            if let Some(rest) = rest.strip_prefix('/') {
                return self.authority(rest);
            }
            self.copy_authority(base);
            self.path(rest);
            return Some(());
        }
        self.copy_authority(base);
        self.out.push_str(base.pathname());
        if text.is_empty() || text.starts_with(['?', '#']) {
            self.keep_query(base, text);
        } else {
            self.shorten();
            self.path(text);
        }
        Some(())
    }

    /// States "authority", "host" and "port".
    fn authority(&mut self, text: &str) -> Option<()> {
        let end = text.find(|c| self.is_slash(c) || matches!(c, '?' | '#')).unwrap_or(text.len());
        let (authority, rest) = text.split_at(end);
        self.begin_host();
        let host_and_port = match authority.rsplit_once('@') {
            Some((_, "")) => return None,
            Some((userinfo, host)) => {
                self.userinfo(userinfo);
                host
            }
            None => authority,
        };
        let bracket = if host_and_port.starts_with('[') {
            host_and_port.find(']').unwrap_or(host_and_port.len())
        } else {
            0
        };
        let (host, port) = match host_and_port[bracket..].find(':') {
            Some(colon) => (&host_and_port[..bracket + colon], Some(&host_and_port[bracket + colon + 1..])),
            None => (host_and_port, None),
        };
        if host.is_empty() && (self.is_special || port.is_some()) {
            return None;
        }
        push_host(host, self.is_special, &mut self.out)?;
        self.host_end = self.out.len();
        self.port(port.unwrap_or_default())?;
        self.path_after_host(rest);
        Some(())
    }

    fn begin_host(&mut self) {
        self.out.push_str("//");
        self.has_host = true;
        self.no_host();
    }

    fn userinfo(&mut self, userinfo: &str) {
        let (username, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
        push_encoded(username, USERINFO, &mut self.out);
        self.username_end = self.out.len();
        if !password.is_empty() {
            self.out.push(':');
            push_encoded(password, USERINFO, &mut self.out);
        }
        if !username.is_empty() || !password.is_empty() {
            self.out.push('@');
        }
        self.host_start = self.out.len();
    }

    fn port(&mut self, digits: &str) -> Option<()> {
        if digits.is_empty() {
            return Some(());
        }
        let port = digits.bytes().try_fold(0_u32, |sum, digit| {
            digit.is_ascii_digit().then(|| sum.saturating_mul(10).saturating_add(u32::from(digit - b'0')))
        })?;
        let port = u16::try_from(port).ok()?;
        if self.default_port != Some(port) {
            self.out.push(':');
            self.out.push_str(&port.to_string());
        }
        Some(())
    }

    /// State "path start".
    fn path_after_host(&mut self, text: &str) {
        self.path_start = self.out.len();
        if self.is_special || !(text.is_empty() || text.starts_with(['?', '#'])) {
            self.path(text.strip_prefix(|c| self.is_slash(c)).unwrap_or(text));
        } else {
            self.query_and_fragment(text);
        }
    }

    /// States "file", "file slash" and "file host".
    fn file(&mut self, text: &str, base: Option<&ParsedUrl>) -> Option<()> {
        let Some(rest) = text.strip_prefix(['/', '\\']) else {
            let Some(base) = base else {
                self.begin_host();
                self.path(text);
                return Some(());
            };
            self.copy_authority(base);
            self.out.push_str(base.pathname());
            if text.is_empty() || text.starts_with(['?', '#']) {
                self.keep_query(base, text);
                return Some(());
            }
            if starts_with_drive_letter(text) {
                self.out.truncate(self.path_start);
            } else {
                self.shorten();
            }
            self.path(text);
            return Some(());
        };
        let Some(rest) = rest.strip_prefix(['/', '\\']) else {
            match base {
                Some(base) => {
                    self.copy_authority(base);
                    let drive = base.pathname().get(..3).filter(|drive| is_drive(&drive[1..], ":"));
                    let alone = base.pathname().as_bytes().get(3).is_none_or(|next| *next == b'/');
                    if let Some(drive) = drive.filter(|_| alone && !starts_with_drive_letter(rest)) {
                        self.out.push_str(drive);
                    }
                }
                None => self.begin_host(),
            }
            self.path(rest);
            return Some(());
        };
        self.begin_host();
        let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
        let host = &rest[..end];
        if is_drive(host, ":|") {
            self.path(rest);
            return Some(());
        }
        if !host.is_empty() {
            push_host(host, true, &mut self.out)?;
            if &self.out[self.host_start..] == "localhost" {
                self.out.truncate(self.host_start);
            }
        }
        self.host_end = self.out.len();
        self.path_after_host(&rest[end..]);
        Some(())
    }

    /// On an opaque path only a fragment can be changed.
    fn fragment_on_opaque(&mut self, base: &ParsedUrl, text: &str) -> Option<()> {
        if !text.starts_with('#') {
            return None;
        }
        self.out.push_str(base.pathname());
        self.keep_query(base, text);
        Some(())
    }

    /// States "query" and "fragment", from their mark on.
    pub(super) fn query_and_fragment(&mut self, text: &str) {
        let (query, fragment) = match text.split_once('#') {
            Some((query, fragment)) => (query, Some(fragment)),
            None => (text, None),
        };
        if let Some(query) = query.strip_prefix('?') {
            self.query_start = Some(self.out.len());
            self.out.push('?');
            self.query(query);
        }
        if let Some(fragment) = fragment {
            self.fragment_start = Some(self.out.len());
            self.out.push('#');
            push_encoded(fragment, FRAGMENT, &mut self.out);
        }
    }

    fn query(&mut self, query: &str) {
        let is_socket = matches!(&self.out[..self.scheme_end], "ws" | "wss");
        match self.encode_query {
            Some(encode) if self.is_special && !is_socket => encode(query, &mut self.out),
            _ => push_encoded(query, if self.is_special { SPECIAL_QUERY } else { QUERY }, &mut self.out),
        }
    }

    /// The base's query unless the reference has one of its own; `text` begins with `?` or `#`, or is empty.
    fn keep_query(&mut self, base: &ParsedUrl, text: &str) {
        if !text.starts_with('?')
            && let Some(start) = base.query_start
        {
            self.query_start = Some(self.out.len());
            self.out.push_str(&base.href[start..base.query_end()]);
        }
        self.query_and_fragment(text);
    }

    /// User, host and port of the base.
    fn copy_authority(&mut self, base: &ParsedUrl) {
        self.out.push_str(&base.href[base.scheme_end + 1..base.authority_end()]);
        self.has_host = base.has_host;
        self.username_end = base.username_end;
        self.host_start = base.host_start;
        self.host_end = base.host_end;
        self.path_start = self.out.len();
    }

    fn finish(mut self) -> ParsedUrl {
        if !self.has_host && self.out[self.path_start..].starts_with("//") {
            self.out.insert_str(self.path_start, "/.");
            self.path_start += 2;
            self.query_start = self.query_start.map(|start| start + 2);
            self.fragment_start = self.fragment_start.map(|start| start + 2);
        }
        ParsedUrl {
            href: self.out,
            scheme_end: self.scheme_end,
            username_end: self.username_end,
            host_start: self.host_start,
            host_end: self.host_end,
            path_start: self.path_start,
            query_start: self.query_start,
            fragment_start: self.fragment_start,
            has_host: self.has_host,
        }
    }
}
