//! The configuration after every value was read and every bound checked. Errors name the key and where it was set.

use super::raw::RawConfig;
use super::units::{bytes, duration_ms};
use anyhow::{Context, Result, anyhow, bail};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use whimbrel_plan::Strategy;
use whimbrel_types::LinkKind;
use whimbrel_url::{FilterExpression, Scope};

/// The product token that robots.txt groups name.
pub const AGENT_TOKEN: &str = "whimbrel";

/// Checked values, in the units the program uses.
#[derive(Clone, Debug)]
pub struct CheckedConfig {
    /// As typed, for what needs no conversion.
    pub raw: RawConfig,
    /// Where the file was, for messages.
    pub origin: String,
    pub scope: Scope,
    pub depth_max: Option<u16>,
    pub strategy: Strategy,
    pub time_limit_ms: u64,
    pub size_limit_bytes: u64,
    pub include: Vec<regex::Regex>,
    pub exclude: Vec<regex::Regex>,
    pub filters: Vec<(String, FilterExpression)>,
    pub embedded: Vec<LinkKind>,
    pub delay_ms: u64,
    pub ip_delay_ms: u64,
    pub crawl_delay_ms_max: u64,
    pub back_off_ms: u64,
    pub back_off_ms_max: u64,
    pub retry_after_ms_max: u64,
    pub robots_ttl_ms: u64,
    pub robots_give_up_ms: Option<u64>,
    pub window_start_ms: u64,
    pub window_ms: u64,
    pub timeout_ms: u64,
    pub connect_timeout_ms: u64,
    pub idle_timeout_ms: u64,
    pub body_bytes_max: u64,
    pub robots_bytes_max: u64,
    pub header_bytes_max: u64,
    pub retry_delay_ms: u64,
    pub allow_private: Vec<ipnet::IpNet>,
    pub resolve: Vec<(String, u16, IpAddr)>,
    pub headers: Vec<(String, String)>,
    pub http: super::http::HttpConfig,
    pub revisit_ms: u64,
    pub revisit_ms_min: u64,
    pub disk_bytes_max: u64,
    pub disk_free_min: u64,
    pub warc_file_bytes_max: u64,
    pub group_commit_ms: u64,
    pub group_commit_bytes: u64,
    pub cache_bytes: u64,
    pub index_memory_bytes: u64,
    pub index_commit_ms: u64,
    pub pending_wait_ms: u64,
    pub text_bytes_max: usize,
    pub parsed_bytes_max: usize,
    pub site_delays_ms: BTreeMap<String, u64>,
    pub site_limits: BTreeMap<String, u64>,
}

/// Reads the file (`--config`, else `./whimbrel.toml` when there is one).
pub fn load(path: Option<&Path>) -> Result<(RawConfig, String)> {
    let default = PathBuf::from("whimbrel.toml");
    let path = match path {
        Some(path) => path,
        None if default.is_file() => &default,
        None => return Ok((RawConfig::default(), "the built-in defaults".into())),
    };
    let text =
        std::fs::read_to_string(path).with_context(|| format!("reading configuration {}", path.display()))?;
    let raw: RawConfig = toml::from_str(&text).map_err(|error| anyhow!("in {}: {error}", path.display()))?;
    Ok((raw, path.display().to_string()))
}

