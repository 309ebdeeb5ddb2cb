//! A host is never asked sooner than its delay allows, whoever shares it; nobody waits for a slow neighbour.

use crate::support::{Collection, GRANULARITY_MS, Served, assert_polite, linking, on_hosts, pauses_ms};
use std::time::Duration;
use whimbrel_fixture::{
    Addresses, Answer, GraphOptions, ServerOptions, SiteSpec, Web, graph_truth, graph_web,
    requests_at_once_max, requests_per_path,
};

const DELAY_MS: f64 = 30.0;

#[test]
fn no_two_visits_to_a_host_are_closer_than_the_delay() {
    let options = GraphOptions { sites: 4, pages_per_site: 30, ..GraphOptions::default() };
    let mut web = graph_web(&options);
    let asks = 0.12;
    let robots = format!("User-agent: *\nCrawl-delay: {asks}\n");
    web.site_mut("s3").unwrap().put("/robots.txt", Answer::text(robots));
    let served = Served::hosts(web);
    let collection = Collection::new();
    collection.crawl_well(&served.seeds(), &["--delay", "0.03"]);
    let log = served.log();
    for (name, _) in served.server.named_origins() {
        let delay_ms = if name == "s3" { asks * 1000.0 } else { DELAY_MS };
        let shortest = assert_polite(&log, &name, delay_ms);
        assert_eq!(
            requests_at_once_max(&log, |entry| entry.site == name),
            1,
            "{name} was asked twice at once"
        );
        let first = log.iter().find(|entry| entry.site == name).unwrap();
        assert_eq!(first.path, "/robots.txt", "{name} was not asked for its rules first");
        println!("{name}: {delay_ms} ms were due, {shortest:.1} ms were kept");
    }
    assert_eq!(collection.pages().len(), graph_truth(&options).pages.len());
    let agent = log[0].user_agent.clone().unwrap();
    assert!(agent.starts_with("whimbrel/"), "{agent}");
}

#[test]
fn one_slow_site_delays_no_other() {
    let options =
        GraphOptions { sites: 4, pages_per_site: 25, cross_site_links: 0.0, ..GraphOptions::default() };
    let mut web = graph_web(&options);
    let slow = web.site_mut("s0").unwrap();
    let ready = slow.fallback.take().unwrap();
    slow.fallback = Some(whimbrel_fixture::handler(move |request| {
        Answer::custom({
            let (ready, request) = (ready.clone(), request.clone());
            move |_| ready(&request)
        })
        .after(Duration::from_millis(400))
    }));
    let served = Served::hosts(web);
    // Two places for four sites, and the limit spares us the slow one's last pages.
    let ran = Collection::new()
        .start_crawl(&served.seeds(), &["--delay", "0.02", "--limit", "85", "--concurrency", "2"])
        .wait();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let log = served.log();
    let last = |site: &str| {
        log.iter().filter(|entry| entry.site == site).map(|entry| entry.end_ms).fold(0.0, f64::max)
    };
    let others = ["s1", "s2", "s3"].map(last);
    let requests = ["s1", "s2", "s3"].map(|site| log.iter().filter(|entry| entry.site == site).count());
    println!("slow site until {:.0} ms, others until {others:.0?} ms with {requests:?} requests", last("s0"));
    for (site, (end, count)) in ["s1", "s2", "s3"].iter().zip(others.iter().zip(requests)) {
        assert!(count > 25, "{site} was not finished");
        assert!(*end < last("s0"), "{site} was still busy when the slow site was done");
        let pace = end / count as f64;
        assert!(pace < 150.0, "{site} was asked every {pace:.0} ms, as if it were slow itself");
    }
}

#[test]
fn sites_sharing_a_host_share_its_gate() {
    let site = |name: &str| {
        let mut site = SiteSpec::new(name).with("/", linking(name, "start", &["/a", "/b", "/c", "/d", "/e"]));
        for path in ["/a", "/b", "/c", "/d", "/e"] {
            site.put(path, linking(path, &format!("{name} {path}"), &["/"]));
        }
        site
    };
    let options = ServerOptions { addresses: Addresses::OnePortEach, ..ServerOptions::default() };
    let served = Served::start(Web::new([site("one"), site("two"), site("three")]), options);
    let collection = Collection::new();
    collection.crawl_well(&served.seeds(), &["--delay", "0.04"]);
    let log = served.log();
    let shortest = pauses_ms(&log, |_| true).into_iter().fold(f64::INFINITY, f64::min);
    assert!(shortest >= 40.0 - GRANULARITY_MS, "the host was asked again after {shortest} ms");
    assert_eq!(requests_at_once_max(&log, |_| true), 1);
    assert_eq!(collection.pages().len(), 18);
    assert_eq!(log.len(), 21, "each page and each robots.txt once");
}

#[test]
fn a_host_in_trouble_is_left_alone_as_long_as_it_asks() {
    let busy = Answer::custom(|request| match request.visits_before {
        0 => Answer::Status(503, vec![("Retry-After".into(), "1".into())]),
        _ => linking("Back", "recovered", &[]),
    });
    let web = Web::new([SiteSpec::new("s")
        .with("/", linking("Start", "home", &["/busy", "/x", "/y"]))
        .with("/busy", busy)
        .with("/x", linking("X", "ex", &[]))
        .with("/y", linking("Y", "why", &[]))]);
    let served = Served::start(web, on_hosts());
    let collection = Collection::new();
    let config =
        collection.write("c.toml", "[fetch]\nretry_delay = \"50ms\"\n[politeness]\nback_off = \"50ms\"\n");
    collection.crawl_well(&served.seeds(), &["--delay", "0.02", "--config", &config]);
    let log = served.log();
    let refused = log.iter().position(|entry| entry.status == 503).unwrap();
    let next = log.get(refused + 1).expect("the crawl went on");
    let pause = next.start_ms - log[refused].end_ms;
    assert!(pause >= 1000.0 - GRANULARITY_MS, "asked again after {pause} ms though 1 s was asked for");
    assert_eq!(collection.pages().len(), 4, "the busy page was tried again");
}

#[test]
fn several_connections_stay_within_their_number_and_fetch_nothing_twice() {
    let options =
        GraphOptions { sites: 1, pages_per_site: 500, copies_share: 0.02, ..GraphOptions::default() };
    let (web, truth) = (graph_web(&options), graph_truth(&options));
    let served = Served::start(web, ServerOptions { delay: Duration::from_millis(3), ..on_hosts() });
    let collection = Collection::new();
    collection.crawl_well(&served.seeds(), &["--delay", "0", "--connections-per-site", "4", "--no-index"]);
    let log = served.log();
    let at_once = requests_at_once_max(&log, |_| true);
    assert!((2..=4).contains(&at_once), "{at_once} requests at once");
    let twice: Vec<_> = requests_per_path(&log).into_iter().filter(|(_, count)| *count > 1).collect();
    assert_eq!(twice, Vec::new());
    assert_eq!(collection.pages().len(), truth.pages.len());
}
