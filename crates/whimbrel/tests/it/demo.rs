//! The bundled web, which has the usual troubles in it: what is visited, what is stored, what is found.

use crate::support::{Collection, Served, strings, urls};
use std::collections::BTreeSet;
use whimbrel_fixture::{
    DEMO_ALLOWED_AGAIN, DEMO_ANCHOR_ANSWER, DEMO_ANCHOR_QUERY, DEMO_ANSWER, DEMO_DEAD, DEMO_FORBIDDEN,
    DEMO_LOOP, DEMO_NOINDEX, DEMO_QUERY, DEMO_TRAPS, demo_web, requests_per_path,
};

/// All sites but the one that asks for a second between visits.
const SITES: [&str; 5] = ["observatory", "library", "manual", "shop", "news"];
const DEPTH: usize = 5;

fn crawled() -> (Served, Collection) {
    let served = Served::hosts(demo_web(1));
    let seeds: Vec<String> = SITES.iter().map(|site| served.url(site, "/")).collect();
    let collection = Collection::new();
    collection.crawl_well(&seeds, &["--delay", "0.002", "--depth", &DEPTH.to_string()]);
    (served, collection)
}

#[test]
fn rules_for_robots_are_obeyed_and_traps_end() {
    let (served, collection) = crawled();
    let log = served.log();
    let twice: Vec<_> = requests_per_path(&log).into_iter().filter(|(_, count)| *count > 1).collect();
    assert_eq!(twice, Vec::new(), "nothing is fetched twice in one run");
    for (site, prefix) in DEMO_FORBIDDEN.iter().filter(|(site, _)| SITES.contains(site)) {
        let again =
            |path: &str| DEMO_ALLOWED_AGAIN.iter().any(|(name, allowed)| name == site && path == *allowed);
        let visit = log
            .iter()
            .find(|entry| entry.site == *site && entry.path.starts_with(prefix) && !again(&entry.path));
        assert!(visit.is_none(), "robots.txt forbids {visit:?}");
    }
    for (site, path) in DEMO_ALLOWED_AGAIN {
        assert_eq!(served.asked(site).get(path), Some(&1), "{site}{path} is allowed");
    }
    assert!(!log.iter().any(|entry| entry.path.contains("colour=")), "robots.txt forbids a parameter");
    assert!(
        log.iter().any(|entry| entry.path.starts_with("/archive/")),
        "what is denied to others only is visited"
    );
    assert!(
        !log.iter().any(|entry| entry.path.starts_with("/sponsored/")),
        "a nofollow link is not followed"
    );
    assert!(!log.iter().any(|entry| entry.site == "garden"), "out of scope");
    for (site, prefix) in DEMO_TRAPS {
        let count = served.asked(site).keys().filter(|path| path.starts_with(prefix)).count();
        assert!((1..=4 * DEPTH).contains(&count), "{count} visits in the trap {site}{prefix}");
    }
    let forbidden = served.url("observatory", "/staff/door-codes");
    let explained = collection.explain(&forbidden);
    assert_eq!(
        (&explained["admitted"], &explained["robots"]["allowed"]),
        (&false.into(), &false.into()),
        "{explained}"
    );
    assert_eq!(
        explained["robots"]["rule"]["text"].as_str().map(|text| text.contains("/staff/")),
        Some(true),
        "{explained}"
    );
    assert_eq!(explained["state"], "unknown", "nothing disallowed enters the table");
    for (site, path) in DEMO_DEAD.iter().filter(|(site, _)| SITES.contains(site)) {
        let explained = collection.explain(&served.url(site, path));
        let outcome = explained["record"]["last_outcome"].as_str();
        assert!(matches!(outcome, Some("http_404" | "http_410")), "{site}{path}: {explained}");
    }
}

