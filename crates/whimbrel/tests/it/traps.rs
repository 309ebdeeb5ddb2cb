//! Traps: endless pages end at their budget and are told, honest pages beside them are all stored, and the operator
//! excludes and allows patterns while the crawl runs.

use crate::support::{Collection, Served, linking, strings, until};
use std::os::unix::fs::PermissionsExt;
use whimbrel_fixture::{Answer, RequestInfo, SiteSpec, Web, handler};

const BUDGETS: &str = "[traps]\npattern_budget = 40\ncalendar_budget = 10\ncalendar_years = 1\n";

/// `/home?time=N` leads to N + 1; a month to the next one and the one before; `deeper/` to itself, below itself.
fn endless(request: &RequestInfo) -> Answer {
    let path = request.path.as_str();
    if let Some(number) = path.strip_prefix("/home?time=").and_then(|number| number.parse::<u64>().ok()) {
        let next = format!("/home?time={}", number + 1);
        return linking(&format!("At {number}"), &format!("the time is {number}"), &[&next, "/"]);
    }
    if let Some((year, month)) = path.strip_prefix("/cal/").and_then(|date| date.split_once('/')) {
        let (Ok(year), Ok(month)) = (year.parse::<u64>(), month.parse::<u64>()) else {
            return Answer::NotFound;
        };
        let at = |n: u64| format!("/cal/{}/{:02}", n / 12, n % 12 + 1);
        let n = year * 12 + month - 1;
        return linking(&format!("{year}-{month}"), &format!("month {n}"), &[&at(n + 1), &at(n - 1)]);
    }
    if path.starts_with("/gallery/") {
        return linking("Gallery", &format!("room {}", path.len()), &["deeper/"]);
    }
    if path.starts_with("/cgi-bin/") {
        return linking("Program", "output", &["/cgi-bin/more"]);
    }
    Answer::NotFound
}

const GOOD: [&str; 6] = ["/", "/a", "/b/one", "/b/two", "/list?page=1", "/list?page=2"];

fn web() -> Web {
    let leaf = |name: &str| linking(name, &format!("honest words of {name}"), &[]);
    let entries =
        ["/a", "/b/one", "/list?page=1", "/home?time=101", "/cal/2026/11", "/gallery/", "/cgi-bin/count"];
    let mut site = SiteSpec::new("s")
        .with("/", linking("Home", "front", &entries))
        .with("/a", leaf("a"))
        .with("/b/one", linking("One", "one", &["/b/two"]))
        .with("/b/two", leaf("two"))
        .with("/list?page=1", linking("List", "first", &["/list?page=2"]))
        .with("/list?page=2", leaf("second"));
    site.fallback = Some(handler(endless));
    Web::new([site])
}

fn asked_with(served: &Served, prefix: &str) -> usize {
    served.asked("s").keys().filter(|path| path.starts_with(prefix)).count()
}

#[test]
fn traps_end_at_their_budgets_and_are_told_and_all_other_pages_are_stored() {
    let served = Served::hosts(web());
    let collection = Collection::new();
    let config = collection.write("c.toml", BUDGETS);
    let flags = ["--delay", "0.001", "--depth", "unlimited", "--config", &config];
    let ran = collection.crawl(&[served.url("s", "/")], &flags);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let stored = collection.pages();
    for path in GOOD {
        assert!(stored.contains_key(&served.url("s", path)), "{path} is missing");
    }
    assert_eq!(asked_with(&served, "/home?time="), 40, "the chain stops at its budget");
    assert!(asked_with(&served, "/cal/") <= 12 + 5 * 12 + 1 + 11, "{}", asked_with(&served, "/cal/"));
    assert_eq!(asked_with(&served, "/gallery/"), 4, "the same segment three times and no more");
    assert_eq!(asked_with(&served, "/cgi-bin/"), 0);
    let rejected = &ran.json()["rejected"];
    assert!(rejected["trap"].as_u64() >= Some(3) && rejected["cgi"] == 1, "{rejected}");
    assert!(
        ran.stderr.contains("/home?time={n}") && ran.stderr.contains("whimbrel traps allow"),
        "{}",
        ran.stderr
    );

    let status = collection.json(&["status"]);
    let traps = status["traps"].as_array().unwrap();
    let trap = traps.iter().find(|trap| trap["pattern"] == "/home?time={n}").unwrap();
    assert_eq!((&trap["state"], &trap["admitted"]), (&"stopped".into(), &40.into()), "{trap}");
    assert!(strings(&trap["examples"]).len() >= 3 && trap["refused"].as_u64() >= Some(1), "{trap}");
    assert!(traps.iter().any(|trap| trap["pattern"] == "/cal/{y}/{m}"), "{status}");
    let text = collection.verb(&["status"]).stdout;
    assert!(text.contains("stopped") && text.contains("/home?time={n}"), "{text}");

    let explained = collection.explain(&served.url("s", "/home?time=141"));
    assert_eq!(
        (&explained["admitted"], &explained["reason"]),
        (&false.into(), &"trap (/home?time={n})".into())
    );
    let text = collection.verb(&["explain", &served.url("s", "/home?time=141")]).stdout;
    assert!(text.contains("stopped by trap budget") && text.contains("whimbrel traps allow"), "{text}");
    assert_eq!(collection.explain(&served.url("s", "/cgi-bin/count"))["reason"], "cgi");
    assert_eq!(collection.explain(&served.url("s", "/home?time=120"))["admitted"], true, "it is stored");
}

