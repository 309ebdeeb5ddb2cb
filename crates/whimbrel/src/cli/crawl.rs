//! `whimbrel crawl`: flags over the file, then a run, then its summary.

use super::{ExitCode, Global, stop};
use crate::config::{CheckedConfig, checked};
use crate::crawl::{CrawlPlan, run};
use crate::progress::Progress;
use crate::rules;
use crate::summary;
use anyhow::{Result, anyhow};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use whimbrel_types::CanonicalUrl;
use whimbrel_url::FilterExpression;

/// Flags of `crawl`; each beats its key in the file.
#[derive(Debug, Args)]
pub struct CrawlArgs {
    /// Where to start; https:// is assumed. Without any, an earlier crawl goes on
    #[arg(value_name = "URL")]
    pub urls: Vec<String>,
    /// Another start URL
    #[arg(long, short = 'u', value_name = "URL")]
    pub url: Vec<String>,
    /// File with one start URL per line, # for comments, - for standard input
    #[arg(long, visible_alias = "seeds", value_name = "FILE")]
    pub seed_file: Vec<String>,
    /// Pages to store in this run
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Pages to store per site in this run
    #[arg(long, value_name = "N")]
    pub site_limit: Option<u64>,
    /// Links from a start URL at the most, or "unlimited" [default: 10]
    #[arg(long, short = 'd', value_name = "N")]
    pub depth: Option<String>,
    /// How far to go: page, prefix, host, domain or any [default: host]
    #[arg(long, value_name = "SCOPE")]
    pub scope: Option<String>,
    /// Only URLs that match this regular expression (may be repeated)
    #[arg(long, value_name = "REGEX")]
    pub include: Vec<String>,
    /// No URLs that match this regular expression (may be repeated)
    #[arg(long, value_name = "REGEX")]
    pub exclude: Vec<String>,
    /// Filter expression such as 'and(domain(example.org), not(query(sort)))' (may be repeated)
    #[arg(long, value_name = "EXPRESSION")]
    pub filter: Vec<String>,
    /// Seconds between two visits to a host [default: 10]
    #[arg(long, short = 'D', value_name = "SECONDS")]
    pub delay: Option<String>,
    /// Visits in flight in all [default: 64]
    #[arg(long, visible_alias = "workers", short = 'w', value_name = "N")]
    pub concurrency: Option<usize>,
    /// Visits in flight per host; more than 1 only for your own servers [default: 1]
    #[arg(long, value_name = "N")]
    pub connections_per_site: Option<usize>,
    /// Seconds for a whole visit [default: 30]
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<String>,
    /// Largest page; what is longer is cut [default: 16MiB]
    #[arg(long, value_name = "BYTES")]
    pub max_body: Option<String>,
    /// Order of new pages: best-first or breadth-first [default: best-first]
    #[arg(long, value_name = "NAME")]
    pub strategy: Option<String>,
    /// Visit every known page once more
    #[arg(long)]
    pub recrawl: bool,
    /// Go on where an earlier crawl was (this is what happens anyway)
    #[arg(long)]
    pub resume: bool,
    /// Store pages without indexing them
    #[arg(long)]
    pub no_index: bool,
    /// Web page or mail address for webmasters; needed off loopback
    #[arg(long, value_name = "URL-OR-MAIL")]
    pub contact: Option<String>,
    /// Replaces the whole User-Agent
    #[arg(long, value_name = "TEXT")]
    pub user_agent: Option<String>,
    /// Further request header, as "Name: value" (may be repeated)
    #[arg(long, short = 'H', value_name = "HEADER")]
    pub header: Vec<String>,
    /// Private network that may be visited (may be repeated)
    #[arg(long, value_name = "CIDR")]
    pub allow_private: Vec<String>,
    /// Use this address for HOST:PORT:ADDRESS, as curl does (may be repeated)
    #[arg(long, value_name = "HOST:PORT:ADDR")]
    pub resolve: Vec<String>,
    /// The sites are yours: delays under a second and several connections are allowed
    #[arg(long)]
    pub i_own_these_sites: bool,
    /// Seed of everything random
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Write the signals between components as JSON lines
    #[arg(long, value_name = "FILE")]
    pub event_log: Option<PathBuf>,
    /// Write WARC records for unchanged visits too
    #[arg(long)]
    pub warc_revisits: bool,
    /// End after this time, such as 90s or 2h
    #[arg(long, value_name = "DURATION")]
    pub time_limit: Option<String>,
    /// End after receiving so much, such as 500MB
    #[arg(long, value_name = "BYTES")]
    pub size_limit: Option<String>,
}

/// Runs the verb.
pub fn verb(global: &Global, args: &CrawlArgs) -> Result<ExitCode> {
    let mut config = configuration(global, args)?;
    let seeds = seeds(&config, args)?;
    mind_manners(&mut config, &seeds)?;
    let config = Arc::new(config);
    let progress = Progress::new(global.quiet || global.json);
    let plan = CrawlPlan {
        data: global.data.clone(),
        config: Arc::clone(&config),
        seeds,
        recrawl: args.recrawl,
        event_log: args.event_log.clone(),
    };
    let ended = run(plan, progress)?;
    if global.json {
        println!("{}", summary::to_json(&ended));
    } else {
        print!("{}", summary::to_text(&ended));
    }
    if let Some(message) = &ended.end.disk_full {
        eprintln!("whimbrel: {message}");
    }
    Ok(summary::exit_code(&ended))
}

