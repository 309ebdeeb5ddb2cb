//! `explain` as a tester of robots.txt: what the file says about any URL of a known site, with the line that says so,
//! and an honest answer about a site whose file was never read.

use crate::support::{Collection, Served, linking};
use serde_json::{Value, json};
use whimbrel_fixture::{Answer, SiteSpec, Web};

const ROBOTS: &str = "# ours\n\
    User-agent: otherbot\n\
    Disallow: /\n\
    \n\
    User-agent: *\n\
    Disallow: /private/ # keep out\n\
    Allow: /private/open$\n\
    Crawl-delay: 0.02\n\
    Sitemap: /sitemap.xml\n";

fn crawled() -> (Served, Collection) {
    let home = linking("Home", "home", &["/a"]);
    let web = Web::new([
        SiteSpec::new("s")
            .with("/robots.txt", Answer::text(ROBOTS))
            .with("/", home.clone())
            .with("/a", linking("A", "a", &[])),
        SiteSpec::new("free").with("/", home),
    ]);
    let served = Served::hosts(web);
    let collection = Collection::new();
    let seeds = [served.url("s", "/"), served.url("free", "/")];
    collection.crawl_well(&seeds, &["--delay", "0.01"]);
    (served, collection)
}

#[test]
fn the_rule_that_decides_is_shown_with_its_line_group_delay_and_file() {
    let (served, collection) = crawled();
    let asked = served.log().len();
    let robots = |path: &str| collection.explain(&served.url("s", path))["robots"].clone();

    let forbidden = robots("/private/never-seen?x=1");
    assert_eq!(forbidden["allowed"], false, "{forbidden}");
    assert_eq!(forbidden["rule"], json!({"line": 6, "text": "Disallow: /private/"}));
    assert_eq!((&forbidden["group"], &forbidden["agent"]), (&json!("*"), &json!("whimbrel")));
    assert_eq!(forbidden["crawl_delay_seconds"], 0.02);
    assert_eq!(
        (&forbidden["status"], &forbidden["url"]),
        (&json!(200), &json!(served.url("s", "/robots.txt")))
    );
    assert!(forbidden["age_seconds"].as_u64().is_some_and(|age| age < 600), "{forbidden}");
    assert!(forbidden["read_at"].is_string() && forbidden["valid_until"].is_string(), "{forbidden}");

    let opened = robots("/private/open");
    assert_eq!((&opened["allowed"], &opened["rule"]["line"]), (&json!(true), &json!(7)));
    let unmentioned = robots("/a");
    assert_eq!((&unmentioned["allowed"], &unmentioned["rule"]), (&json!(true), &Value::Null));
    assert_eq!(served.log().len(), asked, "explaining asks nobody");

    let shown = collection.verb(&["explain", &served.url("s", "/private/x")]).stdout;
    for part in [
        "forbidden by line 6: Disallow: /private/",
        "for everybody (*)",
        "status 200",
        "20 ms",
        "/robots.txt",
    ] {
        assert!(shown.contains(part), "{part} is not in\n{shown}");
    }
}

#[test]
fn a_site_without_rules_and_one_never_met_are_told_apart() {
    let (served, collection) = crawled();
    let free = collection.explain(&served.url("free", "/never/seen"));
    assert_eq!(
        (&free["robots"]["state"], &free["robots"]["allowed"]),
        (&json!("none"), &json!(true)),
        "{free}"
    );
    assert_eq!(free["robots"]["status"], 404);

    let unmet = collection.explain("http://nobody.example/x");
    assert_eq!(unmet["robots"]["state"], "unread", "{unmet}");
    assert_eq!((&unmet["robots"]["allowed"], &unmet["state"]), (&Value::Null, &json!("unknown")));
    let shown = collection.verb(&["explain", "http://nobody.example/x"]).stdout;
    assert!(shown.contains("http://nobody.example/robots.txt was not read yet"), "{shown}");
}

#[test]
fn a_robots_file_that_fails_closes_the_site_and_says_how_it_failed() {
    let web = Web::new([SiteSpec::new("s")
        .with("/robots.txt", Answer::Status(503, Vec::new()))
        .with("/", linking("H", "h", &[]))]);
    let served = Served::hosts(web);
    let collection = Collection::new();
    let config =
        collection.write("c.toml", "[fetch]\nretry_delay = \"50ms\"\n[politeness]\nback_off = \"50ms\"\n");
    collection.crawl(&served.seeds(), &["--delay", "0.01", "--config", &config, "--time-limit", "3s"]);
    let robots = collection.explain(&served.url("s", "/any"))["robots"].clone();
    assert_eq!((&robots["state"], &robots["allowed"]), (&json!("unreachable"), &json!(false)), "{robots}");
    assert_eq!(robots["status"], 503, "{robots}");
    assert!(robots["since"].is_string() && robots["retry_at"].is_string(), "{robots}");
}
