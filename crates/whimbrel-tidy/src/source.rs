//! Rust sources as these rules see them: what of a file is code of the product, and what is a test.
//! Reads line by line, which is enough because rustfmt has been over every file. Never parses Rust.
//! Invariant: a module declared under `#[cfg(test)]` is a test, with everything below it.

use crate::repository::{files, read};
use std::collections::BTreeSet;

/// One Rust file.
pub(crate) struct Source {
    /// From the root.
    pub path: String,
    pub text: String,
    /// All of it is test code.
    pub is_test: bool,
}

impl Source {
    /// The crate it belongs to.
    pub fn crate_name(&self) -> &str {
        self.path.split('/').nth(1).expect("sources lie in crates/NAME")
    }

    /// Lines of code with their numbers: no comments, and nothing of an inline test module.
    pub fn code(&self) -> Vec<(usize, &str)> {
        let mut code = Vec::new();
        let mut test_attribute = false;
        let mut in_tests = false;
        for (number, line) in self.text.lines().enumerate() {
            let trimmed = line.trim();
            if in_tests {
                in_tests = line != "}";
            } else if test_attribute && line.starts_with("mod ") && line.ends_with('{') {
                in_tests = true;
            } else if !trimmed.starts_with("//") {
                let end = line.find(" // ").unwrap_or(line.len());
                code.push((number + 1, &line[..end]));
            }
            test_attribute = trimmed == "#[cfg(test)]" || (test_attribute && trimmed.starts_with("#["));
        }
        code
    }
}

/// Every Rust file under `crates/*/src`.
pub(crate) fn sources() -> Vec<Source> {
    let all: Vec<(String, String)> = files()
        .into_iter()
        .filter(|path| path.starts_with("crates/") && path.contains("/src/") && path.ends_with(".rs"))
        .map(|path| {
            let text = read(&path);
            (path, text)
        })
        .collect();
    assert!(all.len() > 100, "only {} sources were found", all.len());
    let tests: BTreeSet<String> = all.iter().flat_map(|(path, text)| test_modules(path, text)).collect();
    let below_a_test = |path: &str| {
        tests.iter().any(|module| {
            path.strip_prefix(module.as_str()).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        })
    };
    all.into_iter().map(|(path, text)| Source { is_test: below_a_test(&path), path, text }).collect()
}

/// Modules that a file declares for tests, as paths without `.rs`.
fn test_modules(path: &str, text: &str) -> Vec<String> {
    let stem = path.strip_suffix(".rs").expect("a Rust file");
    let folder = match stem.rsplit_once('/') {
        Some((folder, "lib" | "main")) => folder,
        _ => stem,
    };
    let mut modules = Vec::new();
    let mut test_attribute = false;
    for line in text.lines().map(str::trim) {
        if let Some(name) = module_name(line).filter(|_| test_attribute) {
            modules.push(format!("{folder}/{name}"));
        }
        test_attribute = line == "#[cfg(test)]" || (test_attribute && line.starts_with("#["));
    }
    modules
}

fn module_name(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub(crate) ").or_else(|| line.strip_prefix("pub ")).unwrap_or(line);
    line.strip_prefix("mod ")?.strip_suffix(';')
}

/// Whether `needle` stands in `line` as a whole word or path.
pub(crate) fn mentions(line: &str, needle: &str) -> bool {
    let part_of_a_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(needle).any(|(at, _)| {
        !line[..at].ends_with(part_of_a_word) && !line[at + needle.len()..].starts_with(part_of_a_word)
    })
}

#[test]
fn tests_are_told_from_the_product() {
    let text = "use a;\n#[cfg(test)]\nmod inner {\n    use std::fs;\n}\nfn b() {} // std::fs\n/// std::fs\n";
    let source = Source { path: "crates/x/src/lib.rs".into(), text: text.into(), is_test: false };
    let code: Vec<&str> = source.code().into_iter().map(|(_, line)| line).collect();
    assert_eq!(code, ["use a;", "#[cfg(test)]", "fn b() {}"]);
    let declared = test_modules(
        "crates/x/src/a.rs",
        "mod b;\n#[cfg(test)]\nmod tests;\n#[cfg(test)]\npub(crate) mod c;\n",
    );
    assert_eq!(declared, ["crates/x/src/a/tests", "crates/x/src/a/c"]);
    assert!(mentions("use std::collections::HashMap;", "HashMap") && !mentions("FxHashMap", "HashMap"));
}
