//! Path patterns with `*` and a final `$` (RFC 9309 §2.2.3), also used by the `path(…)` filter.
//! Pattern and path are brought to one percent-encoded form first, so a match is a comparison of ASCII text.
//! Invariant: matching is greedy from the left, so a star is settled once: no path is scanned more than twice, and
//! many stars never mean many attempts.

use crate::percent::{is_legal, push_normalized};
use std::borrow::Cow;

/// A compiled pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// Normal form; a literal star or dollar is a triplet here, so each `*` is a wildcard. Stars that say nothing
    /// are left out: all but one of a run, and those at the end of a pattern that is open anyway.
    text: Box<str>,
    /// Octets as written, in normal form.
    length: usize,
    /// Ends with `$`.
    anchored: bool,
}

impl Pattern {
    pub(crate) fn new(pattern: &[u8]) -> Pattern {
        let (body, anchored) = match pattern.strip_suffix(b"$") {
            Some(body) => (body, true),
            None => (pattern, false),
        };
        let mut text = String::with_capacity(body.len());
        push_normalized(body, &mut text, |b| is_legal(b) && b != b'$');
        let length = text.len() + usize::from(anchored);
        let mut before = ' ';
        text.retain(|c| std::mem::replace(&mut before, c) != '*' || c != '*');
        if !anchored && text.ends_with('*') {
            text.pop();
        }
        Pattern { text: text.into(), length, anchored }
    }

    /// Octets, by which the most specific rule is found.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// The text, when a plain prefix comparison decides.
    pub(crate) fn as_literal(&self) -> Option<&str> {
        (!self.anchored && !self.text.contains('*')).then_some(&*self.text)
    }

    /// Whether it matches a path in the form of [`normal_path`].
    pub(crate) fn matches(&self, path: &str) -> bool {
        let mut segments = self.text.split('*');
        let first = segments.next().unwrap_or_default();
        let Some(mut rest) = path.strip_prefix(first) else { return false };
        let Some(mut pending) = segments.next() else { return !self.anchored || rest.is_empty() };
        for next in segments {
            let Some(at) = rest.find(pending) else { return false };
            rest = &rest[at + pending.len()..];
            pending = next;
        }
        if self.anchored { rest.ends_with(pending) } else { rest.contains(pending) }
    }
}

/// The form of a path that patterns are matched against; borrowed when it has that form already.
pub(crate) fn normal_path(path: &str) -> Cow<'_, str> {
    let stays = |b: u8| is_legal(b) && b != b'*' && b != b'$';
    if path.is_empty() {
        return Cow::Borrowed("/");
    }
    if path.bytes().all(stays) {
        return Cow::Borrowed(path);
    }
    let mut out = String::with_capacity(path.len() + 16);
    push_normalized(path.as_bytes(), &mut out, stays);
    Cow::Owned(out)
}
