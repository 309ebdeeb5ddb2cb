//! The public suites for sitemaps and feeds: crawler-commons, ultimate-sitemap-parser, Scrapy, StormCrawler.

use super::{Score, base64, cases};
use crate::date::sitemap_date;
use crate::sitemap::{Answer, Probe, Sitemap, SitemapLimits, SitemapTree, TreeRules, in_scope};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A case with the tier that its mark means.
fn tiered(case: &Value) -> Value {
    let mut case = case.clone();
    let tier = if case["contested"] == true { "contested" } else { "must" };
    case["tier"] = tier.into();
    case
}

fn bytes(case: &Value) -> Vec<u8> {
    match case["body"].as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => base64(case["body_b64"].as_str().unwrap_or_default()),
    }
}

#[test]
fn sitemaps_and_feeds_are_read_as_the_suites_say() {
    let Some(cases) = cases("sitemap/parse.jsonl") else { return };
    let mut score = Score::default();
    for case in cases.iter().map(tiered) {
        let url = case["url"].as_str().unwrap();
        let sitemap =
            Sitemap::parse(url, case["content_type"].as_str(), &bytes(&case), SitemapLimits::default());
        let actual: BTreeMap<&str, Option<String>> = sitemap
            .entries
            .iter()
            .map(|entry| (entry.loc.as_str(), entry.lastmod.map(|lastmod| lastmod.at.to_string())))
            .collect();
        let expected: BTreeMap<&str, Option<&str>> = case["expected"]["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| (item["loc"].as_str().unwrap(), item["lastmod"].as_str()))
            .collect();
        let same_dates =
            || expected.iter().all(|(loc, date)| date.is_none() || actual[loc].as_deref() == *date);
        let passed = actual.keys().eq(expected.keys()) && same_dates();
        score.add(&case, passed, || format!("{} gave {actual:?} not {expected:?}", case["source"]));
    }
    score.finish("sitemap/parse");
}

#[test]
fn sitemap_dates_are_read_as_the_suites_say() {
    let Some(cases) = cases("sitemap/dates.jsonl") else { return };
    let mut score = Score::default();
    for case in cases.iter().map(tiered) {
        let actual = sitemap_date(case["text"].as_str().unwrap()).map(|(at, _)| at.to_string());
        let passed = actual.as_deref() == case["expected_utc"].as_str();
        score.add(&case, passed, || format!("{} gave {actual:?}", case["text"]));
    }
    score.finish("sitemap/dates");
}

#[test]
fn sitemap_scopes_are_as_the_protocol_says() {
    let Some(cases) = cases("sitemap/scope_limits.jsonl") else { return };
    let mut score = Score::default();
    for case in cases.iter().filter(|case| case["in_scope"].is_boolean()) {
        let text = |name: &str| case[name].as_str();
        let actual = in_scope(text("sitemap_url").unwrap(), text("loc").unwrap(), text("announced_in"));
        score.add(case, actual == case["in_scope"], || format!("{} gave {actual}", case["loc"]));
    }
    score.finish("sitemap/scope_limits");
}

#[test]
fn trees_of_sitemaps_are_walked_as_the_suites_say() {
    let Some(cases) = cases("sitemap/tree.jsonl") else { return };
    let mut score = Score::default();
    for case in &cases {
        let rules = TreeRules { probe: Probe::All, ..TreeRules::default() };
        let mut tree = SitemapTree::new(case["home"].as_str().unwrap(), rules).unwrap();
        let mut pages = BTreeSet::new();
        while let Some(url) = tree.poll() {
            let response = &case["responses"][url.as_str()];
            let status = response["status"].as_u64().or(case["default_status"].as_u64()).unwrap();
            let header = |name: &str| {
                let headers = response["headers"].as_object()?;
                headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name))?.1.as_str()
            };
            let answer = Answer {
                status: u16::try_from(status).unwrap(),
                location: header("location"),
                content_type: header("content-type"),
                body: &bytes(response),
            };
            pages.extend(tree.handle(&url, &answer).pages.into_iter().map(|page| page.entry.loc));
        }
        let expected: BTreeSet<String> = serde_json::from_value(case["expected_pages"].clone()).unwrap();
        score.add(case, pages == expected, || format!("gave {pages:?}"));
    }
    score.finish("sitemap/tree");
}
