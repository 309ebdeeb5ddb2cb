//! `whimbrel check`: is the configuration right, and what would it do with a URL?

use super::{ExitCode, Global};
use crate::ask::configuration;
use crate::render::{clean, duration, size};
use crate::rules;
use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use whimbrel_types::CanonicalUrl;

/// Flags of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// URLs to judge by the configuration, as if they were links
    #[arg(value_name = "URL")]
    pub urls: Vec<String>,
    /// Depth they are judged at
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub depth: u16,
}

/// Runs the verb.
pub fn verb(global: &Global, args: &CheckArgs) -> Result<ExitCode> {
    let config = configuration(global)?;
    config.http.secrets(|name| std::env::var(name).ok()).map_err(rules::configuration_error)?;
    let mut seeds: Vec<CanonicalUrl> = Vec::new();
    for text in &config.raw.crawl.seeds {
        seeds.push(rules::seed_url(text).map_err(rules::configuration_error)?);
    }
    for file in &config.raw.crawl.seed_files {
        seeds.extend(rules::seed_file(file).map_err(rules::configuration_error)?);
    }
    // Without seeds there is no scope to be outside of.
    let scope = if seeds.is_empty() { whimbrel_url::Scope::Any } else { config.scope };
    let url_rules = rules::url_rules(&crate::config::CheckedConfig { scope, ..config.clone() }, &seeds)?;
    let judged: Vec<Value> = args
        .urls
        .iter()
        .map(|text| {
            let verdict =
                whimbrel_url::normalize(text).and_then(|url| url_rules.admit(&url, args.depth).map(|()| url));
            match verdict {
                Ok(url) => json!({ "url": text, "normal_form": url.as_str(), "admitted": true }),
                Err(reason) => json!({ "url": text, "admitted": false, "reason": reason.to_string() }),
            }
        })
        .collect();
    if global.json {
        let user_agent = config.user_agent();
        println!(
            "{}",
            json!({ "ok": true, "file": config.origin, "user_agent": user_agent, "urls": judged })
        );
        return Ok(ExitCode::Done);
    }
    println!("no mistakes in {}", config.origin);
    println!("  user agent: {}", config.user_agent());
    println!(
        "  {} seeds, scope {}, depth {}, {} between visits to a host, pages up to {}",
        seeds.len(),
        config.scope.as_str(),
        config.depth_max.map_or("unlimited".into(), |depth| depth.to_string()),
        duration(config.delay_ms),
        size(config.body_bytes_max),
    );
    if config.raw.agent.contact.is_empty() && config.raw.agent.user_agent.is_empty() {
        println!("  no contact is set: a crawl off loopback needs agent.contact or --contact");
    }
    for verdict in judged {
        let url = clean(verdict["url"].as_str().unwrap_or(""));
        match verdict["reason"].as_str() {
            None => println!("  admitted  {url}"),
            Some(reason) => println!("  rejected  {url}: {}", clean(reason)),
        }
    }
    Ok(ExitCode::Done)
}
