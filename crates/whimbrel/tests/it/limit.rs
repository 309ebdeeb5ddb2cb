//! `--limit` counts stored pages, exactly, and the next run brings others.

use crate::support::{Collection, Served};
use std::collections::BTreeSet;
use whimbrel_fixture::{GraphOptions, graph_truth, graph_web, requests_per_path};

#[test]
fn limit_is_exact_and_next_run_brings_others() {
    let options = GraphOptions {
        sites: 3,
        pages_per_site: 120,
        redirects_share: 0.2,
        not_found_share: 0.2,
        copies_share: 0.2,
        ..GraphOptions::default()
    };
    let (served, truth) = (Served::hosts(graph_web(&options)), graph_truth(&options));
    let collection = Collection::new();
    let flags = ["--delay", "0.005", "--limit", "137"];
    let summary = collection.crawl_well(&served.seeds(), &flags);
    assert_eq!(summary["pages"], 137);
    let first: BTreeSet<String> = collection.pages().into_keys().collect();
    assert_eq!(first.len(), 137);
    let log = served.log();
    for status in [200, 404] {
        assert!(log.iter().any(|entry| entry.status == status), "the crawl met no {status}");
    }
    assert!(
        log.iter().any(|entry| matches!(entry.status, 301 | 302 | 307 | 308)),
        "the crawl met no redirect"
    );

    collection.crawl_well(&served.seeds(), &flags);
    let second: BTreeSet<String> = collection.pages().into_keys().collect();
    assert_eq!(second.len(), 2 * 137);
    assert!(first.is_subset(&second), "the second run must bring others");

    collection.crawl_well(&[], &["--delay", "0.005"]);
    let pages = collection.pages();
    assert_eq!(pages.len(), truth.pages.len(), "without a limit the rest comes");
    let asked = served.page_log();
    let twice: Vec<_> = requests_per_path(&asked).into_iter().filter(|(_, count)| *count > 1).collect();
    assert_eq!(twice, Vec::new(), "nothing is fetched twice over the three runs");
}

#[test]
fn a_limit_per_site_holds_for_each() {
    let options = GraphOptions { sites: 3, pages_per_site: 40, ..GraphOptions::default() };
    let served = Served::hosts(graph_web(&options));
    let collection = Collection::new();
    collection.crawl_well(&served.seeds(), &["--delay", "0.005", "--site-limit", "11"]);
    let pages = collection.pages();
    for origin in served.server.origins() {
        let count = pages.keys().filter(|url| url.starts_with(&format!("{origin}/"))).count();
        assert_eq!(count, 11, "{origin}");
    }
}
