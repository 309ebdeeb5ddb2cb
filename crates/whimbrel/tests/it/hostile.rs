//! Servers that misbehave cost what the limits allow, and never a neighbour. The catalogue of behaviors is the fixture's;
//! here is what is to come of each, and some mixtures.

mod catalogue;
mod judge;
mod outputs;
mod rebinding;

use crate::support::{Collection, Served, linking};
use std::time::Duration;
use whimbrel_fixture::{Answer, SiteSpec, Web};

#[test]
fn an_endless_body_is_cut_and_a_hanging_visit_given_up() {
    let endless = Answer::Endless { content_type: "text/html".into(), piece: vec![b'x'; 8192].into() };
    let drip = Answer::Drip {
        piece_bytes: 1,
        pause: Duration::from_millis(50),
        answer: Box::new(Answer::html("y".repeat(10_000))),
    };
    let big = "z".repeat(200 * 1024);
    let web = Web::new([SiteSpec::new("s")
        .with(
            "/",
            linking("Home", "front", &["/endless", "/hang", "/drip", "/headers", "/close", "/cut", "/good"]),
        )
        .with("/endless", endless)
        .with("/hang", Answer::Hang)
        .with("/drip", drip)
        .with("/headers", Answer::html("<p>small").with_header("X-Big", big))
        .with("/close", Answer::Close)
        .with(
            "/cut",
            Answer::Cut {
                after_bytes: 40,
                answer: Box::new(Answer::html("<p>promised more than came</p>".repeat(50))),
            },
        )
        .with("/good", linking("Good", "wholesome porridge", &["/better"]))
        .with("/better", linking("Better", "wholesome pudding", &[]))]);
    let served = Served::hosts(web);
    let collection = Collection::new();
    let config = collection
        .write("c.toml", "[fetch]\ntries = 1\nretry_delay = \"20ms\"\n[politeness]\nback_off = \"20ms\"\n");
    let flags = ["--delay", "0.01", "--timeout", "1", "--max-body", "100000", "--config", &config];
    let ran = collection.crawl(&served.seeds(), &flags);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.took < Duration::from_secs(15), "{:?}", ran.took);
    let pages = collection.pages();
    assert_eq!(collection.found("porridge"), vec![served.url("s", "/good")]);
    assert_eq!(collection.found("pudding"), vec![served.url("s", "/better")]);
    let endless = &pages[&served.url("s", "/endless")];
    assert_eq!(endless["truncated"], true);
    assert!(endless["bytes"].as_u64().unwrap() <= 100_000, "{}", endless["bytes"]);
    let sent = served.log().iter().find(|entry| entry.path == "/endless").unwrap().bytes;
    assert!(sent < 8_000_000, "{sent} bytes were taken of an endless body");
    for (path, outcome) in [("/hang", "timeout"), ("/headers", "headers_too_large"), ("/close", "reset")] {
        let explained = collection.explain(&served.url("s", path));
        assert_eq!(explained["record"]["last_outcome"], outcome, "{path}: {explained}");
        assert!(!pages.contains_key(&served.url("s", path)));
    }
}

#[test]
fn odd_answers_end_no_crawl() {
    let nested = format!("<title>Deep</title>{}bathysphere", "<div>".repeat(100_000));
    let web = Web::new([SiteSpec::new("s")
        .with(
            "/",
            linking(
                "Home",
                "front",
                &["/deep", "/nothing", "/teapot", "/lies", "/broken-gzip", "/loop", "/good"],
            ),
        )
        .with("/deep", Answer::html(nested))
        .with("/nothing", Answer::html(""))
        .with("/teapot", Answer::Status(418, Vec::new()))
        .with("/lies", Answer::bytes("text/html", vec![0xff, 0xfe, 0x00, 0x80, 0x81]))
        .with("/broken-gzip", Answer::html("this is no gzip").with_header("Content-Encoding", "gzip"))
        .with("/loop", Answer::found("/loop"))
        .with("/good", linking("Good", "wholesome porridge", &[]))]);
    let served = Served::hosts(web);
    let collection = Collection::new();
    let config = collection.write("c.toml", "[fetch]\ntries = 1\nretry_delay = \"20ms\"\n");
    collection.crawl_well(&served.seeds(), &["--delay", "0.005", "--config", &config]);
    assert_eq!(collection.found("porridge"), vec![served.url("s", "/good")]);
    assert_eq!(collection.found("bathysphere"), vec![served.url("s", "/deep")]);
    assert!(served.asked("s")["/loop"] <= 2, "a page that redirects to itself is not asked for ever");
    assert_eq!(collection.explain(&served.url("s", "/teapot"))["record"]["last_outcome"], "http_418");
}

#[test]
fn a_redirect_to_a_site_never_met_is_followed_in_the_same_run() {
    let away = Answer::found("{{origin:far}}/landing");
    let web = Web::new([
        SiteSpec::new("near").with("/", away),
        SiteSpec::new("far").with("/landing", linking("Far", "wholesome porridge", &[])),
    ]);
    let served = Served::hosts(web);
    let collection = Collection::new();
    let seeds = [format!("{}/", served.server.origin("near"))];
    let flags = ["--delay", "0", "--scope", "any", "--allow-private", "127.0.0.0/8"];
    let summary = collection.crawl_well(&seeds, &flags);
    assert_eq!(collection.found("porridge"), vec![served.url("far", "/landing")], "{summary}");
}
