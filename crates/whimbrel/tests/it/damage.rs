//! Torn files open with a clear message and lose only what was torn.

use crate::support::{Collection, Served, until};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use whimbrel_fixture::{GraphOptions, GraphTruth, graph_truth, graph_web};

/// Half of a web crawled.
fn half_crawled() -> (Served, Collection, GraphTruth) {
    let options = GraphOptions { sites: 2, pages_per_site: 40, ..GraphOptions::default() };
    let (served, truth) = (Served::hosts(graph_web(&options)), graph_truth(&options));
    let collection = Collection::new();
    collection.crawl_well(&served.seeds(), &["--delay", "0.005", "--limit", "40"]);
    (served, collection, truth)
}

#[test]
fn torn_warc_and_cut_journal_open_with_a_clear_message() {
    garbage_at_the_end_of_the_warc_is_cut();
    a_shortened_warc_is_told_and_the_crawl_goes_on();
    a_cut_journal_is_told_and_the_crawl_goes_on();
}

fn garbage_at_the_end_of_the_warc_is_cut() {
    let (served, collection, truth) = half_crawled();
    let file = last_warc(&collection);
    let whole = file.metadata().unwrap().len();
    OpenOptions::new()
        .append(true)
        .open(&file)
        .unwrap()
        .write_all(&[0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6])
        .unwrap();
    assert_eq!(collection.pages().len(), 40, "nothing committed is lost");
    assert_eq!(file.metadata().unwrap().len(), whole, "what was never committed is cut");
    finish(&served, &collection, &truth);
}

fn a_shortened_warc_is_told_and_the_crawl_goes_on() {
    let (served, collection, truth) = half_crawled();
    let file = last_warc(&collection);
    let whole = file.metadata().unwrap().len();
    OpenOptions::new().write(true).open(&file).unwrap().set_len(whole - 700).unwrap();
    let ran = collection.verb(&["status"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("warning") && ran.stderr.contains("WARC"), "{}", ran.stderr);
    assert_eq!(collection.pages().len(), 40, "text and links are in the database");
    finish(&served, &collection, &truth);
}

fn a_cut_journal_is_told_and_the_crawl_goes_on() {
    let options = GraphOptions { sites: 2, pages_per_site: 40, ..GraphOptions::default() };
    let (served, truth) = (Served::hosts(graph_web(&options)), graph_truth(&options));
    let collection = Collection::new();
    // A crawl that ends well leaves an empty journal, so this one does not.
    let running = collection.start_crawl(&served.seeds(), &["--delay", "0.02"]);
    until("half of the pages were asked for", || (served.page_log().len() >= 50).then_some(()));
    assert!(running.kill_nine().is_none(), "the crawl ended before it could be killed");
    let journal = newest_journal(&collection.data().join("store"));
    let whole = std::fs::read(&journal).unwrap();
    // A journal is written at its front and may be empty space behind.
    let used = whole.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    OpenOptions::new().write(true).open(&journal).unwrap().set_len(used as u64 * 3 / 4).unwrap();
    let ran = collection.verb(&["status"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("warning") && ran.stderr.contains("commit"), "{}", ran.stderr);
    let left = collection.pages().len();
    assert!(left > 0 && left < 50, "{left} pages are left");
    println!("{left} pages are left of a journal cut to three quarters; it said: {}", ran.stderr.trim());
    finish(&served, &collection, &truth);
}

/// The crawl goes on to its end, and every page is stored and found.
fn finish(served: &Served, collection: &Collection, truth: &GraphTruth) {
    collection.crawl_well(&served.seeds(), &["--delay", "0.005"]);
    assert_eq!(collection.pages().len(), truth.pages.len());
    for word in truth.words.keys().step_by(9) {
        assert_eq!(collection.total(word), 1, "{word}");
    }
}

fn last_warc(collection: &Collection) -> PathBuf {
    let mut files: Vec<PathBuf> = std::fs::read_dir(collection.data().join("warc"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files.pop().unwrap()
}

fn newest_journal(store: &Path) -> PathBuf {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut folders = vec![store.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "jnl") {
                found.push(path);
            }
        }
    }
    found.sort_by_key(|path| path.metadata().unwrap().modified().unwrap());
    found.pop().expect("the database has a journal")
}
