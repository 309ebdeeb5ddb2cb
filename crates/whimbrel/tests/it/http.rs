//! Logins, cookies, header fields and proxies as the operator sets them: who is told what, and that no secret is left
//! anywhere but on the wire.

use crate::support::Collection;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

/// Answers a request, told its target and its head.
type Answer = dyn Fn(&str, &str) -> String + Send + Sync;

/// A server that shows its requests as they came. Its threads end with the test's process.
struct Raw {
    address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Raw {
    fn start(answer: impl Fn(&str, &str) -> String + Send + Sync + 'static) -> Raw {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (log, answer): (_, Arc<Answer>) = (Arc::clone(&heads), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, &log, &*answer));
            }
        });
        Raw { address, heads }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Heads of requests for this target, in order.
    fn asked(&self, target: &str) -> Vec<String> {
        let start = format!("GET {target} ");
        self.heads.lock().unwrap().iter().filter(|head| head.starts_with(&start)).cloned().collect()
    }
}

fn serve(stream: TcpStream, log: &Mutex<Vec<String>>, answer: &Answer) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            match reader.read_line(&mut head) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        }
        let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
        log.lock().unwrap().push(head.clone());
        if stream.write_all(answer(&target, &head).as_bytes()).is_err() {
            return;
        }
    }
}

fn page(status: &str, fields: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\n{fields}Content-Length: {length}\r\n\r\n{body}")
}

/// Runs a verb with variables in its environment.
fn run(collection: &Collection, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_whimbrel"))
        .args(arguments)
        .arg("--data")
        .arg(collection.data())
        .current_dir(collection.path(""))
        .env_remove("WHIMBREL_DATA")
        .env_remove("WHIMBREL_LOG")
        .env_remove("WHIMBREL_PROXY_AUTH")
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

fn crawl(collection: &Collection, seeds: &[&str], config: &str, variables: &[(&str, &str)]) -> Output {
    let config = collection.write("c.toml", config);
    let events = collection.path("events.jsonl").display().to_string();
    let mut arguments = vec!["crawl"];
    arguments.extend(seeds);
    arguments.extend(["--json", "--config", &config, "--log-level", "trace", "--event-log", &events]);
    run(collection, &arguments, variables)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Every file below a directory: as it is, and unpacked where it is gzip.
fn contents(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if let Ok(bytes) = std::fs::read(&path) {
                let mut unpacked = Vec::new();
                let _ = flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked);
                all.insert(format!("{} unpacked", path.display()), unpacked);
                all.insert(path.display().to_string(), bytes);
            }
        }
    }
    all
}

/// Fails where one of the secrets can be read anywhere in the directory or in what a run printed.
fn assert_untold(collection: &Collection, output: &Output, secrets: &[&str]) {
    let mut all = contents(&collection.data());
    assert!(all.keys().any(|name| name.contains("warc")), "there is an archive to look into");
    all.insert("the event log".into(), std::fs::read(collection.path("events.jsonl")).unwrap());
    all.insert("standard output".into(), output.stdout.clone());
    all.insert("standard error".into(), output.stderr.clone());
    for (name, bytes) in all {
        for secret in secrets {
            let told = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!told, "{secret} can be read in {name}");
        }
    }
}

