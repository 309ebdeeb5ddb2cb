//! `whimbrel traps`.

use super::{ExitCode, Global};
use crate::answer::Question;
use crate::ask::ask;
use crate::render::{Style, clean, count, plural};
use anyhow::Result;
use clap::{Args, Subcommand};
use serde_json::Value;

/// Patterns shown to people; `--json` has more.
const SHOWN: usize = 20;

/// Flags of `traps`.
#[derive(Debug, Args)]
#[command(
    after_help = "A pattern is a URL's path and query with placeholders, as `whimbrel traps` shows it: \
/cal/{y}/{m}?view={w}. A star stands for any text: https://example.org/calendar/*. A URL stands for its pattern. \
Without a site a pattern is for all sites."
)]
pub struct TrapsArgs {
    #[command(subcommand)]
    pub order: Option<TrapsOrder>,
}

/// What the operator wants of a pattern.
#[derive(Debug, Subcommand)]
pub enum TrapsOrder {
    /// Do not visit what has this pattern, from now on
    Exclude(PatternArgs),
    /// Visit it without a budget; what was refused is found again
    Allow(PatternArgs),
    /// Take back what was said and begin a new budget
    Reset(PatternArgs),
}

/// Which pattern.
#[derive(Debug, Args)]
pub struct PatternArgs {
    /// A pattern, or a URL that has it
    #[arg(value_name = "PATTERN|URL")]
    pub pattern: String,
    /// Only on this site, as https://example.org
    #[arg(long, value_name = "ORIGIN")]
    pub site: Option<String>,
}

/// Runs the verb.
pub fn verb(global: &Global, args: &TrapsArgs) -> Result<ExitCode> {
    let style = Style::stdout(global.no_color);
    let (word, pattern) = match &args.order {
        None => {
            let answer = ask(global, &Question::new("traps"))?;
            print(global, &answer, || list_text(&answer, style));
            return Ok(ExitCode::Done);
        }
        Some(TrapsOrder::Exclude(pattern)) => ("exclude", pattern),
        Some(TrapsOrder::Allow(pattern)) => ("allow", pattern),
        Some(TrapsOrder::Reset(pattern)) => ("reset", pattern),
    };
    let mut question = Question::new("traps").with("do", word).with("pattern", &pattern.pattern).changing();
    if let Some(site) = &pattern.site {
        question = question.with("site", site);
    }
    let answer = ask(global, &question)?;
    print(global, &answer, || order_text(&answer));
    Ok(ExitCode::Done)
}

fn print(global: &Global, answer: &Value, text: impl FnOnce() -> String) {
    if global.json {
        println!("{answer}");
    } else {
        print!("{}", text());
    }
}

fn order_text(answer: &Value) -> String {
    let order = &answer["order"];
    let name = format!("{}{}", s(&order["site"]), s(&order["pattern"]));
    let what = match order["verdict"].as_str() {
        Some("exclude") => "excluded",
        Some("allow") => "allowed",
        _ => "watched again with a new budget",
    };
    let scope = if order["site"].is_null() { " on all sites" } else { "" };
    let when = match (answer["running"] == Value::Bool(true), order["verdict"] == "exclude") {
        (true, true) => "the running crawl keeps to it from its next itinerary on",
        (true, false) => "the running crawl looks at the links of stored pages again",
        (false, true) => "the next crawl keeps to it",
        (false, false) => "the next crawl looks at the links of stored pages again",
    };
    format!("{name} is {what}{scope}; {when}\n")
}

/// One line per pattern, and one for its examples.
pub fn trap_text(trap: &Value) -> String {
    let n = |key: &str| trap[key].as_u64().unwrap_or(0);
    let admitted = plural(n("admitted"), "URL", "URLs");
    let mut out = match s(&trap["state"]).as_str() {
        "reported" => format!("  many URLs: {} ({admitted} by {})\n", s(&trap["site"]), s(&trap["since"])),
        state => format!(
            "  {state}: {}{} ({admitted}, budget {}, {} refused)\n",
            s(&trap["site"]),
            s(&trap["pattern"]),
            count(n("budget")),
            plural(n("refused"), "link", "links"),
        ),
    };
    let examples: Vec<String> = trap["examples"].as_array().into_iter().flatten().take(3).map(s).collect();
    if !examples.is_empty() {
        out.push_str(&format!("    as {}\n", examples.join(" ")));
    }
    out
}

fn list_text(answer: &Value, style: Style) -> String {
    let traps = answer["traps"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut out = String::new();
    if traps.is_empty() {
        out.push_str("no pattern of URLs makes more of itself\n");
    } else {
        let all = answer["patterns"].as_u64().unwrap_or(0);
        out.push_str(&style.bold(&plural(
            all,
            "pattern that makes more of itself",
            "patterns that make more of themselves",
        )));
        out.push('\n');
    }
    for trap in traps.iter().take(SHOWN) {
        out.push_str(&trap_text(trap));
    }
    if traps.len() > SHOWN {
        out.push_str(&format!("  and {} more (--json shows them)\n", traps.len() - SHOWN));
    }
    for rule in answer["rules"].as_array().into_iter().flatten() {
        let pending = if rule["pending"] == Value::Bool(true) { " (links are looked at again)" } else { "" };
        let name = format!("{}{}", s(&rule["site"]), s(&rule["pattern"]));
        out.push_str(&format!("  you said: {} {name} at {}{pending}\n", s(&rule["verdict"]), s(&rule["at"])));
    }
    out
}

fn s(value: &Value) -> String {
    clean(value.as_str().unwrap_or(""))
}
