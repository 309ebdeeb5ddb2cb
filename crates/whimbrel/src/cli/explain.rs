//! `whimbrel explain`.

use super::{ExitCode, Global};
use crate::answer::Question;
use crate::ask::ask;
use crate::render::{Style, clean, duration, size};
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
    for (name, value) in robots_lines(&answer["robots"], &text) {
        line(name, value);
    }
    let trap = &answer["trap"];
    line("pattern", text(&trap["pattern"]));
    line("trap", text(&trap["stopped"]));
    if let Some(said) = trap["said"]["verdict"].as_str() {
        let what = if said == "exclude" { "excluded" } else { "allowed" };
        line(
            "you said",
            format!("{what}: {} at {}", text(&trap["said"]["pattern"]), text(&trap["said"]["at"])),
        );
    }
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
        ("not indexed for", "unindexed"),
        ("leaves index at", "expires_at"),
        ("versions", "versions"),
    ] {
        line(name, text(&record[key]));
    }
    let note = &answer["note"];
    if !note.is_null() {
        let when = if note["of_last_visit"] == Value::Bool(true) { "last visit" } else { "an earlier visit" };
        let of_visit = format!("{when}, {}: {}", text(&note["at"]), text(&note["outcome"]));
        let detail = text(&note["detail"]);
        line("note", if detail.is_empty() { of_visit } else { format!("{of_visit}: {detail}") });
        for limit in note["limits"].as_array().into_iter().flatten() {
            line("limit reached", text(limit));
        }
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

/// The verdict, then what it rests on.
fn robots_lines(robots: &Value, text: &dyn Fn(&Value) -> String) -> Vec<(&'static str, String)> {
    let verdict = match (robots["state"].as_str(), &robots["rule"]) {
        (Some("rules"), rule) => {
            let verdict = if robots["allowed"] == Value::Bool(true) { "allowed" } else { "forbidden" };
            match rule {
                Value::Null => format!("{verdict} (no rule matches)"),
                rule => format!("{verdict} by line {}: {}", rule["line"], text(&rule["text"])),
            }
        }
        (Some("none"), _) => "allowed (the site has no robots.txt)".into(),
        (Some("unreachable"), _) => {
            let (outcome, since) = (text(&robots["outcome"]), text(&robots["since"]));
            format!("closed: robots.txt unreachable ({outcome}) since {since}")
        }
        _ => {
            let url = text(&robots["url"]);
            let unread = format!("not known: {url} was not read yet, no page of the site is visited before");
            return vec![("robots", unread)];
        }
    };
    let mut lines = vec![("robots", verdict)];
    if robots["state"] == "rules" {
        let agent = text(&robots["agent"]);
        lines.push(match robots["group"].as_str() {
            None => ("  group", format!("none speaks to {agent}")),
            Some("*") => ("  group", format!("that for everybody (*), as none names {agent}")),
            Some(own) => ("  group", format!("that for {}", clean(own))),
        });
    }
    if let Some(seconds) = robots["crawl_delay_seconds"].as_f64() {
        lines.push(("  crawl delay", duration((seconds * 1000.0) as u64)));
    }
    let age = robots["age_seconds"].as_u64().map(|seconds| duration(seconds * 1000)).unwrap_or_default();
    let status = robots["status"].as_u64().filter(|status| *status > 0);
    let status = status.map_or_else(|| "no answer".to_owned(), |status| format!("status {status}"));
    let again = text(&robots["valid_until"]);
    let file = format!("{}, {status}, asked for {age} ago, again at {again}", text(&robots["url"]));
    lines.push(("  file", file));
    lines
}
