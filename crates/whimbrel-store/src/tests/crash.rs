//! What a crash, a torn file or a damaged journal may cost, and what it may not.

use crate::sample::{copy_directory, open, options, page_batch, url, warc_records};
use crate::{Error, Store};
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use whimbrel_types::*;

const CHILD_DIRECTORY: &str = "WHIMBREL_STORE_CRASH_TEST_DIR";

fn page(n: u64) -> CanonicalUrl {
    url(&format!("/{n}"))
}

fn body(n: u64) -> Vec<u8> {
    format!("<p>body of page {n}</p>").repeat(20).into_bytes()
}

fn assert_page_is_whole(store: &Store, n: u64) {
    let key = page(n).key();
    let version = store.page(&key).unwrap().unwrap_or_else(|| panic!("page {n} is lost"));
    assert_eq!(store.response(&version.response).unwrap().body_wire, body(n));
    assert!(store.url(&key).unwrap().is_some());
    assert!(store.content(&key).unwrap().is_some());
    assert_eq!(store.digest_owner(&ContentHash::of(&body(n))).unwrap(), Some(key));
}

/// A directory as a crash leaves it after `pages` acknowledged commits.
fn crashed(pages: u64) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let live = dir.path().join("live");
    let store = open(&live);
    for n in 0..pages {
        store.commit(page_batch(&page(n), n, &body(n))).unwrap();
    }
    let crashed = dir.path().join("crashed");
    copy_directory(&live, &crashed);
    let journal = journals(&crashed).pop().unwrap();
    let end = data_end(&std::fs::read(&journal).unwrap());
    std::fs::OpenOptions::new().write(true).open(&journal).unwrap().set_len(end as u64).unwrap();
    (dir, crashed)
}

/// Where the preallocated zeros of a journal begin.
fn data_end(bytes: &[u8]) -> usize {
    let zeros = [0; 4096];
    let chunk =
        bytes.chunks(zeros.len()).rposition(|chunk| *chunk != zeros[..chunk.len()]).unwrap() * zeros.len();
    chunk + bytes[chunk..].iter().take(zeros.len()).rposition(|byte| *byte != 0).unwrap() + 1
}

fn journals(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir.join("store")).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "jnl")).collect()
}

fn warc_file(dir: &Path) -> PathBuf {
    std::fs::read_dir(dir.join("warc")).unwrap().next().unwrap().unwrap().path()
}

/// Not a promise by itself: the child process of the next test, which kills it. Does nothing when run as a test.
#[test]
fn child_process_of_the_kill_test() {
    let Ok(dir) = std::env::var(CHILD_DIRECTORY) else { return };
    let store = open(Path::new(&dir));
    for n in 0..100_000u64 {
        let report = move |result: Result<crate::Committed, Error>| {
            result.unwrap();
            println!("acknowledged {n}");
        };
        store.submit(page_batch(&page(n), n, &body(n)), Box::new(report));
    }
}

