//! Public test suites (robots.txt, URL parsing, resolution, normal forms), where a copy of them is at hand: the
//! directory is named by `WHIMBREL_SHARED`. Every case that all suites agree on must pass.

mod sitemap;

use crate::robots::{RobotsPolicy, RobotsRules, path_of};
use crate::{ParsedUrl, encode_query, normalize, parse_url, resolve};
use serde_json::Value;
use std::collections::BTreeMap;
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
        let default = if case["contested"] == true { "contested" } else { "must" };
        let tier = case["tier"].as_str().unwrap_or(default);
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

    /// Every tier must pass, not only `must`.
    fn finish_complete(self, name: &str) {
        let missed: Vec<_> = self.tiers.iter().filter(|(_, (passed, all))| passed < all).collect();
        assert!(missed.is_empty(), "{name}: {missed:?}");
        self.finish(name);
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

/// What a fetch of /robots.txt leads to. The RFC's word for 429 is contested; ours is to stay away.
#[test]
fn robots_fetches_end_as_the_rfc_says() {
    let Some(cases) = cases("robots/fetch.jsonl") else { return };
    let mut score = Score::default();
    for case in cases.iter().filter(|case| case["manual"] != true) {
        let status = case.get("status").or(case.get("final_status")).and_then(Value::as_u64);
        let redirects = case["redirects"].as_u64().unwrap_or(0) as usize;
        let policy = RobotsPolicy::of_fetch(redirects, status.map(|status| status as u16));
        let body = fetched_body(case);
        let rules = RobotsRules::parse(&body);
        let is_open = |path: &str| rules.verdict("whimbrel", path).allowed;
        let passed = match (case["expect"].as_str().unwrap(), policy) {
            ("allow_all", RobotsPolicy::Parse) => body.is_empty() && is_open("/x"),
            ("allow_all", policy) => policy == RobotsPolicy::AllowAll,
            ("disallow_all", policy) => policy == RobotsPolicy::DisallowAllRetry,
            ("parse" | "parse_apply_to_original_authority", RobotsPolicy::Parse) => {
                let path = case["url"].as_str().map_or_else(|| "/x".to_owned(), path_of);
                is_open(&path) == case["allowed"].as_bool().unwrap_or(false) && is_open("/open")
            }
            _ => false,
        };
        score.add(case, passed, || format!("gave {policy:?}, not {}", case["expect"]));
    }
    score.finish("robots/fetch");
}

fn fetched_body(case: &Value) -> Vec<u8> {
    let Some(parts) = case.get("body_gen") else {
        return case["body"].as_str().unwrap_or_default().as_bytes().to_vec();
    };
    let part = |name: &str| parts[name].as_str().unwrap();
    let filler = part("filler");
    let count = parts["filler_bytes"].as_u64().unwrap() as usize / filler.len();
    [part("prefix"), &filler.repeat(count), part("suffix")].concat().into_bytes()
}

#[test]
fn parsing_agrees_with_the_url_standard() {
    let Some(cases) = cases("url/parse.jsonl") else { return };
    let mut score = Score::default();
    for case in &cases {
        let input = case["input"].as_str().unwrap();
        let actual = parse_url(input, case["base"].as_str());
        let agrees = |url: &ParsedUrl| {
            [
                ("href", url.href()),
                ("protocol", url.protocol()),
                ("username", url.username()),
                ("password", url.password()),
                ("host", url.host()),
                ("hostname", url.hostname()),
                ("port", url.port()),
                ("pathname", url.pathname()),
                ("search", url.search()),
                ("hash", url.hash()),
            ]
            .iter()
            .all(|(name, value)| case.get(*name).is_none_or(|expected| expected == value))
        };
        let passed = match &actual {
            Some(url) => case["href"].is_string() && agrees(url),
            None => case["href"].is_null(),
        };
        score.add(case, passed, || {
            format!("{input:?} on {} gave {actual:?}, not {}", case["base"], case["href"])
        });
    }
    score.finish_complete("url/parse");
}

/// The crawl's own way into the parser gives the same pages, in normal form.
#[test]
fn normal_forms_agree_with_the_url_standard() {
    let Some(cases) = cases("url/parse.jsonl") else { return };
    let mut score = Score::default();
    for case in &cases {
        let input = case["input"].as_str().unwrap();
        let actual = match case["base"].as_str() {
            Some(base) => {
                ParsedUrl::parse(base).ok_or(RejectReason::Malformed).and_then(|base| resolve(&base, input))
            }
            None => normalize(input),
        };
        let web = |text: &str| text.starts_with("http:") || text.starts_with("https:");
        let passed = match case["href"].as_str() {
            Some(href) if web(href) => actual == normalize(href) && actual.is_ok(),
            Some(_) => matches!(actual, Err(RejectReason::Scheme(_))),
            None => matches!(actual, Err(RejectReason::Malformed | RejectReason::Scheme(_))),
        };
        score.add(case, passed, || {
            format!("{input:?} on {} gave {actual:?}, not {}", case["base"], case["href"])
        });
    }
    score.finish_complete("url/parse");
}

#[test]
fn references_resolve_as_the_suites_say() {
    let Some(cases) = cases("url/resolve.jsonl") else { return };
    let mut score = Score::default();
    for case in &cases {
        let reference = case["reference"].as_str().unwrap();
        let actual = parse_url(reference, case["base"].as_str());
        let also = case["also_accept"].as_array().into_iter().flatten();
        let accepted: Vec<&Value> = also.chain([&case["expected"], &case["whatwg"]]).collect();
        let passed = actual.as_ref().is_some_and(|url| accepted.iter().any(|form| *form == url.href()));
        score.add(case, passed, || format!("{reference} gave {actual:?}"));
    }
    score.finish("url/resolve");
}

#[test]
fn queries_are_encoded_as_the_suites_say() {
    let Some(cases) = cases("url/query_encoding.jsonl") else { return };
    let mut score = Score::default();
    for case in &cases {
        let [query, encoding] = ["query_input", "document_encoding"].map(|name| case[name].as_str().unwrap());
        let actual = encode_query(query, encoding);
        let passed = actual.as_deref() == case["expected_query"].as_str();
        score.add(case, passed, || format!("{query} gave {actual:?}"));
    }
    score.finish_complete("url/query_encoding");
}

#[test]
fn normal_forms_join_and_part_as_the_suites_say() {
    let Some(cases) = cases("url/normalize_pairs.jsonl") else { return };
    let mut score = Score::default();
    for case in cases.iter().filter(|case| case["relation"] != "policy") {
        let a = normalize(case["a"].as_str().unwrap());
        let b = normalize(case["b"].as_str().unwrap());
        let passed = a.is_ok() && b.is_ok() && (a == b) == (case["relation"] == "same");
        score.add(case, passed, || format!("{a:?} {b:?} {} {}", case["relation"], case["votes"]));
    }
    score.finish("url/normalize_pairs");
}
