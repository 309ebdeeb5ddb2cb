//! Cuts text into words and runs of dense script. Never normalizes: ranges are of the text as given.
//! A boundary between Hangul and other letters ends a word, because particles are glued to foreign words.

use super::script::{CharClass, Script, class_of};
use std::ops::Range;

/// A word, or a run of characters without spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub range: Range<usize>,
    pub kind: SegmentKind,
}

/// What was cut out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SegmentKind {
    /// A word; the script is that of its first letter.
    Word(Script),
    /// A run of dense script.
    Dense,
}

/// The first segment at or after byte `from`.
pub(crate) fn next_segment(text: &str, from: usize) -> Option<Segment> {
    let bytes = text.as_bytes();
    let mut start = from;
    loop {
        let &byte = bytes.get(start)?;
        if byte.is_ascii_alphanumeric() {
            return Some(word_from(text, start));
        }
        if byte.is_ascii() {
            start += 1;
            continue;
        }
        let c = text[start..].chars().next()?;
        match class_of(c) {
            CharClass::Word(_) => return Some(word_from(text, start)),
            CharClass::Dense => return Some(dense_from(text, start)),
            CharClass::Break | CharClass::Mark => start += c.len_utf8(),
        }
    }
}

fn word_from(text: &str, start: usize) -> Segment {
    let bytes = text.as_bytes();
    let mut end = start;
    let mut script = Script::Other;
    while let Some(&byte) = bytes.get(end) {
        if byte.is_ascii() {
            if !byte.is_ascii_alphanumeric() || script == Script::Hangul {
                break;
            }
            if script == Script::Other && byte.is_ascii_alphabetic() {
                script = Script::Latin;
            }
            end += 1;
            continue;
        }
        let Some(c) = text[end..].chars().next() else { break };
        match class_of(c) {
            CharClass::Break | CharClass::Dense => break,
            CharClass::Mark => {}
            CharClass::Word(found) => {
                if end > start && (found == Script::Hangul) != (script == Script::Hangul) {
                    break;
                }
                if script == Script::Other {
                    script = found;
                }
            }
        }
        end += c.len_utf8();
    }
    Segment { range: start..end, kind: SegmentKind::Word(script) }
}

fn dense_from(text: &str, start: usize) -> Segment {
    let end = text[start..]
        .char_indices()
        .find(|&(_, c)| !matches!(class_of(c), CharClass::Dense | CharClass::Mark))
        .map_or(text.len(), |(offset, _)| start + offset);
    Segment { range: start..end, kind: SegmentKind::Dense }
}
