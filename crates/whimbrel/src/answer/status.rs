//! `status`: what the collection holds, site by site, and what a running crawl does.

use super::{Answerer, limits, traps};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use whimbrel_types::{RobotsState, SiteRecord};

pub fn status(answerer: &Answerer) -> Result<Value> {
    let store = &answerer.store;
    let mut sites = Vec::new();
    let (mut pages, mut urls, mut queued, mut bytes, mut visits) = (0, 0, 0, 0, 0);
    for site in store.sites() {
        let site = site.context("reading the site table")?;
        pages += site.pages;
        urls += site.urls;
        queued += site.queued;
        bytes += site.bytes;
        visits += site.visits;
        sites.push(site_json(&site));
    }
    let stats = store.stats();
    let running = answerer.running.as_ref().map(|view| crate::station::lock(view).to_json(limit(answerer)));
    Ok(json!({
        "data": answerer.data.display().to_string(),
        "running": running.is_some(),
        "pages": pages,
        "urls": urls,
        "queued": queued,
        "visits": visits,
        "bytes_received": bytes,
        "indexed": answerer.indexed_pages(),
        "store": {
            "database_bytes": stats.database_bytes,
            "warc_bytes": stats.warc_bytes,
            "warc_files": stats.warc_files,
            "sequence": stats.sequence,
        },
        "counters": store.counters().context("reading counters")?,
        "limits": limits::limits(answerer)?,
        "traps": traps::stopped(answerer)?,
        "trap_rules": traps::orders(answerer)?,
        "sites": sites,
        "crawl": running,
    }))
}

fn limit(answerer: &Answerer) -> Option<u64> {
    Some(answerer.config.raw.crawl.limit).filter(|limit| *limit > 0)
}

fn site_json(site: &SiteRecord) -> Value {
    let robots = match &site.robots {
        RobotsState::Unread => "unread".to_owned(),
        RobotsState::Rules(_) => "rules".to_owned(),
        RobotsState::AllowAll => "none".to_owned(),
        RobotsState::Unreachable { since } => format!("unreachable since {since} ({})", site.robots_outcome),
    };
    json!({
        "site": site.site.origin(),
        "pages": site.pages,
        "urls": site.urls,
        "queued": site.queued,
        "visits": site.visits,
        "bytes": site.bytes,
        "robots": robots,
        "robots_status": site.robots_status,
        "crawl_delay_seconds": site.crawl_delay_ms.map(|ms| ms as f64 / 1000.0),
        "first_seen": site.discovered_at.to_string(),
    })
}