/// File, then flags, then checks.
pub fn configuration(global: &Global, args: &CrawlArgs) -> Result<CheckedConfig> {
    let (mut raw, origin) = checked::load(global.config.as_deref()).map_err(rules::configuration_error)?;
    let set = |target: &mut String, flag: &Option<String>| {
        if let Some(value) = flag {
            target.clone_from(value);
        }
    };
    let crawl = &mut raw.crawl;
    set(&mut crawl.depth, &args.depth);
    set(&mut crawl.scope, &args.scope);
    set(&mut crawl.strategy, &args.strategy);
    set(&mut crawl.time_limit, &args.time_limit);
    set(&mut crawl.size_limit, &args.size_limit);
    crawl.limit = args.limit.unwrap_or(crawl.limit);
    crawl.site_limit = args.site_limit.unwrap_or(crawl.site_limit);
    crawl.concurrency = args.concurrency.unwrap_or(crawl.concurrency);
    crawl.seed = args.seed.unwrap_or(crawl.seed);
    crawl.include.extend(args.include.iter().cloned());
    crawl.exclude.extend(args.exclude.iter().cloned());
    for (number, filter) in args.filter.iter().enumerate() {
        crawl.filters.insert(format!("--filter {}", number + 1), filter.clone());
    }
    set(&mut raw.politeness.delay, &args.delay);
    raw.politeness.connections_per_site =
        args.connections_per_site.unwrap_or(raw.politeness.connections_per_site);
    raw.politeness.i_own_these_sites |= args.i_own_these_sites;
    set(&mut raw.fetch.timeout, &args.timeout);
    set(&mut raw.fetch.max_body, &args.max_body);
    raw.fetch.headers.extend(args.header.iter().cloned());
    raw.fetch.allow_private.extend(args.allow_private.iter().cloned());
    raw.fetch.resolve.extend(args.resolve.iter().cloned());
    set(&mut raw.agent.contact, &args.contact);
    set(&mut raw.agent.user_agent, &args.user_agent);
    raw.store.warc_revisits |= args.warc_revisits;
    raw.index.enabled &= !args.no_index;
    checked::check(raw, format!("{origin} or on the command line")).map_err(rules::configuration_error)
}

fn seeds(config: &CheckedConfig, args: &CrawlArgs) -> Result<Vec<CanonicalUrl>> {
    let mut seeds = Vec::new();
    for text in args.urls.iter().chain(&args.url).chain(&config.raw.crawl.seeds) {
        seeds.push(rules::seed_url(text)?);
    }
    for file in args.seed_file.iter().chain(&config.raw.crawl.seed_files) {
        seeds.extend(rules::seed_file(file)?);
    }
    let mut met = std::collections::BTreeSet::new();
    seeds.retain(|seed| met.insert(seed.clone()));
    Ok(seeds)
}

/// A host on this machine, by name or address.
pub fn is_loopback(host: &str, config: &CheckedConfig) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let resolved = config.resolve.iter().filter(|(name, ..)| name == host).map(|(.., address)| *address);
    let mut resolved = resolved.peekable();
    if resolved.peek().is_some() {
        return resolved.all(|address| address.is_loopback());
    }
    bare.parse::<std::net::IpAddr>()
        .map_or(host == "localhost" || host.ends_with(".localhost"), |ip| ip.is_loopback())
}

/// Off loopback: a contact, and no hurry unless the sites are the operator's own.
pub fn check_manners(config: &CheckedConfig, seeds: &[CanonicalUrl]) -> Result<()> {
    let away = seeds.iter().find(|seed| !is_loopback(seed.host(), config));
    match (away, bad_manners(config)) {
        (Some(away), Some((code, why))) => Err(stop(code, format!("crawling {} {why}", away.host()))),
        _ => Ok(()),
    }
}

/// A crawl that starts on loopback may lack what others expect, but then it stays there.
fn mind_manners(config: &mut CheckedConfig, seeds: &[CanonicalUrl]) -> Result<()> {
    check_manners(config, seeds)?;
    if bad_manners(config).is_none() {
        return Ok(());
    }
    let names =
        config.resolve.iter().filter(|(.., address)| address.is_loopback()).map(|(name, ..)| name.as_str());
    let names: Vec<String> = names.map(regex::escape).collect();
    let hosts =
        [r"127\.[0-9.]+", r"\[::1\]", r"([^/]*\.)?localhost"].map(str::to_owned).into_iter().chain(names);
    let pattern = format!("^https?://({})(:[0-9]+)?/", hosts.collect::<Vec<_>>().join("|"));
    let (name, text) = ("loopback only", format!("regex({pattern:?})"));
    let filter = FilterExpression::parse(&text).map_err(|why| anyhow!("{why}"))?;
    config.filters.push((name.into(), filter));
    config.raw.crawl.filters.insert(name.into(), text);
    Ok(())
}

/// What keeps a crawl from leaving this machine.
fn bad_manners(config: &CheckedConfig) -> Option<(ExitCode, &'static str)> {
    let agent = config.user_agent();
    let politeness = &config.raw.politeness;
    if !agent.contains('@') && !agent.contains("://") {
        let why = "needs a contact, so that its webmaster can reach you: give --contact with your web page or mail address, \
                   or set agent.contact in whimbrel.toml";
        return Some((ExitCode::Usage, why));
    }
    if politeness.i_own_these_sites {
        return None;
    }
    if config.delay_ms < 1000 || config.site_delays_ms.values().any(|ms| *ms < 1000) {
        let why = "with a delay under one second is for your own sites: say so with --i-own-these-sites, or use --delay 1 \
                   or more";
        return Some((ExitCode::Usage, why));
    }
    if politeness.connections_per_site > 1 {
        let why = "over more than one connection is for your own sites: say so with --i-own-these-sites";
        return Some((ExitCode::Usage, why));
    }
    None
}
