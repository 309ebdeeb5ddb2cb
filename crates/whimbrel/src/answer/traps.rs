//! `traps`: which patterns of URLs are watched, stopped or decided by the operator; and the operator's orders. A running
//! crawl takes an order at once; without one it is written down, and the next crawl carries it out.

use super::{Answerer, Question};
use crate::clock::now;
use crate::engine::EngineEvent;
use crate::engine::traps::TrapOrder;
use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};
use std::sync::mpsc::channel;
use std::time::Duration;
use whimbrel_plan::engine::{Ordered, TrapBudget, account, lifted, said_about, undoes};
use whimbrel_types::{
    Batch, CanonicalUrl, RejectReason, Site, TrapRecord, TrapRule, TrapState, TrapVerdict, UrlId, UrlKey,
    Write,
};
use whimbrel_url::{TypedPattern, UrlPattern};

/// How long a busy engine is waited for.
const PATIENCE: Duration = Duration::from_secs(60);
/// Patterns listed in all; those that are stopped come first.
const LISTED_MAX: usize = 1000;

/// Answers the question, or carries the order out.
pub fn traps(answerer: &Answerer, question: &Question) -> Result<Value> {
    match question.get("do") {
        None => list(answerer, LISTED_MAX),
        Some(word) => order(answerer, question, word),
    }
}

/// Patterns that are stopped or decided, and sites that are reported, for `status`.
pub fn stopped(answerer: &Answerer) -> Result<Vec<Value>> {
    let rules = answerer.store.trap_rules().context("reading the orders about patterns")?;
    let mut shown = Vec::new();
    for record in answerer.store.traps() {
        let record = record.context("reading the patterns")?;
        if record.state != TrapState::Watched && shown.len() < LISTED_MAX {
            shown.push(trap_json(answerer, &record, &rules));
        }
    }
    Ok(shown)
}

/// The orders, for `status`.
pub fn orders(answerer: &Answerer) -> Result<Vec<Value>> {
    let rules = answerer.store.trap_rules().context("reading the orders about patterns")?;
    Ok(rules.iter().map(rule_json).collect())
}

/// What patterns say about one URL: the words for `explain`, and the reason when they keep it out.
pub fn about(
    answerer: &Answerer,
    url: &CanonicalUrl,
    is_known: bool,
) -> Result<(Value, Option<RejectReason>)> {
    let pattern = UrlPattern::of(url);
    let rules = answerer.store.trap_rules().context("reading the orders about patterns")?;
    let said = said_about(&rules, url);
    let key = UrlKey { site: url.site_key(), url: UrlId::of(account(&pattern)) };
    let record = answerer.store.trap(&key).context("reading the patterns")?;
    let mut value = json!({ "pattern": pattern.as_str() });
    let mut reason = None;
    if let Some(record) = &record {
        value["budget_of"] = trap_json(answerer, record, &rules);
        let open = said.as_ref().is_some_and(|rule| rule.verdict == TrapVerdict::Allow);
        if record.state == TrapState::Stopped && !is_known && !open {
            let (site, name) = (&record.site, &record.pattern);
            value["stopped"] = json!(format!(
                "stopped by trap budget: pattern {name}, {} URLs admitted, budget {}; allow with: whimbrel traps allow '{site}{name}'",
                record.admitted(),
                budget(answerer).of(name),
            ));
            reason = Some(RejectReason::Trap(name.clone()));
        }
    }
    if let Some(rule) = &said {
        value["said"] = rule_json(rule);
        if rule.verdict == TrapVerdict::Exclude {
            reason = Some(RejectReason::Trap(format!("excluded: {}", rule.pattern)));
        }
    }
    Ok((value, reason))
}

fn list(answerer: &Answerer, listed_max: usize) -> Result<Value> {
    let rules = answerer.store.trap_rules().context("reading the orders about patterns")?;
    let mut records: Vec<TrapRecord> = Vec::new();
    let mut watched = 0_u64;
    for record in answerer.store.traps() {
        let record = record.context("reading the patterns")?;
        watched += 1;
        records.push(record);
        if records.len() > 2 * listed_max {
            shorten(&mut records, listed_max);
        }
    }
    shorten(&mut records, listed_max);
    Ok(json!({
        "patterns": watched,
        "traps": records.iter().map(|record| trap_json(answerer, record, &rules)).collect::<Vec<_>>(),
        "rules": rules.iter().map(rule_json).collect::<Vec<_>>(),
    }))
}

/// The most telling ones: stopped before watched, many before few.
fn shorten(records: &mut Vec<TrapRecord>, listed_max: usize) {
    records.sort_by_key(|record| {
        let admitted = std::cmp::Reverse(record.admitted());
        (record.state == TrapState::Watched, admitted, record.site.origin(), record.pattern.clone())
    });
    records.truncate(listed_max);
}

