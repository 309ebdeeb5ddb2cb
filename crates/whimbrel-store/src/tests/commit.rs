//! Order, atomicity and idempotence of commits; who sees what when.

use crate::sample::{self, at, open, page_batch, url};
use crate::{Error, Store};
use std::sync::mpsc;
use whimbrel_types::*;

#[test]
fn a_committed_page_is_there_in_all_its_parts() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let page = url("/a");
    let committed = store.commit(page_batch(&page, 1, b"<p>hello</p>")).unwrap();
    let key = page.key();
    let version = store.page(&key).unwrap().unwrap();
    assert_eq!(version.sequence, committed.sequence);
    assert_eq!(store.versions(&key).unwrap(), std::slice::from_ref(&version));
    let content = store.content(&key).unwrap().unwrap();
    assert_eq!((content.title.as_str(), content.links.len()), ("page /a", 0));
    assert_eq!(store.links(&key).unwrap()[0].target, url("/next"));
    assert_eq!(store.response(&version.response).unwrap().body_wire, b"<p>hello</p>");
    assert_eq!(store.digest_owner(&ContentHash::of(b"<p>hello</p>")).unwrap(), Some(key));
    assert_eq!(store.index_queue(0, 10).unwrap(), [(1, key, IndexOp::Update)]);
    assert_eq!(store.counters().unwrap()["pages"], 1);
}

#[test]
fn done_comes_in_order_and_only_when_the_rows_are_committed() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let (sender, receiver) = mpsc::channel();
    for n in 0..20 {
        let page = url(&format!("/{n}"));
        let (store, sender) = (store.clone(), sender.clone());
        let reader = store.clone();
        let batch = page_batch(&page, n, format!("body {n}").as_bytes());
        store.submit(
            batch,
            Box::new(move |result| {
                // Committed-only reads must already show it, and the file must have it.
                let version =
                    reader.page(&page.key()).unwrap().expect("acknowledged before it was committed");
                let body = reader.response(&version.response).unwrap().body_wire;
                sender.send((n, result.unwrap().sequence, body)).unwrap();
            }),
        );
    }
    store.flush().unwrap();
    let seen: Vec<_> = receiver.try_iter().collect();
    assert_eq!(seen.len(), 20, "flush waits for all");
    for (n, (number, sequence, body)) in seen.into_iter().enumerate() {
        assert_eq!((number, sequence), (n as u64, n as u64 + 1));
        assert_eq!(body, format!("body {n}").into_bytes());
    }
}

#[test]
fn planners_see_what_they_submitted_before_it_is_committed() {
    let dir = tempfile::tempdir().unwrap();
    let options = crate::StoreOptions { group_commit_ms: 60_000, ..sample::options() };
    let (store, _) = Store::open(dir.path(), options).unwrap();
    let page = url("/a");
    let hash = ContentHash::of(b"x");
    let mut batch = page_batch(&page, 1, b"x");
    let link = PendingLink {
        target: url("/waits"),
        depth: 1,
        from: None,
        score: 0.5,
        in_links: 1,
        redirect_hops: 0,
        seed: false,
        anchors: Vec::new(),
    };
    batch.writes.push(Write::PutPending(Box::new(link.clone())));
    batch.writes.push(Write::PutSite(Box::new(SiteRecord::met(page.site(), at(0)))));
    store.submit(batch, Box::new(|_| {}));
    assert!(store.page(&page.key()).unwrap().is_none(), "not committed yet");
    assert!(store.url(&page.key()).unwrap().is_some(), "seen when submitted");
    assert_eq!(store.digest_owner(&hash).unwrap(), Some(page.key()));
    assert_eq!(store.pending_link(&url("/waits").key()).unwrap(), Some(link));
    assert!(store.site(&page.site().key()).unwrap().is_some());
    let both = store.urls(&[url("/none").key(), page.key(), page.key()]).unwrap();
    assert_eq!(both.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, true]);

    let writes = vec![
        Write::ReleaseDigest { hash },
        Write::RemovePending(url("/waits").key()),
        Write::RemoveUrl(page.key()),
    ];
    store.submit(Batch { report: None, writes }, Box::new(|_| {}));
    assert_eq!(store.digest_owner(&hash).unwrap(), None);
    assert_eq!(store.pending_link(&url("/waits").key()).unwrap(), None);
    assert_eq!(store.urls(&[page.key()]).unwrap(), [None]);
    store.flush().unwrap();
    assert_eq!(store.digest_owner(&hash).unwrap(), None);
    assert_eq!(store.url(&page.key()).unwrap(), None);
    assert!(store.page(&page.key()).unwrap().is_some());
}

