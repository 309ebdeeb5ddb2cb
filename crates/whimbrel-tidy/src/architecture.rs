//! Holds ARCHITECTURE.md to the truth: its layers, its edges between crates, its owners of heavy dependencies, and the
//! tests that it names as guards. GLOSSARY.md must name things that exist.

use crate::crates::{dependencies, product_dependencies};
use crate::repository::{files, read};
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = "ARCHITECTURE.md";
/// The page is read whole by whoever is new, so it stays short.
const PAGE_LINES_MAX: usize = 200;
/// What brings tasks, sockets or files with it.
const HEAVY: &[&str] = &["tokio", "hyper", "fjall", "tantivy", "rustls", "hickory-resolver"];
/// Dependencies that one crate alone may have.
const OWNED: &[&str] = &["fjall", "tantivy", "rustls", "hickory-resolver"];

/// Layer by crate, from the layer table.
pub(crate) fn layers() -> BTreeMap<String, String> {
    let rows = table_rows("Layers");
    let layers: BTreeMap<String, String> = rows.iter().map(|row| (plain(&row[0]), plain(&row[1]))).collect();
    assert_eq!(layers.len(), rows.len(), "a crate stands twice in the layer table of {PAGE}");
    layers
}

/// The lines of a section, without its heading.
fn section(title: &str) -> Vec<String> {
    let text = read(PAGE);
    let heading = format!("## {title}");
    let lines: Vec<String> = text
        .lines()
        .skip_while(|line| *line != heading)
        .skip(1)
        .take_while(|line| !line.starts_with("## "))
        .map(str::to_owned)
        .collect();
    assert!(!lines.is_empty(), "{PAGE} has no section {heading:?}");
    lines
}

/// Cells of the rows of a section's tables, heads left out.
fn table_rows(title: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut in_body = false;
    for line in section(title) {
        let Some(inner) = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|')) else {
            in_body = false;
            continue;
        };
        if inner.starts_with("---") {
            in_body = true;
        } else if in_body {
            rows.push(inner.split('|').map(|cell| cell.trim().to_owned()).collect());
        }
    }
    assert!(!rows.is_empty(), "section {title} of {PAGE} has no table");
    rows
}

fn plain(cell: &str) -> String {
    cell.trim_matches('`').to_owned()
}

/// Words in backticks.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn listed_edges() -> BTreeSet<(String, String)> {
    let mut edges = BTreeSet::new();
    let mut inside = false;
    for line in section("Edges") {
        if line.starts_with("```") {
            inside = !inside;
        } else if inside {
            let (from, targets) =
                line.split_once("->").unwrap_or_else(|| panic!("no edge in {PAGE}: {line}"));
            for to in targets.split_whitespace() {
                assert!(
                    edges.insert((from.trim().to_owned(), to.to_owned())),
                    "edge stands twice in {PAGE}: {line}"
                );
            }
        }
    }
    assert!(!edges.is_empty(), "{PAGE} lists no edges");
    edges
}

#[test]
fn every_crate_has_a_layer_and_every_layer_a_crate() {
    let layers: BTreeSet<String> = layers().into_keys().collect();
    let crates: BTreeSet<String> = dependencies().into_keys().collect();
    assert_eq!(layers, crates, "left: layer table of {PAGE}, right: the workspace");
}

#[test]
fn edges_between_crates_are_those_of_the_page() {
    let dependencies = dependencies();
    let real: BTreeSet<(String, String)> = dependencies
        .iter()
        .flat_map(|(from, targets)| targets.iter().map(move |to| (from.clone(), to.clone())))
        .filter(|(_, to)| dependencies.contains_key(to))
        .collect();
    let listed = listed_edges();
    let unlisted: Vec<_> = real.difference(&listed).collect();
    let missing: Vec<_> = listed.difference(&real).collect();
    assert!(unlisted.is_empty(), "edges that {PAGE} does not have; a new one needs a decision: {unlisted:?}");
    assert!(missing.is_empty(), "edges of {PAGE} that are no more: {missing:?}");
}

