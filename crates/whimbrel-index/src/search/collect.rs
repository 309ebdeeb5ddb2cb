//! Counts matches and keeps the best in one pass. Ties go by key, so the choice does not depend on how pages are
//! spread over segments.

use crate::schema::KEY_COLUMNS;
use std::cmp::Ordering;
use std::sync::Arc;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::ColumnValues;
use tantivy::{DocAddress, DocId, Score, SegmentOrdinal, SegmentReader};
use whimbrel_types::{Partition, SiteId, SiteKey, UrlId, UrlKey};

/// A match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub score: Score,
    pub key: UrlKey,
    pub address: DocAddress,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub count: usize,
    /// Best first.
    pub best: Vec<Candidate>,
}

/// Keeps the best `limit` matches; with 0 it only counts, which is cheaper.
pub(crate) struct BestMatches {
    pub limit: usize,
}

impl Collector for BestMatches {
    type Fruit = Found;
    type Child = SegmentMatches;

    fn for_segment(
        &self,
        ordinal: SegmentOrdinal,
        segment: &SegmentReader,
    ) -> tantivy::Result<SegmentMatches> {
        let columns = segment.fast_fields();
        let column = |name| columns.column_first_or_default::<u64>(name);
        Ok(SegmentMatches {
            ordinal,
            limit: self.limit,
            key: [
                column(KEY_COLUMNS[0])?,
                column(KEY_COLUMNS[1])?,
                column(KEY_COLUMNS[2])?,
                column(KEY_COLUMNS[3])?,
            ],
            count: 0,
            threshold: Score::NEG_INFINITY,
            best: Vec::new(),
        })
    }

    fn requires_scoring(&self) -> bool {
        self.limit > 0
    }

    fn merge_fruits(&self, segments: Vec<Found>) -> tantivy::Result<Found> {
        let mut all = Found::default();
        for segment in segments {
            all.count += segment.count;
            all.best.extend(segment.best);
        }
        all.best.sort_unstable_by(best_first);
        all.best.truncate(self.limit);
        Ok(all)
    }
}

/// Matches of one segment.
pub(crate) struct SegmentMatches {
    ordinal: SegmentOrdinal,
    limit: usize,
    key: [Arc<dyn ColumnValues<u64>>; 4],
    count: usize,
    threshold: Score,
    best: Vec<Candidate>,
}

impl SegmentMatches {
    fn key_of(&self, doc: DocId) -> UrlKey {
        let [partition, site, high, low] = &self.key;
        let url = (u128::from(high.get_val(doc)) << 64) | u128::from(low.get_val(doc));
        UrlKey {
            site: SiteKey {
                partition: Partition(partition.get_val(doc) as u8),
                site: SiteId(site.get_val(doc).to_be_bytes()),
            },
            url: UrlId(url.to_be_bytes()),
        }
    }

    fn shrink(&mut self) {
        if self.best.len() > self.limit {
            self.best.select_nth_unstable_by(self.limit - 1, best_first);
            self.best.truncate(self.limit);
            self.threshold = self.best[self.limit - 1].score;
        }
    }
}

impl SegmentCollector for SegmentMatches {
    type Fruit = Found;

    fn collect(&mut self, doc: DocId, score: Score) {
        self.count += 1;
        if self.limit == 0 || score < self.threshold {
            return;
        }
        let address = DocAddress::new(self.ordinal, doc);
        self.best.push(Candidate { score, key: self.key_of(doc), address });
        if self.best.len() >= self.limit * 2 + 64 {
            self.shrink();
        }
    }

    fn collect_block(&mut self, docs: &[DocId]) {
        self.count += docs.len();
    }

    fn harvest(mut self) -> Found {
        if self.limit > 0 {
            self.shrink();
        }
        Found { count: self.count, best: self.best }
    }
}

/// Higher score first, then lower key.
pub(crate) fn best_first(a: &Candidate, b: &Candidate) -> Ordering {
    b.score.total_cmp(&a.score).then_with(|| a.key.cmp(&b.key))
}
