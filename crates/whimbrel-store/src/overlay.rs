//! What was submitted and is not committed yet, as far as planners read it back. Without it a planner that reads a row
//! between submission and commit would plan on the past and overwrite what it just wrote.
//! Invariant: an entry leaves only after the database shows at least its state.

use crate::queue::{Item, Submission};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::Arc;
use whimbrel_types::{ContentHash, PendingLink, SiteKey, SiteRecord, UrlKey, UrlRecord, Write};

/// Newest submitted state of a few tables.
#[derive(Default)]
pub(crate) struct Overlay {
    urls: Layer<UrlKey, Option<Arc<UrlRecord>>>,
    sites: Layer<SiteKey, Arc<SiteRecord>>,
    pending: Layer<UrlKey, Option<Arc<PendingLink>>>,
    digests: Layer<ContentHash, Option<UrlKey>>,
}

impl Overlay {
    /// Shows what a submission will change.
    pub(crate) fn show(&mut self, submission: &Submission) {
        let sequence = submission.sequence;
        for item in &submission.items {
            match item {
                Item::Url(key, record) => self.urls.put(*key, sequence, Some(record.clone())),
                Item::Write(Write::RemoveUrl(key)) => self.urls.put(*key, sequence, None),
                Item::Site(key, record) => self.sites.put(*key, sequence, record.clone()),
                Item::Pending(key, link) => self.pending.put(*key, sequence, Some(link.clone())),
                Item::Write(Write::RemovePending(key)) => self.pending.put(*key, sequence, None),
                Item::Write(Write::ClaimDigest { hash, owner }) => {
                    self.digests.put(*hash, sequence, Some(*owner))
                }
                Item::Write(Write::ReleaseDigest { hash }) => self.digests.put(*hash, sequence, None),
                _ => {}
            }
        }
    }

    /// Forgets what a submission showed, unless a later one shows the same row.
    pub(crate) fn retire(&mut self, submission: &Submission) {
        let sequence = submission.sequence;
        for item in &submission.items {
            match item {
                Item::Url(key, _) | Item::Write(Write::RemoveUrl(key)) => self.urls.retire(key, sequence),
                Item::Site(key, _) => self.sites.retire(key, sequence),
                Item::Pending(key, _) | Item::Write(Write::RemovePending(key)) => {
                    self.pending.retire(key, sequence)
                }
                Item::Write(Write::ClaimDigest { hash, .. } | Write::ReleaseDigest { hash }) => {
                    self.digests.retire(hash, sequence);
                }
                _ => {}
            }
        }
    }

    /// `Some(None)` when the row is about to go.
    pub(crate) fn url(&self, key: &UrlKey) -> Option<Option<&UrlRecord>> {
        self.urls.get(key).map(|record| record.as_deref())
    }

    pub(crate) fn site(&self, key: &SiteKey) -> Option<&SiteRecord> {
        self.sites.get(key).map(|record| &**record)
    }

    /// `Some(None)` when the row is about to go.
    pub(crate) fn pending(&self, key: &UrlKey) -> Option<Option<&PendingLink>> {
        self.pending.get(key).map(|link| link.as_deref())
    }

    /// `Some(None)` when the digest is about to be without an owner.
    pub(crate) fn digest(&self, hash: &ContentHash) -> Option<Option<UrlKey>> {
        self.digests.get(hash).copied()
    }

    /// Forgets everything: nothing more will be committed.
    pub(crate) fn clear(&mut self) {
        *self = Overlay::default();
    }
}

struct Layer<K, V>(FxHashMap<K, (u64, V)>);

impl<K, V> Default for Layer<K, V> {
    fn default() -> Self {
        Layer(FxHashMap::default())
    }
}

impl<K: Hash + Eq, V> Layer<K, V> {
    fn put(&mut self, key: K, sequence: u64, value: V) {
        self.0.insert(key, (sequence, value));
    }

    fn retire(&mut self, key: &K, sequence: u64) {
        if self.0.get(key).is_some_and(|(shown, _)| *shown <= sequence) {
            self.0.remove(key);
        }
    }

    fn get(&self, key: &K) -> Option<&V> {
        self.0.get(key).map(|(_, value)| value)
    }
}
