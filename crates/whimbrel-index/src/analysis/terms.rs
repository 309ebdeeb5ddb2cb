//! Walks a text and gives out its index terms with positions and byte ranges. All forms of a word stand at one
//! position, so phrases of exact forms and phrases of stems both work on one field.

use super::cache::WordCache;
use super::dense::{DenseChar, dense_chars, has_unigram};
use super::profile::Profile;
use super::script::Script;
use super::split::{SegmentKind, next_segment};
use super::{HANGUL_MARK, WORD_BYTES_MAX};
use std::ops::Range;

/// What a term stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TermKind {
    /// A word as written.
    Exact(Script),
    /// A word with its symbols: `c++`, `c#`.
    Symbol,
    /// Its marked stem or folded form.
    Derived,
    /// Two syllables of a Hangul word.
    Syllables,
    /// One character of a dense run.
    Unigram,
    /// Two characters of a dense run.
    Bigram,
}

/// One term of a text.
pub(crate) struct Term<'t> {
    pub text: &'t str,
    pub position: usize,
    pub range: Range<usize>,
    pub kind: TermKind,
}

/// Gives every term of `text` to `sink`, in order of position; returns the number of positions.
pub(crate) fn analyze(
    text: &str,
    profile: Profile,
    cache: &mut WordCache,
    sink: &mut dyn FnMut(&Term<'_>),
) -> usize {
    let mut position = 0;
    let mut from = 0;
    let mut run = Vec::new();
    let mut scratch = String::new();
    while let Some(segment) = next_segment(text, from) {
        from = segment.range.end;
        match segment.kind {
            SegmentKind::Dense => {
                dense_chars(&text[segment.range.clone()], segment.range.start, &mut run);
                dense_terms(&run, position, &mut scratch, sink);
                position += run.len();
            }
            SegmentKind::Word(script) => {
                if segment.range.len() <= WORD_BYTES_MAX {
                    let raw = &text[segment.range.clone()];
                    let place = cache.place(raw, script, profile);
                    let forms = cache.forms(place);
                    let mut give = |text: &str, kind| {
                        sink(&Term { text, position, range: segment.range.clone(), kind });
                    };
                    give(&forms.exact, TermKind::Exact(script));
                    if let Some(stem) = &forms.stem {
                        give(stem, TermKind::Derived);
                    }
                    if let Some(folded) = &forms.folded {
                        give(folded, TermKind::Derived);
                    }
                    if script == Script::Hangul {
                        hangul_terms(&forms.exact, &mut scratch, &mut |term| give(term, TermKind::Syllables));
                    }
                    if let Some(symbols) = symbols_after(text, segment.range.end) {
                        scratch.clear();
                        scratch.push_str(&forms.exact);
                        scratch.push_str(symbols);
                        let range = segment.range.start..segment.range.end + symbols.len();
                        sink(&Term { text: &scratch, position, range, kind: TermKind::Symbol });
                    }
                }
                position += 1;
            }
        }
    }
    position
}

fn dense_terms(run: &[DenseChar], position: usize, scratch: &mut String, sink: &mut dyn FnMut(&Term<'_>)) {
    for (index, first) in run.iter().enumerate() {
        let next = run.get(index + 1);
        if has_unigram(first.c) || run.len() == 1 {
            scratch.clear();
            scratch.push(first.c);
            let range = first.range.clone();
            sink(&Term { text: scratch, position: position + index, range, kind: TermKind::Unigram });
        }
        if let Some(second) = next {
            scratch.clear();
            scratch.push(first.c);
            scratch.push(second.c);
            let range = first.range.start..second.range.end;
            sink(&Term { text: scratch, position: position + index, range, kind: TermKind::Bigram });
        }
    }
}

/// Pairs of syllables of a Hangul word of three or more; a word of two is its own pair.
fn hangul_terms(word: &str, scratch: &mut String, give: &mut dyn FnMut(&str)) {
    if word.chars().nth(2).is_none() {
        return;
    }
    let mut previous = None;
    for c in word.chars() {
        if let Some(first) = previous {
            scratch.clear();
            scratch.push(HANGUL_MARK);
            scratch.push(first);
            scratch.push(c);
            give(scratch);
        }
        previous = Some(c);
    }
}

/// `++` or `#` that belong to the word before them.
fn symbols_after(text: &str, end: usize) -> Option<&'static str> {
    let rest = &text.as_bytes()[end..];
    let symbols = match rest {
        [b'+', b'+', ..] => "++",
        [b'#', ..] => "#",
        _ => return None,
    };
    let follows = rest.get(symbols.len()).copied().unwrap_or(b' ');
    (!follows.is_ascii_alphanumeric() && follows != b'+' && follows != b'#').then_some(symbols)
}
