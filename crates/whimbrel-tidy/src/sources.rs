//! Rules for the source files: length, header, leftovers, and what the pure layers may not touch.

use crate::architecture::layers;
use crate::repository::{files, read};
use crate::source::{mentions, sources};

/// Above this a file should be split; the test says so.
const LINES_WARN: usize = 400;
/// Above this it must be.
const LINES_MAX: usize = 600;

/// What L0 and L1 never name: clocks, files, sockets, threads, tasks, chance, and maps with an order of chance.
const IMPURE: &[&str] = &[
    "SystemTime",
    "Instant",
    "std::fs",
    "fs",
    "File",
    "TcpStream",
    "TcpListener",
    "UdpSocket",
    "UnixStream",
    "std::process",
    "std::env",
    "std::thread",
    "thread",
    "tokio",
    "async",
    "rand",
    "HashMap",
    "HashSet",
    "RandomState",
    "println",
    "eprintln",
];

#[test]
fn files_are_short() {
    let mut offences = Vec::new();
    for source in sources().into_iter().filter(|source| !source.is_test) {
        let lines = source.text.lines().count();
        if lines > LINES_MAX {
            offences.push(format!(
                "{} has {lines} lines; more than {LINES_MAX} is two things in one file",
                source.path
            ));
        } else if lines > LINES_WARN {
            eprintln!("warning: {} has {lines} lines; think of splitting it", source.path);
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn every_module_says_what_it_is() {
    let mut offences = Vec::new();
    for source in sources() {
        let name = source.path.rsplit('/').next().unwrap_or_default();
        if name != "tests.rs" && !source.text.starts_with("//! ") {
            offences.push(format!("{} does not begin with a //! header", source.path));
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn nothing_is_left_for_later() {
    // Put together here, so that this file does not offend.
    let leftovers = [["to", "do!"], ["unimple", "mented!"], ["#[ig", "nore"], ["FIX", "ME"], ["TO", "DO"]]
        .map(|parts| parts.concat());
    let mut offences = Vec::new();
    for path in files().into_iter().filter(|path| path.starts_with("crates/") && path.ends_with(".rs")) {
        for (number, line) in read(&path).lines().enumerate() {
            if let Some(leftover) = leftovers.iter().find(|leftover| line.contains(*leftover)) {
                offences.push(format!("{path}:{}: {leftover}", number + 1));
            }
        }
    }
    assert!(offences.is_empty(), "finish it, or open an issue:\n{}", offences.join("\n"));
}

#[test]
fn pure_layers_touch_nothing_outside() {
    let layers = layers();
    let mut offences = Vec::new();
    let mut looked_at = 0;
    for source in sources().into_iter().filter(|source| !source.is_test) {
        let pure = layers.get(source.crate_name()).is_some_and(|layer| matches!(layer.as_str(), "L0" | "L1"));
        if !pure {
            continue;
        }
        looked_at += 1;
        for (number, line) in source.code() {
            for word in IMPURE.iter().filter(|word| mentions(line, word)) {
                offences.push(format!("{}:{number}: {word}: {}", source.path, line.trim()));
            }
        }
    }
    assert!(looked_at > 50, "only {looked_at} files of pure crates were found");
    assert!(
        offences.is_empty(),
        "pure crates take time, chance and bytes as arguments:\n{}",
        offences.join("\n")
    );
}
