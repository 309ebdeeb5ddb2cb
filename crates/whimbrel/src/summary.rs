//! What a crawl says at its end.

use crate::cli::ExitCode;
use crate::crawl::Ended;
use crate::engine::StopCause;
use crate::render::{clean, count, duration, size};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use whimbrel_plan::engine::End;

/// The summary object.
pub fn to_json(ended: &Ended) -> Value {
    let s = &ended.end.summary;
    json!({
        "pages": s.pages,
        "fetches": s.fetches,
        "bytes": s.bytes,
        "duplicates": s.duplicates,
        "unchanged": s.unchanged,
        "unchanged_bytes": s.unchanged_bytes,
        "redirects": s.redirects,
        "dead_links": s.dead_links,
        "discovered": s.discovered,
        "seen_test": s.seen_test,
        "rejected": s.rejected,
        "errors": s.errors,
        "limits": s.limits,
        "skipped_sites": s.skipped_sites,
        "waiting": s.waiting,
        "indexed": ended.indexed,
        "seconds": ended.seconds,
        "ended": reason(ended),
        "data": ended.data.display().to_string(),
    })
}

/// The same for people.
pub fn to_text(ended: &Ended) -> String {
    let s = &ended.end.summary;
    let mut out = String::new();
    let rate = s.pages as f64 / ended.seconds.max(0.001);
    let _ = writeln!(
        out,
        "{} pages stored in {} ({rate:.1}/s), {} received in {} requests; {}",
        count(s.pages),
        duration((ended.seconds * 1000.0) as u64),
        size(s.bytes),
        count(s.fetches),
        reason(ended),
    );
    let mut details = Vec::new();
    for (number, what) in [
        (s.duplicates, "copies"),
        (s.unchanged, "unchanged"),
        (s.redirects, "redirects"),
        (s.dead_links, "dead links"),
        (s.waiting, "waiting for the next run"),
    ] {
        if number > 0 {
            details.push(format!("{} {what}", count(number)));
        }
    }
    if !details.is_empty() {
        let _ = writeln!(out, "  {}", details.join(", "));
    }
    list(&mut out, "links not followed", &s.rejected);
    list(&mut out, "errors", &s.errors);
    list(&mut out, "limits reached", &s.limits);
    for (site, why) in &s.skipped_sites {
        let _ = writeln!(out, "  {}: {}", clean(site), clean(why));
    }
    if s.pages > 0 || ended.indexed > 0 {
        let _ = writeln!(out, "search it: whimbrel search WORDS --data {}", ended.data.display());
    }
    out
}

/// How the process ends.
pub fn exit_code(ended: &Ended) -> ExitCode {
    if ended.end.disk_full.is_some() {
        return ExitCode::DiskFull;
    }
    match ended.end.cause {
        Some(StopCause::Signal) => ExitCode::Drained,
        Some(StopCause::Time) => ExitCode::TimeLimit,
        Some(StopCause::Size) => ExitCode::SizeLimit,
        None if nothing_came(ended) => ExitCode::Failed,
        None => ExitCode::Done,
    }
}

/// No seed answered, and nothing else did either.
fn nothing_came(ended: &Ended) -> bool {
    let s = &ended.end.summary;
    s.pages + s.unchanged + s.duplicates == 0
        && s.seeds_reached == 0
        && (!s.errors.is_empty() || !s.skipped_sites.is_empty())
}

fn reason(ended: &Ended) -> &'static str {
    match (ended.end.cause, ended.end.end) {
        _ if ended.end.disk_full.is_some() => "ended because the disk is full",
        (Some(StopCause::Signal), _) => "stopped by a signal",
        (Some(StopCause::Time), _) => "ended by the time limit",
        (Some(StopCause::Size), _) => "ended by the size limit",
        (None, End::Limit) => "ended by the page limit",
        _ if ended.end.summary.waiting > 0 => "nothing more to do now",
        _ => "nothing left to do",
    }
}

fn list(out: &mut String, title: &str, counts: &BTreeMap<String, u64>) {
    if !counts.is_empty() {
        let parts: Vec<String> = counts.iter().map(|(name, n)| format!("{} {name}", count(*n))).collect();
        let _ = writeln!(out, "  {title}: {}", parts.join(", "));
    }
}