#[test]
fn copies_and_redirects_are_aliases_and_noindex_pages_are_not_found() {
    let (served, collection) = crawled();
    let pages = collection.pages();
    let digests: BTreeSet<&str> = pages.values().map(|row| row["digest"].as_str().unwrap()).collect();
    assert_eq!(digests.len(), pages.len(), "the same bytes are stored twice");
    let together = |one: &str, other: &str| {
        let kept: Vec<&String> =
            [one, other].iter().filter_map(|url| pages.get_key_value(*url)).map(|(url, _)| url).collect();
        assert_eq!(kept.len(), 1, "{one} and {other} are one page");
        let alias = if kept[0] == one { other } else { one };
        assert!(
            strings(&pages[kept[0]]["aliases"]).contains(&alias.to_owned()),
            "{alias} is an alias of {}",
            kept[0]
        );
        let explained = collection.explain(alias);
        assert_eq!(explained["state"], "alias");
        assert_eq!(explained["record"]["representative"].as_str(), Some(kept[0].as_str()));
    };
    together(&served.url("library", "/branches/quay"), &served.url("library", "/branches/quay/"));
    together(&served.url("observatory", "/press/new-hide"), &served.url("news", "/press/new-hide"));
    for entry in served.log().iter().filter(|entry| matches!(entry.status, 301 | 302 | 303 | 307 | 308)) {
        let url = served.url(&entry.site, &entry.path);
        assert!(!pages.contains_key(&url), "a redirect is no page: {url}");
    }
    for (site, path) in DEMO_LOOP {
        assert!(served.asked(site)[path] <= 2, "the loop {site}{path} ends");
    }
    for (site, path) in DEMO_NOINDEX {
        let url = served.url(site, path);
        let title = pages[&url]["title"].as_str().unwrap().to_owned();
        assert!(!collection.found(&format!("{title} {path}")).contains(&url), "{url} asks to be left out");
    }
    let rota = &pages[&served.url("observatory", "/volunteers/rota")];
    let links = strings(&rota["links"]);
    let only_there = links.iter().find(|url| !url.ends_with('/') && pages.contains_key(*url));
    assert!(only_there.is_some(), "links of a page that is not indexed are followed: {links:?}");
}

#[test]
fn searches_find_what_people_would_expect() {
    let (served, collection) = crawled();
    let answer = collection.search(DEMO_QUERY, &[]);
    assert_eq!(urls(&answer)[0], served.url(DEMO_ANSWER.0, DEMO_ANSWER.1));
    let best = &answer["results"][0];
    for field in ["url", "title", "snippet"] {
        assert!(best[field].as_str().is_some_and(|text| !text.is_empty()), "{field} is missing: {best}");
    }
    assert!(best["score"].as_f64().unwrap() > 0.0);
    assert_eq!(best["author"], "Dr Maren Oakes");
    assert!(
        best["date"].as_str().unwrap().starts_with("2026-05-20")
            || best["date"].as_str().unwrap().starts_with("2026-03-14")
    );
    assert!(best["snippet"].as_str().unwrap().to_lowercase().contains("whimbrel"));

    let by_links = collection.found(DEMO_ANCHOR_QUERY);
    assert_eq!(by_links[0], served.url(DEMO_ANCHOR_ANSWER.0, DEMO_ANCHOR_ANSWER.1), "words of links alone");

    for (query, path) in [
        ("观察河口的候鸟", "/welcome/zh"),
        ("望远镜", "/welcome/zh"),
        ("チュウシャクシギ", "/welcome/ja"),
        ("双眼鏡", "/welcome/ja"),
        ("الطيور المهاجرة", "/welcome/ar"),
        ("นกอพยพ", "/welcome/th"),
        ("กล้องส่องทางไกล", "/welcome/th"),
    ] {
        assert_eq!(collection.found(query).first(), Some(&served.url("library", path)), "{query}");
    }
    let in_latin_one = collection.found("Schiffsjungen Briefe");
    assert!(in_latin_one.contains(&served.url("library", "/archive/schiffsjunge")), "{in_latin_one:?}");

    let phrase = "\"eight of eleven whimbrels flew without a rest\"";
    assert_eq!(collection.found(phrase), vec![served.url(DEMO_ANSWER.0, DEMO_ANSWER.1)]);
    assert_eq!(
        collection.total("\"rest a without flew whimbrels eleven of eight\""),
        0,
        "a phrase has an order"
    );
}

#[test]
fn results_come_in_pages_that_do_not_overlap() {
    let (_served, collection) = crawled();
    let all = collection.search("estuary", &["--limit", "40"]);
    let total = all["total"].as_u64().unwrap() as usize;
    assert!(total >= 25, "only {total} pages");
    let mut gathered = Vec::new();
    for offset in [0, 10, 20] {
        let page = collection.search("estuary", &["--limit", "10", "--offset", &offset.to_string()]);
        assert_eq!(page["total"].as_u64().unwrap() as usize, total);
        gathered.extend(urls(&page));
    }
    assert_eq!(gathered, urls(&all)[..30.min(total)].to_vec());
    let beyond = collection.search("estuary", &["--offset", "100000"]);
    assert!(urls(&beyond).is_empty());
    assert_eq!(collection.search("zzyzxnothing", &[])["total"], 0);
}
