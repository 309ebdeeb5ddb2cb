//! The papers' worked examples that this crate owns.

use crate::gate::{HostGate, VisitEnd};
use crate::{BackOff, Strategy};
use serde_json::Value;
use std::collections::BTreeMap;
use whimbrel_types::Timestamp;

/// Functions of `seed_vectors.json` that are judged here.
const OWNED: &[&str] = &["politeness", "depth_limit"];

fn vectors() -> Vec<Value> {
    let text = include_str!("../../whimbrel-types/fixtures/seed_vectors.json");
    let all: Value = serde_json::from_str(text).unwrap();
    let owned = |v: &&Value| OWNED.contains(&v["fn"].as_str().unwrap());
    all["vectors"].as_array().unwrap().iter().filter(owned).cloned().collect()
}

#[test]
fn seed_vectors() {
    let all = vectors();
    assert_eq!(all.len(), 2, "every owned vector is there");
    for vector in all {
        let id = vector["id"].as_str().unwrap();
        match vector["fn"].as_str().unwrap() {
            "politeness" => politeness(id, &vector),
            "depth_limit" => depth_limit(id, &vector),
            other => panic!("{id}: {other} is not owned here"),
        }
    }
}

/// Gates alone decide: each visit starts when its host's gate opens, visits take no time.
fn politeness(id: &str, vector: &Value) {
    let gap_ms = vector["input"]["min_gap_s"].as_u64().unwrap() * 1000;
    let mut gates: BTreeMap<String, HostGate> = BTreeMap::new();
    let mut starts: Vec<(u64, String)> = Vec::new();
    for pair in vector["input"]["queue"].as_array().unwrap() {
        let (host, url) = (pair[0].as_str().unwrap(), pair[1].as_str().unwrap());
        let gate = gates.entry(host.to_owned()).or_insert_with(|| HostGate::new(host));
        let at = gate.opens_at(1, 0).unwrap();
        gate.begin(at, gap_ms);
        gate.end(at, gap_ms, VisitEnd::Fine, BackOff { base_ms: 1, longest_ms: 1 }, 0);
        starts.push((at.0 / 1000, url.to_owned()));
    }
    starts.sort_by_key(|(at, _)| *at);
    let expected: Vec<(u64, String)> = vector["expected"]["earliest_start_s"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| (pair[1].as_u64().unwrap(), pair[0].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(starts, expected, "{id}");
}

/// A URL beyond the depth limit is skipped; shallower ones behind it are still visited.
fn depth_limit(id: &str, vector: &Value) {
    let limit = u16::try_from(vector["input"]["limit"].as_u64().unwrap()).unwrap();
    let depths: Vec<(String, u16)> = vector["input"]["queue"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| (pair[0].as_str().unwrap().to_owned(), u16::try_from(pair[1].as_u64().unwrap()).unwrap()))
        .collect();
    let visited = crate::simulation::visited_with_depths(&depths, limit);
    let expected: Vec<&str> =
        vector["expected"]["crawled"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
    assert_eq!(visited, expected, "{id}");
    let _ = (Strategy::BreadthFirst, Timestamp(0));
}
