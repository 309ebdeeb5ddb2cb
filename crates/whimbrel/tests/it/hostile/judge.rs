//! Runs a crawl with one hostile host beside a good one and judges it from outside: by the server's log, by what can be
//! read back, by the memory the system saw. Every behavior is judged by the same rules; an [`Expected`] says what is its
//! own.

use crate::support::{Collection, Ran, Served, linking, on_hosts};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::runtime::Runtime;
use whimbrel_fixture::{AccessEntry, HostileServer, SiteSpec, Web, behavior};

/// The body limit of these crawls.
pub const BODY_BYTES_MAX: u64 = 4 << 20;
/// What a hostile host may cost in memory: twice the body limit that is the default.
const MEMORY_MARGIN_KB: u64 = 2 * 16 * 1024;
/// A visit is given two seconds; the rest is for a machine that is busy with other tests.
const VISIT_MS_MAX: f64 = 20_000.0;
/// What the system buffers of a connection that its reader gave up.
const BUFFERED_BYTES: u64 = 8 << 20;
/// Crawls under way at a time: most of them wait most of the time.
const AT_ONCE: usize = 4;
/// Pages of the good host, each with a word of its own.
const GOOD_PAGES: usize = 12;

/// What is to come of a behavior.
pub struct Expected {
    pub name: &'static str,
    flags: Vec<&'static str>,
    counts: Vec<&'static str>,
    stored: Option<bool>,
    requests_max: usize,
    further: fn(&Seen),
}

/// Expects that the front page is not stored, and at most robots.txt and a page and a second try of each are asked for.
pub fn expect(name: &'static str) -> Expected {
    Expected { name, flags: vec![], counts: vec![], stored: Some(false), requests_max: 4, further: |_| {} }
}

impl Expected {
    /// The front page of the host is stored.
    pub fn stored(mut self) -> Expected {
        self.stored = Some(true);
        self
    }

    /// Whether it is stored is no matter.
    pub fn either(mut self) -> Expected {
        self.stored = None;
        self
    }

    /// Something is counted in the summary under `object.key`; alternatives are divided by ` or `.
    pub fn counts(mut self, path: &'static str) -> Expected {
        self.counts.push(path);
        self
    }

    /// So many requests at the most.
    pub fn requests(mut self, most: usize) -> Expected {
        self.requests_max = most;
        self
    }

    /// Flags beside the common ones.
    pub fn flags(mut self, flags: &[&'static str]) -> Expected {
        self.flags.extend(flags);
        self
    }

    /// The crawl may go anywhere: only the address check stands between it and the rest of the machine.
    pub fn anywhere(self) -> Expected {
        self.flags(&["--scope", "any", "--contact", "judge@example.test", "--i-own-these-sites"])
    }

    /// What else has to hold.
    pub fn and(mut self, further: fn(&Seen)) -> Expected {
        self.further = further;
        self
    }
}

/// What can be seen of a crawl from outside.
pub struct Seen {
    pub collection: Collection,
    pub summary: Value,
    pub pages: BTreeMap<String, Value>,
    /// Requests to the hostile host.
    pub log: Vec<AccessEntry>,
    /// Origin of the hostile host.
    pub origin: String,
    pub ran: Ran,
}

impl Seen {
    /// The text of a page of the hostile host.
    pub fn text(&self, path: &str) -> &str {
        let url = format!("{}{path}", self.origin);
        let page =
            self.pages.get(&url).unwrap_or_else(|| panic!("{url} is not stored: {:?}", self.pages.keys()));
        page["text"].as_str().unwrap()
    }

