//! The crates of the workspace and what each depends on, as cargo says it.

use crate::repository::root;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Direct dependencies by crate, of every kind (normal, build, for tests).
pub(crate) fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    gather(|_| true)
}

/// Direct dependencies that are part of the product.
pub(crate) fn product_dependencies() -> BTreeMap<String, BTreeSet<String>> {
    gather(|kind| kind.is_null() || kind == "build")
}

fn gather(wanted: impl Fn(&Value) -> bool) -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let name = |value: &Value| value["name"].as_str().expect("packages have names").to_owned();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("packages list their dependencies");
            (
                name(package),
                dependencies.iter().filter(|dependency| wanted(&dependency["kind"])).map(name).collect(),
            )
        })
        .collect()
}
