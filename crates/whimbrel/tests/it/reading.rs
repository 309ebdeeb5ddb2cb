//! Reading while a crawl runs: every verb answers, and the crawl does not notice.

use crate::support::{Collection, Served, assert_polite, until, urls};
use serde_json::Value;
use std::collections::BTreeSet;
use whimbrel_fixture::{GraphOptions, graph_truth, graph_web};

#[test]
fn every_reading_verb_works_while_a_crawl_runs() {
    let options = GraphOptions { sites: 2, pages_per_site: 110, ..GraphOptions::default() };
    let (served, truth) = (Served::hosts(graph_web(&options)), graph_truth(&options));
    let collection = Collection::new();
    let config = collection.write("c.toml", "[index]\ncommit = \"100ms\"\n");
    let mut running = collection.start_crawl(&served.seeds(), &["--delay", "0.04", "--config", &config]);

    let status = until("some pages are indexed", || {
        collection.data().join("control.sock").exists().then(|| collection.json(&["status"])).filter(
            |status| status["indexed"].as_u64().unwrap() >= 5 && status["running"] == Value::Bool(true),
        )
    });
    assert!(status["crawl"]["sites"].as_array().unwrap().len() == 2, "{status}");
    assert!(status["pages"].as_u64().unwrap() >= 5, "{status}");

    let pages = collection.pages();
    assert!(!pages.is_empty(), "an export of a running crawl holds what is stored");
    let root = served.seeds().remove(0);
    let (word, _) = truth.words.iter().find(|(_, place)| served.server.url(place) == root).unwrap();
    assert_eq!(urls(&collection.search(word, &[])), vec![root.clone()]);
    let explained = collection.explain(&root);
    assert_eq!(
        (&explained["state"], &explained["admitted"]),
        (&Value::from("stored"), &Value::Bool(true)),
        "{explained}"
    );
    let links = collection.json(&["links", &root]);
    let first = &links["links"][0];
    for field in ["id", "target", "visibility", "position", "distance"] {
        assert!(!first[field].is_null(), "a link lacks {field}: {links}");
    }
    assert!(collection.json(&["links", &root, "--duplicates"])["report"]["unique"].is_array());

    let second = collection.crawl(&served.seeds(), &["--delay", "0.04"]);
    assert_eq!(second.code, Some(5), "{}", second.stderr);
    let data = collection.data().display().to_string();
    assert!(second.stderr.contains(&data) && second.stderr.contains("use"), "{}", second.stderr);
    assert!(running.is_running(), "the crawl ended before all was asked: {}", running.stderr());

    let ran = running.wait();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(collection.pages().len(), truth.pages.len());
    let log = served.log();
    let distinct: BTreeSet<(&str, &str)> =
        log.iter().map(|entry| (entry.site.as_str(), entry.path.as_str())).collect();
    assert_eq!(log.len(), distinct.len(), "something was fetched twice");
    for (name, _) in served.server.named_origins() {
        assert_polite(&log, &name, 40.0);
    }
    assert!(!collection.data().join("control.sock").exists(), "the socket goes with the crawl");
    assert_eq!(collection.json(&["status"])["running"], Value::Bool(false));
}
