//! Rows that must stay bounded, keys that must not come back, limits of the disk.

use crate::sample::{self, at, new_page, open, page_batch, record, url};
use crate::{Error, Store, StoreOptions};
use whimbrel_types::*;

fn commit(store: &Store, writes: Vec<Write>) {
    store.commit(Batch { report: None, writes }).unwrap();
}

fn anchor(text: &str, weight: u32) -> Write {
    let anchor = Anchor { text: text.into(), from: url("/from").key(), weight };
    Write::PutAnchor { target: url("/target").key(), anchor }
}

#[test]
fn a_target_keeps_its_eight_heaviest_texts() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    commit(&store, (1..=6).map(|n| anchor(&format!("text {n}"), n)).collect());
    commit(&store, (4..=30).map(|n| anchor(&format!("text {n}"), n)).collect());
    // Lighter, empty and repeated ones change nothing; a known text can grow heavier.
    commit(&store, vec![anchor("light", 1), anchor("  ", 99), anchor("text 30", 2), anchor("text 24", 50)]);
    let found = store.anchors(&url("/target").key()).unwrap();
    let texts: Vec<(&str, u32)> = found.iter().map(|anchor| (anchor.text.as_str(), anchor.weight)).collect();
    assert_eq!(
        texts,
        [
            ("text 24", 50),
            ("text 30", 30),
            ("text 29", 29),
            ("text 28", 28),
            ("text 27", 27),
            ("text 26", 26),
            ("text 25", 25),
            ("text 23", 23)
        ]
    );
    store.close().unwrap();
    let store = open(dir.path());
    commit(&store, vec![anchor("light", 1), anchor("ä".repeat(500).as_str(), 60)]);
    let found = store.anchors(&url("/target").key()).unwrap();
    assert_eq!(
        (found.len(), found[0].text.chars().count()),
        (8, 200),
        "the cache is not needed to stay bounded"
    );
}

#[test]
fn two_contents_with_one_fingerprint_have_two_owners() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let hash = |last: u8| {
        let mut bytes = [9; 32];
        bytes[31] = last;
        ContentHash(bytes)
    };
    let own = |path: &str, hash: ContentHash| {
        let mut row = record(&url(path), b"");
        row.content_hash = Some(hash);
        vec![Write::ClaimDigest { hash, owner: url(path).key() }, Write::PutUrl(Box::new(row))]
    };
    commit(&store, own("/a", hash(1)));
    commit(&store, own("/b", hash(2)));
    let owner = |last| store.digest_owner(&hash(last)).unwrap();
    assert_eq!((owner(1), owner(2), owner(3)), (Some(url("/a").key()), Some(url("/b").key()), None));

    // The first page changes its content: its release must not take the other's claim along.
    let mut writes = own("/a", ContentHash::of(b"new"));
    writes.insert(0, Write::ReleaseDigest { hash: hash(1) });
    commit(&store, writes);
    assert_eq!((owner(1), owner(2)), (None, Some(url("/b").key())));
    assert_eq!(store.digest_owner(&ContentHash::of(b"new")).unwrap(), Some(url("/a").key()));

    // Another page takes the content over.
    commit(&store, own("/c", hash(2)));
    assert_eq!(owner(2), Some(url("/c").key()));
    commit(&store, vec![Write::ReleaseDigest { hash: hash(2) }]);
    assert_eq!(owner(2), None);
}

#[test]
fn a_place_in_the_queue_never_comes_back_from_the_dead() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let site = url("/").site().key();
    let place = |sequence| QueuePlace { class: 3, sequence };
    let enqueue = |path: &str, n| vec![Write::Enqueue { place: place(n), key: url(path).key() }];
    let dequeue = |n| vec![Write::Dequeue { site, place: place(n) }];
    let first = || store.queue(&site, 10).unwrap().first().map(|entry| entry.url);
    let settle = || store.tables().settle().unwrap();

    commit(&store, enqueue("/a", 1));
    settle();
    commit(&store, enqueue("/b", 2));
    settle();
    commit(&store, dequeue(1));
    assert_eq!(first(), Some(url("/b").id()));
    settle();
    commit(&store, dequeue(2));
    assert_eq!(first(), None);
    settle();
    store.tables().keyspace(crate::table::Table::Queue).major_compact().unwrap();
    assert_eq!(first(), None, "also after compaction");

    commit(&store, [enqueue("/c", 3), dequeue(3), enqueue("/d", 4)].concat());
    assert_eq!(first(), Some(url("/d").id()), "what came and went in one batch was never there");
    commit(&store, [dequeue(4), enqueue("/e", 5), dequeue(5)].concat());
    assert_eq!(first(), None);
    assert!(store.queued_sites().unwrap().is_empty());
}

