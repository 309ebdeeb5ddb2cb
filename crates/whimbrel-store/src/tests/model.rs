//! Random batches against a model of plain maps, with closes and crashes in between.

use crate::Store;
use crate::sample::{copy_directory, open, url};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use whimbrel_types::*;

#[derive(Clone, Debug)]
enum Step {
    Commit(Vec<Change>),
    Submit(Vec<Change>),
    Reopen,
    /// Copy the directory of the running store and go on in the copy.
    Crash,
}

#[derive(Clone, Debug)]
enum Change {
    Url(u8, u32),
    RemoveUrl(u8),
    Enqueue(u8, u8),
    Dequeue(u8),
    Due(u8, u8),
    Clear(u8, u8),
    Pending(u8, u16),
    Unpend(u8),
    Alias(u8, u8),
    Unalias(u8, u8),
    Count(u8),
    Index(u8),
}

#[derive(Default, Debug)]
struct Model {
    urls: BTreeMap<UrlKey, u32>,
    queue: BTreeMap<QueuePlace, UrlId>,
    /// Given out so far.
    places: u64,
    due: BTreeSet<(Timestamp, UrlId)>,
    pending: BTreeMap<UrlKey, u16>,
    aliases: BTreeMap<UrlKey, BTreeSet<UrlKey>>,
    counters: BTreeMap<String, u64>,
    index: Vec<UrlKey>,
}

fn page(n: u8) -> CanonicalUrl {
    url(&format!("/{n}"))
}

impl Model {
    fn apply(&mut self, change: &Change) -> Write {
        match *change {
            Change::Url(n, in_links) => {
                self.urls.insert(page(n).key(), in_links);
                let mut record = UrlRecord::admitted(page(n), UrlState::Known, 0, Timestamp(1));
                record.in_links = in_links;
                Write::PutUrl(Box::new(record))
            }
            Change::RemoveUrl(n) => {
                self.urls.remove(&page(n).key());
                Write::RemoveUrl(page(n).key())
            }
            Change::Enqueue(n, target) => {
                self.places += 1;
                let place = QueuePlace { class: n % 3, sequence: self.places };
                self.queue.insert(place, page(target).id());
                Write::Enqueue { place, key: page(target).key() }
            }
            Change::Dequeue(n) => {
                // Planners take out what is there, each once.
                let Some(place) = self.queue.keys().nth(usize::from(n)).copied() else {
                    return self.apply(&Change::Count(0));
                };
                self.queue.remove(&place);
                Write::Dequeue { site: url("/").site().key(), place }
            }
            Change::Due(n, time) => {
                self.due.insert((Timestamp(time.into()), page(n).id()));
                Write::SetDue { key: page(n).key(), at: Timestamp(time.into()) }
            }
            Change::Clear(n, time) => {
                self.due.remove(&(Timestamp(time.into()), page(n).id()));
                Write::ClearDue { key: page(n).key(), at: Timestamp(time.into()) }
            }
            Change::Pending(n, depth) => {
                self.pending.insert(page(n).key(), depth);
                Write::PutPending(Box::new(waiting(n, depth)))
            }
            Change::Unpend(n) => {
                self.pending.remove(&page(n).key());
                Write::RemovePending(page(n).key())
            }
            Change::Alias(a, b) => {
                self.aliases.entry(page(a).key()).or_default().insert(page(b).key());
                Write::AddAlias { representative: page(a).key(), alias: page(b).key() }
            }
            Change::Unalias(a, b) => {
                self.aliases.entry(page(a).key()).or_default().remove(&page(b).key());
                Write::RemoveAlias { representative: page(a).key(), alias: page(b).key() }
            }
            Change::Count(n) => {
                *self.counters.entry(format!("counter {}", n % 2)).or_default() += u64::from(n);
                Write::Count { name: format!("counter {}", n % 2), by: n.into() }
            }
            Change::Index(n) => {
                self.index.push(page(n).key());
                Write::Index { key: page(n).key(), op: IndexOp::Update }
            }
        }
    }

    /// What planners see before the commit.
    fn check_submitted(&self, store: &Store) {
        let keys: Vec<UrlKey> = (0..8).map(|n| page(n).key()).collect();
        for (key, found) in keys.iter().zip(store.urls(&keys).unwrap()) {
            assert_eq!(found.map(|record| record.in_links), self.urls.get(key).copied());
            assert_eq!(
                store.pending_link(key).unwrap().map(|link| link.depth),
                self.pending.get(key).copied()
            );
        }
    }

