//! Chooses the portion: the matches close together that cover most of the query, with words around them.

use super::scan::Match;
use crate::analysis::{Script, is_dense, script_of};
use std::ops::Range;

/// Columns of a snippet: about thirty words; a Han character takes two columns.
const COLUMNS_MAX: usize = 200;
/// Columns before the first match.
const COLUMNS_BEFORE_MAX: usize = 60;

/// What a unit of the query is worth against repeated matches.
const UNIT_VALUE: usize = 100;

/// The portion chosen and the matches in it.
pub(crate) struct Window {
    pub range: Range<usize>,
    pub matches: Vec<Range<usize>>,
}

/// The best portion; `None` without a match.
pub(crate) fn best(text: &str, matches: &[Match]) -> Option<Window> {
    let (_, chosen) = best_cluster(text, matches)?;
    let range = widen(text, matches[chosen.start].range.start..matches[chosen.end - 1].range.end);
    let inside = matches.iter().map(|found| found.range.clone());
    let matches = merged(inside.filter(|found| found.start >= range.start && found.end <= range.end));
    Some(Window { range, matches })
}

/// Whether one portion already shows every one of `units` whole, so that no other can show more of them.
pub(crate) fn covers(text: &str, matches: &[Match], units: usize) -> bool {
    best_cluster(text, matches).is_some_and(|(value, chosen)| {
        value >= units * UNIT_VALUE && matches[chosen].iter().all(|found| found.whole)
    })
}

/// Matches close enough for one portion that cover most, the first such; and how much they are worth.
fn best_cluster(text: &str, matches: &[Match]) -> Option<(usize, Range<usize>)> {
    let columns = columns_of(text, matches);
    let mut best: Option<(usize, Range<usize>)> = None;
    let mut first = 0;
    for last in 0..matches.len() {
        // Some columns are left for the words around.
        while columns[last].end - columns[first].start > COLUMNS_MAX - COLUMNS_BEFORE_MAX && first < last {
            first += 1;
        }
        let value = value_of(&matches[first..=last]);
        if best.as_ref().is_none_or(|(known, _)| value > *known) {
            best = Some((value, first..last + 1));
        }
    }
    best
}

/// The start of a text, for when nothing in it matched.
pub(crate) fn opening(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    widen(text, start..start)
}

/// Distinct units count most, then how many matches there are.
fn value_of(matches: &[Match]) -> usize {
    let mut units: Vec<usize> = matches.iter().map(|found| found.unit).collect();
    units.sort_unstable();
    units.dedup();
    units.len() * UNIT_VALUE + matches.len().min(10)
}

/// Columns from the start of the text for each match.
fn columns_of(text: &str, matches: &[Match]) -> Vec<Range<usize>> {
    let mut at = 0;
    let mut column = 0;
    matches
        .iter()
        .map(|found| {
            column += width(&text[at..found.range.start.max(at)]);
            at = at.max(found.range.start);
            column..column + width(&text[found.range.clone()])
        })
        .collect()
}

/// Adds words before and after until the columns are used up.
fn widen(text: &str, core: Range<usize>) -> Range<usize> {
    let mut left = COLUMNS_MAX.saturating_sub(width(&text[core.clone()]));
    let start = {
        let mut columns = left.min(COLUMNS_BEFORE_MAX);
        let mut at = core.start;
        for (offset, c) in text[..core.start].char_indices().rev() {
            let columns_of_c = width_of(c);
            if c == '\n' || columns < columns_of_c {
                break;
            }
            columns -= columns_of_c;
            at = offset;
        }
        snap_right(text, at, core.start)
    };
    left = left.saturating_sub(width(&text[start..core.start]));
    let mut end = core.end;
    for (offset, c) in text[core.end..].char_indices() {
        let columns = width_of(c);
        if left < columns {
            return start..snap_left(text, end, core.end);
        }
        left -= columns;
        end = core.end + offset + c.len_utf8();
    }
    start..end
}

/// From inside a word to the start of the next one, not past `limit`.
fn snap_right(text: &str, at: usize, limit: usize) -> usize {
    let mut at = at;
    while at < limit && cuts_word(text, at) {
        at += text[at..].chars().next().map_or(1, char::len_utf8);
    }
    at
}

/// From inside a word back to its start; a word that fills everything is cut.
fn snap_left(text: &str, at: usize, limit: usize) -> usize {
    let mut back = at;
    while back > limit && cuts_word(text, back) {
        back -= text[..back].chars().next_back().map_or(1, char::len_utf8);
    }
    if back > limit { back } else { at }
}

fn cuts_word(text: &str, at: usize) -> bool {
    let is_part = |c: char| c.is_alphanumeric() && !is_dense(c);
    text[..at].chars().next_back().is_some_and(is_part) && text[at..].chars().next().is_some_and(is_part)
}

fn merged(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

fn width(text: &str) -> usize {
    text.chars().map(width_of).sum()
}

fn width_of(c: char) -> usize {
    let is_wide = u32::from(c) >= 0x2e80 && (is_dense(c) || script_of(c) == Script::Hangul);
    1 + usize::from(is_wide)
}
