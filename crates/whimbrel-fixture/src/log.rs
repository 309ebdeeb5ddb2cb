//! The access log: one entry per request, in memory and, where asked, as JSON lines in a file.
//! It judges a crawler from outside, so it is exact: an entry is written before the last byte of its answer
//! is handed over, and a client that has the answer finds the entry. Each line is one write and no buffer
//! stands between, so the file is whole after kill -9 of anyone.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// One request and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AccessEntry {
    /// Order of arrival over all sites, from 0.
    pub sequence: u64,
    /// Name of the site.
    pub site: String,
    /// The `Host` header.
    pub host: String,
    /// `GET`, `HEAD`, …
    pub method: String,
    /// Path and query as sent.
    pub path: String,
    /// Status sent; 0 when none was.
    pub status: u16,
    /// Bytes of body sent, after content coding.
    pub bytes: u64,
    /// Whether the whole answer was handed over.
    pub complete: bool,
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
    /// The `If-None-Match` header.
    pub if_none_match: Option<String>,
    /// The `If-Modified-Since` header.
    pub if_modified_since: Option<String>,
    /// The `Accept-Encoding` header.
    pub accept_encoding: Option<String>,
    /// Which connection it came by, from 0 over all sites.
    pub connection: u64,
    /// Wall clock at arrival, milliseconds since 1970.
    pub at_ms: u64,
    /// Arrival in milliseconds since the server started, by a clock that never jumps.
    pub start_ms: f64,
    /// When the last byte was handed over, by the same clock.
    pub end_ms: f64,
}

/// Reads a log file, in order of arrival. A last line that is still being written is left out.
///
/// # Errors
/// When the file cannot be read, or a line that is not the last is no entry.
pub fn read_log(file: &Path) -> io::Result<Vec<AccessEntry>> {
    let text = std::fs::read_to_string(file)?;
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut entries = whole
        .lines()
        .map(|line| serde_json::from_str(line).map_err(io::Error::from))
        .collect::<io::Result<Vec<AccessEntry>>>()?;
    entries.sort_by_key(|entry| (entry.at_ms, entry.sequence));
    Ok(entries)
}

/// The shortest time from one arrival to the next among entries that `belongs` picks; `None` below two.
pub fn smallest_gap_ms(entries: &[AccessEntry], belongs: impl Fn(&AccessEntry) -> bool) -> Option<f64> {
    let mut starts: Vec<f64> =
        entries.iter().filter(|entry| belongs(entry)).map(|entry| entry.start_ms).collect();
    starts.sort_by(f64::total_cmp);
    starts.windows(2).map(|pair| pair[1] - pair[0]).min_by(f64::total_cmp)
}

/// The most requests that were under way at one moment among entries that `belongs` picks.
pub fn requests_at_once_max(entries: &[AccessEntry], belongs: impl Fn(&AccessEntry) -> bool) -> usize {
    let mut edges: Vec<(f64, i32)> = entries
        .iter()
        .filter(|entry| belongs(entry))
        .flat_map(|entry| [(entry.start_ms, 1), (entry.end_ms.max(entry.start_ms), -1)])
        .collect();
    // At one and the same moment an end comes before a start: back to back is not at once.
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut now, mut most) = (0_i32, 0_i32);
    for (_, step) in edges {
        now += step;
        most = most.max(now);
    }
    usize::try_from(most).unwrap_or(0)
}

/// How often each path was asked, by `(site, path)`.
#[must_use]
pub fn requests_per_path(entries: &[AccessEntry]) -> BTreeMap<(String, String), usize> {
    let mut counts = BTreeMap::new();
    for entry in entries {
        *counts.entry((entry.site.clone(), entry.path.clone())).or_insert(0) += 1;
    }
    counts
}

/// Where entries are gathered.
#[derive(Debug)]
pub(crate) struct AccessLog {
    started: Instant,
    gathered: Mutex<Gathered>,
}

#[derive(Debug)]
struct Gathered {
    entries: Vec<AccessEntry>,
    file: Option<File>,
}

impl AccessLog {
    /// A log that is also written to `file`, after what stands there already.
    pub(crate) fn open(file: Option<&Path>) -> io::Result<AccessLog> {
        let file = file.map(|path| OpenOptions::new().create(true).append(true).open(path)).transpose()?;
        Ok(AccessLog {
            started: Instant::now(),
            gathered: Mutex::new(Gathered { entries: Vec::new(), file }),
        })
    }

    /// Milliseconds since the log was opened.
    pub(crate) fn now_ms(&self) -> f64 {
        // Whole microseconds, so that the number survives its way through JSON.
        self.started.elapsed().as_micros() as f64 / 1000.0
    }

    /// Milliseconds since 1970.
    pub(crate) fn wall_ms() -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |past| past.as_millis() as u64)
    }

    /// Adds an entry.
    pub(crate) fn record(&self, entry: AccessEntry) {
        let mut gathered = self.lock();
        if let Some(file) = &mut gathered.file
            && let Ok(mut line) = serde_json::to_vec(&entry)
        {
            line.push(b'\n');
            if let Err(problem) = file.write_all(&line) {
                // A judge without its evidence must not pass anyone: say so where a test shows it.
                eprintln!("cannot write the access log: {problem}");
            }
        }
        gathered.entries.push(entry);
    }

    /// All entries in order of arrival.
    pub(crate) fn entries(&self) -> Vec<AccessEntry> {
        let mut entries = self.lock().entries.clone();
        entries.sort_by_key(|entry| entry.sequence);
        entries
    }

    /// Forgets the entries in memory; the file stays.
    pub(crate) fn clear(&self) {
        self.lock().entries.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Gathered> {
        // Entries are pushed whole, so a panic elsewhere leaves nothing half done.
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
