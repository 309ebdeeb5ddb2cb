//! `whimbrel explain`.

use super::{ExitCode, Global};
use crate::answer::Question;
use crate::ask::ask;
use crate::render::{Style, clean, size};
use anyhow::Result;
use clap::Args;
use serde_json::Value;

/// Flags of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The URL
    #[arg(value_name = "URL")]
    pub url: String,
}

/// Runs the verb.
pub fn verb(global: &Global, args: &ExplainArgs) -> Result<ExitCode> {
    let answer = ask(global, &Question::new("explain").with("url", &args.url))?;
    if global.json {
        println!("{answer}");
    } else {
        print!("{}", to_text(&answer, Style::stdout(global.no_color)));
    }
    Ok(ExitCode::Done)
}

fn to_text(answer: &Value, style: Style) -> String {
    let mut out = String::new();
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            out.push_str(&format!("{:<16} {value}\n", format!("{name}:")));
        }
    };
    let text = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => clean(text),
        other => clean(&other.to_string()),
    };
    line("url", style.bold(&text(&answer["url"])));
    line("normal form", text(&answer["normal_form"]));
    line("state", text(&answer["state"]));
    let admitted = answer["admitted"] == Value::Bool(true);
    line("admitted", if admitted { "yes".into() } else { format!("no: {}", text(&answer["reason"])) });
    for check in answer["checks"].as_array().into_iter().flatten() {
        let mark = if check["passed"] == Value::Bool(true) { "passed" } else { "FAILED" };
        line("  check", format!("{mark}  {}", text(&check["check"])));
    }
    line("robots", robots_text(&answer["robots"], &text));
    let record = &answer["record"];
    for (name, key) in [
        ("depth", "depth"),
        ("discovered", "discovered_at"),
        ("discovered from", "discovered_from"),
        ("in-links", "in_links"),
        ("link score", "link_score"),
        ("last visit", "last_visit"),
        ("last outcome", "last_outcome"),
        ("last change", "last_change"),
        ("alias of", "representative"),
        ("gone since", "gone_since"),
        ("unreachable", "unreachable_since"),
        ("next due", "next_due"),
        ("indexed", "indexed"),
        ("versions", "versions"),
    ] {
        line(name, text(&record[key]));
    }
    line("etag", text(&record["validators"]["etag"]));
    line("last-modified", text(&record["validators"]["last_modified"]));
    let page = &answer["page"];
    line("title", text(&page["title"]));
    line("type", text(&page["content_type"]));
    line("digest", text(&page["digest"]));
    if let Some(bytes) = page["body_bytes"].as_u64() {
        line("size", size(bytes));
    }
    for alias in answer["aliases"].as_array().into_iter().flatten() {
        line("alias", text(alias));
    }
    for anchor in answer["anchors"].as_array().into_iter().flatten() {
        line("linked as", text(anchor));
    }
    out
}

fn robots_text(robots: &Value, text: &dyn Fn(&Value) -> String) -> String {
    match robots["state"].as_str() {
        Some("rules") => {
            let verdict = if robots["allowed"] == Value::Bool(true) { "allowed" } else { "forbidden" };
            match &robots["rule"] {
                Value::Null => format!("{verdict} (no rule matches)"),
                rule => format!("{verdict} by line {}: {}", rule["line"], text(&rule["text"])),
            }
        }
        Some("none") => "allowed (the site has no robots.txt)".into(),
        Some("unreachable") => {
            format!(
                "closed: robots.txt unreachable ({}) since {}, asked again at {}",
                text(&robots["outcome"]),
                text(&robots["since"]),
                text(&robots["retry_at"])
            )
        }
        _ => "not read yet".into(),
    }
}
