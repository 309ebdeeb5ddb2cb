//! From configuration to the rules of a collection: its seeds, its scope, its filters. The seeds of all runs are kept in
//! the store, so that the scope is the same for a run that goes on and for `explain`.

use crate::cli::{ExitCode, stop};
use crate::config::CheckedConfig;
use anyhow::{Context, Result, anyhow};
use whimbrel_store::Store;
use whimbrel_types::CanonicalUrl;
use whimbrel_url::{CgiPolicy, ScopeSet, TrapLimits, UrlRules};

/// Under which name the seeds are kept.
const SEEDS: &str = "seeds";

/// Under which name the crawl section of the last run is kept.
const CRAWL_SECTION: &str = "crawl_section";

/// Keeps what this run admits, flags included, so that `explain` judges by the same rules later.
pub fn keep_crawl_section(store: &Store, config: &CheckedConfig) -> Result<()> {
    let text = toml::to_string(&config.raw.crawl).context("keeping the crawl's rules")?;
    store.meta_put(CRAWL_SECTION, text.as_bytes()).context("keeping the crawl's rules")
}

/// The rules of the last run; those given where there was none.
pub fn with_crawl_section(store: &Store, config: CheckedConfig) -> Result<CheckedConfig> {
    let Some(bytes) = store.meta_get(CRAWL_SECTION).context("reading the crawl's rules")? else {
        return Ok(config);
    };
    let text = String::from_utf8(bytes).context("reading the crawl's rules")?;
    let mut raw = config.raw.clone();
    raw.crawl = toml::from_str(&text).context("reading the crawl's rules")?;
    crate::config::checked::check(raw, config.origin)
}

/// An error of the configuration, with its exit code.
pub fn configuration_error(error: anyhow::Error) -> anyhow::Error {
    stop(ExitCode::Configuration, format!("{error:#}"))
}

/// Seeds of earlier runs.
pub fn stored_seeds(store: &Store) -> Result<Vec<CanonicalUrl>> {
    let bytes = store.meta_get(SEEDS).context("reading the seeds")?.unwrap_or_default();
    let text = String::from_utf8(bytes).context("reading the seeds")?;
    Ok(text.lines().filter_map(CanonicalUrl::from_canonical).collect())
}

/// Adds seeds to those of earlier runs and gives all of them.
pub fn add_seeds(store: &Store, new: &[CanonicalUrl]) -> Result<Vec<CanonicalUrl>> {
    let mut all = stored_seeds(store)?;
    let before = all.len();
    for seed in new {
        if !all.contains(seed) {
            all.push(seed.clone());
        }
    }
    if all.len() > before {
        let text: String = all.iter().map(|url| format!("{url}\n")).collect();
        store.meta_put(SEEDS, text.as_bytes()).context("keeping the seeds")?;
    }
    Ok(all)
}

/// Scope and filters.
pub fn url_rules(config: &CheckedConfig, seeds: &[CanonicalUrl]) -> Result<UrlRules> {
    let crawl = &config.raw.crawl;
    let mut rules = UrlRules {
        url_bytes_max: config.raw.limits.url_bytes_max,
        scope: ScopeSet::new(config.scope, seeds),
        include: config.include.clone(),
        exclude: config.exclude.clone(),
        filters: config.filters.clone(),
        traps: trap_limits(config),
        depth_max: config.depth_max,
        ..UrlRules::default()
    };
    let plain = |text: &String| text.trim_start_matches("*.").trim_start_matches('.').to_ascii_lowercase();
    rules.deny_extensions.extend(crawl.deny_extensions.iter().map(plain));
    rules.allow_extensions.extend(crawl.allow_extensions.iter().map(plain));
    for kind in &crawl.deny_types {
        rules.deny(kind).map_err(|why| configuration_error(anyhow!("crawl.deny_types: {kind:?}: {why}")))?;
    }
    Ok(rules)
}

fn trap_limits(config: &CheckedConfig) -> TrapLimits {
    let raw = &config.raw.traps;
    TrapLimits {
        cgi: if raw.cgi == "crawl" { CgiPolicy::Crawl } else { CgiPolicy::Skip },
        repeated_segments_max: raw.repeated_segments_max,
        path_segments_max: raw.path_segments_max,
        parameters_max: raw.parameters_max,
    }
}

/// Start URLs as people write them: `example.org` is `https://example.org/`, lines of a file may hold comments.
pub fn seed_url(text: &str) -> Result<CanonicalUrl> {
    let text = text.trim();
    let with_scheme = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    whimbrel_url::normalize(&with_scheme)
        .map_err(|reason| stop(ExitCode::Usage, format!("{text:?} is no URL that can be crawled: {reason}")))
}

/// Start URLs of a file: one per line, empty lines and `#` comments left out. `-` is standard input.
pub fn seed_file(path: &str) -> Result<Vec<CanonicalUrl>> {
    let text = if path == "-" {
        std::io::read_to_string(std::io::stdin()).context("reading seeds from standard input")?
    } else {
        std::fs::read_to_string(path)
            .map_err(|error| stop(ExitCode::Usage, format!("cannot read the seed file {path}: {error}")))?
    };
    let lines = text.lines().map(|line| line.split(" #").next().unwrap_or("").trim());
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(seed_url).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_taken_as_people_write_them() {
        assert_eq!(seed_url("example.org/a").unwrap().as_str(), "https://example.org/a");
        assert_eq!(seed_url("http://127.0.0.1:80").unwrap().as_str(), "http://127.0.0.1/");
        assert!(seed_url("mailto://x").is_err());
    }
}
