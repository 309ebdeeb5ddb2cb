//! Finds the query's terms in a text. Words of a phrase count only where the whole phrase stands, unless it stands
//! nowhere in the text (it may be in the title).

use super::window::covers;
use crate::analysis::{Profile, WordCache, analyze};
use crate::query::Highlights;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Bytes analyzed at a time; after each, what was found may be enough.
const STRETCH_BYTES: usize = 16 * 1024;
/// Bytes after which any match is enough.
const ENOUGH_BYTES: usize = 96 * 1024;

/// A place in the text that matched a unit of the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub unit: usize,
    pub range: Range<usize>,
    /// All positions of the unit are there.
    pub whole: bool,
}

/// Unit and where it starts → its positions that were seen.
type Filled = FxHashMap<(usize, isize), FxHashSet<usize>>;

struct Sighting {
    unit: usize,
    /// Position at which the unit would start.
    base: isize,
    range: Range<usize>,
}

/// All matches, in order of the text.
pub(crate) fn scan(
    text: &str,
    highlights: &Highlights,
    profile: Profile,
    cache: &mut WordCache,
) -> Vec<Match> {
    let mut sightings: Vec<Sighting> = Vec::new();
    let mut filled = Filled::default();
    let units = highlights.unit_slots.len();
    let mut start = 0;
    let mut position_base = 0;
    while start < text.len() {
        let end = stretch_end(text, start);
        let seen = sightings.len();
        let count = analyze(&text[start..end], profile, cache, &mut |term| {
            let Some(places) = highlights.places.get(term.text) else { return };
            for &(unit, distance) in places {
                let base = (position_base + term.position) as isize - distance as isize;
                if highlights.unit_slots[unit] > 1 {
                    filled.entry((unit, base)).or_default().insert(distance);
                }
                sightings.push(Sighting {
                    unit,
                    base,
                    range: start + term.range.start..start + term.range.end,
                });
            }
        });
        position_base += count;
        start = end;
        if sightings.len() == seen {
            continue;
        }
        if start >= ENOUGH_BYTES || covers(text, &settled(&sightings, &filled, highlights), units) {
            break;
        }
    }
    settled(&sightings, &filled, highlights)
}

/// The sightings that count, in order of the text.
fn settled(sightings: &[Sighting], filled: &Filled, highlights: &Highlights) -> Vec<Match> {
    let whole = |seen: &Sighting| {
        let slots = highlights.unit_slots[seen.unit];
        slots == 1 || filled.get(&(seen.unit, seen.base)).is_some_and(|found| found.len() == slots)
    };
    let has_whole: FxHashSet<usize> =
        sightings.iter().filter(|seen| whole(seen)).map(|seen| seen.unit).collect();
    let mut matches: Vec<Match> = sightings
        .iter()
        .filter(|seen| whole(seen) || !has_whole.contains(&seen.unit))
        .map(|seen| Match { unit: seen.unit, range: seen.range.clone(), whole: whole(seen) })
        .collect();
    matches.sort_by_key(|found| (found.range.start, found.range.end));
    matches.dedup();
    matches
}

/// End of a stretch, at white space where there is some.
fn stretch_end(text: &str, start: usize) -> usize {
    if text.len() - start <= STRETCH_BYTES {
        return text.len();
    }
    let limit = text.floor_char_boundary(start + STRETCH_BYTES);
    match text[start..limit].rfind(char::is_whitespace) {
        Some(offset) if offset > 0 => start + offset,
        _ => limit,
    }
}
