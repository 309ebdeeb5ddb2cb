//! Every worked example of the papers is run by exactly one crate, or stands in `skip.txt` with the issue that will
//! bring it or the reason why it is none of the product's business.
//! A crate claims examples by naming their function in `const OWNED` of its `seed_vectors.rs`.

use crate::repository::{files, read};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const VECTORS: &str = "crates/whimbrel-types/fixtures/seed_vectors.json";
const SKIP: &str = "crates/whimbrel-tidy/skip.txt";
/// Issues that bring what is pending.
const ISSUES: &[&str] = &[
    "Standards",
    "Freshness",
    "Volatile",
    "Unique",
    "Search",
    "Readers",
    "Cluster",
    "Migrants",
    "Structure",
];

/// Functions with the examples they have.
fn functions() -> BTreeMap<String, Vec<String>> {
    let file: Value = serde_json::from_str(&read(VECTORS)).expect("the vectors are JSON");
    let mut functions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for vector in file["vectors"].as_array().expect("a list of vectors") {
        let field = |name: &str| vector[name].as_str().expect("a vector has an id and a function").to_owned();
        functions.entry(field("fn")).or_default().push(field("id"));
    }
    functions
}

/// Crates by the function they claim.
fn claims() -> BTreeMap<String, Vec<String>> {
    let mut claims: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in
        files().into_iter().filter(|path| path.ends_with("/src/seed_vectors.rs") && !path.contains("-tidy/"))
    {
        let names = owned(&read(&path));
        assert!(!names.is_empty(), "{path} has no const OWNED with names");
        let owner = path.split('/').nth(1).expect("sources lie in crates/NAME").to_owned();
        for name in names {
            claims.entry(name).or_default().push(owner.clone());
        }
    }
    claims
}

/// The strings of `const OWNED: … = …;`.
fn owned(source: &str) -> Vec<String> {
    let Some((_, rest)) = source.split_once("const OWNED:") else { return Vec::new() };
    let list = rest.split_once('=').and_then(|(_, list)| list.split_once(';')).map_or("", |(list, _)| list);
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Reasons by function.
fn skipped() -> BTreeMap<String, String> {
    let mut skipped = BTreeMap::new();
    for line in read(SKIP).lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let (name, reason) =
            line.split_once(": ").unwrap_or_else(|| panic!("{SKIP} has a line without a reason: {line}"));
        assert!(
            skipped.insert(name.to_owned(), reason.trim().to_owned()).is_none(),
            "{name} stands twice in {SKIP}"
        );
    }
    skipped
}

#[test]
fn every_worked_example_has_one_owner_or_a_reason() {
    let (functions, claims, skipped) = (functions(), claims(), skipped());
    let mut offences = Vec::new();
    for (name, ids) in &functions {
        let owners = claims.get(name).map_or(&[][..], Vec::as_slice);
        match (owners.len(), skipped.contains_key(name)) {
            (1, false) | (0, true) => {}
            (0, false) => {
                offences.push(format!("{name} ({} examples) is run by nobody and not in {SKIP}", ids.len()))
            }
            (1, true) => offences.push(format!("{name} is run by {owners:?}: take it out of {SKIP}")),
            _ => offences.push(format!("{name} is claimed by {owners:?}")),
        }
    }
    let known: BTreeSet<&String> = functions.keys().collect();
    for name in claims.keys().chain(skipped.keys()).filter(|name| !known.contains(name)) {
        offences.push(format!("{name} has no example"));
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn reasons_name_an_issue_or_say_something() {
    for (name, reason) in skipped() {
        match reason.strip_prefix("pending ") {
            Some(issue) => {
                assert!(ISSUES.contains(&issue), "{SKIP}: {name} waits for the unknown issue {issue}")
            }
            None => {
                assert!(reason.split_whitespace().count() >= 4, "{SKIP}: the reason for {name} is too short")
            }
        }
    }
}

#[test]
fn owned_names_are_read_from_slices_and_arrays() {
    assert_eq!(owned("const OWNED: &[&str] = &[\"a\", \"b\"];"), ["a", "b"]);
    assert_eq!(owned("const OWNED: [&str; 2] = [\n    \"a\",\n    \"b\",\n];\nlet x = \"c\";"), ["a", "b"]);
}