#[test]
fn a_report_delivered_twice_changes_nothing_and_is_acknowledged() {
    let dir = tempfile::tempdir().unwrap();
    let count = || Batch { report: Some([7; 16]), writes: vec![Write::Count { name: "n".into(), by: 1 }] };
    let store = open(dir.path());
    let first = store.commit(count()).unwrap();
    let again = store.commit(count()).unwrap();
    assert_eq!((again.sequence, first.duplicate, again.duplicate), (first.sequence, false, true));
    store.close().unwrap();
    let store = open(dir.path());
    assert!(store.commit(count()).unwrap().duplicate, "also after a restart");
    assert_eq!(store.counters().unwrap()["n"], 1);
}

#[test]
fn only_the_last_reports_are_remembered() {
    let dir = tempfile::tempdir().unwrap();
    let options = || crate::StoreOptions { reports_max: 3, ..sample::options() };
    let batch = |n| Batch { report: Some([n; 16]), writes: vec![Write::Count { name: "n".into(), by: 1 }] };
    let (store, _) = Store::open(dir.path(), options()).unwrap();
    for n in 0..5 {
        store.commit(batch(n)).unwrap();
    }
    store.close().unwrap();
    let (store, _) = Store::open(dir.path(), options()).unwrap();
    assert!(store.commit(batch(4)).unwrap().duplicate);
    assert!(!store.commit(batch(0)).unwrap().duplicate, "long ago");
}

#[test]
fn a_read_in_order_sees_everything_submitted_before_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let (sender, receiver) = mpsc::channel();
    store.submit(page_batch(&url("/a"), 1, b"a"), Box::new(|_| {}));
    let key = url("/a").key();
    store
        .in_order(move |store| store.page(&key).unwrap().is_some(), move |found| sender.send(found).unwrap());
    assert!(receiver.recv().unwrap());
}

#[test]
fn the_last_handle_may_go_inside_a_callback() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let (sender, receiver) = mpsc::channel();
    store.in_order(
        |store| store.clone(),
        move |last| {
            drop(last);
            sender.send(()).unwrap();
        },
    );
    drop(store);
    receiver.recv().unwrap();
}

#[test]
fn a_panicking_callback_does_not_stop_the_writer() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    store.submit(page_batch(&url("/a"), 1, b"a"), Box::new(|_| panic!("a caller's mistake")));
    store.flush().unwrap();
    store.commit(page_batch(&url("/b"), 2, b"b")).unwrap();
}

#[test]
fn a_second_open_is_refused_with_the_pid_of_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    match Store::open(dir.path(), sample::options()) {
        Err(Error::InUse { pid, .. }) => assert_eq!(pid, std::process::id().to_string()),
        other => panic!("{:?}", other.map(|_| ()).map_err(|e| e.to_string())),
    }
    drop(store);
    drop(open(dir.path()));
}

#[test]
fn a_closed_store_refuses_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let other = store.clone();
    store.close().unwrap();
    assert!(matches!(other.commit(page_batch(&url("/a"), 1, b"a")), Err(Error::Closed)));
    assert!(matches!(other.flush(), Err(Error::Closed)));
}

#[test]
fn a_directory_without_a_store_is_not_turned_into_one_by_looking() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("nothing");
    assert!(matches!(Store::open_existing(&missing, sample::options()), Err(Error::NotFound { .. })));
    assert!(!missing.exists());
}

#[test]
fn small_values_are_kept_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    assert_eq!(store.meta_get("seeds").unwrap(), None);
    store.meta_put("seeds", b"[]").unwrap();
    store.meta_put("state", b"mine").unwrap();
    store.close().unwrap();
    let store = open(dir.path());
    assert_eq!(store.meta_get("seeds").unwrap().unwrap(), b"[]");
    assert_eq!(store.meta_get("state").unwrap().unwrap(), b"mine", "no clash with the store's own rows");
    store.meta_remove("seeds").unwrap();
    assert_eq!(store.meta_get("seeds").unwrap(), None);
}

#[test]
fn long_pages_are_marked_until_their_links_are_followed() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let page = |n: u32| url(&format!("/{n}")).key();
    assert_eq!(store.long_pages().unwrap(), []);
    let mut marks = vec![Write::PutLongPage(page(1)), Write::PutLongPage(page(2))];
    store.commit(Batch { report: None, writes: marks.clone() }).unwrap();
    // The caller's own values are something else.
    store.meta_put("long:", b"x").unwrap();
    store.close().unwrap();
    let store = open(dir.path());
    let mut both = vec![page(1), page(2)];
    both.sort_unstable();
    assert_eq!(store.long_pages().unwrap(), both);
    marks = vec![Write::RemoveLongPage(page(1))];
    store.commit(Batch { report: None, writes: marks }).unwrap();
    assert_eq!(store.long_pages().unwrap(), [page(2)]);
}
