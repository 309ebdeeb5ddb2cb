//! The papers' worked examples that this crate owns. `printed…` fields are the papers' slips and are not judged.

use crate::normalize;
use crate::robots::{RobotsPolicy, RobotsRules};
use crate::{FilterExpression, FilterInput, OccurrenceCache, standard};
use serde_json::Value;
use std::collections::BTreeSet;

/// Functions whose vectors this crate answers for.
const OWNED: [&str; 7] = [
    "url_components",
    "url_normalise",
    "url_dedupe",
    "url_filter",
    "robots_allowed",
    "robots_status",
    "url_cache",
];

#[test]
fn seed_vectors() {
    let file: Value =
        serde_json::from_str(include_str!("../../whimbrel-types/fixtures/seed_vectors.json")).unwrap();
    let mut seen = BTreeSet::new();
    for vector in file["vectors"].as_array().unwrap() {
        let name = vector["fn"].as_str().unwrap();
        if !OWNED.contains(&name) {
            continue;
        }
        let (input, expected) = (&vector["input"], &vector["expected"]);
        let id = vector["id"].as_str().unwrap();
        match name {
            "url_components" => components(id, input, expected),
            "url_normalise" => normal_forms(id, input, expected),
            "url_dedupe" => dedupe(id, input, expected),
            "url_filter" => filter(id, input, expected),
            "robots_allowed" => robots_allowed(id, input, expected),
            "robots_status" => robots_status(id, input, expected),
            "url_cache" => cache(id, input, expected),
            other => panic!("{id}: nothing runs {other}"),
        }
        seen.insert(name);
    }
    assert_eq!(seen, BTreeSet::from(OWNED), "every owned function has a vector");
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

fn components(id: &str, input: &Value, expected: &Value) {
    let parts = standard::components(input["url"].as_str().unwrap());
    assert_eq!(&serde_json::to_value(parts).unwrap(), expected, "{id}");
}

fn normal_forms(id: &str, input: &Value, expected: &Value) {
    if let Some(form) = expected.get("normal_form") {
        for url in texts(&input["urls"]) {
            let form = form.as_str().unwrap();
            assert_eq!(standard::full_rfc3986(url), form, "{id}");
            assert_eq!(normalize(url).unwrap().as_str(), form, "{id}");
        }
        return;
    }
    let url = input["url"].as_str().unwrap();
    let steps = standard::six_steps(url);
    assert_eq!(steps.to_vec(), texts(&expected["after_each_step"]), "{id}");
    assert_eq!(steps[5], expected["six_steps"].as_str().unwrap(), "{id}");
    let full = expected["full_rfc3986"].as_str().unwrap();
    assert_eq!(standard::full_rfc3986(url), full, "{id}");
    assert_eq!(normalize(url).unwrap().as_str(), full, "{id}: the crawl's own normal form");
}

fn dedupe(id: &str, input: &Value, expected: &Value) {
    let urls = texts(&input["urls"]);
    let found = urls
        .iter()
        .map(|url| crate::ExtractedLink { href: (*url).to_owned(), text: String::new() })
        .collect();
    let report = crate::views(found, None, |_| 0).duplicates;
    let removed: usize = report.groups.iter().map(|group| group.count - 1).sum();
    assert_eq!(urls.len() as u64, expected["input_count"].as_u64().unwrap(), "{id}");
    assert_eq!(report.unique.len() as u64, expected["unique_count"].as_u64().unwrap(), "{id}");
    assert_eq!(removed as u64, expected["duplicates_removed"].as_u64().unwrap(), "{id}");
}

fn filter(id: &str, input: &Value, expected: &Value) {
    let filter = FilterExpression::parse(input["filter"].as_str().unwrap()).unwrap();
    let decisions: Vec<bool> = texts(&input["urls"])
        .into_iter()
        .map(|url| {
            filter.accepts(&FilterInput { url: &normalize(url).unwrap(), depth: 0, content_type: None })
        })
        .collect();
    assert_eq!(serde_json::json!(decisions), expected["crawl"], "{id}");
}

fn robots_allowed(id: &str, input: &Value, expected: &Value) {
    let rules = RobotsRules::parse(input["robots_txt"].as_str().unwrap().as_bytes()).for_agent("whimbrel");
    let allowed: Vec<bool> =
        texts(&input["paths"]).into_iter().map(|path| rules.verdict(path).allowed).collect();
    assert_eq!(serde_json::json!(allowed), expected["allowed"], "{id}");
}

fn robots_status(id: &str, input: &Value, expected: &Value) {
    let policies: Vec<&str> = input["statuses"]
        .as_array()
        .unwrap()
        .iter()
        .map(|status| {
            RobotsPolicy::of_status(status.as_u64().map(|code| u16::try_from(code).unwrap())).as_str()
        })
        .collect();
    assert_eq!(serde_json::json!(policies), expected["policy"], "{id}");
}

fn cache(id: &str, input: &Value, expected: &Value) {
    let capacity = usize::try_from(input["capacity"].as_u64().unwrap()).unwrap();
    let mut cache = OccurrenceCache::new(capacity);
    let mut log = Vec::new();
    for key in texts(&input["accesses"]) {
        log.push(match (cache.get(&key).is_some(), ()) {
            (true, ()) => "hit".to_owned(),
            (false, ()) => match cache.insert(key, ()) {
                Some((evicted, ())) => format!("miss,evict {evicted}"),
                None => "miss".to_owned(),
            },
        });
    }
    assert_eq!(log, texts(&expected["occurrence_count_ties_by_recency"]), "{id}");
    let counts = expected["final_oc"].as_object().unwrap();
    assert_eq!(cache.len(), counts.len(), "{id}");
    for (key, count) in counts {
        assert_eq!(cache.occurrences(&key.as_str()), count.as_u64().unwrap(), "{id} {key}");
    }
}
