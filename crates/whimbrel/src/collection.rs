//! A data directory and who may touch it: one process owns it; everybody else asks that process through `control.sock`.

use crate::cli::{ExitCode, stop};
use crate::config::CheckedConfig;
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use whimbrel_store::{Error, OpenReport, Store, StoreOptions};

/// How long a reader waits for another reader to let go.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where the index lies.
pub fn index_dir(data: &Path) -> PathBuf {
    data.join("index")
}

/// Where the link scores lie.
pub fn score_file(data: &Path) -> PathBuf {
    data.join("rank").join("pagerank.bin")
}

/// Opens the store for a crawl.
pub fn open_to_crawl(data: &Path, config: &CheckedConfig) -> Result<(Store, OpenReport)> {
    patiently(data, || Store::open(data, options(config)))
}

/// Opens an existing store to read it.
pub fn open_to_read(data: &Path, config: &CheckedConfig) -> Result<Store> {
    let (store, report) = patiently(data, || Store::open_existing(data, options(config)))?;
    for warning in report.warnings() {
        eprintln!("whimbrel: warning: {warning}");
    }
    Ok(store)
}

/// Tries again for a little while when somebody else is just reading; a running crawl is not waited for.
fn patiently<T>(data: &Path, open: impl Fn() -> Result<T, Error>) -> Result<T> {
    let begun = Instant::now();
    loop {
        match open() {
            Err(Error::InUse { .. }) if begun.elapsed() < PATIENCE && !crate::control::is_served(data) => {
                std::thread::sleep(Duration::from_millis(50));
            }
            other => return other.map_err(explain),
        }
    }
}

fn explain(error: Error) -> anyhow::Error {
    let code = match &error {
        Error::InUse { .. } => ExitCode::InUse,
        Error::DiskFull { .. } => ExitCode::DiskFull,
        _ => ExitCode::Failed,
    };
    stop(code, error.to_string())
}

fn options(config: &CheckedConfig) -> StoreOptions {
    let raw = &config.raw.store;
    let limit = |bytes: u64| (bytes > 0).then_some(bytes);
    StoreOptions {
        warc_file_bytes_max: config.warc_file_bytes_max,
        group_commit_ms: config.group_commit_ms,
        group_commit_bytes: config.group_commit_bytes,
        uncommitted_pages_max: raw.uncommitted_pages_max,
        warc_info: vec![
            ("software".into(), format!("whimbrel/{}", env!("CARGO_PKG_VERSION"))),
            ("format".into(), "WARC File Format 1.1".into()),
            ("robots".into(), "classic".into()),
            ("http-header-user-agent".into(), config.user_agent()),
        ],
        keep_versions: raw.keep_versions,
        keep_days: raw.keep_days,
        disk_bytes_max: limit(config.disk_bytes_max),
        disk_free_bytes_min: config.disk_free_min,
        cache_bytes: config.cache_bytes,
        anchors_max: config.raw.limits.anchors_max,
        ..StoreOptions::default()
    }
}