    fn check(&self, store: &Store) {
        self.check_submitted(store);
        let site = url("/").site().key();
        let urls: BTreeMap<UrlKey, u32> =
            store.site_urls(&site).map(|r| r.unwrap()).map(|r| (r.key(), r.in_links)).collect();
        assert_eq!(urls, self.urls);
        let queue: Vec<QueueEntry> =
            self.queue.iter().map(|(place, url)| QueueEntry { place: *place, url: *url }).collect();
        assert_eq!(store.queue(&site, 100).unwrap(), queue);
        assert_eq!(store.queued_sites().unwrap().len(), usize::from(!queue.is_empty()));
        let due: Vec<(Timestamp, UrlId)> = self.due.iter().copied().collect();
        assert_eq!(store.due(&site, Timestamp::NEVER, 1000).unwrap(), due);
        let pending: BTreeMap<UrlKey, u16> = store
            .pending(&site, 100)
            .unwrap()
            .into_iter()
            .map(|link| (link.target.key(), link.depth))
            .collect();
        assert_eq!(pending, self.pending);
        for (key, aliases) in &self.aliases {
            assert_eq!(store.aliases(key).unwrap().into_iter().collect::<BTreeSet<_>>(), *aliases);
        }
        assert_eq!(store.counters().unwrap(), self.counters);
        let index: Vec<UrlKey> =
            store.index_queue(0, 10_000).unwrap().into_iter().map(|task| task.1).collect();
        assert_eq!(index, self.index);
    }
}

fn waiting(n: u8, depth: u16) -> PendingLink {
    PendingLink {
        target: page(n),
        depth,
        from: None,
        score: 0.0,
        in_links: 1,
        redirect_hops: 0,
        seed: false,
        anchors: Vec::new(),
    }
}

fn change() -> impl Strategy<Value = Change> {
    let n = || 0u8..8;
    prop_oneof![
        (n(), any::<u32>()).prop_map(|(a, b)| Change::Url(a, b)),
        n().prop_map(Change::RemoveUrl),
        (n(), n()).prop_map(|(a, b)| Change::Enqueue(a, b)),
        n().prop_map(Change::Dequeue),
        (n(), 0u8..4).prop_map(|(a, b)| Change::Due(a, b)),
        (n(), 0u8..4).prop_map(|(a, b)| Change::Clear(a, b)),
        (n(), any::<u16>()).prop_map(|(a, b)| Change::Pending(a, b)),
        n().prop_map(Change::Unpend),
        (n(), n()).prop_map(|(a, b)| Change::Alias(a, b)),
        (n(), n()).prop_map(|(a, b)| Change::Unalias(a, b)),
        (1u8..5).prop_map(Change::Count),
        n().prop_map(Change::Index),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let changes = || proptest::collection::vec(change(), 1..8);
    prop_oneof![
        6 => changes().prop_map(Step::Commit),
        6 => changes().prop_map(Step::Submit),
        1 => Just(Step::Reopen),
        1 => Just(Step::Crash),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, max_shrink_iters: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_store_agrees_with_plain_maps_through_closes_and_crashes(steps in proptest::collection::vec(step(), 1..40)) {
        let dir = tempfile::tempdir().unwrap();
        let mut at = dir.path().join("0");
        let mut store = open(&at);
        let mut model = Model::default();
        for (number, step) in steps.iter().enumerate() {
            match step {
                Step::Commit(changes) | Step::Submit(changes) => {
                    let batch = Batch { report: None, writes: changes.iter().map(|change| model.apply(change)).collect() };
                    match step {
                        Step::Commit(_) => assert!(!store.commit(batch).unwrap().duplicate),
                        _ => store.submit(batch, Box::new(|result| assert!(result.is_ok()))),
                    }
                    model.check_submitted(&store);
                }
                Step::Reopen => {
                    store.close().unwrap();
                    store = open(&at);
                    model.check(&store);
                }
                Step::Crash => {
                    store.flush().unwrap();
                    let next = dir.path().join((number + 1).to_string());
                    copy_directory(&at, &next);
                    drop(store);
                    at = next;
                    store = open(&at);
                    model.check(&store);
                }
            }
        }
        store.flush().unwrap();
        model.check(&store);
    }
}
