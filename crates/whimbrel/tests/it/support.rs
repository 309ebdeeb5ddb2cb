//! What the tests share: a made-up web being served, the program being run, its outputs read back.
//! Nothing here outlives its test: servers end with their value, processes are ended by their id.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use whimbrel_fixture::{AccessEntry, Addresses, Answer, Place, Server, ServerOptions, Web};

/// How long a run may take before its test fails.
const PATIENCE: Duration = Duration::from_secs(90);
/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(4);
/// Clocks of two processes read whole milliseconds.
pub const GRANULARITY_MS: f64 = 2.0;

/// A web being served in this process, which the crawler's end never touches.
pub struct Served {
    pub server: Server,
    runtime: Runtime,
}

impl Served {
    pub fn start(web: Web, options: ServerOptions) -> Served {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let server = runtime.block_on(Server::start(web, options)).unwrap();
        Served { server, runtime }
    }

    /// A host for each site.
    pub fn hosts(web: Web) -> Served {
        Served::start(web, on_hosts())
    }

    /// Changes what a path answers from now on.
    pub fn set(&self, site: &str, path: &str, answer: Answer) {
        self.server.set(&Place::new(site, path), answer).unwrap();
    }

    pub fn url(&self, site: &str, path: &str) -> String {
        self.server.url(&Place::new(site, path))
    }

    pub fn seeds(&self) -> Vec<String> {
        self.server.origins().iter().map(|origin| format!("{origin}/")).collect()
    }

    pub fn log(&self) -> Vec<AccessEntry> {
        self.server.log()
    }

    /// Requests other than those for robots.txt.
    pub fn page_log(&self) -> Vec<AccessEntry> {
        self.log().into_iter().filter(|entry| entry.path != "/robots.txt").collect()
    }

    /// Paths of a site that were asked for, each with how often.
    pub fn asked(&self, site: &str) -> BTreeMap<String, usize> {
        let mut asked = BTreeMap::new();
        for entry in self.log().into_iter().filter(|entry| entry.site == site) {
            *asked.entry(entry.path).or_insert(0) += 1;
        }
        asked
    }

    /// Ends the server; its addresses then refuse connections.
    pub fn stop(self) -> Vec<AccessEntry> {
        self.runtime.block_on(self.server.stop())
    }
}

/// Options for a host per site.
pub fn on_hosts() -> ServerOptions {
    ServerOptions { addresses: Addresses::OneAddressEach(0), ..ServerOptions::default() }
}

/// A data directory, and the program run on it.
pub struct Collection {
    dir: TempDir,
}

impl Collection {
    pub fn new() -> Collection {
        Collection { dir: tempfile::tempdir().unwrap() }
    }

    pub fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// A file beside the data directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file beside the data directory.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// Crawls to the end.
    pub fn crawl(&self, seeds: &[String], flags: &[&str]) -> Ran {
        self.start_crawl(seeds, flags).wait()
    }

    /// Crawls to an end that must be a good one; gives the summary.
    pub fn crawl_well(&self, seeds: &[String], flags: &[&str]) -> Value {
        let ran = self.crawl(seeds, flags);
        assert_eq!(ran.code, Some(0), "the crawl failed: {}", ran.stderr);
        ran.json()
    }

    /// Begins a crawl.
    pub fn start_crawl(&self, seeds: &[String], flags: &[&str]) -> Running {
        let mut arguments = vec!["crawl"];
        arguments.extend(seeds.iter().map(String::as_str));
        arguments.push("--json");
        arguments.extend(flags);
        self.start(&arguments)
    }

    /// Runs any verb to its end.
    pub fn verb(&self, arguments: &[&str]) -> Ran {
        self.start(arguments).wait()
    }

    /// Runs a verb that prints JSON.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let mut all = arguments.to_vec();
        all.push("--json");
        let ran = self.verb(&all);
        assert_eq!(ran.code, Some(0), "{arguments:?} failed: {}", ran.stderr);
        ran.json()
    }

    /// Every stored page, by URL, through `export`.
    pub fn pages(&self) -> BTreeMap<String, Value> {
        let output = self.path(&format!("export-{}.jsonl", number()));
        let ran = self.verb(&["export", "--jsonl", "--output", output.to_str().unwrap()]);
        assert_eq!(ran.code, Some(0), "export failed: {}", ran.stderr);
        let mut pages = BTreeMap::new();
        for line in std::fs::read_to_string(output).unwrap().lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let url = row["url"].as_str().unwrap().to_owned();
            assert!(pages.insert(url, row).is_none(), "a page is exported twice: {line}");
        }
        pages
    }

    pub fn search(&self, query: &str, flags: &[&str]) -> Value {
        let mut arguments = vec!["search", query];
        arguments.extend(flags);
        self.json(&arguments)
    }

    /// How many pages a search finds.
    pub fn total(&self, query: &str) -> u64 {
        self.search(query, &[])["total"].as_u64().unwrap()
    }

    /// URLs a search finds, best first.
    pub fn found(&self, query: &str) -> Vec<String> {
        urls(&self.search(query, &["--limit", "100"]))
    }

    pub fn explain(&self, url: &str) -> Value {
        self.json(&["explain", url])
    }

    /// Begins any verb.
    pub fn start(&self, arguments: &[&str]) -> Running {
        let run = number();
        let (stdout, stderr) = (self.path(&format!("out-{run}")), self.path(&format!("err-{run}")));
        let child = Command::new(env!("CARGO_BIN_EXE_whimbrel"))
            .args(arguments)
            .arg("--data")
            .arg(self.data())
            .current_dir(self.dir.path())
            .env_remove("WHIMBREL_DATA")
            .env_remove("WHIMBREL_LOG")
            .stdin(Stdio::null())
            .stdout(File::create(&stdout).unwrap())
            .stderr(File::create(&stderr).unwrap())
            .spawn()
            .unwrap();
        Running { child, stdout, stderr, begun: Instant::now() }
    }
}

