//! Directories that earlier versions of the program wrote must open for ever.
//!
//! `fixtures/format-1` is written by `write_the_fixture` when `WHIMBREL_WRITE_FIXTURE` is set; it is written once per
//! format and then only read.

use crate::sample::{self, at, copy_directory, options, page_batch, revisit_batch, url};
use crate::{FORMAT, Store};
use std::path::{Path, PathBuf};
use whimbrel_types::*;

fn fixture(format: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/format-{format}"))
}

fn fill(store: &Store) {
    let mut batch = page_batch(&url("/a"), 1, b"<p>first page</p>");
    let (site, key) = (url("/").site(), url("/b").key());
    batch.report = Some([1; 16]);
    batch.writes.extend([
        Write::PutSite(Box::new(SiteRecord::met(site.clone(), at(0)))),
        Write::PutRobots { hash: ContentHash::of(b"User-agent: *"), body: b"User-agent: *".to_vec() },
        Write::Enqueue { place: QueuePlace { class: 2, sequence: 5 }, key },
        Write::SetDue { key: url("/a").key(), at: at(90) },
        Write::PutGate(GateState {
            host: "a.test".into(),
            last_visit: at(1),
            open_at: at(11),
            back_offs: 0,
            address: None,
        }),
        Write::PutAnchor {
            target: url("/a").key(),
            anchor: Anchor { text: "first".into(), from: key, weight: 5 },
        },
    ]);
    store.commit(batch).unwrap();
    store.commit(revisit_batch(&url("/copy"), 2, b"<p>first page</p>", &url("/a"), false)).unwrap();
    store.meta_put("seeds", b"[\"http://a.test/\"]").unwrap();
}

#[test]
fn write_the_fixture() {
    if std::env::var_os("WHIMBREL_WRITE_FIXTURE").is_none() {
        assert!(fixture(FORMAT).is_dir(), "set WHIMBREL_WRITE_FIXTURE to write it");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let store = sample::open(dir.path());
    fill(&store);
    store.close().unwrap();
    // A second open and close leaves a journal without its preallocated space.
    sample::open(dir.path()).close().unwrap();
    let target = fixture(FORMAT);
    let _ = std::fs::remove_dir_all(&target);
    copy_directory(dir.path(), &target);
    std::fs::remove_file(target.join("lock")).unwrap();
}

#[test]
fn a_directory_of_format_1_opens_and_has_everything() {
    let dir = tempfile::tempdir().unwrap();
    let copy = dir.path().join("data");
    copy_directory(&fixture(1), &copy);
    let (store, report) = Store::open_existing(&copy, options()).unwrap();
    assert_eq!((report.created, report.warnings().len(), report.warc_cut_bytes), (false, 0, 0));
    let (key, site) = (url("/a").key(), url("/").site().key());
    let version = store.page(&key).unwrap().unwrap();
    assert_eq!(store.response(&version.response).unwrap().body_wire, b"<p>first page</p>");
    assert_eq!(store.content(&key).unwrap().unwrap().title, "page /a");
    assert_eq!(store.links(&key).unwrap().len(), 1);
    assert_eq!(store.url(&key).unwrap().unwrap().content_hash, Some(version.content_hash));
    assert_eq!(store.digest_owner(&version.content_hash).unwrap(), Some(key));
    assert_eq!(store.aliases(&key).unwrap(), [url("/copy").key()]);
    assert_eq!(store.site(&site).unwrap().unwrap().site.host, "a.test");
    assert_eq!(store.robots(&ContentHash::of(b"User-agent: *")).unwrap().unwrap(), b"User-agent: *");
    assert_eq!(store.queue(&site, 9).unwrap()[0].url, url("/b").id());
    assert_eq!(store.next_due(&site).unwrap(), Some(at(90)));
    assert_eq!(store.gates().next().unwrap().unwrap().open_at, at(11));
    assert_eq!(store.anchors(&key).unwrap()[0].text, "first");
    assert_eq!(store.index_queue(0, 9).unwrap().len(), 1);
    assert_eq!(store.meta_get("seeds").unwrap().unwrap(), b"[\"http://a.test/\"]");
    assert!(store.commit(Batch { report: Some([1; 16]), writes: Vec::new() }).unwrap().duplicate);
}
