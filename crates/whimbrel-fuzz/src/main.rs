//! Fuzzes for a while: `cargo run -p whimbrel-fuzz -- --seconds 1800 [--target NAME] [--seed N] [--record FILE]`.
//! Says how often each target ran, and saves what made one fail under `target/fuzz`. Ends with 1 when any did.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use whimbrel_fuzz::{Budget, Outcome, Target, fuzz, gather, targets};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.get(place + 1).cloned()
    };
    let wanted = value("--target");
    let chosen: Vec<&Target> = targets::ALL
        .iter()
        .filter(|target| {
            wanted.as_deref().is_none_or(|names| names.split(',').any(|name| name == target.name))
        })
        .collect();
    if chosen.is_empty() {
        let names: Vec<&str> = targets::ALL.iter().map(|target| target.name).collect();
        eprintln!("no target of that name; there are: {}", names.join(" "));
        return ExitCode::from(2);
    }
    if let Some(path) = value("--input") {
        return replay(&chosen, &path);
    }
    let seconds: u64 = value("--seconds").and_then(|text| text.parse().ok()).unwrap_or(60);
    let seed: u64 = value("--seed").and_then(|text| text.parse().ok()).unwrap_or(1);
    let time_each = Duration::from_secs_f64(seconds as f64 / chosen.len() as f64);
    println!("seed {seed}, {} targets, {time_each:.1?} each", chosen.len());
    let mut failed = false;
    for target in chosen {
        let corpus = gather(target);
        let record = value("--record").map(PathBuf::from);
        let budget = Budget { time_max: Some(time_each), record, ..Budget::default() };
        let outcome = fuzz(target, &corpus, seed, &budget);
        failed |= outcome.failure.is_some();
        report(target, &corpus, &outcome, seed);
    }
    ExitCode::from(u8::from(failed))
}

fn report(target: &Target, corpus: &[Vec<u8>], outcome: &Outcome, seed: u64) {
    let Outcome { runs, kept, longest, failure } = outcome;
    println!(
        "{:16} {runs:>9} executions, {:>4} inputs to begin with, {kept:>5} kept, longest {longest:.1?}",
        target.name,
        corpus.len()
    );
    let Some(failure) = failure else { return };
    println!("  FAILED: {}", failure.message);
    println!("  input: {}", failure.input.escape_ascii());
    let directory =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let path = directory.join("fuzz").join(format!("{}-{seed}", target.name));
    let saved =
        std::fs::create_dir_all(directory.join("fuzz")).and_then(|()| std::fs::write(&path, &failure.input));
    match saved {
        Ok(()) => {
            println!("  saved as {}; run it again with --target {} --input FILE", path.display(), target.name)
        }
        Err(error) => println!("  cannot save it as {}: {error}", path.display()),
    }
}

/// Runs one saved input, loudly.
fn replay(chosen: &[&Target], path: &str) -> ExitCode {
    match std::fs::read(path) {
        Ok(input) => {
            for target in chosen {
                println!("{}: {:x}", target.name, (target.run)(&input));
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("cannot read {path}: {error}");
            ExitCode::from(2)
        }
    }
}
