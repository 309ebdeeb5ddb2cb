//! Private addresses are refused at the connection: neither a link, nor a redirect, nor a robots.txt leads there.

use crate::support::{Collection, Served, linking};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use whimbrel_fixture::{Answer, SiteSpec, Web};

/// A door nobody may knock at; counts who does.
struct Door {
    port: u16,
    knocks: Arc<AtomicUsize>,
    closed: Arc<AtomicBool>,
}

impl Door {
    fn open() -> Door {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (knocks, closed) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (count, end) = (Arc::clone(&knocks), Arc::clone(&closed));
        std::thread::spawn(move || {
            while !end.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok(_) => {
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                    Err(_) => std::thread::sleep(std::time::Duration::from_millis(2)),
                }
            }
        });
        Door { port, knocks, closed }
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_link_or_redirect_into_the_private_network_is_never_followed() {
    let door = Door::open();
    let port = door.port;
    let inside = [
        format!("http://127.0.0.1:{port}/admin"),
        format!("http://localhost:{port}/admin"),
        format!("http://127.1:{port}/short"),
        format!("http://2130706433:{port}/number"),
        format!("http://[::ffff:127.0.0.1]:{port}/mapped"),
        format!("http://0.0.0.0:{port}/any"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
    ];
    let links: Vec<&str> = inside.iter().map(String::as_str).chain(["/away", "/fine"]).collect();
    let web = Web::new([
        SiteSpec::new("outer")
            .with("/", linking("Outer", "front", &links))
            .with("/fine", linking("Fine", "harmless gazebo", &[]))
            .with("/away", Answer::found(format!("http://127.0.0.1:{port}/redirected"))),
        SiteSpec::new("sly")
            .with("/robots.txt", Answer::found(format!("http://127.0.0.1:{port}/robots.txt")))
            .with("/", linking("Sly", "crafty", &[])),
    ]);
    let served = Served::hosts(web);
    let collection = Collection::new();
    let config =
        collection.write("c.toml", "[fetch]\nretry_delay = \"20ms\"\n[politeness]\nback_off = \"20ms\"\n");
    let flags = [
        "--scope",
        "any",
        "--contact",
        "me@example.org",
        "--i-own-these-sites",
        "--delay",
        "0.01",
        "--config",
        &config,
    ];
    collection.crawl_well(&served.seeds(), &flags);
    assert_eq!(door.knocks.load(Ordering::Relaxed), 0, "the private address was connected to");
    assert_eq!(collection.found("gazebo"), vec![served.url("outer", "/fine")], "the crawl itself went on");
    for url in [inside[0].clone(), format!("http://127.0.0.1:{port}/redirected")] {
        let explained = collection.explain(&url).to_string();
        assert!(explained.contains("address_refused"), "the reason is not told for {url}: {explained}");
    }
}

#[test]
fn a_private_network_is_visited_when_it_is_allowed() {
    let served = Served::hosts(Web::new([
        SiteSpec::new("a").with("/", linking("A", "gateway", &["{{origin:b}}/"])),
        SiteSpec::new("b").with("/", linking("B", "annex", &[])),
    ]));
    let seed = [served.url("a", "/")];
    let flags = ["--scope", "any", "--contact", "me@example.org", "--i-own-these-sites", "--delay", "0.01"];
    let closed = Collection::new();
    closed.crawl_well(&seed, &flags);
    assert!(served.log().iter().all(|entry| entry.site == "a"), "a loopback seed opens its own address only");
    let open = Collection::new();
    let mut allowed = flags.to_vec();
    allowed.extend(["--allow-private", "127.0.0.0/8"]);
    open.crawl_well(&seed, &allowed);
    assert_eq!(open.found("annex"), vec![served.url("b", "/")]);
}