    /// Bytes that the hostile host sent.
    pub fn sent_bytes(&self) -> u64 {
        self.log.iter().map(|entry| entry.bytes).sum()
    }
}

/// Crawls once per behavior and judges each; all failures are told together.
pub fn judge(expected: &[Expected]) {
    let runtime = Runtime::new().unwrap();
    let behaviors: Vec<_> = expected
        .iter()
        .map(|one| behavior(one.name).unwrap_or_else(|| panic!("no behavior {}", one.name)))
        .collect();
    let hostile = runtime.block_on(HostileServer::start(&behaviors)).unwrap();
    let good = Served::start(good_web(), on_hosts());
    let alone_kb = (0..2).map(|_| alone(&good)).max().unwrap();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|threads| {
        for _ in 0..AT_ONCE {
            threads.spawn(|| {
                while let Some(one) = expected.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                        judge_one(one, &hostile, &good, alone_kb);
                    }));
                    if judged.is_err() {
                        failures.lock().unwrap().push(one.name);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "these behaviors were not held, see above: {failures:?}");
    assert_eq!(
        hostile.stranger_connections(),
        0,
        "a crawl was led to an endpoint that it was never pointed to"
    );
}

fn judge_one(one: &Expected, hostile: &HostileServer, good: &Served, alone_kb: u64) {
    let name = one.name;
    let (_, origin) = hostile.named_origins().into_iter().find(|(named, _)| *named == name).unwrap();
    let collection = Collection::new();
    let config = patience(&collection);
    let seeds = [good.seeds(), vec![format!("{origin}/")]].concat();
    let mut flags = common_flags(&config);
    flags.extend(&one.flags);
    let (ran, peak_kb) = collection.start_crawl(&seeds, &flags).wait_with_peak();
    assert_eq!(ran.code, Some(0), "{name}: the crawl failed: {}", ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{name}: {}", ran.stderr);
    assert!(ran.stderr.len() < 20_000, "{name} filled the log: {}", &ran.stderr[..2000]);
    let summary = ran.json();
    assert!(summary["errors"].get("panicked").is_none(), "{name}: {summary}");
    let pages = collection.pages();
    for number in 0..GOOD_PAGES {
        let url = good.url("good", &good_path(number));
        assert!(pages.contains_key(&url), "{name}: the good page {url} is not stored: {summary}");
    }
    let log: Vec<AccessEntry> = hostile.log().into_iter().filter(|entry| entry.site == name).collect();
    let seen = Seen { collection, summary, pages, log, origin, ran };
    judge_bounds(one, &seen);
    assert!(
        peak_kb <= alone_kb + MEMORY_MARGIN_KB,
        "{name}: the crawl took {peak_kb} kB of memory, {alone_kb} kB without that host"
    );
    (one.further)(&seen);
}

fn judge_bounds(one: &Expected, seen: &Seen) {
    let (name, summary) = (one.name, &seen.summary);
    let front = format!("{}/", seen.origin);
    if let Some(stored) = one.stored {
        assert_eq!(seen.pages.contains_key(&front), stored, "{name}: is the front page stored? {summary}");
    }
    for path in &one.counts {
        let counted = |path: &str| {
            let (object, key) = path.split_once('.').unwrap();
            summary[object].get(key).and_then(Value::as_u64).is_some_and(|count| count > 0)
        };
        assert!(path.split(" or ").any(counted), "{name}: {path} is not counted: {summary}");
    }
    let requests = seen.log.len();
    assert!(
        requests <= one.requests_max,
        "{name}: {requests} requests; at most {} are due",
        one.requests_max
    );
    for entry in &seen.log {
        let took = entry.end_ms - entry.start_ms;
        assert!(took < VISIT_MS_MAX, "{name}: the visit of {:?} took {took} ms", entry.path);
        let most = BODY_BYTES_MAX + BUFFERED_BYTES;
        assert!(entry.bytes <= most, "{name}: {} bytes of {:?} were taken", entry.bytes, entry.path);
    }
}

fn alone(good: &Served) -> u64 {
    let collection = Collection::new();
    let config = patience(&collection);
    let (ran, peak_kb) = collection.start_crawl(&good.seeds(), &common_flags(&config)).wait_with_peak();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.json()["pages"], GOOD_PAGES as u64);
    peak_kb
}

/// One try per page and short waits, so that a test takes no longer than what it shows.
fn patience(collection: &Collection) -> String {
    let text = "[fetch]\ntries = 1\nretry_delay = \"20ms\"\n[politeness]\nback_off = \"20ms\"\n";
    collection.write("patience.toml", text)
}

pub fn common_flags(config: &str) -> Vec<&str> {
    vec!["--delay", "0", "--timeout", "2", "--max-body", "4MiB", "--depth", "6", "--config", config]
}

fn good_path(number: usize) -> String {
    if number == 0 { "/".to_owned() } else { format!("/page/{number}") }
}

/// A chain of pages with some cross links, so that it takes the crawl some rounds.
fn good_web() -> Web {
    let mut site = SiteSpec::new("good");
    for number in 0..GOOD_PAGES {
        let links: Vec<String> =
            [number * 2 + 1, number * 2 + 2].into_iter().filter(|n| *n < GOOD_PAGES).map(good_path).collect();
        let links: Vec<&str> = links.iter().map(String::as_str).collect();
        site.put(
            good_path(number),
            linking(&format!("Good {number}"), &format!("wholesome porridge {number}"), &links),
        );
    }
    Web::new([site])
}

/// Any output for people or programs: nothing in it steers a terminal, and lines are only those of the format.
pub fn assert_harmless(what: &str, text: &str) {
    let odd = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if let Some(at) = text.find(odd) {
        let around: String =
            text[..].chars().skip(text[..at].chars().count().saturating_sub(60)).take(120).collect();
        panic!("{what} has a raw control character: {around:?}");
    }
}
