//! `whimbrel status`.

use super::{ExitCode, Global};
use crate::answer::Question;
use crate::ask::ask;
use crate::render::{Style, clean, count, duration, plural, size};
use anyhow::Result;
use clap::Args;
use serde_json::Value;

/// Flags of `status`.
#[derive(Debug, Args)]
pub struct StatusArgs {}

/// Sites shown to people; `--json` has all.
const SITES_SHOWN: usize = 20;

/// Runs the verb.
pub fn verb(global: &Global, _args: &StatusArgs) -> Result<ExitCode> {
    let answer = ask(global, &Question::new("status"))?;
    if global.json {
        println!("{answer}");
    } else {
        print!("{}", to_text(&answer, Style::stdout(global.no_color)));
    }
    Ok(ExitCode::Done)
}

fn to_text(status: &Value, style: Style) -> String {
    let n = |value: &Value| value.as_u64().unwrap_or(0);
    let s = |value: &Value| clean(value.as_str().unwrap_or(""));
    let mut out = format!(
        "{}: {} pages, {} indexed, {} URLs known, {} queued\n",
        style.bold(&s(&status["data"])),
        count(n(&status["pages"])),
        count(n(&status["indexed"])),
        count(n(&status["urls"])),
        count(n(&status["queued"])),
    );
    out.push_str(&format!(
        "  {} in {} WARC files, {} of tables; {} received in {} visits\n",
        size(n(&status["store"]["warc_bytes"])),
        n(&status["store"]["warc_files"]),
        size(n(&status["store"]["database_bytes"])),
        size(n(&status["bytes_received"])),
        count(n(&status["visits"])),
    ));
    let crawl = &status["crawl"];
    if crawl.is_null() {
        out.push_str("  no crawl is running\n");
    } else {
        out.push_str(&format!(
            "  a crawl runs since {}: {} pages, {} pages/s, {} queued",
            s(&crawl["started"]),
            count(n(&crawl["pages"])),
            crawl["pages_per_second"].as_f64().unwrap_or(0.0),
            count(n(&crawl["queued"])),
        ));
        if let Some(left) = crawl["seconds_left"].as_u64() {
            out.push_str(&format!(", about {} left ({})", duration(left * 1000), s(&crawl["bound_by"])));
        }
        out.push('\n');
    }
    for trap in status["traps"].as_array().into_iter().flatten().take(SITES_SHOWN) {
        out.push_str(&super::traps::trap_text(trap));
    }
    for limit in status["limits"].as_array().into_iter().flatten() {
        out.push_str(&format!(
            "  limit reached: {} ({}), {}",
            s(&limit["limit"]),
            s(&limit["value"]),
            plural(n(&limit["count"]), "time", "times"),
        ));
        if let Some(example) = limit["examples"].get(0) {
            out.push_str(&format!(", for example {}", s(example)));
        }
        out.push('\n');
    }
    let sites = status["sites"].as_array().map(Vec::as_slice).unwrap_or_default();
    for site in sites.iter().take(SITES_SHOWN) {
        out.push_str(&format!(
            "  {:<50} {:>8} pages {:>8} queued  robots: {}\n",
            s(&site["site"]),
            count(n(&site["pages"])),
            count(n(&site["queued"])),
            s(&site["robots"]),
        ));
    }
    if sites.len() > SITES_SHOWN {
        out.push_str(&format!("  and {} more sites (--json shows all)\n", sites.len() - SITES_SHOWN));
    }
    out
}
