//! The rows of the URL table that were met lately, in memory: the cache in front of the seen test.
//! Rows changed by mere sightings (in-links, score) are written when they leave the cache or the run ends; rows whose
//! place in a queue changes are written at once by the caller. Evicts the row met least often, the oldest of those.
//! Invariant: a row that was here when a report's look-ups were made can be had until its batch is handed out, because
//! rows that leave in between are kept aside.

use rustc_hash::FxHashMap;
use whimbrel_types::{UrlKey, UrlRecord};
use whimbrel_url::OccurrenceCache;

/// A cached row.
#[derive(Debug)]
pub(super) struct SeenRow {
    pub record: UrlRecord,
    /// Changed since it was last written.
    pub dirty: bool,
    /// Hashes of the anchor texts known of it.
    pub anchors: Vec<u32>,
}

/// The cache.
#[derive(Debug)]
pub(super) struct SeenRows {
    rows: OccurrenceCache<UrlKey, SeenRow>,
    /// Rows that left since the last batch was handed out.
    departed: FxHashMap<UrlKey, SeenRow>,
}

impl SeenRows {
    pub fn new(rows_max: usize) -> SeenRows {
        SeenRows { rows: OccurrenceCache::new(rows_max.max(1)), departed: FxHashMap::default() }
    }

    pub fn contains(&self, key: &UrlKey) -> bool {
        self.rows.contains(key) || self.departed.contains_key(key)
    }

    /// Meets a row: it counts as seen once more.
    pub fn get(&mut self, key: &UrlKey) -> Option<&mut SeenRow> {
        if let Some(row) = self.departed.remove(key) {
            self.put(*key, row);
        }
        self.rows.get(key)
    }

    /// Changes a row without counting a sighting.
    pub fn get_mut_quietly(&mut self, key: &UrlKey) -> Option<&mut SeenRow> {
        self.rows.peek_mut(key).or_else(|| self.departed.get_mut(key))
    }

    /// Looks without counting a sighting.
    pub fn peek(&self, key: &UrlKey) -> Option<&UrlRecord> {
        self.rows.peek(key).or_else(|| self.departed.get(key)).map(|row| &row.record)
    }

    /// Puts a row in, or renews the one that is there.
    pub fn insert(&mut self, key: UrlKey, record: UrlRecord, dirty: bool) {
        if let Some(row) = self.get_mut_quietly(&key) {
            row.record = record;
            row.dirty = dirty;
        } else {
            self.put(key, SeenRow { record, dirty, anchors: Vec::new() });
        }
    }

    /// Forgets a row that is no more.
    pub fn remove(&mut self, key: &UrlKey) {
        self.departed.remove(key);
        self.rows.remove(key);
    }

    /// Changed rows that left and must be written.
    pub fn take_departed(&mut self) -> Vec<UrlRecord> {
        let departed = std::mem::take(&mut self.departed);
        let mut rows: Vec<UrlRecord> =
            departed.into_values().filter(|row| row.dirty).map(|row| row.record).collect();
        rows.sort_by_key(UrlRecord::key);
        rows
    }

    /// Every changed row, which then counts as written.
    pub fn take_dirty(&mut self) -> Vec<UrlRecord> {
        let mut out = self.take_departed();
        for (_, row) in self.rows.iter_mut() {
            if std::mem::take(&mut row.dirty) {
                out.push(row.record.clone());
            }
        }
        out.sort_by_key(UrlRecord::key);
        out
    }

    fn put(&mut self, key: UrlKey, row: SeenRow) {
        if let Some((old_key, old)) = self.rows.insert(key, row) {
            self.departed.insert(old_key, old);
        }
    }
}
