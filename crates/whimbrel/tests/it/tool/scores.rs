//! Main text, links of whole pages and trees of sitemaps against the public sets: shares, not single cases.

use super::{ask, json_lines, suites};
use regex::Regex;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// The best known extractors reach .95 to .97.
const TEXT_F1_MIN: f64 = 0.96;
const LINKS_MIN: f64 = 0.99;

/// Replies to the pages of the extraction set, by id.
fn replies(suites: &Path, tool: &str) -> BTreeMap<String, Value> {
    let pages = json_lines(&suites.join("extract/pages.jsonl.gz"));
    let requests: Vec<Value> = pages
        .iter()
        .map(|page| json!({"id": page["id"], "url": page["url"], "html": page["html"]}))
        .collect();
    let ran = ask(tool, &requests);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.replies().into_iter().map(|reply| (reply["id"].as_str().unwrap().to_owned(), reply)).collect()
}

#[test]
fn main_text_is_found_as_well_as_the_best_do() {
    let Some(suites) = suites() else { return };
    let replies = replies(&suites, "extract");
    let words = Regex::new(r"\w+").unwrap();
    let (mut precision, mut recall, mut pages) = (0.0, 0.0, 0.0);
    for page in json_lines(&suites.join("extract/pages.jsonl.gz")) {
        let expected = shingles(&words, page["article_text"].as_str().unwrap());
        let found = shingles(&words, replies[page["id"].as_str().unwrap()]["text"].as_str().unwrap());
        let shared: usize = expected.iter().map(|(gram, n)| found.get(gram).map_or(0, |m| *n.min(m))).sum();
        let share = |of: &HashMap<Vec<&str>, usize>| shared as f64 / of.values().sum::<usize>().max(1) as f64;
        precision += share(&found);
        recall += share(&expected);
        pages += 1.0;
    }
    let (precision, recall) = (precision / pages, recall / pages);
    let f1 = 2.0 * precision * recall / (precision + recall);
    println!("extract: {pages} pages, precision {precision:.3}, recall {recall:.3}, F1 {f1:.4}");
    assert!(f1 >= TEXT_F1_MIN, "F1 {f1:.4}");
}

/// Bag of 4-grams of words; a shorter text is one gram.
fn shingles<'a>(words: &Regex, text: &'a str) -> HashMap<Vec<&'a str>, usize> {
    let all: Vec<&str> = words.find_iter(text).map(|word| word.as_str()).collect();
    let mut bag = HashMap::new();
    if !all.is_empty() {
        for gram in all.windows(all.len().min(4)) {
            *bag.entry(gram.to_vec()).or_insert(0) += 1;
        }
    }
    bag
}

#[test]
fn links_of_whole_pages_are_those_that_two_parsers_agree_on() {
    let Some(suites) = suites() else { return };
    let replies = replies(&suites, "page-links");
    let set = |list: &Value| -> BTreeSet<String> {
        let urls = list.as_array().unwrap().iter().filter_map(Value::as_str);
        urls.map(|url| url.split('#').next().unwrap_or_default().to_owned()).collect()
    };
    let (mut right, mut wrong, mut missed) = (0, 0, 0);
    for case in json_lines(&suites.join("extract/page_links.jsonl.gz")) {
        let found = set(&replies[case["page"].as_str().unwrap()]["links"]);
        let expected = set(&case["must_links"]);
        let disputed = &set(&case["only_html5lib"]) | &set(&case["only_lxml"]);
        right += expected.intersection(&found).count();
        wrong += found.iter().filter(|url| !expected.contains(*url) && !disputed.contains(*url)).count();
        missed += expected.difference(&found).count();
    }
    let (precision, recall) = (right as f64 / (right + wrong) as f64, right as f64 / (right + missed) as f64);
    println!(
        "page-links: {right} right, {wrong} wrong, {missed} missed; precision {precision:.4}, recall {recall:.4}"
    );
    assert!(precision >= LINKS_MIN && recall >= LINKS_MIN, "precision {precision:.4}, recall {recall:.4}");
}

#[test]
fn sitemap_trees_give_the_pages_they_should() {
    let Some(suites) = suites() else { return };
    let cases = json_lines(&suites.join("sitemap/tree.jsonl"));
    let requests: Vec<Value> = cases
        .iter()
        .map(|case| {
            json!({
                "id": case["id"], "home": case["home"], "responses": case["responses"],
                "default_status": case["default_status"],
            })
        })
        .collect();
    let ran = ask("sitemap-tree", &requests);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let set = |list: &Value| -> BTreeSet<String> {
        list.as_array().unwrap().iter().map(|url| url.as_str().unwrap().to_owned()).collect()
    };
    for (case, reply) in cases.iter().zip(ran.replies()) {
        assert_eq!(set(&reply["pages"]), set(&case["expected_pages"]), "{}", case["id"]);
    }
    println!("sitemap-tree: {} of {0}", cases.len());
}
