//! Visiting again: unchanged pages cost a header, changed ones become a new version, gone ones stay until it is sure.

use crate::support::{Collection, Served, linking, strings};
use whimbrel_fixture::{Answer, GraphOptions, SiteSpec, Web, graph_web};

const DATED: &str = "Tue, 10 Feb 2026 08:00:00 GMT";

fn page(title: &str, words: &str, links: &[&str]) -> Answer {
    linking(title, words, links)
}

#[test]
fn an_unchanged_site_transfers_no_bodies_again() {
    let options = GraphOptions { sites: 2, pages_per_site: 25, copies_share: 0.2, ..GraphOptions::default() };
    let mut web = graph_web(&options);
    for site in &mut web.sites {
        site.put(
            "/dated",
            page("Dated", &format!("dated page of {}", site.name), &[]).with_header("Last-Modified", DATED),
        );
    }
    let mut served_seeds = Vec::new();
    let served = Served::hosts(web);
    for (name, _) in served.server.named_origins() {
        served_seeds.extend([served.url(&name, "/"), served.url(&name, "/dated")]);
    }
    let collection = Collection::new();
    collection.crawl_well(&served_seeds, &["--delay", "0.005"]);
    let before = collection.pages();
    served.server.clear_log();

    let summary = collection.crawl_well(&[], &["--delay", "0.005", "--recrawl"]);
    let log = served.page_log();
    for url in before.keys() {
        let place = served.server.place(url).unwrap();
        let visits: Vec<_> =
            log.iter().filter(|entry| entry.site == place.site && entry.path == place.path).collect();
        assert_eq!(visits.len(), 1, "{url} is visited once");
        assert!(visits[0].if_none_match.is_some(), "{url} was asked for without its validator");
        assert_eq!((visits[0].status, visits[0].bytes), (304, 0), "{url}");
    }
    let dated: Vec<_> = log.iter().filter(|entry| entry.path == "/dated").collect();
    assert_eq!(dated.len(), 2);
    assert!(dated.iter().all(|entry| entry.if_modified_since.as_deref() == Some(DATED)), "{dated:?}");
    assert!(
        log.iter().all(|entry| entry.status != 200),
        "a body was sent again: copies are asked conditionally too"
    );
    assert_eq!(summary["pages"], 0);
    let after = collection.pages();
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    assert!(after.values().all(|row| row["versions"] == 1));
}

#[test]
fn a_changed_page_becomes_a_new_version_and_search_follows() {
    let web = Web::new([SiteSpec::new("s")
        .with("/", page("Home", "front", &["/news", "/old", "/hidden"]))
        .with("/news", page("News", "quagmire tidings", &[]))
        .with("/old", page("Old", "perpetual matters", &[]))
        .with(
            "/hidden",
            Answer::html("<meta name=robots content=noindex><title>Hidden</title><p>clandestine words"),
        )]);
    let served = Served::hosts(web);
    let collection = Collection::new();
    collection.crawl_well(&served.seeds(), &["--delay", "0.005"]);
    let news = served.url("s", "/news");
    assert_eq!((collection.found("quagmire"), collection.total("zephyr")), (vec![news.clone()], 0));

    served.set("s", "/news", page("News", "zephyr tidings", &["/fresh"]));
    served.set("s", "/fresh", page("Fresh", "brand new mooncalf", &[]));
    collection.crawl_well(&[], &["--delay", "0.005", "--recrawl"]);
    let pages = collection.pages();
    assert_eq!(pages[&news]["versions"], 2);
    assert_eq!(pages[&served.url("s", "/old")]["versions"], 1);
    assert!(pages[&news]["text"].as_str().unwrap().contains("zephyr"));
    assert_eq!((collection.total("quagmire"), collection.found("zephyr")), (0, vec![news]));
    assert_eq!(
        collection.found("mooncalf"),
        vec![served.url("s", "/fresh")],
        "new links of a changed page are followed"
    );
    assert_eq!(
        collection.total("clandestine"),
        0,
        "a page that asks to stay out stays out when it is seen again"
    );
}