/// A run under way; ended with its value.
pub struct Running {
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
    begun: Instant,
}

impl Running {
    /// Waits for its end.
    pub fn wait(mut self) -> Ran {
        let status = until("the program ends", || self.child.try_wait().unwrap());
        self.ran(status.code())
    }

    /// Waits for its end; with it, the most memory it ever held, in kB, as the system counts it (`VmHWM`).
    pub fn wait_with_peak(mut self) -> (Ran, u64) {
        let status_file = format!("/proc/{}/status", self.child.id());
        let mut peak_kb = 0;
        let status = until("the program ends", || {
            let text = std::fs::read_to_string(&status_file).unwrap_or_default();
            let field = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
            peak_kb = peak_kb.max(field.and_then(|kb| kb.parse().ok()).unwrap_or(0));
            self.child.try_wait().unwrap()
        });
        (self.ran(status.code()), peak_kb)
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// What it wrote to standard error so far.
    pub fn stderr(&self) -> String {
        text(&self.stderr)
    }

    /// Sends a signal by name, as `INT`.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").arg(format!("-{name}")).arg(self.child.id().to_string()).status();
        assert!(status.unwrap().success(), "the process was gone before SIG{name}");
    }

    /// kill -9. `None` when it was still running, else how it had ended.
    pub fn kill_nine(mut self) -> Option<Ran> {
        if let Some(status) = self.child.try_wait().unwrap() {
            return Some(self.ran(status.code()));
        }
        self.child.kill().unwrap();
        self.child.wait().unwrap().code().map(|code| self.ran(Some(code)))
    }

    fn ran(&self, code: Option<i32>) -> Ran {
        Ran { code, stdout: text(&self.stdout), stderr: text(&self.stderr), took: self.begun.elapsed() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.is_running() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// A run that ended.
#[derive(Debug)]
pub struct Ran {
    /// `None` after a signal.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
}

impl Ran {
    /// The object on the last line of standard output.
    pub fn json(&self) -> Value {
        let line = self
            .stdout
            .lines()
            .last()
            .unwrap_or_else(|| panic!("nothing on standard output: {}", self.stderr));
        serde_json::from_str(line).unwrap()
    }
}

/// Looks until there is something.
pub fn until<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    let mut look = look;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "waited {PATIENCE:?} in vain until {what}");
        std::thread::sleep(LOOK);
    }
}

/// URLs of a search's answer.
pub fn urls(answer: &Value) -> Vec<String> {
    let results = answer["results"].as_array().unwrap();
    results.iter().map(|hit| hit["url"].as_str().unwrap().to_owned()).collect()
}

/// Strings of a JSON list.
pub fn strings(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

/// Times from the end of one request to the start of the next, among those that `belongs` picks. Negative where two
/// were under way at once.
pub fn pauses_ms(log: &[AccessEntry], belongs: impl Fn(&AccessEntry) -> bool) -> Vec<f64> {
    let mut entries: Vec<&AccessEntry> = log.iter().filter(|entry| belongs(entry)).collect();
    entries.sort_by(|a, b| a.start_ms.total_cmp(&b.start_ms));
    entries.windows(2).map(|pair| pair[1].start_ms - pair[0].end_ms).collect()
}

/// The shortest of them; fails when it is shorter than the delay.
pub fn assert_polite(log: &[AccessEntry], site: &str, delay_ms: f64) -> f64 {
    let pauses = pauses_ms(log, |entry| entry.site == site);
    let shortest = pauses.into_iter().fold(f64::INFINITY, f64::min);
    assert!(
        shortest >= delay_ms - GRANULARITY_MS,
        "{site} was asked again after {shortest} ms, {delay_ms} ms were due"
    );
    shortest
}

/// A page that links to these.
pub fn linking(title: &str, words: &str, links: &[&str]) -> Answer {
    let items: String = links.iter().map(|href| format!("<p><a href=\"{href}\">on</a></p>\n")).collect();
    Answer::html(format!(
        "<!DOCTYPE html><html lang=\"en\"><head><title>{title}</title></head><body><main><h1>{title}</h1>\n<p>{words}</p>\n\
         {items}</main></body></html>\n"
    ))
}

/// Numbers without a pattern, the same for the same seed (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end.max(1)
    }
}

fn number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn text(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
}
