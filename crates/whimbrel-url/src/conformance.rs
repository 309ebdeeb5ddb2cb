//! Public test suites (robots.txt, URL parsing, resolution, normal forms), where a copy of them is at hand: the
//! directory is named by `WHIMBREL_SHARED`. Every case that all suites agree on must pass.

use crate::robots::{RobotsRules, path_of};
use crate::{normalize, resolve};
use serde_json::Value;
use std::collections::BTreeMap;
use url::Url;
use whimbrel_types::RejectReason;

/// The cases of a file, or `None` with a line that says so.
fn cases(file: &str) -> Option<Vec<Value>> {
    let Some(shared) = std::env::var_os("WHIMBREL_SHARED") else {
        println!("skipped {file}: WHIMBREL_SHARED names no directory with the public suites");
        return None;
    };
    let path = std::path::Path::new(&shared).join("vectors/open").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// Counts by tier; failures of the tier `must` are told apart.
#[derive(Default)]
struct Score {
    tiers: BTreeMap<String, (u32, u32)>,
    broken: Vec<String>,
}

impl Score {
    fn add(&mut self, case: &Value, passed: bool, detail: impl FnOnce() -> String) {
        let tier = case["tier"].as_str().unwrap_or("must");
        let counts = self.tiers.entry(tier.to_owned()).or_default();
        counts.0 += u32::from(passed);
        counts.1 += 1;
        if !passed {
            let line = format!("{tier} {} {}", case["id"], detail());
            if tier == "must" {
                self.broken.push(line);
            } else {
                println!("{}", line.chars().take(600).collect::<String>());
            }
        }
    }

    fn finish(self, name: &str) {
        println!("{name}: {:?}", self.tiers);
        assert!(self.broken.is_empty(), "{name}: {} fail\n{}", self.broken.len(), self.broken.join("\n"));
        assert!(self.tiers.get("must").is_some_and(|(_, all)| *all > 0), "{name}: no case was judged");
    }
}

fn robots_text(case: &Value) -> Vec<u8> {
    match case["robots_txt"].as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => base64(case["robots_txt_b64"].as_str().unwrap()),
    }
}

fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.bytes().filter(|b| *b != b'=') {
        bits = bits << 6 | u32::try_from(ALPHABET.iter().position(|a| *a == byte).unwrap()).unwrap();
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    out
}

#[test]
fn robots_suites_agree() {
    for file in ["robots/rules.jsonl", "robots/real_world.jsonl"] {
        let Some(cases) = cases(file) else { continue };
        let mut score = Score::default();
        for case in &cases {
            let rules = RobotsRules::parse(&robots_text(case));
            let agent = case["user_agent"].as_str().unwrap();
            let (actual, expected) = if let Some(allowed) = case.get("allowed") {
                let path = path_of(case["url"].as_str().unwrap());
                (serde_json::json!(rules.verdict(agent, &path).allowed), allowed.clone())
            } else if let Some(delay) = case.get("crawl_delay") {
                let seconds = rules.crawl_delay_ms(agent).map(|ms| ms as f64 / 1000.0);
                (serde_json::json!(seconds), serde_json::json!(delay.as_f64()))
            } else {
                let sorted = |mut list: Vec<String>| {
                    list.sort();
                    list.dedup();
                    serde_json::json!(list)
                };
                let expected = serde_json::from_value(case["sitemaps"].clone()).unwrap();
                (sorted(rules.sitemaps().to_vec()), sorted(expected))
            };
            score.add(case, actual == expected, || {
                format!("{agent} {} got {actual}: {}", case["url"], case["robots_txt"])
            });
        }
        score.finish(file);
    }
}

#[test]
fn resolution_agrees_with_the_url_standard() {
    let Some(cases) = cases("url/parse.jsonl") else { return };
    let mut score = Score::default();
    for case in &cases {
        let base = case["base"].as_str().and_then(|base| Url::parse(base).ok());
        let input = case["input"].as_str().unwrap();
        let web = |text: &str| text.starts_with("http:") || text.starts_with("https:");
        if case["base"].is_string() && base.is_none() {
            continue;
        }
        let actual = base.as_ref().map_or_else(|| normalize(input), |base| resolve(base, input));
        // What the standard gives is brought to normal form by the same rules; a rejection must be one of both.
        let passed = match case["href"].as_str() {
            Some(href) if web(href) => actual == normalize(href) && actual.is_ok(),
            Some(_) => matches!(actual, Err(RejectReason::Scheme(_))),
            None => matches!(actual, Err(RejectReason::Malformed | RejectReason::Scheme(_))),
        };
        score.add(case, passed, || {
            format!("{input:?} on {} gave {actual:?}, not {}", case["base"], case["href"])
        });
    }
    score.finish("url/parse");
}

#[test]
fn references_resolve_as_the_suites_say() {
    let Some(cases) = cases("url/resolve.jsonl") else { return };
    let mut score = Score::default();
    for case in &cases {
        let base = Url::parse(case["base"].as_str().unwrap()).unwrap();
        let actual = resolve(&base, case["reference"].as_str().unwrap());
        let passed = actual == normalize(case["expected"].as_str().unwrap());
        score.add(case, passed, || format!("{} gave {actual:?}", case["reference"]));
    }
    score.finish("url/resolve");
}

#[test]
fn normal_forms_join_and_part_as_the_suites_say() {
    let Some(cases) = cases("url/normalize_pairs.jsonl") else { return };
    let mut score = Score::default();
    for case in cases.iter().filter(|case| case["relation"] != "policy") {
        let a = normalize(case["a"].as_str().unwrap());
        let b = normalize(case["b"].as_str().unwrap());
        let same = a.is_ok() && a == b;
        score.add(case, same == (case["relation"] == "same"), || format!("{a:?} {b:?} {}", case["relation"]));
    }
    score.finish("url/normalize_pairs");
}