/// Reads every value; the first one that is wrong is named.
pub fn check(raw: RawConfig, origin: String) -> Result<CheckedConfig> {
    let c = &raw.crawl;
    let (p, f, r, s, i) = (&raw.politeness, &raw.fetch, &raw.revisit, &raw.store, &raw.index);
    let ms =
        |key: &str, text: &str| duration_ms(text).map_err(|why| anyhow!("{key}: {why} (set in {origin})"));
    let size = |key: &str, text: &str| bytes(text).map_err(|why| anyhow!("{key}: {why} (set in {origin})"));
    let regexes = |key: &str, list: &[String]| -> Result<Vec<regex::Regex>> {
        list.iter()
            .map(|text| {
                regex::Regex::new(text).map_err(|why| {
                    anyhow!("{key}: {text:?} is no regular expression (set in {origin}): {why}")
                })
            })
            .collect()
    };
    let (site_delays_ms, site_limits) = site_overrides(&raw, &origin)?;
    let checked = CheckedConfig {
        scope: c.scope.parse().map_err(|why| anyhow!("crawl.scope: {why} (set in {origin})"))?,
        depth_max: depth(&c.depth).map_err(|why| anyhow!("crawl.depth: {why} (set in {origin})"))?,
        strategy: c.strategy.parse().map_err(|why| anyhow!("crawl.strategy: {why} (set in {origin})"))?,
        time_limit_ms: ms("crawl.time_limit", &c.time_limit)?,
        size_limit_bytes: size("crawl.size_limit", &c.size_limit)?,
        include: regexes("crawl.include", &c.include)?,
        exclude: regexes("crawl.exclude", &c.exclude)?,
        filters: filters(&raw, &origin)?,
        embedded: embedded(&c.embedded).map_err(|why| anyhow!("crawl.embedded: {why} (set in {origin})"))?,
        delay_ms: ms("politeness.delay", &p.delay)?,
        ip_delay_ms: ms("politeness.ip_delay", &p.ip_delay)?,
        crawl_delay_ms_max: ms("politeness.crawl_delay_max", &p.crawl_delay_max)?,
        back_off_ms: ms("politeness.back_off", &p.back_off)?,
        back_off_ms_max: ms("politeness.back_off_max", &p.back_off_max)?,
        retry_after_ms_max: ms("politeness.retry_after_max", &p.retry_after_max)?,
        robots_ttl_ms: ms("politeness.robots_ttl", &p.robots_ttl)?,
        robots_give_up_ms: match p.robots_give_up.as_str() {
            "never" => None,
            text => Some(ms("politeness.robots_give_up", text)?),
        },
        window_start_ms: ms("politeness.window_start", &p.window_start)?,
        window_ms: ms("politeness.window", &p.window)?,
        timeout_ms: ms("fetch.timeout", &f.timeout)?,
        connect_timeout_ms: ms("fetch.connect_timeout", &f.connect_timeout)?,
        idle_timeout_ms: ms("fetch.idle_timeout", &f.idle_timeout)?,
        body_bytes_max: size("fetch.max_body", &f.max_body)?,
        robots_bytes_max: size("fetch.max_robots", &f.max_robots)?,
        header_bytes_max: size("fetch.max_headers", &f.max_headers)?,
        retry_delay_ms: ms("fetch.retry_delay", &f.retry_delay)?,
        allow_private: f
            .allow_private
            .iter()
            .map(|text| network(text).map_err(|why| anyhow!("fetch.allow_private: {why}")))
            .collect::<Result<_>>()?,
        resolve: f
            .resolve
            .iter()
            .map(|text| resolve_override(text).map_err(|why| anyhow!("fetch.resolve: {why}")))
            .collect::<Result<_>>()?,
        headers: super::http::headers(&f.headers)
            .map_err(|why| anyhow!("fetch.headers: {why} (set in {origin})"))?,
        http: super::http::check(&raw, &origin)?,
        revisit_ms: ms("revisit.interval", &r.interval)?,
        revisit_ms_min: ms("revisit.shortest", &r.shortest)?,
        disk_bytes_max: size("store.disk_bytes_max", &s.disk_bytes_max)?,
        disk_free_min: size("store.disk_free_min", &s.disk_free_min)?,
        warc_file_bytes_max: size("store.warc_file_max", &s.warc_file_max)?,
        group_commit_ms: ms("store.group_commit", &s.group_commit)?,
        group_commit_bytes: size("store.group_commit_bytes", &s.group_commit_bytes)?,
        cache_bytes: size("store.cache", &s.cache)?,
        index_memory_bytes: size("index.memory", &i.memory)?,
        index_commit_ms: ms("index.commit", &i.commit)?,
        pending_wait_ms: ms("limits.pending_wait", &raw.limits.pending_wait)?,
        text_bytes_max: usize::try_from(size("limits.text_bytes_max", &raw.limits.text_bytes_max)?)
            .unwrap_or(usize::MAX),
        parsed_bytes_max: usize::try_from(size("limits.parsed_bytes_max", &raw.limits.parsed_bytes_max)?)
            .unwrap_or(usize::MAX),
        site_delays_ms,
        site_limits,
        origin,
        raw,
    };
    checked.check_bounds()?;
    Ok(checked)
}

/// Delays and page limits by site.
fn site_overrides(raw: &RawConfig, origin: &str) -> Result<(BTreeMap<String, u64>, BTreeMap<String, u64>)> {
    let mut site_delays_ms = BTreeMap::new();
    let mut site_limits = BTreeMap::new();
    for (name, set) in &raw.site {
        let url = whimbrel_url::normalize(name).map_err(|why| {
            anyhow!(
                "site.{name:?}: {why}; write an origin such as https://docs.example.org (set in {origin})"
            )
        })?;
        let site = url.site().origin();
        if let Some(delay) = &set.delay {
            let delay_ms =
                duration_ms(delay).map_err(|why| anyhow!("site.{name:?}.delay: {why} (set in {origin})"))?;
            site_delays_ms.insert(site.clone(), delay_ms);
        }
        if let Some(limit) = set.limit {
            site_limits.insert(site, limit);
        }
    }
    Ok((site_delays_ms, site_limits))
}

impl CheckedConfig {
    /// The `User-Agent` sent with every request.
    pub fn user_agent(&self) -> String {
        if !self.raw.agent.user_agent.is_empty() {
            return self.raw.agent.user_agent.clone();
        }
        let version = env!("CARGO_PKG_VERSION");
        match self.raw.agent.contact.as_str() {
            "" => format!("{AGENT_TOKEN}/{version}"),
            contact => format!("{AGENT_TOKEN}/{version} (+{contact})"),
        }
    }

