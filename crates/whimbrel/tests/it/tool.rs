//! `whimbrel tool`: the contract of the lines (order, ids, faults, help), small cases of our own, and the public
//! suites where a copy of them is at hand.

mod judge;
mod scores;
mod standards;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// All names of today.
const NAMES: [&str; 22] = [
    "robots",
    "robots-meta",
    "url-parse",
    "url-resolve",
    "url-normalize",
    "url-query-encoding",
    "sitemap",
    "sitemap-date",
    "sitemap-scope",
    "sitemap-tree",
    "charset",
    "charset-detect",
    "charset-label",
    "content-type",
    "html-links",
    "html-text",
    "meta-refresh",
    "srcset",
    "extract",
    "page-links",
    "content-encoding",
    "warc-read",
];

/// How a tool ended and what it said.
pub struct Answered {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Answered {
    /// Its replies.
    pub fn replies(&self) -> Vec<Value> {
        let text = std::str::from_utf8(&self.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_whimbrel"))
        .args(arguments)
        .env_remove("WHIMBREL_DATA")
        .env_remove("WHIMBREL_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs the program on an input to its end.
pub fn answered(arguments: &[&str], input: &[u8]) -> Answered {
    let mut child = start(arguments);
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that does not read on is judged by what it said.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Answered {
        code: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs a tool on requests.
pub fn ask(name: &str, requests: &[Value]) -> Answered {
    let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
    answered(&["tool", name], input.as_bytes())
}

/// The directory with the public suites, or `None` with a line that says so.
pub fn suites() -> Option<PathBuf> {
    let Some(shared) = std::env::var_os("WHIMBREL_SHARED") else {
        println!("skipped: WHIMBREL_SHARED names no directory with the public suites");
        return None;
    };
    Some(Path::new(&shared).join("vectors/open"))
}

/// The JSON objects of a file.
pub fn json_lines(path: &Path) -> Vec<Value> {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    } else {
        BufReader::new(file).read_to_string(&mut text).unwrap();
    }
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_request_is_answered_in_order_under_its_id() {
    let ids = [json!("a/1"), json!(7), json!(null), json!({"deep": [1]}), json!("ü \u{0} \"")];
    let requests: Vec<Value> =
        ids.iter().enumerate().map(|(i, id)| json!({"id": id, "content": format!("{i}")})).collect();
    let ran = ask("meta-refresh", &requests);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let replies = ran.replies();
    assert_eq!(replies.len(), ids.len());
    for (i, (reply, id)) in replies.iter().zip(&ids).enumerate() {
        assert_eq!((&reply["id"], &reply["refresh"]["seconds"]), (id, &json!(i)));
    }
    let ran = answered(&["tool", "meta-refresh"], b"{\"content\":\"1\"}");
    assert_eq!(ran.replies(), [json!({"id": null, "refresh": {"seconds": 1, "url": null}})]);
    assert_eq!(ran.code, Some(0), "a last line without its end counts, and an id is not required");
}

#[test]
fn a_line_that_is_not_understood_costs_itself_only_and_the_exit_code() {
    let mut input = Vec::new();
    for line in [
        &b"\xEF\xBB\xBF{\"id\":1,\"content\":\"1\"}\r"[..],
        b"",
        b"  \t\r",
        b"not json",
        b"[1,2]",
        b"{\"id\":\"cut\",\"content\":\"1",
        b"{\"content\":\"1\",\"id\":\"late\",}",
        b"{\"id\":\"missing\"}",
        b"{\"id\":\"type\",\"content\":5}",
        b"{\"id\":\"base64\",\"content_b64\":\"*\"}",
        b"{\"id\":\"bytes\",\"content\":\"\xFF\"}",
        b"{\"id\":\"surrogate\",\"content\":\"\\ud800\"}",
        b"{\"id\":2,\"content\":\"2\"}",
    ] {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    let ran = answered(&["tool", "meta-refresh"], &input);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let replies = ran.replies();
    let ids: Vec<&Value> = replies.iter().map(|reply| &reply["id"]).collect();
    let expected =
        json!([1, null, null, "cut", "late", "missing", "type", "base64", "bytes", "surrogate", 2]);
    assert_eq!(json!(ids), expected);
    for reply in &replies[1..10] {
        let fields: Vec<&String> = reply.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["error", "id"], "{reply}");
        assert!(!reply["error"].as_str().unwrap().is_empty());
    }
    assert!(replies[5]["error"].as_str().unwrap().contains("content"), "the field is named: {}", replies[5]);
    assert_eq!(replies[10]["refresh"]["seconds"], 2, "the rest is answered as ever");
}

#[test]
fn an_unknown_name_ends_with_2_and_lists_the_known_ones() {
    for name in ["no-such-tool", "near-duplicate", "spell", "ir", "template", "Robots", ""] {
        let ran = answered(&["tool", name], b"{\"id\":1}\n");
        assert_eq!(ran.code, Some(2), "{name}");
        assert_eq!(ran.stdout, b"", "{name}");
        for known in NAMES {
            assert!(ran.stderr.contains(known), "{name}: {known} is not listed in {}", ran.stderr);
        }
        let ran = answered(&["tool", name, "--help"], b"");
        assert_eq!((ran.code, ran.stdout.len()), (Some(2), 0), "{name} --help");
    }
}

#[test]
fn without_a_name_the_tools_are_listed() {
    for arguments in [&["tool"][..], &["tool", "--help"], &["tool", "-h"]] {
        let ran = answered(arguments, b"");
        let text = String::from_utf8(ran.stdout).unwrap();
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        for name in NAMES {
            let lines = text.lines().filter(|line| line.trim_start().starts_with(&format!("{name} ")));
            assert_eq!(lines.count(), 1, "{name} has one line in\n{text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 100), "a line is too long in\n{text}");
    }
}

#[test]
fn the_example_in_each_help_gives_the_reply_that_is_shown() {
    for name in NAMES {
        let ran = answered(&["tool", name, "--help"], b"");
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
        let text = String::from_utf8(ran.stdout).unwrap();
        let after = |title: &str| {
            let mut lines = text.lines().skip_while(|line| *line != title);
            assert!(lines.next().is_some(), "no {title} in the help of {name}");
            lines.next().unwrap().trim().to_owned()
        };
        let ran = answered(&["tool", name], after("Example:").as_bytes());
        assert_eq!(ran.code, Some(0), "{name}: {}", String::from_utf8_lossy(&ran.stdout));
        let shown = String::from_utf8(ran.stdout).unwrap();
        assert_eq!(shown.trim_end(), after("Reply:"), "{name}");
        let reply: Value = serde_json::from_str(&shown).unwrap();
        for field in reply.as_object().unwrap().keys().filter(|field| *field != "id") {
            assert!(text.contains(&format!("\n  {field} ")), "{name} does not document {field}:\n{text}");
        }
    }
}

#[test]
fn a_reply_comes_before_the_next_request_is_written() {
    let mut child = start(&["tool", "charset-label"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for (id, label, encoding) in
        [(1, "latin1", "windows-1252"), (2, "utf8", "UTF-8"), (3, "sjis", "Shift_JIS")]
    {
        writeln!(stdin, "{}", json!({"id": id, "label": label})).unwrap();
        stdin.flush().unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let reply: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(reply, json!({"id": id, "encoding": encoding}));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_who_leaves_ends_the_run_quietly() {
    let mut child = start(&["tool", "charset-label"]);
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let line = format!("{}\n", json!({"id": "x".repeat(500), "label": "latin1"})).repeat(100);
        // Far more than fits into the pipes: it ends because the reader is gone.
        (0..10_000).any(|_| stdin.write_all(line.as_bytes()).is_err())
    });
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    assert!(first.contains("windows-1252"));
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert!(writer.join().unwrap(), "the program read on with nobody to write to");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{:?}", output.status);
    assert_ne!(output.status.code(), Some(101), "a panic");
}

#[test]
fn texts_may_come_in_base64() {
    let encode = |text: &str| data_encoding::BASE64.encode(text.as_bytes());
    for (name, plain) in [
        (
            "robots",
            json!({"robots_txt": "User-agent: *\nDisallow: /ü", "url": "http://h/ü", "user_agent": "x"}),
        ),
        ("url-parse", json!({"input": "ü?ä", "base": "http://h/"})),
        ("url-resolve", json!({"reference": "ü", "base": "http://h/"})),
        ("url-normalize", json!({"a": "http://h/ü", "b": "http://h/%C3%BC"})),
        ("url-query-encoding", json!({"query_input": "ü", "document_encoding": "latin1"})),
        ("sitemap", json!({"url": "http://h/s.txt", "body": "http://h/ü\n"})),
        ("sitemap-date", json!({"text": "2024-02-29"})),
        ("sitemap-scope", json!({"sitemap_url": "http://h/s.xml", "loc": "http://h/ü"})),
        ("charset-label", json!({"label": "utf8"})),
        ("content-type", json!({"input": "text/html;charset=gbk"})),
        ("meta-refresh", json!({"content": "0;ü"})),
        ("srcset", json!({"srcset": "ü 1x"})),
        ("html-text", json!({"html": "<meta charset=utf-8>ü"})),
        ("html-links", json!({"base_url": "http://h/", "html": "<meta charset=utf-8><a href=x>ü</a>"})),
        ("extract", json!({"url": "http://h/", "html": "<meta charset=utf-8><p>Ein schöner Tag"})),
    ] {
        let encoded: serde_json::Map<String, Value> = plain
            .as_object()
            .unwrap()
            .iter()
            .map(|(field, text)| (format!("{field}_b64"), json!(encode(text.as_str().unwrap()))))
            .collect();
        let ran = ask(name, &[plain, Value::Object(encoded)]);
        assert_eq!(ran.code, Some(0), "{name}: {}", String::from_utf8_lossy(&ran.stdout));
        let replies = ran.replies();
        assert_eq!(replies[0], replies[1], "{name}");
    }
}

/// `tests/data/tool/NAME.jsonl`: requests of our own, each with the fields that its reply must have.
#[test]
fn small_cases_of_our_own_hold() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tool");
    for name in NAMES {
        let cases = json_lines(&directory.join(format!("{name}.jsonl")));
        assert!(cases.len() >= 3, "{name} has too few cases");
        let requests: Vec<Value> = cases.iter().map(|case| case["request"].clone()).collect();
        let ran = ask(name, &requests);
        let replies = ran.replies();
        assert_eq!(replies.len(), cases.len(), "{name}");
        for (case, reply) in cases.iter().zip(&replies) {
            for (field, expected) in case["reply"].as_object().unwrap() {
                assert_eq!(&reply[field], expected, "{name}: {field} of {case}, which got {reply}");
            }
        }
    }
}
