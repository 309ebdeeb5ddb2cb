//! The program serves in a process of its own, says where, logs to a file, ends when told, and comes back to
//! the same addresses.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use whimbrel_fixture::{GraphOptions, graph_truth, read_log};

fn start(folder: &Path, extra: &[&str]) -> (Child, serde_json::Value) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_whimbrel-fixture"))
        .args(["--sites", "2", "--pages", "20", "--seed", "5"])
        .arg("--log")
        .arg(folder.join("log.jsonl"))
        .arg("--ports-file")
        .arg(folder.join("ports.json"))
        .arg("--truth")
        .arg(folder.join("truth.json"))
        .args(extra)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, serde_json::from_str(&line).unwrap())
}

fn get(origin: &str, path: &str) -> String {
    let address = origin.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nUser-Agent: judge\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("whimbrel-fixture-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_server_in_another_process_is_told_from_its_line_its_files_and_its_end() {
    let folder = folder("process");
    let (mut first, described) = start(&folder, &[]);
    let origin = described["origins"][1].as_str().unwrap().to_owned();
    let page = get(&origin, "/");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("uniq1x0"), "{page}");
    let log = read_log(&folder.join("log.jsonl")).unwrap();
    assert_eq!((log.len(), log[0].site.as_str(), log[0].user_agent.as_deref()), (1, "s1", Some("judge")));
    let on_disk: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("ports.json")).unwrap()).unwrap();
    assert_eq!(on_disk, described);
    let truth: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("truth.json")).unwrap()).unwrap();
    let options = GraphOptions { sites: 2, pages_per_site: 20, seed: 5, ..GraphOptions::default() };
    assert_eq!(truth["pages"].as_array().unwrap().len(), graph_truth(&options).pages.len());

    drop(first.stdin.take());
    assert!(first.wait().unwrap().success(), "it ends when its standard input closes");

    let (mut second, again) = start(&folder, &["--gzip", "--delay-ms", "1"]);
    assert_eq!(again["origins"], described["origins"], "it comes back to the same addresses");
    get(&origin, "/robots.txt");
    let told = Command::new("kill").arg("-TERM").arg(second.id().to_string()).status().unwrap();
    assert!(told.success() && second.wait().unwrap().success(), "it ends well on SIGTERM");
    let log = read_log(&folder.join("log.jsonl")).unwrap();
    assert_eq!(
        log.iter().map(|entry| (entry.path.as_str(), entry.status)).collect::<Vec<_>>(),
        [("/", 200), ("/robots.txt", 404)]
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_mistake_in_the_arguments_is_named() {
    for (arguments, problem) in [
        (&["--web", "wide"][..], "there is no web \"wide\""),
        (&["--pages", "many"], "--pages cannot be \"many\""),
        (&["--seed"], "--seed needs a value"),
        (&["--frobnicate"], "unknown option --frobnicate"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_whimbrel-fixture")).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(told, format!("whimbrel-fixture: {problem}; see --help\n"));
    }
    let help = Command::new(env!("CARGO_BIN_EXE_whimbrel-fixture")).arg("--help").output().unwrap();
    assert!(help.status.success() && String::from_utf8_lossy(&help.stdout).contains("--ports-file FILE"));
}