#[test]
fn a_login_opens_its_site_reaches_no_other_and_is_kept_nowhere() {
    let other = Raw::start(|_, _| page("200 OK", "", "<title>Other</title><p>unlocked woodpecker"));
    let elsewhere = other.url("/");
    let site = Raw::start(move |target, head| match target {
        _ if !head.contains("\r\nAuthorization: Basic dXNlcjpodW50ZXIy\r\n") => page("401 No", "", "locked"),
        "/robots.txt" => page("200 OK", "", "User-agent: *\nAllow: /\n"),
        "/away" => page("302 Found", &format!("Location: {elsewhere}\r\n"), ""),
        "/" => page(
            "200 OK",
            "",
            "<title>In</title><p>locked cormorant</p> <a href=/away>x</a> <a href=/broken>y</a>",
        ),
        _ => "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nwrong!".to_owned(),
    });
    let collection = Collection::new();
    let config = format!(
        "[crawl]\nscope = \"any\"\n[politeness]\ndelay = \"5ms\"\n[fetch]\ntries = 1\nallow_private = [\"127.0.0.0/8\"]\n\
         [site.\"{}\"]\nauth = \"basic\"\nauth_env = \"IN_LOGIN\"\n",
        site.url("")
    );
    let seeds = [site.url("/"), other.url("/")];
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let output = crawl(&collection, &seeds, &config, &[("IN_LOGIN", "user:hunter2")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(collection.found("cormorant"), [site.url("/")]);
    assert!(!site.asked("/away").is_empty() && !site.asked("/broken").is_empty());
    assert!(!other.heads.lock().unwrap().is_empty());
    assert!(other.heads.lock().unwrap().iter().all(|head| !head.to_lowercase().contains("authorization")));
    assert_untold(&collection, &output, &["hunter2", "dXNlcjpodW50ZXIy"]);
    let explained = run(&collection, &["explain", &site.url("/broken"), "--json"], &[]);
    assert!(text(&explained.stdout).contains("protocol") && !text(&explained.stdout).contains("hunter2"));
}

#[test]
fn a_login_that_is_missing_or_wrong_ends_the_crawl_with_its_name_but_no_question() {
    let site = Raw::start(|_, _| page("200 OK", "", "<title>A</title>"));
    let collection = Collection::new();
    let config = format!("[site.\"{}\"]\nauth = \"basic\"\nauth_env = \"IN_LOGIN\"\n", site.url(""));
    let seed = site.url("/");
    for (variables, named) in [
        (vec![], "no variable IN_LOGIN"),
        (vec![("IN_LOGIN", "")], "no variable IN_LOGIN"),
        (vec![("IN_LOGIN", "hunter2")], "user:password"),
    ] {
        let output = crawl(&collection, &[&seed], &config, &variables);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{said}");
        assert!(said.contains(named) && said.contains(&site.url("")) && !said.contains("hunter2"), "{said}");
    }
    let config = collection.path("c.toml");
    let checked = run(&collection, &["check", "--config", config.to_str().unwrap()], &[]);
    assert_eq!(checked.status.code(), Some(4), "{}", text(&checked.stderr));
    let asked = run(&collection, &["status", "--json", "--config", config.to_str().unwrap()], &[]);
    assert!(!text(&asked.stderr).contains("IN_LOGIN"), "questions need no login: {}", text(&asked.stderr));
    assert!(site.heads.lock().unwrap().is_empty());
}

#[test]
fn cookies_go_back_only_where_they_are_asked_for_and_stay_out_of_requests_in_the_archive() {
    for cookies in [true, false] {
        let site = Raw::start(|target, head| match target {
            "/" => {
                page("200 OK", "Set-Cookie: session=hunter2; Path=/\r\n", "<title>A</title><a href=/b>b</a>")
            }
            "/b" if head.contains("\r\nCookie: session=hunter2\r\n") => {
                page("200 OK", "", "<title>B</title><p>welcome")
            }
            "/b" => page("403 No", "", "who is it"),
            _ => page("404 No", "", ""),
        });
        let collection = Collection::new();
        let config =
            format!("[politeness]\ndelay = \"5ms\"\n[site.\"{}\"]\ncookies = {cookies}\n", site.url(""));
        let output = crawl(&collection, &[&site.url("/")], &config, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(collection.total("welcome"), u64::from(cookies));
        assert_eq!(site.asked("/b").iter().any(|head| head.contains("Cookie")), cookies);
        let archive: Vec<u8> = contents(&collection.data().join("warc")).into_values().flatten().collect();
        let archive = text(&archive);
        assert!(archive.contains("Set-Cookie: session=hunter2"), "what was received is kept as it came");
        assert!(!archive.contains("\nCookie: "), "what was sent along is not");
    }
}

#[test]
fn a_proxy_is_told_whole_urls_and_its_login_is_kept_nowhere() {
    let proxy = Raw::start(|target, _| match target {
        "http://one.example/" => page("200 OK", "", "<title>One</title><p>first egret"),
        "http://two.example/" => page("200 OK", "", "<title>Two</title><p>second egret"),
        _ => page("404 No", "", ""),
    });
    let collection = Collection::new();
    let config = format!(
        "[agent]\ncontact = \"mailto:test@example.org\"\n[politeness]\ndelay = \"1s\"\nip_delay = \"1s\"\n\
         [fetch]\nproxy = \"http://{}\"\nproxy_resolves = true\n",
        proxy.address
    );
    let seeds = ["http://one.example/", "http://two.example/", "http://169.254.169.254/"];
    let output = crawl(&collection, &seeds, &config, &[("WHIMBREL_PROXY_AUTH", "me:hunter2")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let mut found = collection.found("egret");
    found.sort();
    assert_eq!(found, ["http://one.example/", "http://two.example/"]);
    let heads = proxy.heads.lock().unwrap().clone();
    assert!(heads.iter().all(|head| head.contains("\r\nProxy-Authorization: Basic bWU6aHVudGVyMg==\r\n")));
    assert!(
        heads
            .iter()
            .all(|head| head.contains("\r\nHost: one.example\r\n")
                || head.contains("\r\nHost: two.example\r\n"))
    );
    assert_untold(&collection, &output, &["hunter2", "bWU6aHVudGVyMg"]);
}

#[test]
fn a_proxy_of_the_environment_is_not_used() {
    let proxy = Raw::start(|_, _| page("200 OK", "", "<title>Proxy</title>"));
    let site = Raw::start(|_, _| page("200 OK", "", "<title>Site</title><p>direct bittern"));
    let collection = Collection::new();
    let address = format!("http://{}", proxy.address);
    let variables = [("HTTP_PROXY", address.as_str()), ("http_proxy", &address), ("ALL_PROXY", &address)];
    let output = crawl(&collection, &[&site.url("/")], "[politeness]\ndelay = \"5ms\"\n", &variables);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(collection.total("bittern"), 1);
    assert!(proxy.heads.lock().unwrap().is_empty());
}

#[test]
fn odd_answers_are_told_in_explain_and_store_nothing() {
    let site = Raw::start(|target, _| match target {
        "/" => {
            let links: String = ["part", "same", "hints", "misdirected", "coding", "layers", "good"]
                .iter()
                .map(|name| format!("<a href=/{name}>{name}</a> "))
                .collect();
            page("200 OK", "", &format!("<title>Home</title>{links}"))
        }
        "/part" => page("206 Partial Content", "Content-Range: bytes 0-8/99\r\n", "<p>part"),
        "/same" => "HTTP/1.1 304 Not Modified\r\n\r\n".to_owned(),
        "/hints" => {
            format!("{}{}", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100), page("200 OK", "", "late"))
        }
        "/misdirected" => page("421 Misdirected Request", "", "<p>elsewhere"),
        "/coding" => page("200 OK", "Content-Encoding: foo\r\n", "<p>what is this"),
        "/layers" => page("200 OK", "Content-Encoding: gzip, gzip\r\nContent-Encoding: br, zstd\r\n", "<p>x"),
        "/good" => page("200 OK", "", "<title>Good</title><p>wholesome porridge"),
        _ => page("404 No", "", ""),
    });
    let collection = Collection::new();
    let config =
        "[politeness]\ndelay = \"5ms\"\nback_off = \"5ms\"\n[fetch]\ntries = 1\nretry_delay = \"5ms\"\n";
    let output = crawl(&collection, &[&site.url("/")], config, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(collection.found("porridge"), [site.url("/good")]);
    assert!(site.heads.lock().unwrap().iter().all(|head| !head.contains("Range")));
    for (path, outcome, detail) in [
        ("/part", "http_206", ""),
        ("/same", "http_304", ""),
        ("/hints", "protocol", "interim"),
        ("/misdirected", "http_421", ""),
        ("/coding", "decode", "foo"),
        ("/layers", "decode", "more than 3"),
    ] {
        let explained = collection.explain(&site.url(path));
        let told = explained.to_string();
        assert!(explained["record"]["last_outcome"].as_str().unwrap().contains(outcome), "{path}: {told}");
        assert!(told.contains(detail), "{path}: {detail} is not in {told}");
        assert!(explained["page"].is_null(), "{path}: {told}");
    }
}
