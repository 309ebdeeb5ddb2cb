//! Lines of a robots.txt into groups. Never fails and never looks further than one line back.
//! Invariant: only a rule closes a list of `User-agent` lines; every other line leaves the group open.

use super::agent::product_token;
use super::pattern::Pattern;
use super::{AgentGroups, ROBOTS_BYTES_MAX, RobotsRules, Rule};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use smallvec::SmallVec;
use std::borrow::Cow;

pub(super) fn parse(bytes: &[u8]) -> RobotsRules {
    let mut reader = Reader::default();
    for (index, line) in lines(&readable(bytes)).enumerate() {
        reader.take(index + 1, line);
    }
    reader.rules
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    UserAgent,
    Allow,
    Disallow,
    CrawlDelay,
    Sitemap,
}

#[derive(Default)]
struct Reader {
    rules: RobotsRules,
    /// The next `User-agent` line begins a new group of rules.
    rules_closed: bool,
    /// The next `User-agent` line begins a new group for delays.
    delays_closed: bool,
}

impl Reader {
    fn take(&mut self, line: usize, bytes: &[u8]) {
        let content = trim(bytes.split(|b| *b == b'#').next().unwrap_or_default());
        let Some((key, value)) = key_and_value(content) else { return };
        match key {
            Key::UserAgent => self.agent(value),
            Key::Allow | Key::Disallow => self.rule(key == Key::Allow, value, line, content),
            Key::CrawlDelay => self.delay(value),
            Key::Sitemap => {
                if !value.is_empty() {
                    self.rules.sitemaps.push(text_of(value));
                }
            }
        }
    }

    fn agent(&mut self, value: &[u8]) {
        if self.rules_closed || self.rules.groups.is_empty() {
            self.rules.groups.push(Vec::new());
        }
        if self.rules_closed || self.delays_closed || self.rules.delays_ms.is_empty() {
            self.rules.delays_ms.push(None);
        }
        self.rules_closed = false;
        self.delays_closed = false;
        // A line that names nobody still ends the group above it: its rules are not meant for those agents.
        if value.is_empty() {
            return;
        }
        let groups: &mut AgentGroups = self.rules.agents.entry(product_token(&text_of(value))).or_default();
        push_once(&mut groups.rules, self.rules.groups.len() - 1);
        push_once(&mut groups.delays, self.rules.delays_ms.len() - 1);
    }

    fn rule(&mut self, allow: bool, value: &[u8], line: usize, content: &[u8]) {
        // Rules before the first agent belong to nobody.
        let Some(group) = self.rules.groups.last_mut() else { return };
        self.rules_closed = true;
        if value.is_empty() {
            return;
        }
        let text = text_of(content);
        if allow && let Some(directory) = directory_of_index(value) {
            group.push(Rule { allow, pattern: Pattern::new(&directory), line, text: text.clone() });
        }
        group.push(Rule { allow, pattern: Pattern::new(value), line, text });
    }

    fn delay(&mut self, value: &[u8]) {
        let Some(current) = self.rules.delays_ms.last_mut() else { return };
        self.delays_closed = true;
        // A group with two delays keeps the longer: none may be undercut.
        *current = (*current).max(milliseconds(value));
    }
}

fn push_once(list: &mut SmallVec<[u32; 2]>, group: usize) {
    let group = u32::try_from(group).expect("a file of bounded size has fewer groups than u32 counts");
    if list.last() != Some(&group) {
        list.push(group);
    }
}

/// As UTF-8 without byte order mark, and without the line that the limit cuts through: half a rule is another
/// rule. The RFC asks for UTF-8; files in UTF-16 that say so are read too, since they mean their rules.
fn readable(bytes: &[u8]) -> Cow<'_, [u8]> {
    let head = &bytes[..bytes.len().min(ROBOTS_BYTES_MAX)];
    let text = match head {
        [0xFF, 0xFE, body @ ..] => utf16(UTF_16LE, body),
        [0xFE, 0xFF, body @ ..] => utf16(UTF_16BE, body),
        _ => Cow::Borrowed(without_mark(head)),
    };
    if bytes.len() <= ROBOTS_BYTES_MAX {
        return text;
    }
    let end = text.iter().rposition(|b| matches!(b, b'\n' | b'\r')).map_or(0, |i| i + 1);
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
        Cow::Owned(mut text) => {
            text.truncate(end);
            Cow::Owned(text)
        }
    }
}