#[test]
fn edges_lead_down() {
    let layers = layers();
    let level = |name: &String| match layers[name].as_str() {
        "L0" => 0,
        "L1" => 1,
        "L2" => 2,
        "L3" => 3,
        other => panic!("{name} has the unknown layer {other}"),
    };
    for (from, to) in listed_edges() {
        // Pure crates may build on each other; crates with IO never see each other.
        let fine = level(&to) < level(&from) || (level(&from) == 1 && level(&to) == 1);
        assert!(fine, "{from} ({}) may not depend on {to} ({})", layers[&from], layers[&to]);
    }
}

#[test]
fn pure_crates_have_no_heavy_dependency_and_heavy_ones_have_one_owner() {
    let layers = layers();
    let product = product_dependencies();
    for (name, targets) in dependencies() {
        if matches!(layers[&name].as_str(), "L0" | "L1") {
            let heavy: Vec<&&str> = HEAVY.iter().filter(|heavy| targets.contains(**heavy)).collect();
            assert!(heavy.is_empty(), "{name} is pure and may not depend on {heavy:?}");
        }
    }
    let owners: BTreeMap<String, Vec<String>> =
        table_rows("Layers").into_iter().map(|row| (plain(&row[0]), quoted(&row[2]))).collect();
    for dependency in OWNED {
        let users: Vec<&String> =
            product.iter().filter(|(_, all)| all.contains(*dependency)).map(|(name, _)| name).collect();
        let named: Vec<&String> = owners
            .iter()
            .filter(|(_, owned)| owned.iter().any(|one| one == dependency))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(users, named, "who depends on {dependency}, and who owns it by {PAGE}");
        assert_eq!(users.len(), 1, "{dependency} has one owner");
    }
}

#[test]
fn guards_of_invariants_exist() {
    let mut tests = BTreeSet::new();
    for path in files().into_iter().filter(|path| path.starts_with("crates/") && path.ends_with(".rs")) {
        let text = read(&path);
        let mut attribute = false;
        for line in text.lines().map(str::trim) {
            if let Some(name) = function_name(line).filter(|_| attribute) {
                tests.insert(name.to_owned());
            }
            let is_attribute = line.starts_with("#[test]") || line.starts_with("#[tokio::test");
            attribute = is_attribute || (attribute && (line.starts_with("#[") || line.starts_with("//")));
        }
    }
    let mut missing = Vec::new();
    for row in table_rows("Invariants") {
        let guards = quoted(row.last().expect("a row has cells"));
        assert!(!guards.is_empty(), "no guard is named for: {}", row[0]);
        missing.extend(guards.into_iter().filter(|guard| !tests.contains(guard)));
    }
    assert!(missing.is_empty(), "{PAGE} names tests that do not exist: {missing:?}");
}

fn function_name(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub ").unwrap_or(line);
    let line = line.strip_prefix("async ").unwrap_or(line);
    line.strip_prefix("fn ")?.split('(').next()
}

#[test]
fn names_of_the_glossary_exist() {
    let rust = files().into_iter().filter(|path| path.starts_with("crates/") && path.ends_with(".rs"));
    let mut defined = BTreeSet::new();
    for path in rust {
        for line in read(&path).lines() {
            let mut words =
                line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
            while let Some(word) = words.next() {
                if matches!(word, "struct" | "enum" | "trait" | "type")
                    && let Some(name) = words.next()
                {
                    defined.insert(name.to_owned());
                }
            }
        }
    }
    let glossary = read("GLOSSARY.md");
    let names: Vec<&str> = glossary
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|rest| rest.split('`').next())
        .collect();
    assert!(names.len() > 40, "the glossary has only {} names", names.len());
    let unknown: Vec<&&str> = names.iter().filter(|name| !defined.contains(**name)).collect();
    assert!(unknown.is_empty(), "GLOSSARY.md has names that the code does not have: {unknown:?}");
}

#[test]
fn the_page_is_short_enough_to_be_read() {
    let lines = read(PAGE).lines().count();
    assert!(lines <= PAGE_LINES_MAX, "{PAGE} has {lines} lines, {PAGE_LINES_MAX} are allowed");
}