fn trap_json(answerer: &Answerer, record: &TrapRecord, rules: &[TrapRule]) -> Value {
    let said = record.examples.last().and_then(|url| said_about(rules, url));
    let state = match said.map(|rule| rule.verdict) {
        Some(TrapVerdict::Exclude) => "excluded",
        Some(TrapVerdict::Allow) => "allowed",
        _ => record.state.as_str(),
    };
    let budget = match record.state {
        TrapState::Reported => answerer.config.raw.traps.site_report,
        _ => budget(answerer).of(&record.pattern),
    };
    json!({
        "site": record.site.origin(),
        "pattern": record.pattern,
        "state": state,
        "since": record.since.to_string(),
        "admitted": record.admitted(),
        "by_itself": record.extended,
        "budget": budget,
        "refused": record.refused,
        "stored": record.stored,
        "poor": record.poor,
        "examples": record.examples.iter().map(CanonicalUrl::as_str).collect::<Vec<_>>(),
    })
}

fn rule_json(rule: &TrapRule) -> Value {
    json!({
        "site": rule.site.as_ref().map(Site::origin),
        "pattern": rule.pattern,
        "verdict": rule.verdict.as_str(),
        "at": rule.at.to_string(),
        "pending": rule.unsettled,
    })
}

fn budget(answerer: &Answerer) -> TrapBudget {
    let raw = &answerer.config.raw.traps;
    TrapBudget {
        pattern_budget: raw.pattern_budget,
        calendar_budget: raw.calendar_budget,
        calendar_years: raw.calendar_years,
        site_report: raw.site_report,
        patterns_max: raw.patterns_max,
    }
}

fn order(answerer: &Answerer, question: &Question, word: &str) -> Result<Value> {
    if !question.change {
        bail!("an order changes the collection: ask with POST");
    }
    let verdict = TrapVerdict::from_word(word)
        .ok_or_else(|| anyhow!("there is no order {word:?}; there are exclude, allow, reset"))?;
    let typed = TypedPattern::parse(question.need("pattern")?).map_err(|why| anyhow!("{why}"))?;
    let named = question.get("site").map(site).transpose()?;
    if let (Some(named), Some(of_pattern)) = (&named, &typed.site)
        && named != of_pattern
    {
        bail!("the pattern is one of {of_pattern}, but --site says {named}");
    }
    let rule = TrapRule {
        site: named.or(typed.site),
        pattern: typed.pattern.to_string(),
        verdict,
        at: now(),
        unsettled: verdict != TrapVerdict::Exclude,
    };
    let by_crawl = tell_engine(answerer, &rule);
    let is_running = by_crawl.is_some();
    let ordered = match by_crawl {
        Some(ordered) => ordered,
        None => write_down(answerer, rule)?,
    };
    Ok(json!({
        "order": rule_json(&ordered.rule),
        "running": is_running,
        "sites_looked_at_again": ordered.sites,
        "patterns_opened": ordered.lifted,
    }))
}

fn site(text: &str) -> Result<Site> {
    let with_scheme = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    match whimbrel_url::normalize(&with_scheme) {
        Ok(url) => Ok(url.site()),
        Err(reason) => bail!("--site {text:?} is no site that can be crawled: {reason}"),
    }
}

/// The running crawl's answer; `None` when there is none, or when it is just ending.
fn tell_engine(answerer: &Answerer, rule: &TrapRule) -> Option<Ordered> {
    let engine = answerer.engine.as_ref()?;
    let (reply, answer) = channel();
    engine.send(EngineEvent::Order(Box::new(TrapOrder { rule: rule.clone(), reply }))).ok()?;
    answer.recv_timeout(PATIENCE).ok()
}

/// No crawl runs: the next one reads it.
fn write_down(answerer: &Answerer, rule: TrapRule) -> Result<Ordered> {
    let mut batch = Batch::default();
    let said = answerer.store.trap_rules().context("reading the orders about patterns")?;
    let undone = said.iter().filter(|said| undoes(&rule, said)).map(|said| Write::RemoveTrapRule(said.key()));
    batch.writes.extend(undone);
    let mut count = 0;
    for record in answerer.store.traps() {
        if let Some(open) = lifted(&record.context("reading the patterns")?, &rule) {
            batch.writes.push(Write::PutTrap(Box::new(open)));
            count += 1;
        }
    }
    batch.writes.push(Write::PutTrapRule(Box::new(rule.clone())));
    answerer.store.commit(batch).context("writing the order down")?;
    Ok(Ordered { rule, sites: 0, lifted: count })
}