fn utf16<'a>(encoding: &'static Encoding, body: &'a [u8]) -> Cow<'a, [u8]> {
    Cow::Owned(encoding.decode_without_bom_handling(body).0.into_owned().into_bytes())
}

/// Also half a mark is dropped, else it would spoil the first `User-agent` line and lose that group.
fn without_mark(bytes: &[u8]) -> &[u8] {
    let length = bytes.iter().zip(b"\xEF\xBB\xBF").take_while(|(byte, mark)| byte == mark).count();
    &bytes[length..]
}

/// Lines that end in LF, CR or CRLF.
fn lines(mut rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
        let line = &rest[..end];
        let ending = if rest[end..].starts_with(b"\r\n") { 2 } else { usize::from(end < rest.len()) };
        rest = &rest[end + ending..];
        Some(line)
    })
}

/// `key: value`; without a colon, two words of which the first is a key.
fn key_and_value(content: &[u8]) -> Option<(Key, &[u8])> {
    if let Some(colon) = content.iter().position(|b| *b == b':') {
        return Some((key_of(trim(&content[..colon]))?, trim(&content[colon + 1..])));
    }
    let space = content.iter().position(u8::is_ascii_whitespace)?;
    let value = trim(&content[space..]);
    let two_words = !value.is_empty() && !value.iter().any(u8::is_ascii_whitespace);
    two_words.then_some((key_of(&content[..space])?, value))
}

fn key_of(name: &[u8]) -> Option<Key> {
    let is = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
    if is(&["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"]) {
        Some(Key::Disallow)
    } else if is(&["allow"]) {
        Some(Key::Allow)
    } else if is(&["user-agent", "useragent", "user agent"]) {
        Some(Key::UserAgent)
    } else if is(&["crawl-delay", "crawldelay", "crawl delay"]) {
        Some(Key::CrawlDelay)
    } else if is(&["sitemap", "site-map"]) {
        Some(Key::Sitemap)
    } else {
        None
    }
}

/// `/x/$` of `/x/index.html`: who allows a directory's index page allows the directory.
fn directory_of_index(pattern: &[u8]) -> Option<Vec<u8>> {
    let slash = pattern.iter().rposition(|b| *b == b'/')?;
    let index = matches!(&pattern[slash + 1..], b"index.html" | b"index.htm");
    index.then(|| [&pattern[..=slash], b"$"].concat())
}

/// Seconds, perhaps with a fraction, at the beginning of the value; rounded up to milliseconds.
fn milliseconds(value: &[u8]) -> Option<u64> {
    let digits = value.iter().take_while(|b| b.is_ascii_digit()).count();
    let (whole, rest) = value.split_at(digits);
    let fraction: &[u8] = match rest {
        [b'.' | b',', tail @ ..] => &tail[..tail.iter().take_while(|b| b.is_ascii_digit()).count()],
        _ => &[],
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let number = |digits: &[u8]| {
        digits.iter().fold(0_u64, |sum, digit| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
    };
    let mut thousandths = [b'0'; 3];
    for (place, digit) in thousandths.iter_mut().zip(fraction) {
        *place = *digit;
    }
    let round_up = fraction.iter().skip(3).any(|digit| *digit != b'0');
    Some(number(whole).saturating_mul(1000).saturating_add(number(&thousandths) + u64::from(round_up)))
}

fn trim(bytes: &[u8]) -> &[u8] {
    let blank = |b: &u8| b.is_ascii_whitespace() || *b == 0 || *b == 0x0B;
    let start = bytes.iter().position(|b| !blank(b)).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|b| !blank(b)).map_or(start, |i| i + 1);
    &bytes[start..end]
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
