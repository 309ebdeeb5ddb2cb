//! A name whose address changes between two questions (DNS rebinding) opens nothing: every connection is made to the
//! very address that was checked.

use crate::support::{Collection, Served, linking};
use std::net::Ipv4Addr;
use tokio::runtime::Runtime;
use whimbrel_fixture::{ChangingDns, SiteSpec, Web};

/// Crawls `http://rebinding.test:PORT/`, whose name server says `first` so many times and `then` ever after.
fn crawl(first: Ipv4Addr, first_answers: u64, then: Ipv4Addr, allowed: &str) -> (Vec<String>, String, u64) {
    let web = Web::new([SiteSpec::new("s")
        .with("/", linking("Front", "wholesome porridge", &["/next", "/last"]))
        .with("/next", linking("Next", "more porridge", &[]))
        .with("/last", linking("Last", "no more porridge", &[]))]);
    let served = Served::hosts(web);
    let port = served.server.addresses()[0].port();
    let runtime = Runtime::new().unwrap();
    let dns = runtime.block_on(ChangingDns::start(first, first_answers, then)).unwrap();
    let collection = Collection::new();
    let config = collection.write(
        "c.toml",
        &format!(
            "[fetch]\nname_servers = [\"{}\"]\ntries = 1\nretry_delay = \"20ms\"\nconnect_timeout = \"1s\"\n",
            dns.address()
        ),
    );
    let seeds = [format!("http://rebinding.test:{port}/")];
    let manners =
        ["--contact", "judge@example.test", "--i-own-these-sites", "--delay", "0.01", "--timeout", "2"];
    let mut flags = [&manners[..], &["--config", &config]].concat();
    if !allowed.is_empty() {
        flags.extend(["--allow-private", allowed]);
    }
    let ran = collection.crawl(&seeds, &flags);
    let asked = served.page_log().iter().map(|entry| entry.path.clone()).collect();
    (asked, format!("{}{}", ran.stdout, ran.stderr), dns.questions())
}

#[test]
fn a_name_server_of_the_configuration_is_asked() {
    let there = Ipv4Addr::new(127, 0, 0, 2);
    let (asked, said, questions) = crawl(there, 0, there, "127.0.0.2/32");
    assert_eq!(asked.len(), 3, "{said}");
    assert!(questions > 0);
}

#[test]
fn an_answer_that_turns_private_is_refused_at_the_connection() {
    // The first answer is an address that the operator allowed and where nobody listens; what it turns into is where the
    // server really is.
    let (open, private) = (Ipv4Addr::new(127, 9, 9, 9), Ipv4Addr::new(127, 0, 0, 2));
    for first_answers in 0..4 {
        let (asked, said, questions) = crawl(open, first_answers, private, "127.9.9.9/32");
        assert!(questions >= first_answers.min(1), "{said}");
        assert_eq!(
            asked,
            Vec::<String>::new(),
            "after {first_answers} answers a private address was visited: {said}"
        );
        let expected = if first_answers == 0 { "address_refused" } else { "refused" };
        assert!(said.contains(expected), "{said}");
    }
}
