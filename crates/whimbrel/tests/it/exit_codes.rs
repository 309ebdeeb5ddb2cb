//! How a run ends is told by its exit code, and why on standard error.

use crate::support::{Collection, Served, linking};
use std::net::TcpListener;
use std::time::Duration;
use whimbrel_fixture::{Answer, GraphOptions, SiteSpec, Web, graph_web};

fn small_web() -> Served {
    Served::hosts(graph_web(&GraphOptions {
        sites: 1,
        pages_per_site: 60,
        copies_share: 0.0,
        ..GraphOptions::default()
    }))
}

/// Pages the server handed out whole.
fn handed_out(served: &Served) -> usize {
    served.page_log().into_iter().filter(|entry| entry.status == 200 && entry.complete).count()
}

#[test]
fn without_a_contact_nobody_is_crawled_off_loopback() {
    let collection = Collection::new();
    let seeds = ["http://made-up.example/".to_owned()];
    let flags = ["--resolve", "made-up.example:80:192.0.2.1", "--timeout", "2"];
    let ran = collection.crawl(&seeds, &flags);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("--contact") && ran.stderr.contains("made-up.example"), "{}", ran.stderr);
    assert!(!collection.data().exists(), "a crawl that does not start leaves nothing behind");

    let mut hasty = flags.to_vec();
    hasty.extend(["--contact", "me@example.org", "--delay", "0.5"]);
    let ran = collection.crawl(&seeds, &hasty);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("--i-own-these-sites"), "{}", ran.stderr);

    // Going on with an earlier crawl is crawling too. The address is refused, so nothing is ever sent.
    let mut polite = flags.to_vec();
    polite.extend(["--contact", "me@example.org"]);
    assert_eq!(collection.crawl(&seeds, &polite).code, Some(1));
    let ran = collection.crawl(&[], &flags);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("--contact"), "{}", ran.stderr);
}

#[test]
fn wrong_usage_ends_with_2() {
    let collection = Collection::new();
    for arguments in
        [&["crawl"][..], &["crawl", "ftp://127.0.0.1/"], &["crawl", "--no-such-flag"], &["search"], &["fly"]]
    {
        let ran = collection.verb(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.stderr);
        assert!(!ran.stderr.is_empty());
    }
}

#[test]
fn a_wrong_key_or_value_ends_with_4_and_is_named() {
    let collection = Collection::new();
    for (text, key) in [
        ("[politeness]\ndelya = \"1s\"\n", "delya"),
        ("[crawl]\nscope = \"galaxy\"\n", "scope"),
        ("[fetch]\ntimeout = \"soon\"\n", "fetch.timeout"),
        ("[crawl]\ninclude = [\"(\"]\n", "crawl.include"),
        ("[crawl.filters]\nodd = \"and(\"\n", "odd"),
        ("[store]\nuncommitted_pages_max = 0\n", "store.uncommitted_pages_max"),
    ] {
        let file = collection.write("wrong.toml", text);
        for verb in [&["check"][..], &["crawl", "http://127.0.0.1:1/"]] {
            let mut arguments = verb.to_vec();
            arguments.extend(["--config", &file]);
            let ran = collection.verb(&arguments);
            assert_eq!(ran.code, Some(4), "{text}: {}", ran.stderr);
            assert!(ran.stderr.contains(key), "{key} is not named: {}", ran.stderr);
            assert!(ran.stderr.contains("wrong.toml"), "the file is not named: {}", ran.stderr);
        }
    }
    let good = collection.write("good.toml", include_str!("../../../../whimbrel.toml"));
    assert_eq!(collection.verb(&["check", "--config", &good]).code, Some(0), "the shipped file is right");
}

#[test]
fn no_seed_that_answers_ends_with_1() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let collection = Collection::new();
    let config =
        collection.write("c.toml", "[fetch]\nretry_delay = \"50ms\"\n[politeness]\nback_off = \"50ms\"\n");
    let ran =
        collection.crawl(&[format!("http://127.0.0.1:{port}/")], &["--delay", "0.02", "--config", &config]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert_eq!(ran.json()["pages"], 0);
    assert!(ran.stdout.contains("refused"), "the reason is told: {}", ran.stdout);
}

#[test]
fn time_and_size_limits_end_with_15_and_14() {
    let served = small_web();
    let collection = Collection::new();
    let ran = collection.crawl(&served.seeds(), &["--delay", "0.2", "--time-limit", "1s"]);
    assert_eq!(ran.code, Some(15), "{}", ran.stderr);
    assert!(ran.took < Duration::from_secs(10), "{:?}", ran.took);
    let first = collection.pages().len();
    assert_eq!(first, handed_out(&served), "what came before the limit is stored");

    let ran = collection.crawl(&served.seeds(), &["--delay", "0.01", "--size-limit", "20kB"]);
    assert_eq!(ran.code, Some(14), "{}", ran.stderr);
    let (second, received) =
        (collection.pages().len(), served.log().iter().map(|entry| entry.bytes).sum::<u64>());
    assert!(second > first && second < 60, "{second} pages after the size limit");
    assert!(received > 20_000, "{received}");
}

#[test]
fn a_time_limit_holds_while_a_page_is_slow() {
    let slow = Answer::html("<p>never mind</p>").after(Duration::from_secs(20));
    let web =
        Web::new([SiteSpec::new("s").with("/", linking("Home", "home", &["/slow"])).with("/slow", slow)]);
    let served = Served::hosts(web);
    let collection = Collection::new();
    let ran = collection.crawl(&served.seeds(), &["--delay", "0.01", "--time-limit", "2s", "--timeout", "4"]);
    assert_eq!(ran.code, Some(15), "{}", ran.stderr);
    assert!(ran.took < Duration::from_secs(12), "{:?}", ran.took);
    assert_eq!(collection.pages().len(), handed_out(&served), "what came before the limit is stored");
}

#[test]
fn a_full_disk_ends_with_3_before_anything_is_lost() {
    let served = small_web();
    let collection = Collection::new();
    let config = collection.write("c.toml", "[store]\ndisk_free_min = \"900TB\"\n");
    let ran = collection.crawl(&served.seeds(), &["--delay", "0.01", "--config", &config]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("disk"), "{}", ran.stderr);
    assert!(served.page_log().len() <= 8, "visits went on: {}", served.page_log().len());

    collection.crawl_well(&served.seeds(), &["--delay", "0.005"]);
    assert_eq!(collection.pages().len(), 60, "with room again the crawl goes on");
}

#[test]
fn reading_a_collection_that_is_not_there_says_so() {
    let collection = Collection::new();
    for arguments in [&["status"][..], &["search", "x"], &["explain", "http://127.0.0.1/"]] {
        let ran = collection.verb(arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("data"), "{}", ran.stderr);
        assert!(!collection.data().join("store").exists(), "looking makes no collection");
    }
}
