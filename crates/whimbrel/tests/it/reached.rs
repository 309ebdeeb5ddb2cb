//! A limit that was reached is counted in `status` under its key, with the URL; `explain` shows it for the URL.

use crate::support::{Collection, Served, linking};
use serde_json::Value;
use whimbrel_fixture::{Answer, SiteSpec, Web};

/// The row of a limit in `status`.
fn row<'a>(status: &'a Value, key: &str) -> &'a Value {
    let rows = status["limits"].as_array().unwrap();
    rows.iter().find(|row| row["limit"] == key).unwrap_or_else(|| panic!("no {key} in {rows:?}"))
}

#[test]
fn limits_reached_are_counted_in_status_and_shown_with_the_url_in_explain() {
    let many_links: String = (0..60).map(|n| format!("<a href=/n{n}>n</a>")).collect();
    let web = Web::new([SiteSpec::new("s")
        .with(
            "/robots.txt",
            Answer::bytes(
                "text/plain",
                format!("User-agent: *\nDisallow: /private\n#{}\n", "x".repeat(3000)).into_bytes(),
            ),
        )
        .with("/", linking("Home", "front", &["/long", "/deep", "/attributes", "/links", "/silent"]))
        .with("/long", Answer::html(format!("<title>Long</title>{}", "words ".repeat(20_000))))
        .with("/deep", Answer::html(format!("<title>Deep</title>{}deep", "<div>".repeat(50))))
        .with("/attributes", Answer::html(format!("<p {}>many", "a b c d e f g h i j k".repeat(3))))
        .with("/links", Answer::html(format!("<title>Links</title>{many_links}")))
        .with("/silent", Answer::Hang)]);
    let served = Served::hosts(web);
    let collection = Collection::new();
    let config = collection.write(
        "c.toml",
        "[fetch]\ntries = 1\nmax_body = \"50000\"\nmax_robots = \"1000\"\ntimeout = \"1s\"\n\
         [limits]\nnesting_max = 20\nattributes_max = 5\nlinks_max = 10\n",
    );
    let summary = collection.crawl_well(&served.seeds(), &["--delay", "0.01", "--config", &config]);
    let status = collection.json(&["status", "--config", &config]);
    for (path, key) in [
        ("/robots.txt", "fetch.max_robots"),
        ("/long", "fetch.max_body"),
        ("/deep", "limits.nesting_max"),
        ("/attributes", "limits.attributes_max"),
        ("/links", "limits.links_max"),
        ("/silent", "fetch.timeout"),
    ] {
        let url = served.url("s", path);
        assert_eq!(summary["limits"][key], 1, "{key}: {}", summary["limits"]);
        let row = row(&status, key);
        assert_eq!((&row["count"], &row["examples"][0]), (&Value::from(1), &Value::from(url.as_str())));
        assert!(!row["value"].as_str().unwrap().is_empty(), "{row}");
        let explained = collection.explain(&url);
        assert_eq!(explained["note"]["limits"][0], key, "{path}: {}", explained["note"]);
    }
    let shown = collection.verb(&["explain", &served.url("s", "/silent")]).stdout;
    assert!(shown.contains("limit reached:") && shown.contains("fetch.timeout"), "{shown}");
    let shown = collection.verb(&["status"]).stdout;
    assert!(shown.contains("limit reached: fetch.max_body (16MiB), 1 time, for example"), "{shown}");
}

#[test]
fn a_name_server_that_keeps_silent_is_counted_as_such() {
    // It takes every question and answers none.
    let silent = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let collection = Collection::new();
    let config = collection.write(
        "c.toml",
        &format!(
            "[agent]\ncontact = \"mailto:test@example.org\"\n[fetch]\ntries = 1\ndns_timeout = \"50ms\"\n\
             name_servers = [\"{}\"]\n",
            silent.local_addr().unwrap()
        ),
    );
    let seed = "http://nowhere.example/".to_owned();
    let ran = collection.crawl(std::slice::from_ref(&seed), &["--config", &config]);
    assert_ne!(ran.code, Some(0), "the only seed could not be reached");
    let status = collection.json(&["status", "--config", &config]);
    let row = row(&status, "fetch.dns_timeout");
    assert_eq!((&row["count"], &row["value"]), (&Value::from(1), &Value::from("50ms")));
    let explained = collection.explain("http://nowhere.example/robots.txt");
    let detail = explained["note"]["detail"].as_str().unwrap();
    assert!(detail.contains("cannot resolve nowhere.example"), "{detail}");
}