#[test]
fn due_times_are_set_cleared_and_found_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let site = url("/").site().key();
    let key = |n: u64| url(&format!("/{n}")).key();
    commit(&store, (0..5).map(|n| Write::SetDue { key: key(n), at: at(50 - n * 10) }).collect());
    commit(
        &store,
        vec![Write::SetDue { key: key(1), at: at(40) }, Write::ClearDue { key: key(4), at: at(10) }],
    );
    assert_eq!(store.next_due(&site).unwrap(), Some(at(20)));
    let due = store.due(&site, at(40), 10).unwrap();
    assert_eq!(due, [(at(20), key(3).url), (at(30), key(2).url), (at(40), key(1).url)]);
    assert_eq!(store.due(&site, at(40), 1).unwrap().len(), 1);
    commit(&store, vec![Write::ClearDue { key: key(1), at: at(40) }]);
    assert_eq!(store.due(&site, at(45), 10).unwrap().len(), 2);
    assert_eq!(store.due_sites().unwrap(), [site]);
}

#[test]
fn the_index_queue_goes_on_where_the_index_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let task = |n: u64, op| Write::Index { key: url(&format!("/{n}")).key(), op };
    commit(&store, vec![task(1, IndexOp::Update), task(2, IndexOp::Delete), task(1, IndexOp::Update)]);
    let tasks = store.index_queue(0, 2).unwrap();
    assert_eq!(tasks.iter().map(|task| task.0).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(tasks[1], (2, url("/2").key(), IndexOp::Delete));
    store.index_done(2);
    store.flush().unwrap();
    store.close().unwrap();
    let store = open(dir.path());
    assert_eq!(store.index_queue(0, 9).unwrap().iter().map(|task| task.0).collect::<Vec<_>>(), [3]);
    commit(&store, vec![task(4, IndexOp::Update)]);
    assert_eq!(store.index_queue(3, 9).unwrap()[0].0, 4, "numbers go on after a restart");
    assert!(store.index_queue(u64::MAX, 9).unwrap().is_empty());
}

#[test]
fn old_versions_go_by_number_and_by_age() {
    let versions_kept = |keep_versions, keep_days| {
        let dir = tempfile::tempdir().unwrap();
        let options = StoreOptions { keep_versions, keep_days, ..sample::options() };
        let (store, _) = Store::open(dir.path(), options).unwrap();
        let page = url("/a");
        for day in 0..6 {
            let second = day * 86_400;
            let body = format!("version {day}").into_bytes();
            let new = new_page(&page, second, &body, sample::capture(&page, second, &body, None));
            let mut row = record(&page, &body);
            row.versions = day as u32 + 1;
            commit(&store, vec![Write::PutUrl(Box::new(row)), Write::PutPage(Box::new(new))]);
        }
        assert_eq!(store.page(&page.key()).unwrap().unwrap().content_hash, ContentHash::of(b"version 5"));
        store.versions(&page.key()).unwrap().len()
    };
    assert_eq!(versions_kept(0, 0), 6);
    assert_eq!(versions_kept(2, 0), 2);
    assert_eq!(versions_kept(1, 0), 1);
    assert_eq!(versions_kept(0, 3), 4, "today and three days back");
    assert_eq!(versions_kept(5, 1), 2);
}

#[test]
fn a_nearly_full_disk_refuses_new_batches_and_keeps_the_old() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    store.commit(page_batch(&url("/a"), 1, b"a")).unwrap();
    store.close().unwrap();

    let options = StoreOptions { disk_free_bytes_min: u64::MAX, ..sample::options() };
    let (store, _) = Store::open(dir.path(), options).unwrap();
    let error = store.commit(page_batch(&url("/b"), 2, b"b")).unwrap_err();
    assert!(matches!(error, Error::DiskFull { .. }) && error.to_string().contains("make room"), "{error}");
    assert!(store.url(&url("/b").key()).unwrap().is_none(), "not even in the overlay");
    assert!(store.page(&url("/a").key()).unwrap().is_some());
    store.close().unwrap();

    let options = StoreOptions { disk_bytes_max: Some(100), ..sample::options() };
    let (store, _) = Store::open(dir.path(), options).unwrap();
    let error = store.commit(page_batch(&url("/b"), 2, b"b")).unwrap_err();
    assert!(error.to_string().contains("disk_bytes_max"), "{error}");
    store.close().unwrap();
    open(dir.path()).commit(page_batch(&url("/b"), 2, b"b")).unwrap();
}

#[test]
fn submitting_waits_while_too_many_pages_are_uncommitted() {
    let dir = tempfile::tempdir().unwrap();
    let options = StoreOptions { uncommitted_pages_max: 4, group_commit_ms: 60_000, ..sample::options() };
    let (store, _) = Store::open(dir.path(), options).unwrap();
    for n in 0..40 {
        store.submit(page_batch(&url(&format!("/{n}")), n, b"x"), Box::new(|result| assert!(result.is_ok())));
        assert!(store.uncommitted_pages() <= 4);
    }
    store.flush().unwrap();
    assert_eq!((store.uncommitted_pages(), store.counters().unwrap()["pages"]), (0, 40));
}

#[test]
fn sizes_count_both_files_and_tables() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    store.commit(page_batch(&url("/a"), 1, b"a")).unwrap();
    store.tables().settle().unwrap();
    let stats = store.stats();
    assert_eq!((stats.warc_files, stats.sequence, stats.uncommitted_pages), (1, 1, 0));
    assert!(stats.warc_bytes > 500 && stats.database_bytes > 500, "{stats:?}");
}
