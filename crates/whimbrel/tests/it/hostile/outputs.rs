//! What comes out after a crawl of a host that wanted to be taken for something else: every output for people and for
//! programs, read strictly.

use super::judge::{Seen, assert_harmless};
use flate2::read::MultiGzDecoder;
use serde_json::Value;
use std::io::Read;
use std::path::Path;

/// Runs every verb that shows or exports what was stored.
pub fn all_outputs_are_harmless(seen: &Seen) {
    assert_harmless("the log", &seen.ran.stderr);
    for arguments in [&["search", "harpsichord"][..], &["search", "evil script"], &["status"]] {
        harmless_verb(seen, arguments);
    }
    let mine: Vec<&String> = seen.pages.keys().filter(|url| url.starts_with(&seen.origin)).collect();
    for url in mine.iter().take(6) {
        harmless_verb(seen, &["explain", url]);
        harmless_verb(seen, &["links", url]);
    }
    jsonl(seen);
    cdxj(seen);
    sitemap(seen);
    warc(seen);
}

/// An `ETag` of 25 KB would come back with every visit and lie in the URL table for ever.
pub fn long_validators_are_not_sent_back(seen: &Seen) {
    let explained = seen.collection.explain(&format!("{}/", seen.origin));
    let validators = &explained["record"]["validators"];
    assert!(validators["etag"].is_null() && validators["last_modified"].is_null(), "{validators}");
}

fn harmless_verb(seen: &Seen, arguments: &[&str]) {
    let ran = seen.collection.verb(arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
    assert_harmless(&format!("{arguments:?}"), &ran.stdout);
    assert_harmless(&format!("the log of {arguments:?}"), &ran.stderr);
    let mut as_json = arguments.to_vec();
    as_json.push("--json");
    let ran = seen.collection.verb(&as_json);
    assert_eq!(ran.stdout.lines().count(), 1, "{as_json:?} is one line");
    serde_json::from_str::<Value>(&ran.stdout).unwrap();
    assert!(!ran.stdout.trim_end().contains(|c: char| c < ' '), "{as_json:?} has a raw control character");
}

fn export(seen: &Seen, format: &str, name: &str) -> String {
    let output = seen.collection.path(name);
    let ran = seen.collection.verb(&["export", format, "--output", output.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{format}");
    output.display().to_string()
}

fn jsonl(seen: &Seen) {
    let text = std::fs::read_to_string(export(seen, "--jsonl", "all.jsonl")).unwrap();
    assert_eq!(text.lines().count(), seen.pages.len());
    for line in text.lines() {
        assert!(!line.contains(|c: char| c < ' '), "{line:?}");
        let row: Value = serde_json::from_str(line).unwrap();
        assert_url(row["url"].as_str().unwrap());
    }
}

fn cdxj(seen: &Seen) {
    let text = std::fs::read_to_string(export(seen, "--cdxj", "all.cdxj")).unwrap();
    for line in text.lines() {
        let mut parts = line.splitn(3, ' ');
        let (key, time) = (parts.next().unwrap(), parts.next().unwrap());
        assert!(
            key.contains(")/") && time.len() == 14 && time.bytes().all(|b| b.is_ascii_digit()),
            "{line:?}"
        );
        let fields: Value = serde_json::from_str(parts.next().unwrap()).unwrap();
        assert_url(fields["url"].as_str().unwrap());
        let file = fields["filename"].as_str().unwrap();
        assert!(
            file.ends_with(".warc.gz") && !file.contains(['/', '\\']) && !file.starts_with('.'),
            "{file}"
        );
    }
}

fn sitemap(seen: &Seen) {
    let text = std::fs::read_to_string(export(seen, "--sitemap", "all.xml")).unwrap();
    let mut places = 0;
    for rest in text.split("<loc>").skip(1) {
        let (url, _) = rest.split_once("</loc>").unwrap();
        assert!(!url.contains(['<', '>', '"', '\'']), "{url:?}");
        for reference in url.split('&').skip(1) {
            let name = reference.split(';').next().unwrap();
            assert!(["amp", "apos", "lt", "gt", "quot"].contains(&name), "{url:?}");
        }
        places += 1;
    }
    assert_eq!(places, seen.pages.len());
    assert!(!text.replace('\n', "").contains(|c: char| c < ' '));
    assert_eq!(text.matches("</urlset>").count(), 1);
}

/// Every record by its length, to the last byte: a forged one inside a body would show as a record too many.
fn warc(seen: &Seen) {
    let folder = seen.collection.path("archive");
    export(seen, "--warc", "archive");
    let mut responses = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(name.ends_with(".warc.gz") && name.is_ascii(), "{name}");
        responses += records(&path);
    }
    let copies = seen.summary["duplicates"].as_u64().unwrap();
    assert_eq!(
        responses,
        seen.pages.len() as u64,
        "a response per page and none that was forged; {copies} copies"
    );
    let beside: Vec<_> =
        std::fs::read_dir(folder.parent().unwrap()).unwrap().map(|e| e.unwrap().file_name()).collect();
    for name in beside {
        let name = name.to_str().unwrap();
        let known = ["data", "archive", "patience.toml", "all.jsonl", "all.cdxj", "all.xml"];
        let ours =
            known.contains(&name) || ["out-", "err-", "export-"].iter().any(|begin| name.starts_with(begin));
        assert!(ours, "{name} was written beside the export");
    }
}

fn records(path: &Path) -> u64 {
    let mut bytes = Vec::new();
    MultiGzDecoder::new(std::fs::File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    let (mut rest, mut responses) = (&bytes[..], 0);
    while !rest.is_empty() {
        let end = rest.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = std::str::from_utf8(&rest[..end]).unwrap();
        assert!(head.starts_with("WARC/1.1\r\n"), "{head:?}");
        assert_harmless("a WARC header", &head.replace("\r\n", "\n"));
        let field = |name: &str| {
            let values: Vec<&str> = head.lines().filter_map(|line| line.strip_prefix(name)).collect();
            assert!(values.len() <= 1, "{name} twice: {head:?}");
            values.first().map(|value| value.trim().to_owned())
        };
        if let Some(url) = field("WARC-Target-URI:") {
            assert_url(&url);
            assert!(!url.contains("bank.example"), "a forged record was taken for one");
        }
        responses += u64::from(field("WARC-Type:").unwrap() == "response");
        let length: usize = field("Content-Length:").unwrap().parse().unwrap();
        rest = &rest[end + 4 + length..];
        rest = rest.strip_prefix(b"\r\n\r\n").unwrap();
    }
    responses
}

/// A URL as everything here writes it: visible ASCII without quotes and brackets that could end a context.
fn assert_url(url: &str) {
    let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"' | '`');
    assert!(url.chars().all(plain), "{url:?}");
}
