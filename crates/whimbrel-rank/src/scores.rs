//! Link scores by URL key, in a form that is read as it lies: sorted keys, one number each. Swapped whole, never edited.

use whimbrel_types::UrlKey;

const MAGIC: &[u8; 8] = b"WBRANK01";
const ROW: usize = UrlKey::LEN + 4;

/// A table from key to score.
#[derive(Clone, Debug, Default)]
pub struct ScoreTable {
    bytes: Vec<u8>,
}

impl ScoreTable {
    /// A table of these scores. Scores are kept relative to the mean: 1 is an average page.
    #[must_use]
    pub fn new(mut rows: Vec<(UrlKey, f64)>) -> ScoreTable {
        rows.sort_by_key(|(key, _)| *key);
        rows.dedup_by_key(|(key, _)| *key);
        let mean = rows.iter().map(|(_, score)| score).sum::<f64>() / rows.len().max(1) as f64;
        let mut bytes = MAGIC.to_vec();
        bytes.reserve(rows.len() * ROW);
        for (key, score) in rows {
            bytes.extend(key.to_bytes());
            bytes.extend(((score / mean.max(f64::MIN_POSITIVE)) as f32).to_le_bytes());
        }
        ScoreTable { bytes }
    }

    /// From bytes written before; `None` when they are not a table.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>) -> Option<ScoreTable> {
        let rows = bytes.strip_prefix(MAGIC)?;
        (rows.len() % ROW == 0).then_some(ScoreTable { bytes })
    }

    /// As it is kept on disk.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Score of a page relative to the mean.
    #[must_use]
    pub fn get(&self, key: &UrlKey) -> Option<f32> {
        let rows = self.bytes.get(MAGIC.len()..)?;
        let wanted = key.to_bytes();
        let (mut low, mut high) = (0, rows.len() / ROW);
        while low < high {
            let middle = usize::midpoint(low, high);
            let row = &rows[middle * ROW..(middle + 1) * ROW];
            match row[..UrlKey::LEN].cmp(&wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    return row[UrlKey::LEN..].try_into().ok().map(f32::from_le_bytes);
                }
            }
        }
        None
    }

    /// Number of pages in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len().saturating_sub(MAGIC.len()) / ROW
    }

    /// Nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whimbrel_types::CanonicalUrl;

    #[test]
    fn every_score_is_found_again_and_no_other() {
        let key = |n: u32| CanonicalUrl::from_canonical(&format!("http://a.example/{n}")).unwrap().key();
        let table = ScoreTable::new((1..=200).map(|n| (key(n), f64::from(n))).collect());
        let read = ScoreTable::from_bytes(table.as_bytes().to_vec()).unwrap();
        assert_eq!(read.len(), 200);
        for n in 1..=200 {
            assert!((read.get(&key(n)).unwrap() - n as f32 / 100.5).abs() < 1e-4);
        }
        assert_eq!(read.get(&key(201)), None);
        assert!(ScoreTable::from_bytes(b"something else".to_vec()).is_none());
    }
}
