//! The pattern of a URL within its site: its text with all that counts up replaced by placeholders, its query as a sorted
//! list of keys with the classes of their values. `/cal/2026/11?view=week&id=7` is `/cal/{y}/{m}?id={n}&view={w}`.

use super::session::{PLACEHOLDER, bracketed, is_session_key};
use super::token::{push_shape, small_number, value_class};
use std::fmt;
use whimbrel_types::{CanonicalUrl, Timestamp};

/// The placeholders, without their braces.
pub(super) const PLACEHOLDERS: [&str; 10] = ["n", "y", "m", "d", "date", "hex", "uuid", "id", "w", "session"];

/// A month of the calendar, counted from the year 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month(pub u32);

impl Month {
    /// Month `month` (1 to 12) of a year.
    #[must_use]
    pub fn new(year: u16, month: u8) -> Month {
        Month(u32::from(year) * 12 + u32::from(month.clamp(1, 12)) - 1)
    }

    /// The month of an instant (UTC).
    #[must_use]
    pub fn of(at: Timestamp) -> Month {
        let (year, month, ..) = at.to_utc();
        Month::new(u16::try_from(year).unwrap_or(u16::MAX), month as u8)
    }
}

/// A pattern of URLs within a site. A star in it stands for any text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlPattern(Box<str>);

impl UrlPattern {
    /// The pattern of a URL.
    #[must_use]
    pub fn of(url: &CanonicalUrl) -> UrlPattern {
        UrlPattern::with_month(url).0
    }

    /// The pattern of a URL, and the month it names, if it names one.
    #[must_use]
    pub fn with_month(url: &CanonicalUrl) -> (UrlPattern, Option<Month>) {
        let mut month = None;
        let mut out = String::with_capacity(url.path_and_query().len() + 16);
        push_path(&mut out, url.path(), &mut month);
        if let Some(query) = url.query() {
            out.push('?');
            push_query(&mut out, query, &mut month);
        }
        (UrlPattern(out.into()), month)
    }

    /// Text that was checked to be a pattern.
    pub(super) fn from_checked(text: String) -> UrlPattern {
        UrlPattern(text.into())
    }

    /// As people read and type it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// More than one URL can have it.
    #[must_use]
    pub fn is_variable(&self) -> bool {
        self.0.contains(['{', '*'])
    }

    /// It has a star: it was typed, no URL has it.
    #[must_use]
    pub fn is_glob(&self) -> bool {
        self.0.contains('*')
    }

    /// Its URLs name dates.
    #[must_use]
    pub fn is_calendar(&self) -> bool {
        self.0.contains("{date}") || self.0.contains("{y}")
    }

    /// Its URLs differ in something that can be made up without end: a hexadecimal number, a token, a session.
    #[must_use]
    pub fn has_token(&self) -> bool {
        ["{hex}", "{uuid}", "{id}", "{session}"].iter().any(|token| self.0.contains(token))
    }

    /// Its URLs differ in one piece of text and in nothing that counts up, as the pages of a wiki do.
    #[must_use]
    pub fn is_one_word(&self) -> bool {
        self.0.matches('{').count() == 1 && self.0.contains("{w}")
    }

    /// Whether it covers a URL whose own pattern is `own`. A star covers any text, of the URL or of its pattern.
    #[must_use]
    pub fn covers(&self, url: &CanonicalUrl, own: &UrlPattern) -> bool {
        if !self.is_glob() {
            return self == own;
        }
        glob(self.0.as_bytes(), url.path_and_query().as_bytes()) || glob(self.0.as_bytes(), own.0.as_bytes())
    }

    /// The same page with more conditions: the same path, all keys of `other` and some more, all of them texts
    /// (`?color={w}` and `?color={w}&size={w}`).
    #[must_use]
    pub fn refines(&self, other: &UrlPattern) -> bool {
        let (Some((path, mine)), Some((other_path, theirs))) =
            (self.0.split_once('?'), other.0.split_once('?'))
        else {
            return false;
        };
        let mut theirs = theirs.split('&').peekable();
        let mut more = 0;
        for part in mine.split('&') {
            if theirs.next_if_eq(&part).is_some() {
                continue;
            }
            if !part.ends_with("={w}") {
                return false;
            }
            more += 1;
        }
        path == other_path && more > 0 && theirs.next().is_none()
    }
}

