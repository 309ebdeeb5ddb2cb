//! Cost of hostile robots.txt files: time to read each and time per verdict, best of several.
//! `cargo run --release -p whimbrel-url --example robots_speed`

use std::hint::black_box;
use std::time::Instant;
use whimbrel_url::RobotsRules;
use whimbrel_url::robots::ROBOTS_BYTES_MAX;

fn main() {
    let long = format!("/{}", "a".repeat(2000));
    let usual = "/shop/items/list.html?page=3&sort=price";
    for (name, text) in files() {
        let bytes = text.as_bytes();
        let read = best_of(|| RobotsRules::parse(black_box(bytes)));
        let rules = RobotsRules::parse(bytes).for_agent("whimbrel");
        let select = best_of(|| RobotsRules::parse(black_box(bytes)).for_agent("whimbrel")) - read;
        let on_usual = best_of(|| rules.verdict(black_box(usual)));
        let on_long = best_of(|| rules.verdict(black_box(&long)));
        println!(
            "{name:32} {:7} bytes  read {:8.3} ms  select {:8.3} ms  verdict {:8.3} ms, on 2,000 bytes {:8.3} ms",
            bytes.len(),
            read * 1e3,
            select.max(0.0) * 1e3,
            on_usual * 1e3,
            on_long * 1e3,
        );
    }
}

fn files() -> Vec<(&'static str, String)> {
    let all = |lines: &str| format!("User-agent: *\n{lines}");
    let numbered = |line: &dyn Fn(usize) -> String| all(&(0..20_000).map(line).collect::<String>());
    vec![
        ("20,000 plain rules", numbered(&|i| format!("Disallow: /d{i}/\n"))),
        ("20,000 rules with one star", numbered(&|i| format!("Disallow: /*d{i}\n"))),
        ("20,000 rules that nearly match", numbered(&|i| format!("Disallow: /*a{i}$\n"))),
        (
            "16,000 rules of common letters",
            all(&(0..16_000).map(|i| format!("Disallow: /*aaaaaaaa{i}\n")).collect::<String>()),
        ),
        ("20,000 rules of one prefix", numbered(&|i| format!("Disallow: /a*{i}\n"))),
        ("60 stars", all(&format!("Disallow: /{}b$\n", "a*".repeat(60)))),
        ("one line of stars", all(&format!("Disallow: /{}b\n", "*".repeat(ROBOTS_BYTES_MAX - 40)))),
        ("one line of a*", all(&format!("Disallow: /{}b\n", "a*".repeat(ROBOTS_BYTES_MAX / 2 - 40)))),
        ("one line of text", all(&format!("Disallow: /{}\n", "a".repeat(ROBOTS_BYTES_MAX - 40)))),
        (
            "1,000 lengths",
            all(&(1..1000).map(|i| format!("Disallow: /{}\n", "a".repeat(i) + "b")).collect::<String>()),
        ),
        ("60 groups of 500 agents", groups()),
        ("agents only", "User-agent: whimbrel\n".repeat(24_000)),
        ("groups of one rule", "User-agent: whimbrel\nDisallow: /x*y\n".repeat(14_000)),
    ]
}

fn groups() -> String {
    let mut text = String::new();
    for group in 0..60 {
        for agent in 0..500 {
            text.push_str(&format!("User-agent: a{agent}\n"));
        }
        text.push_str(&format!("User-agent: whimbrel\nDisallow: /{group}*x\n"));
    }
    text
}

/// Seconds of the fastest of a few runs.
fn best_of<T>(mut work: impl FnMut() -> T) -> f64 {
    let once = |_| {
        let started = Instant::now();
        black_box(work());
        started.elapsed().as_secs_f64()
    };
    (0..15).map(once).fold(f64::INFINITY, f64::min)
}
