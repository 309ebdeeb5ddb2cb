//! What a crawl says at its end.

use crate::cli::ExitCode;
use crate::crawl::Ended;
use crate::engine::StopCause;
use crate::render::{clean, count, duration, plural, size};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use whimbrel_plan::engine::End;

/// Sites shown that were left alone.
const SKIPPED_SHOWN: usize = 20;

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
        "{} stored in {} ({rate:.1}/s), {} received in {}; {}",
        plural(s.pages, "page", "pages"),
        duration((ended.seconds * 1000.0) as u64),
        size(s.bytes),
        plural(s.fetches, "request", "requests"),
        reason(ended),
    );
    let details = [
        (s.duplicates, "copy", "copies"),
        (s.unchanged, "unchanged", "unchanged"),
        (s.redirects, "redirect", "redirects"),
        (s.dead_links, "dead link", "dead links"),
        (s.waiting, "waiting for the next run", "waiting for the next run"),
    ];
    let details: Vec<String> =
        details.into_iter().filter(|(n, ..)| *n > 0).map(|(n, one, many)| plural(n, one, many)).collect();
    if !details.is_empty() {
        let _ = writeln!(out, "  {}", details.join(", "));
    }
    list(&mut out, "links not followed", &s.rejected);
    list(&mut out, "errors", &s.errors);
    list(&mut out, "limits reached", &s.limits);
    for (site, why) in s.skipped_sites.iter().take(SKIPPED_SHOWN) {
        let _ = writeln!(out, "  {}: {}", clean(site), clean(why));
    }
    if let Some(more) = s.skipped_sites.len().checked_sub(SKIPPED_SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(out, "  and {more} more such sites (--json shows all)");
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
    s.pages + s.unchanged + s.duplicates == 0 && s.seeds_reached == 0 && s.seeds_failed > 0
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
