//! The public suites through the program, and `docs/standards.md` held to what they show: its table of counts, and
//! its lists of cases that are decided otherwise than the suite has it.

use super::judge::{SUITES, Suite, tier};
use super::{ask, json_lines, suites};
use regex::Regex;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const PAGE: &str = include_str!("../../../../../docs/standards.md");

/// What a suite came to.
struct Outcome {
    /// Passed and judged, by tier.
    tiers: BTreeMap<String, (usize, usize)>,
    /// Cases that did not pass, with their tier.
    failed: Vec<(String, String)>,
}

fn play(suites: &Path, suite: &Suite) -> Outcome {
    let mut cases: Vec<Value> = suite.files.iter().flat_map(|file| json_lines(&suites.join(file))).collect();
    for case in &mut cases {
        if let Some(file) = case["file"].as_str() {
            case["path"] = json!(suites.join("warc").join(file));
        }
    }
    let requests: Vec<Value> = cases
        .iter()
        .map(|case| {
            let fields =
                suite.fields.iter().filter_map(|name| Some(((*name).to_owned(), case.get(name)?.clone())));
            let mut request: serde_json::Map<String, Value> = fields.collect();
            request.insert("id".into(), case["id"].clone());
            Value::Object(request)
        })
        .collect();
    let replies = ask(suite.tool, &requests).replies();
    assert_eq!(replies.len(), cases.len(), "{}: every case is answered", suite.tool);
    let mut outcome = Outcome { tiers: BTreeMap::new(), failed: Vec::new() };
    for (case, reply) in cases.iter().zip(&replies) {
        assert_eq!(case["id"], reply["id"], "{}: replies are in order", suite.tool);
        let Some(passed) = (suite.judge)(case, reply) else { continue };
        let counts = outcome.tiers.entry(tier(case).to_owned()).or_default();
        counts.0 += usize::from(passed);
        counts.1 += 1;
        if !passed {
            outcome.failed.push((tier(case).to_owned(), case["id"].as_str().unwrap().to_owned()));
        }
    }
    outcome
}

/// A line of the page's table.
fn row(suite: &Suite, outcome: &Outcome) -> String {
    let cell = |tier: &str| match outcome.tiers.get(tier) {
        Some((passed, judged)) => format!("{passed} of {judged}"),
        None => String::new(),
    };
    let tiers = ["must", "majority", "defacto", "recent_spec", "optional", "contested"];
    let cells: Vec<String> = tiers.iter().map(|tier| cell(tier)).collect();
    format!("| `{}` | {} |", suite.tool, cells.join(" | ")).replace("|  |", "| |").replace("|  |", "| |")
}

/// Ids in the page's lists of decisions: whole ones, and beginnings that end in a star.
fn named(page: &str) -> BTreeSet<&str> {
    let sets = "robots|robots-real|url-[a-z]+|sitemap[a-z-]*|charset-[a-z]+|html-[a-z]+|robots-meta|content-[a-z]+|warc-read";
    let code = Regex::new(&format!(r"`((?:{sets})/[^`\s/]+/[^`\s]*)`")).unwrap();
    code.captures_iter(page).map(|found| found.get(1).unwrap().as_str()).collect()
}

fn covers(pattern: &str, id: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == id, |prefix| id.starts_with(prefix))
}

#[test]
fn the_public_suites_hold_and_what_we_decide_otherwise_is_on_the_page() {
    let Some(suites) = suites() else { return };
    let mut wrong = Vec::new();
    let mut otherwise = BTreeSet::new();
    for suite in SUITES {
        let outcome = play(&suites, suite);
        let line = row(suite, &outcome);
        println!("{line}");
        let (passed, judged) = outcome.tiers["must"];
        if (passed as f64) < suite.least * judged as f64 {
            let failed = outcome.failed.iter().filter(|(tier, _)| tier == "must");
            wrong.push(format!(
                "{}: {:?}",
                suite.tool,
                failed.map(|(_, id)| id).take(20).collect::<Vec<_>>()
            ));
        }
        if !PAGE.lines().any(|shown| shown == line) {
            wrong.push(format!("docs/standards.md has no line {line}"));
        }
        otherwise.extend(outcome.failed.into_iter().filter(|(tier, _)| tier != "must").map(|(_, id)| id));
    }
    let named = named(PAGE);
    for id in &otherwise {
        if !named.iter().any(|pattern| covers(pattern, id)) {
            wrong.push(format!("docs/standards.md does not name {id}, which we decide otherwise"));
        }
    }
    for pattern in &named {
        if !otherwise.iter().any(|id| covers(pattern, id)) {
            wrong.push(format!("docs/standards.md names {pattern}, where we agree or which is no open case"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
