//! Makes text safe to show on one line: no control characters, no direction overrides, white space collapsed.
//! Escaping for HTML or a terminal stays with whoever shows it.

use super::Snippet;
use std::ops::Range;

/// Text as one clean line.
pub(crate) fn clean_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push_clean(&mut out, c);
    }
    out.truncate(out.trim_end().len());
    out
}

/// The portion `range` of a text with its matches, cleaned, with an ellipsis where it was cut.
pub(crate) fn cut(text: &str, range: Range<usize>, matches: &[Range<usize>]) -> Snippet {
    let mut out = String::with_capacity(range.len() + 8);
    if !text[..range.start].trim().is_empty() {
        out.push_str("… ");
    }
    let mut highlights = Vec::new();
    let mut at = range.start;
    for found in matches {
        push_all(&mut out, &text[at..found.start]);
        let start = out.len();
        push_all(&mut out, &text[found.clone()]);
        if out.len() > start {
            highlights.push(start..out.len());
        }
        at = found.end;
    }
    push_all(&mut out, &text[at..range.end]);
    out.truncate(out.trim_end().len());
    if !text[range.end..].trim().is_empty() {
        out.push_str(" …");
    }
    Snippet { text: out, highlights }
}

fn push_all(out: &mut String, text: &str) {
    for c in text.chars() {
        push_clean(out, c);
    }
}

fn push_clean(out: &mut String, c: char) {
    if c.is_whitespace() {
        if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    } else if !is_harmful(c) {
        out.push(c);
    }
}

/// Controls (C0, C1), direction marks and overrides, line separators, invisible and unassigned tags.
fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(
            u32::from(c),
            0x61c | 0x200b | 0x200e..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfff9..=0xfffb | 0xe0000..=0xe0fff
        )
}