    fn check_bounds(&self) -> Result<()> {
        let at_least_one = [
            ("crawl.concurrency", self.raw.crawl.concurrency),
            ("politeness.connections_per_site", self.raw.politeness.connections_per_site),
            ("limits.stops_max", self.raw.limits.stops_max),
            ("limits.migrants_max", self.raw.limits.migrants_max),
            ("limits.heads_max", self.raw.limits.heads_max),
            ("limits.seen_rows_max", self.raw.limits.seen_rows_max),
            ("traps.repeated_segments_max", self.raw.traps.repeated_segments_max),
            ("traps.patterns_max", self.raw.traps.patterns_max),
            ("store.uncommitted_pages_max", self.raw.store.uncommitted_pages_max),
            ("fetch.tries", usize::from(self.raw.fetch.tries)),
        ];
        for (key, value) in at_least_one {
            if value == 0 {
                bail!("{key} must be at least 1 (set in {})", self.origin);
            }
        }
        if !["bm25", "pagerank", "blend"].contains(&self.raw.index.rank.as_str()) {
            bail!(
                "index.rank: {:?} is unknown; known are bm25, pagerank, blend (set in {})",
                self.raw.index.rank,
                self.origin
            );
        }
        if !["host", "domain"].contains(&self.raw.politeness.gate.as_str()) {
            bail!(
                "politeness.gate: {:?} is neither host nor domain (set in {})",
                self.raw.politeness.gate,
                self.origin
            );
        }
        if !["skip", "index"].contains(&self.raw.index.low_value.as_str()) {
            let value = &self.raw.index.low_value;
            bail!("index.low_value: {value:?} is neither skip nor index (set in {})", self.origin);
        }
        if !["skip", "crawl"].contains(&self.raw.traps.cgi.as_str()) {
            bail!("traps.cgi: {:?} is neither skip nor crawl (set in {})", self.raw.traps.cgi, self.origin);
        }
        if self.window_ms == 0 || self.window_start_ms + self.window_ms > 2 * 86_400_000 {
            bail!("politeness.window must be between 1ms and 24h (set in {})", self.origin);
        }
        if self.raw.agent.user_agent.chars().any(char::is_control)
            || self.raw.agent.contact.chars().any(char::is_control)
        {
            bail!(
                "agent.user_agent and agent.contact must not hold control characters (set in {})",
                self.origin
            );
        }
        Ok(())
    }
}

fn depth(text: &str) -> Result<Option<u16>, String> {
    match text {
        "unlimited" => Ok(None),
        number => number
            .parse()
            .map(Some)
            .map_err(|_| format!("{text:?} is neither a number up to 65535 nor \"unlimited\"")),
    }
}

fn filters(raw: &RawConfig, origin: &str) -> Result<Vec<(String, FilterExpression)>> {
    let mut out = Vec::new();
    for (name, text) in &raw.crawl.filters {
        let filter = FilterExpression::parse(text)
            .map_err(|why| anyhow!("crawl.filters.{name}: {why} (set in {origin})"))?;
        out.push((name.clone(), filter));
    }
    for path in &raw.crawl.filter_files {
        let text = std::fs::read_to_string(path).with_context(|| format!("reading filter file {path}"))?;
        out.extend(
            whimbrel_url::parse_filter_file(&text).map_err(|why| anyhow!("in filter file {path}: {why}"))?,
        );
    }
    Ok(out)
}

/// Kinds of links by their names.
fn embedded(names: &[String]) -> Result<Vec<LinkKind>> {
    let kind = |name: &String| match name.as_str() {
        "frame" | "iframe" => Ok(LinkKind::Frame),
        "refresh" => Ok(LinkKind::Refresh),
        "link" => Ok(LinkKind::Head),
        "image" => Ok(LinkKind::Image),
        other => bail!("{other:?} is none of frame, refresh, link, image"),
    };
    names.iter().map(kind).collect()
}

fn network(text: &str) -> Result<ipnet::IpNet, String> {
    text.parse::<ipnet::IpNet>()
        .or_else(|_| text.parse::<IpAddr>().map(ipnet::IpNet::from))
        .map_err(|_| format!("{text:?} is no network; write for example 10.0.0.0/8 or 127.0.0.1"))
}

fn resolve_override(text: &str) -> Result<(String, u16, IpAddr), String> {
    let wrong = || format!("{text:?} is not HOST:PORT:ADDRESS");
    let (host, rest) = text.split_once(':').ok_or_else(wrong)?;
    let (port, address) = rest.split_once(':').ok_or_else(wrong)?;
    let address = address.trim_start_matches('[').trim_end_matches(']');
    Ok((host.to_ascii_lowercase(), port.parse().map_err(|_| wrong())?, address.parse().map_err(|_| wrong())?))
}

#[cfg(test)]
mod tests;
