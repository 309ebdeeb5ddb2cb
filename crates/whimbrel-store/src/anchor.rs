//! What links say about a page: the few heaviest distinct texts per target. A site's navigation says the same about
//! the same pages on every page, so most of what comes in changes nothing; a small cache finds that out without a read.

use crate::error::Error;
use crate::group::Group;
use crate::row;
use crate::table::Table;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use whimbrel_types::{Anchor, UrlKey};

/// Longer texts are cut: they are no names of pages.
const TEXT_CHARS_MAX: usize = 200;
/// Targets whose state is remembered.
const REMEMBERED_MAX: usize = 50_000;

/// Hash of a text and its weight.
type Known = (u64, u32);

/// What the rows of recent targets hold.
#[derive(Default)]
pub(crate) struct AnchorCache {
    known: FxHashMap<UrlKey, Vec<Known>>,
}

impl AnchorCache {
    /// Adds an anchor if it is new for its target, or heavier than what is there.
    pub(crate) fn put(
        &mut self,
        group: &mut Group,
        target: &UrlKey,
        anchor: &Anchor,
        anchors_max: usize,
    ) -> Result<(), Error> {
        let text = shortened(anchor.text.trim());
        if text.is_empty() || anchors_max == 0 {
            return Ok(());
        }
        let hash = hash_of(text);
        if self
            .known
            .get(target)
            .is_some_and(|known| changes_nothing(known, hash, anchor.weight, anchors_max))
        {
            return Ok(());
        }
        let key = target.to_bytes();
        let mut row: Vec<Anchor> = match group.get(Table::Anchors, &key)? {
            Some(bytes) => row::decode(Table::Anchors, &bytes)?,
            None => Vec::new(),
        };
        if insert(
            &mut row,
            Anchor { text: text.to_owned(), from: anchor.from, weight: anchor.weight },
            anchors_max,
        ) {
            group.put(Table::Anchors, &key, row::encode(&row));
        }
        if self.known.len() >= REMEMBERED_MAX {
            self.known.clear();
        }
        self.known.insert(*target, row.iter().map(|anchor| (hash_of(&anchor.text), anchor.weight)).collect());
        Ok(())
    }
}

/// Puts an anchor into a row kept heaviest first; `false` when the row stays as it was.
fn insert(row: &mut Vec<Anchor>, anchor: Anchor, anchors_max: usize) -> bool {
    if let Some(same) = row.iter().position(|known| known.text == anchor.text) {
        if row[same].weight >= anchor.weight {
            return false;
        }
        row.remove(same);
    }
    let place = row.partition_point(|known| known.weight >= anchor.weight);
    if place >= anchors_max {
        return false;
    }
    row.insert(place, anchor);
    row.truncate(anchors_max);
    true
}

fn changes_nothing(known: &[Known], hash: u64, weight: u32, anchors_max: usize) -> bool {
    match known.iter().find(|(other, _)| *other == hash) {
        Some((_, present)) => *present >= weight,
        None => known.len() >= anchors_max && known.iter().all(|(_, present)| *present >= weight),
    }
}

fn shortened(text: &str) -> &str {
    match text.char_indices().nth(TEXT_CHARS_MAX).filter(|_| text.len() > TEXT_CHARS_MAX) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}
