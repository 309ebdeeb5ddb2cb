//! kill -9 at any moment is a normal end.

use crate::support::{Collection, Dice, Served, assert_polite, on_hosts, strings, until};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};
use whimbrel_fixture::{
    GraphOptions, GraphTruth, Place, graph_truth, graph_web, requests_at_once_max, requests_per_path,
};

const SITES: usize = 6;
const DELAY_MS: f64 = 50.0;
/// `uncommitted_pages_max` by default.
const GROUP: usize = 64;
/// After so many kills the stored pages are looked at.
const LOOK_EVERY: usize = 20;
/// Words asked for in one search.
const WORDS: usize = 30;

/// One data directory from its first start to the end of its crawl.
#[derive(Debug, Default)]
struct Campaign {
    kills: usize,
    requests: usize,
    refetched: usize,
    robots_again: usize,
    pages: usize,
    shortest_pause_ms: f64,
}

#[test]
fn kill_nine_at_random_moments_loses_nothing() {
    let wanted: i64 = std::env::var("WHIMBREL_KILLS").map_or(200, |text| text.parse().unwrap());
    let begun = Instant::now();
    let left = AtomicI64::new(wanted);
    let campaigns: Vec<Campaign> = std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..2)
            .map(|lane| {
                let left = &left;
                scope.spawn(move || {
                    let mut done = Vec::new();
                    while left.load(Ordering::Relaxed) > 0 {
                        done.push(campaign(lane * 1000 + done.len() as u64, left));
                    }
                    done
                })
            })
            .collect();
        lanes.into_iter().flat_map(|lane| lane.join().unwrap()).collect()
    });
    let sum = |count: fn(&Campaign) -> usize| campaigns.iter().map(count).sum::<usize>();
    let kills = sum(|campaign| campaign.kills);
    println!(
        "{kills} kills over {} crawls of {SITES} sites in {:.0} s: {} pages stored, {} requests, {} fetched again \
         ({} robots.txt again), shortest pause {:.1} ms of {DELAY_MS} ms",
        campaigns.len(),
        begun.elapsed().as_secs_f64(),
        sum(|campaign| campaign.pages),
        sum(|campaign| campaign.requests),
        sum(|campaign| campaign.refetched),
        sum(|campaign| campaign.robots_again),
        campaigns.iter().map(|campaign| campaign.shortest_pause_ms).fold(f64::INFINITY, f64::min),
    );
    assert!(i64::try_from(kills).unwrap() >= wanted, "every kill must hit a running crawl");
}

fn campaign(seed: u64, left: &AtomicI64) -> Campaign {
    let options = GraphOptions { sites: SITES, pages_per_site: 60, seed, ..GraphOptions::default() };
    let (served, truth) = (Served::start(graph_web(&options), on_hosts()), graph_truth(&options));
    let collection = Collection::new();
    let mut dice = Dice(seed);
    let mut stored = BTreeSet::new();
    let mut result = Campaign::default();
    loop {
        let before = served.log().len();
        let mut running = collection.start_crawl(&served.seeds(), &["--delay", "0.05"]);
        let is_last = left.fetch_sub(1, Ordering::Relaxed) <= 0;
        if !is_last {
            if dice.below(2) == 0 {
                until("the first request", || {
                    (served.log().len() > before || !running.is_running()).then_some(())
                });
                std::thread::sleep(Duration::from_millis(dice.below(200)));
            } else {
                std::thread::sleep(Duration::from_millis(5 + dice.below(396)));
            }
        }
        let ended = if is_last { Some(running.wait()) } else { running.kill_nine() };
        let Some(ran) = ended else {
            result.kills += 1;
            if result.kills.is_multiple_of(LOOK_EVERY) {
                let now: BTreeSet<String> = collection.pages().into_keys().collect();
                assert!(stored.is_subset(&now), "stored and lost: {:?}", stored.difference(&now));
                stored = now;
            }
            continue;
        };
        // It was not killed: this try goes to another crawl.
        left.fetch_add(1, Ordering::Relaxed);
        assert_eq!(ran.code, Some(0), "seed {seed} after {} kills: {}", result.kills, ran.stderr);
        break;
    }
    judge_store(&collection, &served, &truth, &stored);
    result.pages = truth.pages.len();
    judge_log(&served, &mut result);
    result
}

/// Every page once in the store, every copy an alias, every page once in search.
fn judge_store(collection: &Collection, served: &Served, truth: &GraphTruth, stored: &BTreeSet<String>) {
    let pages = collection.pages();
    assert!(stored.iter().all(|url| pages.contains_key(url)), "a page that was stored is gone");
    let mut kept_as: BTreeMap<&Place, String> = BTreeMap::new();
    for page in &truth.pages {
        let copies = truth.copies.get(page);
        let all: Vec<String> = std::iter::once(page)
            .chain(copies.into_iter().flatten())
            .map(|place| served.server.url(place))
            .collect();
        let kept: Vec<&String> = all.iter().filter(|url| pages.contains_key(*url)).collect();
        assert_eq!(kept.len(), 1, "{page:?} must be stored once, under one of {all:?}");
        let aliases = strings(&pages[kept[0]]["aliases"]);
        for other in all.iter().filter(|url| *url != kept[0]) {
            assert!(
                aliases.contains(other),
                "{other} is a copy of {} and no alias of it: {aliases:?}",
                kept[0]
            );
        }
        kept_as.insert(page, kept[0].clone());
    }
    assert_eq!(pages.len(), truth.pages.len(), "pages are stored that are none");
    let words: Vec<(&String, &Place)> = truth.words.iter().collect();
    for some in words.chunks(WORDS) {
        let query: Vec<&str> = some.iter().map(|(word, _)| word.as_str()).collect();
        let answer = collection.search(&query.join(" OR "), &["--limit", "100"]);
        let mut found = crate::support::urls(&answer);
        found.sort_unstable();
        let mut expected: Vec<String> = some.iter().map(|(_, page)| kept_as[page].clone()).collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "each page's own word must find it, once");
        assert_eq!(answer["total"].as_u64().unwrap() as usize, expected.len());
    }
    for (word, page) in words.iter().step_by(61) {
        assert_eq!(
            (collection.total(word), collection.found(word)),
            (1, vec![kept_as[page].clone()]),
            "{word}"
        );
    }
}

/// Politeness and thrift, as the server saw them.
fn judge_log(served: &Served, result: &mut Campaign) {
    let log = served.log();
    let counts = requests_per_path(&log);
    let again = |is_robots: bool| {
        counts
            .iter()
            .filter(|((_, path), _)| (path == "/robots.txt") == is_robots)
            .map(|(_, n)| n - 1)
            .sum::<usize>()
    };
    result.requests = log.len();
    result.refetched = again(false);
    result.robots_again = again(true);
    let allowed = result.kills * (SITES + GROUP);
    assert!(result.refetched <= allowed, "{} fetched again, {allowed} allowed", result.refetched);
    result.shortest_pause_ms = f64::INFINITY;
    for (name, _) in served.server.named_origins() {
        let shortest = assert_polite(&log, &name, DELAY_MS);
        result.shortest_pause_ms = result.shortest_pause_ms.min(shortest);
        assert_eq!(requests_at_once_max(&log, |entry| entry.site == name), 1, "{name}");
    }
}