#[test]
fn kill_nine_loses_nothing_that_was_acknowledged() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tests::crash::child_process_of_the_kill_test", "--nocapture", "--test-threads=1"])
        .env(CHILD_DIRECTORY, dir.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut acknowledged = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        // The test harness may print its own words in front of the first.
        if let Some((_, number)) = line.unwrap_or_default().rsplit_once("acknowledged ") {
            acknowledged.push(number.parse::<u64>().unwrap());
        }
        if acknowledged.len() == 150 {
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    assert!(acknowledged.len() >= 150);
    let (store, report) = Store::open(dir.path(), options()).unwrap();
    assert_eq!(report.warnings(), Vec::<String>::new());
    for n in &acknowledged {
        assert_page_is_whole(&store, *n);
    }
    // Nothing half done either: as many visits in the WARC files as pages in the database.
    let records = warc_records(&store);
    let pages = store.all_urls().count();
    assert_eq!(records.iter().filter(|record| record.kind() == "metadata").count(), pages);
    assert!(pages - acknowledged.len() <= options().uncommitted_pages_max, "{pages} pages");
}

#[test]
fn uncommitted_warc_bytes_are_cut_off_and_counted() {
    let (_dir, crashed) = crashed(3);
    let path = warc_file(&crashed);
    let committed = path.metadata().unwrap().len();
    let capture = crate::sample::capture(&page(9), 9, b"never committed", None);
    let tail = [capture.request.as_slice(), &capture.response, &capture.response[..20]].concat();
    std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(&tail).unwrap();
    let next_file = path.with_file_name("whimbrel-20260101000000-00002.warc.gz");
    std::fs::write(&next_file, &capture.request).unwrap();

    let (store, report) = Store::open(&crashed, options()).unwrap();
    assert_eq!(report.warc_cut_bytes, (tail.len() + capture.request.len()) as u64);
    assert_eq!((report.lost_tail, report.warc_missing, report.gap), (None, None, None));
    assert_eq!((path.metadata().unwrap().len(), next_file.exists()), (committed, false));
    (0..3).for_each(|n| assert_page_is_whole(&store, n));
    store.commit(page_batch(&page(3), 3, &body(3))).unwrap();
    assert_page_is_whole(&store, 3);
}

#[test]
fn a_journal_cut_anywhere_opens_with_a_prefix_and_says_what_is_lost() {
    let (dir, crashed) = crashed(6);
    let journal = journals(&crashed).pop().unwrap();
    let bytes = std::fs::read(&journal).unwrap();
    let end = bytes.len();
    let warc_bytes = warc_file(&crashed).metadata().unwrap().len();
    for (number, keep) in [end - 1, end - 300, end / 2 + 100].into_iter().enumerate() {
        let torn = dir.path().join(format!("torn-{number}"));
        copy_directory(&crashed, &torn);
        let file = std::fs::OpenOptions::new()
            .write(true)
            .open(torn.join("store").join(journal.file_name().unwrap()));
        file.unwrap().set_len(keep as u64).unwrap();

        let (store, report) = Store::open(&torn, options()).unwrap();
        let lost = report.lost_tail.clone().expect("the loss is noticed");
        assert_eq!((lost.store_sequence, lost.committed_sequence), (report.sequence, 6));
        assert_eq!(lost.captures, 6 - report.sequence, "and found in the WARC file");
        assert!(report.warnings()[0].contains("run repair"), "{:?}", report.warnings());
        (0..report.sequence).for_each(|n| assert_page_is_whole(&store, n));
        assert_eq!(warc_file(&torn).metadata().unwrap().len(), warc_bytes, "the only copy is kept");

        let committed = store.commit(page_batch(&page(50), 50, &body(50))).unwrap();
        assert!(committed.sequence > 6, "numbers are not used twice");
        assert_page_is_whole(&store, 50);
        store.close().unwrap();
        assert_eq!(Store::open(&torn, options()).unwrap().1.warnings().len(), 0, "said once");
    }
}

#[test]
fn a_damaged_journal_costs_only_what_comes_after_the_damage() {
    let (dir, crashed) = crashed(5);
    let journal = journals(&crashed).pop().unwrap();
    let bytes = std::fs::read(&journal).unwrap();
    let torn = dir.path().join("torn");
    let mut cut = 0;
    for place in (bytes.len() / 3..bytes.len()).step_by(bytes.len() / 9).chain([bytes.len() - 40]) {
        let _ = std::fs::remove_dir_all(&torn);
        copy_directory(&crashed, &torn);
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x55;
        std::fs::write(torn.join("store").join(journal.file_name().unwrap()), damaged).unwrap();
        let (store, report) = Store::open(&torn, options()).unwrap();
        assert!(report.lost_tail.is_some(), "a loss must be noticed (byte {place})");
        (0..report.sequence).for_each(|n| assert_page_is_whole(&store, n));
        if let Some(journal) = report.cut_journal {
            cut += 1;
            assert!(journal.kept_as.is_file() && journal.cut_bytes > 0);
        }
        store.commit(page_batch(&page(9), 9, &body(9))).unwrap();
        assert_page_is_whole(&store, 9);
    }
    assert!(cut > 0, "some damage only shows in a checksum");
}

#[test]
fn a_torn_batch_that_was_never_acknowledged_is_dropped_without_alarm() {
    let (dir, crashed) = crashed(3);
    // A power cut may leave the length of the last batch and not its bytes: as if the third had never been acknowledged.
    let path = journals(&crashed).pop().unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    std::fs::write(crashed.join("acknowledged"), "00000000000000000002\n").unwrap();
    for (number, from_end) in [30, 60, 200].into_iter().enumerate() {
        let torn = dir.path().join(number.to_string());
        copy_directory(&crashed, &torn);
        let hole = bytes.len() - from_end;
        bytes[hole..hole + 4].fill(0);
        std::fs::write(torn.join("store").join(path.file_name().unwrap()), &bytes).unwrap();
        let (store, report) = Store::open(&torn, options()).unwrap();
        assert_eq!((report.sequence, report.lost_tail), (2, None));
        assert!(report.warc_cut_bytes > 0, "and its WARC records with it");
        (0..2).for_each(|n| assert_page_is_whole(&store, n));
    }
}

#[test]
fn a_torn_warc_file_costs_only_what_was_torn() {
    let (_dir, crashed) = crashed(4);
    let path = warc_file(&crashed);
    let committed = path.metadata().unwrap().len();
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(committed - 500).unwrap();

    let (store, report) = Store::open(&crashed, options()).unwrap();
    let missing = report.warc_missing.expect("the loss is noticed");
    assert_eq!((missing.file, missing.committed_bytes), (1, committed));
    assert!(missing.found_bytes <= committed - 500);
    (0..3).for_each(|n| assert_page_is_whole(&store, n));
    let version = store.page(&page(3).key()).unwrap().unwrap();
    assert!(store.response(&version.response).is_err());

    store.commit(page_batch(&page(4), 4, &body(4))).unwrap();
    assert_page_is_whole(&store, 4);
    assert_eq!(store.page(&page(4).key()).unwrap().unwrap().response.file, 2, "goes on in a new file");
}

#[test]
fn a_lost_database_does_not_cost_the_warc_files() {
    let (_dir, crashed) = crashed(4);
    let path = warc_file(&crashed);
    let committed = path.metadata().unwrap().len();
    std::fs::remove_dir_all(crashed.join("store")).unwrap();
    std::fs::remove_file(crashed.join("acknowledged")).unwrap();
    let (store, report) = Store::open(&crashed, options()).unwrap();
    let lost = report.lost_tail.unwrap();
    assert_eq!((lost.store_sequence, lost.committed_sequence, lost.captures), (0, 3, 4));
    assert_eq!(path.metadata().unwrap().len(), committed);
    store.commit(page_batch(&page(0), 9, &body(0))).unwrap();
    assert_page_is_whole(&store, 0);
}

#[test]
fn a_newer_format_is_refused_with_both_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let mut group = crate::group::Group::new(store.tables());
    group.put(crate::table::Table::Meta, b"format", 77u32.to_be_bytes().as_slice());
    group.commit().unwrap();
    drop(store);
    let error = Store::open(dir.path(), options()).err().unwrap();
    assert!(error.to_string().contains("format 77") && error.to_string().contains("up to 1"), "{error}");
}

#[test]
fn a_due_time_that_comes_again_can_be_cleared_again() {
    let dir = tempfile::tempdir().unwrap();
    let (key, at) = (url("/a").key(), Timestamp(7));
    let set = || Batch { report: None, writes: vec![Write::SetDue { key, at }] };
    let clear = || Batch { report: None, writes: vec![Write::ClearDue { key, at }] };
    let mut store = open(dir.path());
    // Each reopening writes the tables out, so that every row and removal is met in another file.
    for (steps, left) in
        [(vec![set()], 1), (vec![clear(), set()], 1), (vec![clear()], 0), (vec![set(), clear()], 0)]
    {
        for step in steps {
            store.commit(step).unwrap();
        }
        store.close().unwrap();
        store = open(dir.path());
        assert_eq!(store.next_due(&key.site).unwrap().into_iter().count(), left);
    }
}
