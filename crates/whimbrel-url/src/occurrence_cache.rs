//! The URL cache in front of the store: keeps what is met most often (thesis §5.2.6). The thesis calls it LRU but
//! drives it by occurrence counts; read as: the lowest count leaves, among equals the least recently used.
//! Invariant: every operation takes constant time; `len` never exceeds the capacity.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// A map of bounded size that counts how often each key was met.
#[derive(Clone, Debug)]
pub struct OccurrenceCache<K, V> {
    capacity: usize,
    places: FxHashMap<K, usize>,
    entries: Vec<Entry<K, V>>,
    /// Per occurrence count, a list of its entries from the most to the least recently used.
    lists: FxHashMap<u64, Ends>,
    lowest: u64,
}

#[derive(Clone, Debug)]
struct Entry<K, V> {
    key: K,
    value: V,
    occurrences: u64,
    newer: Option<usize>,
    older: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Ends {
    newest: usize,
    oldest: usize,
}

impl<K: Clone + Eq + Hash, V> OccurrenceCache<K, V> {
    /// An empty cache for at most `capacity` keys.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        OccurrenceCache {
            capacity,
            places: FxHashMap::default(),
            entries: Vec::new(),
            lists: FxHashMap::default(),
            lowest: 1,
        }
    }

    /// Looks a key up; finding it counts as one more occurrence.
    pub fn get(&mut self, key: &K) -> Option<&mut V> {
        let place = *self.places.get(key)?;
        self.count(place);
        Some(&mut self.entries[place].value)
    }

    /// Looks a key up without counting.
    #[must_use]
    pub fn peek(&self, key: &K) -> Option<&V> {
        self.places.get(key).map(|place| &self.entries[*place].value)
    }

    /// Changes a value without counting.
    pub fn peek_mut(&mut self, key: &K) -> Option<&mut V> {
        self.places.get(key).map(|place| &mut self.entries[*place].value)
    }

    /// Whether a key is there, without counting.
    #[must_use]
    pub fn contains(&self, key: &K) -> bool {
        self.places.contains_key(key)
    }

    /// Every pair, in no order that means anything, without counting.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.entries.iter_mut().map(|entry| (&entry.key, &mut entry.value))
    }

    /// Puts a key in with one occurrence and returns what had to leave for it. For a key that is there, replaces
    /// the value, counts, and returns the old pair. A cache without capacity gives the pair straight back.
    pub fn insert(&mut self, key: K, value: V) -> Option<(K, V)> {
        if let Some(place) = self.places.get(&key).copied() {
            self.count(place);
            let old = std::mem::replace(&mut self.entries[place].value, value);
            return Some((key, old));
        }
        if self.capacity == 0 {
            return Some((key, value));
        }
        let entry = Entry { key: key.clone(), value, occurrences: 1, newer: None, older: None };
        let (place, evicted) = if self.entries.len() < self.capacity {
            self.entries.push(entry);
            (self.entries.len() - 1, None)
        } else {
            let place = self.lists[&self.lowest].oldest;
            self.unlink(place);
            let old = std::mem::replace(&mut self.entries[place], entry);
            self.places.remove(&old.key);
            (place, Some((old.key, old.value)))
        };
        self.places.insert(key, place);
        self.lowest = 1;
        self.link_newest(place);
        evicted
    }

    /// Takes a key out.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let place = self.places.remove(key)?;
        self.unlink(place);
        let last = self.entries.len() - 1;
        if place != last {
            // The last entry moves into the gap; its neighbours must point there.
            let (newer, older, occurrences) =
                (self.entries[last].newer, self.entries[last].older, self.entries[last].occurrences);
            match newer {
                Some(newer) => self.entries[newer].older = Some(place),
                None => self.ends(occurrences).newest = place,
            }
            match older {
                Some(older) => self.entries[older].newer = Some(place),
                None => self.ends(occurrences).oldest = place,
            }
            self.places.insert(self.entries[last].key.clone(), place);
        }
        let removed = self.entries.swap_remove(place);
        self.lowest = self.lists.keys().copied().min().unwrap_or(1);
        Some(removed.value)
    }

    /// How often a key was met since it came in; 0 when it is not there.
    #[must_use]
    pub fn occurrences(&self, key: &K) -> u64 {
        self.places.get(key).map_or(0, |place| self.entries[*place].occurrences)
    }

    /// Keys in the cache.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Most keys it can hold.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    fn count(&mut self, place: usize) {
        let before = self.entries[place].occurrences;
        self.unlink(place);
        if before == self.lowest && !self.lists.contains_key(&before) {
            self.lowest = before + 1;
        }
        self.entries[place].occurrences = before + 1;
        self.link_newest(place);
    }

    fn unlink(&mut self, place: usize) {
        let (newer, older) = (self.entries[place].newer, self.entries[place].older);
        let occurrences = self.entries[place].occurrences;
        match (newer, older) {
            (None, None) => {
                self.lists.remove(&occurrences);
                return;
            }
            (Some(newer), None) => self.ends(occurrences).oldest = newer,
            (None, Some(older)) => self.ends(occurrences).newest = older,
            (Some(_), Some(_)) => {}
        }
        if let Some(newer) = newer {
            self.entries[newer].older = older;
        }
        if let Some(older) = older {
            self.entries[older].newer = newer;
        }
    }

    fn link_newest(&mut self, place: usize) {
        let ends = self
            .lists
            .entry(self.entries[place].occurrences)
            .or_insert(Ends { newest: place, oldest: place });
        let next = (ends.newest != place).then_some(ends.newest);
        ends.newest = place;
        self.entries[place].newer = None;
        self.entries[place].older = next;
        if let Some(next) = next {
            self.entries[next].newer = Some(place);
        }
    }

    fn ends(&mut self, occurrences: u64) -> &mut Ends {
        self.lists.get_mut(&occurrences).expect("an entry with a neighbour is in a list")
    }
}

#[cfg(test)]
mod tests;
