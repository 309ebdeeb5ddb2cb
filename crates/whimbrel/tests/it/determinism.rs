//! The same web and the same seed: the same decisions, site by site.

use crate::support::{Collection, Served};
use serde_json::Value;
use std::collections::BTreeMap;
use whimbrel_fixture::{GraphOptions, Web, demo_web, graph_web};

#[test]
fn same_seed_same_decisions() {
    for cross_site_links in [0.0, 1.5] {
        let options =
            GraphOptions { sites: 4, pages_per_site: 40, cross_site_links, ..GraphOptions::default() };
        assert_same_decisions(graph_web(&options), &["--delay", "0.005"], 4 * 40);
    }
}

#[test]
fn same_seed_same_decisions_where_sites_hold_copies_of_each_other() {
    // Without the site that asks for a second between visits.
    let mut web = demo_web(1);
    web.site_mut("garden").unwrap().pages.insert("/robots.txt".into(), whimbrel_fixture::Answer::NotFound);
    assert_same_decisions(web, &["--delay", "0.005", "--exclude", "/calendar/", "--depth", "4"], 200);
}

/// Crawls one served web twice and compares the event logs.
fn assert_same_decisions(web: Web, flags: &[&str], signals_min: usize) {
    let served = Served::hosts(web);
    let runs: Vec<BTreeMap<String, Vec<Value>>> = (0..2)
        .map(|_| {
            let collection = Collection::new();
            let file = collection.path("events.jsonl");
            let mut all = flags.to_vec();
            all.extend(["--seed", "7", "--event-log", file.to_str().unwrap()]);
            collection.crawl_well(&served.seeds(), &all);
            by_site(&std::fs::read_to_string(file).unwrap())
        })
        .collect();
    let count: usize = runs[0].values().map(Vec::len).sum();
    assert!(count >= signals_min, "only {count} signals were written");
    assert_eq!(runs[0].keys().collect::<Vec<_>>(), runs[1].keys().collect::<Vec<_>>());
    for (site, signals) in &runs[0] {
        let other = &runs[1][site];
        let differs = signals.iter().zip(other).position(|(a, b)| a != b);
        if let Some(place) = differs {
            panic!("{site} differs at signal {place}:\n{}\n{}", signals[place], other[place]);
        }
        assert_eq!(signals.len(), other.len(), "{site}");
    }
}

fn by_site(log: &str) -> BTreeMap<String, Vec<Value>> {
    let mut sites: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in log.lines() {
        let mut signal: Value = serde_json::from_str(line).unwrap();
        for field in ["at", "signal", "from", "to", "site"] {
            assert!(signal[field].is_string(), "a signal lacks {field}: {line}");
        }
        signal.as_object_mut().unwrap().remove("at");
        sites.entry(signal["site"].as_str().unwrap().to_owned()).or_default().push(signal);
    }
    sites
}