impl fmt::Display for UrlPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn push_path(out: &mut String, path: &str, month: &mut Option<Month>) {
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        out.push('/');
        let next = segments.peek().map(|next| next.split('.').next().unwrap_or(next));
        if let (Some(year), Some(number)) = (year(segment), next.and_then(|next| small_number(next, 12))) {
            month.get_or_insert(Month::new(year, number));
            out.push_str("{y}/");
            push_numbered(out, segments.next().unwrap_or_default(), "{m}");
            let next = segments.peek().map(|next| next.split('.').next().unwrap_or(next));
            if next.is_some_and(|next| small_number(next, 31).is_some()) {
                out.push('/');
                push_numbered(out, segments.next().unwrap_or_default(), "{d}");
            }
            continue;
        }
        push_segment(out, segment, month);
    }
}

/// A segment that begins with a number of the calendar; what follows its first dot is shaped like any text.
fn push_numbered(out: &mut String, segment: &str, placeholder: &str) {
    out.push_str(placeholder);
    if let Some(dot) = segment.find('.') {
        push_shape(out, &segment[dot..], &mut None);
    }
}

fn push_segment(out: &mut String, segment: &str, month: &mut Option<Month>) {
    if bracketed(segment).is_some() {
        out.push_str("(S({session}))");
        return;
    }
    for (nth, part) in segment.split(';').enumerate() {
        if nth > 0 {
            out.push(';');
        }
        match part.split_once('=') {
            Some((key, value)) if is_session_key(key) && !value.is_empty() => {
                push_shape(out, key, &mut None);
                out.push('=');
                out.push_str(PLACEHOLDER);
            }
            _ => push_shape(out, part, month),
        }
    }
}

fn push_query(out: &mut String, query: &str, month: &mut Option<Month>) {
    let pairs = || query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let named = |names: &[&str], check: &dyn Fn(&str) -> bool| {
        pairs().find(|(key, value)| is_named(key, names) && check(value)).map(|(_, value)| value)
    };
    let is_month = |value: &str| small_number(value, 12).is_some();
    if let Some(year) = named(&YEAR, &|value| wide_year(value).is_some()).and_then(wide_year) {
        let number = named(&MONTH, &is_month).and_then(|value| small_number(value, 12));
        month.get_or_insert(Month::new(year, number.unwrap_or(1)));
    }
    let dated = month.is_some();
    let mut parts: Vec<String> = query
        .split('&')
        .map(|pair| {
            let mut part = String::new();
            let Some((key, value)) = pair.split_once('=') else {
                push_shape(&mut part, pair, month);
                return part;
            };
            push_shape(&mut part, key, &mut None);
            part.push('=');
            part.push_str(match value {
                "" => "",
                _ if is_session_key(key) => PLACEHOLDER,
                _ if is_named(key, &YEAR) && wide_year(value).is_some() => "{y}",
                _ if dated && is_named(key, &MONTH) && is_month(value) => "{m}",
                _ if dated && is_named(key, &DAY) && small_number(value, 31).is_some() => "{d}",
                _ => value_class(value, month),
            });
            part
        })
        .collect();
    // A key that comes again says nothing new: a query that grows by repeating itself keeps its pattern.
    parts.sort_unstable();
    parts.dedup();
    out.push_str(&parts.join("&"));
}

const YEAR: [&str; 3] = ["y", "year", "yr"];
const MONTH: [&str; 4] = ["m", "month", "mon", "mo"];
const DAY: [&str; 3] = ["d", "day", "dd"];

fn is_named(key: &str, names: &[&str]) -> bool {
    names.iter().any(|name| key.eq_ignore_ascii_case(name))
}

/// A year as a path segment: near our own time, since four digits are mostly just a number.
fn year(text: &str) -> Option<u16> {
    wide_year(text).filter(|year| (1900..2200).contains(year))
}

/// A year under a key that says so.
fn wide_year(text: &str) -> Option<u16> {
    let is_plain = text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|year| is_plain && *year >= 1000)
}

/// Whether `pattern` covers all of `text`; a star stands for any run of bytes.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, t));
            p += 1;
        } else if pattern.get(p) == Some(&text[t]) {
            p += 1;
            t += 1;
        } else if let Some((star_at, begun)) = star {
            // The star takes one byte more.
            star = Some((star_at, begun + 1));
            p = star_at + 1;
            t = begun + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}
