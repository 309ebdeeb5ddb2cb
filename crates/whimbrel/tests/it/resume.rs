//! Stopping in good order, stopping at once, going on.

use crate::support::{Collection, Served, strings, until};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use whimbrel_fixture::{Answer, GraphOptions, SiteSpec, Web, graph_truth, graph_web};

#[test]
fn running_again_goes_on_where_it_was() {
    let options = GraphOptions { sites: 3, pages_per_site: 60, ..GraphOptions::default() };
    let (served, truth) = (Served::hosts(graph_web(&options)), graph_truth(&options));
    let collection = Collection::new();
    let running = collection.start_crawl(&served.seeds(), &["--delay", "0.02"]);
    until("half of the pages were asked for", || (served.page_log().len() >= 80).then_some(()));
    running.signal("INT");
    let ran = running.wait();
    assert_eq!(ran.code, Some(11), "{}", ran.stderr);

    let pages = collection.pages();
    let mut known: BTreeSet<String> = pages.keys().cloned().collect();
    known.extend(pages.values().flat_map(|page| strings(&page["aliases"])));
    let halfway = served.page_log();
    for entry in halfway.iter().filter(|entry| entry.status == 200) {
        let url = served.url(&entry.site, &entry.path);
        assert!(known.contains(&url), "{url} was fetched before the end and is not stored");
    }
    assert!(pages.len() < truth.pages.len(), "the signal came too late to prove anything");

    collection.crawl_well(&[], &["--delay", "0.02"]);
    assert_eq!(collection.pages().len(), truth.pages.len());
    let asked = served.log();
    let distinct: BTreeSet<(&str, &str)> =
        asked.iter().map(|entry| (entry.site.as_str(), entry.path.as_str())).collect();
    assert_eq!(asked.len(), distinct.len(), "something was fetched twice, robots.txt included");

    let before = served.log().len();
    collection.crawl_well(&served.seeds(), &["--delay", "0.02"]);
    assert_eq!(served.log().len(), before, "right after a crawl nothing is due");
}

#[test]
fn a_crawl_stopped_amid_a_page_of_very_many_links_follows_the_rest() {
    const LINKS: usize = 3000;
    for signal in ["INT", "KILL"] {
        let links: String = (0..LINKS).map(|n| format!("<a href=/n{n}>number {n}</a> ")).collect();
        let mut site = SiteSpec::new("s").with("/", Answer::html(format!("<title>Many</title>{links}")));
        for n in 0..LINKS {
            site = site.with(format!("/n{n}"), Answer::html(format!("<title>Leaf</title><p>the leaf {n}")));
        }
        let served = Served::hosts(Web::new([site]));
        let collection = Collection::new();
        let flags = ["--delay", "0", "--site-limit", "2"];
        let running = collection.start_crawl(&served.seeds(), &flags);
        until("some links were followed", || {
            let told = collection.verb(&["status", "--json"]);
            let status: serde_json::Value = serde_json::from_str(&told.stdout).ok()?;
            (status["queued"].as_u64()? >= 250).then_some(())
        });
        running.signal(signal);
        // A signal that comes too late proves nothing; most come in time.
        running.wait();
        collection.crawl_well(&[], &flags);
        let urls = collection.json(&["status"])["sites"][0]["urls"].as_u64();
        assert_eq!(urls, Some(1 + LINKS as u64), "after {signal}");
    }
}

#[test]
fn a_termination_signal_drains_too() {
    let options = GraphOptions { sites: 2, pages_per_site: 100, ..GraphOptions::default() };
    let served = Served::hosts(graph_web(&options));
    let collection = Collection::new();
    let running = collection.start_crawl(&served.seeds(), &["--delay", "0.02"]);
    until("some pages were asked for", || (served.page_log().len() >= 10).then_some(()));
    running.signal("TERM");
    let ran = running.wait();
    assert_eq!(ran.code, Some(11), "{}", ran.stderr);
    assert!(!collection.pages().is_empty());
}

#[test]
fn a_second_signal_forces_the_end() {
    let asked = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&asked);
    let slow = Answer::custom(move |_| {
        seen.store(true, Ordering::Relaxed);
        Answer::html("<p>at last</p>").after(Duration::from_secs(25))
    });
    let web = Web::new([SiteSpec::new("s").with("/", slow)]);
    let served = Served::hosts(web);
    let collection = Collection::new();
    // Not --json: what is said on standard error tells when the first signal was taken.
    let seed = served.seeds().remove(0);
    let running = collection.start(&["crawl", &seed, "--delay", "0.02"]);
    until("the slow page was asked for", || asked.load(Ordering::Relaxed).then_some(()));
    running.signal("INT");
    until("the first signal is taken", || running.stderr().contains("stopping").then_some(()));
    running.signal("INT");
    let ran = running.wait();
    assert_eq!(ran.code, Some(13), "{}", ran.stderr);
    assert!(ran.took < Duration::from_secs(20), "it waited for the visit under way");
}