#[test]
fn a_page_that_is_gone_once_stays_and_comes_back() {
    let web = Web::new([SiteSpec::new("s")
        .with("/", page("Home", "front", &["/flicker", "/mover"]))
        .with("/flicker", page("Flicker", "intermittent lantern", &[]))
        .with("/mover", page("Mover", "itinerant caravan", &[]))]);
    let served = Served::hosts(web);
    let collection = Collection::new();
    collection.crawl_well(&served.seeds(), &["--delay", "0.005"]);
    let flicker = served.url("s", "/flicker");

    served.set("s", "/flicker", Answer::NotFound);
    served.set("s", "/mover", Answer::moved("/settled"));
    // The very same bytes in another place, as pages move.
    served.set("s", "/settled", page("Mover", "itinerant caravan", &[]));
    collection.crawl_well(&[], &["--delay", "0.005", "--recrawl"]);
    assert_eq!(collection.found("lantern"), vec![flicker.clone()], "one 404 is no evidence");
    let explained = collection.explain(&flicker);
    assert_eq!(explained["record"]["last_outcome"], "http_404");
    assert!(explained["record"]["gone_since"].is_string(), "{explained}");

    let (mover, settled) = (served.url("s", "/mover"), served.url("s", "/settled"));
    assert_eq!(
        collection.found("caravan"),
        vec![settled.clone()],
        "a page that moved for good is found where it is now"
    );
    assert!(strings(&collection.pages()[&settled]["aliases"]).contains(&mover));

    served.set("s", "/flicker", page("Flicker", "intermittent lantern", &[]));
    collection.crawl_well(&[], &["--delay", "0.005", "--recrawl"]);
    assert_eq!(collection.found("lantern"), vec![flicker.clone()]);
    assert!(collection.explain(&flicker)["record"]["gone_since"].is_null());
}

#[test]
fn a_page_that_is_away_for_a_while_is_kept() {
    let web = Web::new([SiteSpec::new("s")
        .with("/", page("Home", "front", &["/desk"]))
        .with("/desk", page("Desk", "mahogany bureau", &[]))
        .with("/closed", page("Closed", "back tomorrow", &[]))]);
    let served = Served::hosts(web);
    let collection = Collection::new();
    collection.crawl_well(&served.seeds(), &["--delay", "0.005"]);
    let desk = served.url("s", "/desk");
    served.set("s", "/desk", Answer::found("/closed"));
    collection.crawl_well(&[], &["--delay", "0.005", "--recrawl"]);
    assert_eq!(
        collection.found("mahogany"),
        vec![desk.clone()],
        "a redirect that is not for good takes nothing out"
    );
    assert!(collection.pages().contains_key(&desk));

    served.set("s", "/desk", page("Desk", "mahogany bureau", &[]));
    collection.crawl_well(&[], &["--delay", "0.005", "--recrawl"]);
    assert_eq!(collection.found("mahogany"), vec![desk.clone()]);
    assert_eq!(collection.explain(&desk)["state"], "stored");
}

#[test]
fn a_host_that_is_down_takes_nothing_out() {
    let web = Web::new([SiteSpec::new("s")
        .with("/", page("Home", "front", &["/desk"]))
        .with("/desk", page("Desk", "mahogany bureau", &[]))]);
    let served = Served::hosts(web);
    let collection = Collection::new();
    collection.crawl_well(&served.seeds(), &["--delay", "0.005"]);
    let desk = served.url("s", "/desk");
    served.stop();
    let config =
        collection.write("c.toml", "[fetch]\nretry_delay = \"20ms\"\n[politeness]\nback_off = \"20ms\"\n");
    let ran = collection.crawl(&[], &["--delay", "0.005", "--recrawl", "--config", &config]);
    assert_eq!(ran.code, Some(1), "nobody answered: {}", ran.stderr);
    assert_eq!(collection.found("mahogany"), vec![desk.clone()]);
    let explained = collection.explain(&desk);
    assert!(explained["record"]["unreachable_since"].is_string(), "{explained}");
    assert_eq!(explained["state"], "stored");
}

#[test]
fn a_copy_is_a_page_again_when_its_original_changes() {
    let shared = || page("Shared", "ubiquitous pamphlet", &[]);
    let web = Web::new([SiteSpec::new("s")
        .with("/", page("Home", "front", &["/first", "/second"]))
        .with("/first", shared())
        .with("/second", shared())]);
    let served = Served::hosts(web);
    let collection = Collection::new();
    collection.crawl_well(&served.seeds(), &["--delay", "0.005"]);
    let kept = collection.found("pamphlet");
    assert_eq!(kept.len(), 1, "copies are found once: {kept:?}");
    let original = served.server.place(&kept[0]).unwrap().path;
    let copy = if original == "/first" { "/second" } else { "/first" };

    served.set("s", &original, page("Changed", "solitary broadsheet", &[]));
    collection.crawl_well(&[], &["--delay", "0.005", "--recrawl"]);
    collection.crawl_well(&[], &["--delay", "0.005", "--recrawl"]);
    assert_eq!(collection.found("broadsheet"), vec![served.url("s", &original)]);
    assert_eq!(
        collection.found("pamphlet"),
        vec![served.url("s", copy)],
        "the other page still answers with the old words"
    );
    let pages = collection.pages();
    assert_eq!(strings(&pages[&served.url("s", &original)]["aliases"]), Vec::<String>::new());
}