#[test]
fn cgi_programs_are_visited_when_the_operator_wants_them() {
    let served = Served::hosts(web());
    let collection = Collection::new();
    let config = collection.write("c.toml", &format!("{BUDGETS}cgi = \"crawl\"\n"));
    collection.crawl_well(&[served.url("s", "/")], &["--delay", "0.001", "--config", &config]);
    assert_eq!(asked_with(&served, "/cgi-bin/"), 2);
}

#[test]
fn a_pattern_is_excluded_while_the_crawl_runs_and_allowed_again_later() {
    let served = Served::hosts(web());
    let collection = Collection::new();
    let seed = [served.url("s", "/home?time=1")];
    let flags = ["--delay", "0.01", "--depth", "unlimited"];
    let running = collection.start_crawl(&seed, &flags);
    until("the trap is entered", || (asked_with(&served, "/home?time=") > 12).then_some(()));
    let socket = std::fs::metadata(collection.data().join("control.sock")).unwrap();
    assert_eq!(socket.permissions().mode() & 0o777, 0o600, "orders are the owner's only");
    let order = collection.json(&["traps", "exclude", "/home?time={n}"]);
    let at_order = asked_with(&served, "/home?time=");
    assert_eq!((&order["running"], &order["order"]["verdict"]), (&true.into(), &"exclude".into()), "{order}");
    let ran = running.wait();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let after = asked_with(&served, "/home?time=");
    assert!(after <= at_order + 8, "{after} visits, {at_order} of them before the order");
    assert!(asked_with(&served, "/a") == 1, "the rest of the site is visited");

    let listed = collection.json(&["traps"]);
    assert_eq!(listed["rules"][0]["verdict"], "exclude", "{listed}");
    let explained = collection.explain(&served.url("s", "/home?time=9999"));
    assert_eq!(explained["reason"], "trap (excluded: /home?time={n})", "{explained}");
    collection.crawl_well(&[], &flags);
    assert_eq!(asked_with(&served, "/home?time="), after, "the order outlives the run");

    let order = collection.json(&[
        "traps",
        "allow",
        &served.url("s", "/home?time=7"),
        "--site",
        &served.url("s", "/"),
    ]);
    assert_eq!((&order["running"], &order["order"]["pending"]), (&false.into(), &true.into()), "{order}");
    let reset = collection.json(&["traps", "reset", "/home?time={n}"]);
    assert_eq!(reset["order"]["verdict"], "reset");
    collection.crawl_well(&[], &["--delay", "0.001", "--depth", "unlimited", "--limit", "30"]);
    assert_eq!(asked_with(&served, "/home?time="), after + 30, "what was refused is found again");
    assert_eq!(collection.json(&["traps"])["rules"], serde_json::json!([]), "nothing is left to be said");
}

#[test]
fn a_whole_site_is_excluded_with_a_star_and_wrong_patterns_are_explained() {
    let served = Served::hosts(web());
    let collection = Collection::new();
    collection.crawl_well(&[served.url("s", "/a")], &["--delay", "0.001", "--scope", "page"]);
    let all = served.url("s", "/*");
    collection.json(&["traps", "exclude", &all]);
    collection.crawl_well(&[], &["--delay", "0.001", "--recrawl"]);
    assert_eq!(served.page_log().len(), 1, "nothing of the site is visited any more");
    for (arguments, named) in [
        (["traps", "exclude", "/a/{year}"], "{year}"),
        (["traps", "allow", "nonsense"], "begins with a slash"),
        (["traps", "reset", "ftp://h.example/*"], "ftp://h.example"),
    ] {
        let ran = collection.verb(&arguments);
        assert!(ran.code == Some(1) && ran.stderr.contains(named), "{arguments:?}: {}", ran.stderr);
    }
}
