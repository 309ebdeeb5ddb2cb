//! What a site's robots.txt says about one URL: verdict, rule with its line, group, delay, and how old the file is.
//! Recomputed from the stored file, so it holds for URLs that were never seen; nothing is fetched.

use super::Answerer;
use crate::config::checked::AGENT_TOKEN;
use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use whimbrel_types::{CanonicalUrl, RobotsState, SiteRecord, Timestamp};
use whimbrel_url::RobotsRules;

/// The verdict on `url`, and on what it rests.
pub fn robots(answerer: &Answerer, url: &CanonicalUrl, now: Timestamp) -> Result<Value> {
    let file = url.site().url("/robots.txt");
    let site = answerer.store.site(&url.site_key()).context("reading the site table")?;
    let Some(site) = site.filter(|site| site.robots != RobotsState::Unread) else {
        return Ok(json!({ "state": "unread", "url": file.as_str(), "allowed": null }));
    };
    let mut value = match &site.robots {
        RobotsState::Unread => json!({}),
        RobotsState::AllowAll => json!({ "state": "none", "allowed": true }),
        RobotsState::Unreachable { since } => json!({
            "state": "unreachable",
            "allowed": false,
            "since": since.to_string(),
            "retry_at": site.robots_due.to_string(),
        }),
        RobotsState::Rules(hash) => {
            let body = answerer.store.robots(hash).context("reading robots files")?;
            let body = body.ok_or_else(|| anyhow!("the robots.txt of {} is missing", site.site))?;
            verdict(&RobotsRules::parse(&body), &site, url)
        }
    };
    value["url"] = json!(file.as_str());
    value["agent"] = json!(AGENT_TOKEN);
    value["status"] = json!(site.robots_status);
    value["outcome"] = json!(site.robots_outcome);
    value["read_at"] = json!(site.robots_at.map(|at| at.to_string()));
    value["age_seconds"] = json!(site.robots_at.map(|at| now.since_ms(at) / 1000));
    value["valid_until"] = json!(site.robots_due.to_string());
    Ok(value)
}

fn verdict(rules: &RobotsRules, site: &SiteRecord, url: &CanonicalUrl) -> Value {
    let verdict = rules.verdict(AGENT_TOKEN, url.path_and_query());
    json!({
        "state": "rules",
        "allowed": verdict.allowed,
        "rule": verdict.rule.map(|rule| json!({ "line": rule.line, "text": rule.text })),
        "group": rules.group_token(AGENT_TOKEN),
        "crawl_delay_seconds": site.crawl_delay_ms.map(|ms| ms as f64 / 1000.0),
        "sitemaps": rules.sitemaps(),
    })
}
