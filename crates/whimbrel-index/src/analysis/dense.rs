//! Scripts without spaces as overlapping pairs of characters: each character is a position, with the pair that
//! starts there and, for Han and Kana, the character alone. So any substring is a phrase of pairs.

use super::script::is_dense_with_unigrams;
use std::ops::Range;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// One character of a run after NFKC, and the bytes of the text it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DenseChar {
    pub c: char,
    pub range: Range<usize>,
}

/// Characters of a run that starts at byte `start` of its text.
pub(crate) fn dense_chars(run: &str, start: usize, out: &mut Vec<DenseChar>) {
    out.clear();
    if is_nfkc_quick(run.chars()) == IsNormalized::Yes {
        out.extend(
            run.char_indices().map(|(at, c)| DenseChar { c, range: start + at..start + at + c.len_utf8() }),
        );
        return;
    }
    let mut group = 0;
    while group < run.len() {
        let end = group_end(run, group);
        for c in run[group..end].nfkc() {
            out.push(DenseChar { c, range: start + group..start + end });
        }
        group = end;
    }
}

/// Whether the character alone is a term where another follows it.
pub(crate) fn has_unigram(c: char) -> bool {
    is_dense_with_unigrams(c)
}

/// A character with the marks that combine with it, half-width voicing marks included.
fn group_end(run: &str, start: usize) -> usize {
    run[start..]
        .char_indices()
        .skip(1)
        .find(|&(_, c)| {
            !unicode_normalization::char::is_combining_mark(c) && !matches!(c, '\u{ff9e}' | '\u{ff9f}')
        })
        .map_or(run.len(), |(offset, _)| start + offset)
}
