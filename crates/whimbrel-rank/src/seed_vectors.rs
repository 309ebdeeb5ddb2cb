//! The papers' worked examples that this crate owns.

use crate::{GraphBuilder, PageRank, pagerank};
use serde_json::Value;
use std::collections::BTreeMap;

/// Functions of `seed_vectors.json` that are judged here.
const OWNED: &[&str] = &["pagerank"];

#[test]
fn seed_vectors() {
    let text = include_str!("../../whimbrel-types/fixtures/seed_vectors.json");
    let all: Value = serde_json::from_str(text).unwrap();
    let mut judged = 0;
    for vector in all["vectors"].as_array().unwrap() {
        if OWNED.contains(&vector["fn"].as_str().unwrap()) {
            judge(vector);
            judged += 1;
        }
    }
    assert_eq!(judged, 2);
}

fn judge(vector: &Value) {
    let input = &vector["input"];
    let names: Vec<&String> = input["graph"].as_object().unwrap().keys().collect();
    let number: BTreeMap<&str, u32> = names.iter().zip(0..).map(|(name, n)| (name.as_str(), n)).collect();
    let mut builder = GraphBuilder::default();
    for (from, targets) in input["graph"].as_object().unwrap() {
        for to in targets.as_array().unwrap() {
            builder.link(number[from.as_str()], number[to.as_str().unwrap()], 1.0);
        }
    }
    // One form names the damping, the other the chance of a jump; one adds up to the pages, the other to 1.
    let damping = input["damping"].as_f64().unwrap_or_else(|| 1.0 - input["jump"].as_f64().unwrap());
    let scale = if input["damping"].is_null() { 1.0 } else { names.len() as f64 };
    let rule = PageRank { damping, tolerance: 1e-12, rounds_max: 1000 };
    let scores = pagerank(&builder.build(names.len() as u32), rule);
    for (name, expected) in vector["expected"].as_object().unwrap() {
        let score = scores[number[name.as_str()] as usize] * scale;
        let tolerance = vector["tolerance"].as_f64().unwrap();
        assert!((score - expected.as_f64().unwrap()).abs() <= tolerance, "{}: {name} {score}", vector["id"]);
    }
}
