//! Progress on standard error: one line that renews itself on a terminal, a plain line every few seconds elsewhere.

use crate::engine::view::EngineView;
use crate::render::{count, duration, size};
use crate::station::{StationView, lock};
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How often a terminal line is renewed.
const RENEW: Duration = Duration::from_millis(250);
/// How often a plain line is printed.
const PLAIN_EVERY: u32 = 20;

/// Sites shown below the progress line.
const SITES_SHOWN: usize = 6;

/// Where progress goes.
#[derive(Clone, Debug)]
pub struct Progress {
    quiet: bool,
    terminal: bool,
}

impl Progress {
    pub fn new(quiet: bool) -> Progress {
        Progress { quiet, terminal: std::io::stderr().is_terminal() }
    }

    /// A sentence for the user.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.clear();
            eprintln!("{text}");
        }
    }

    /// Shows a run until it is aborted.
    pub async fn follow(
        self,
        engine: Arc<Mutex<EngineView>>,
        station: Arc<Mutex<StationView>>,
        limit: Option<u64>,
    ) {
        if self.quiet {
            return;
        }
        let mut round: u32 = 0;
        loop {
            tokio::time::sleep(RENEW).await;
            round = round.wrapping_add(1);
            if self.terminal || round.is_multiple_of(PLAIN_EVERY) {
                let lines = {
                    let (engine, station) = (lock(&engine), lock(&station));
                    let mut lines = vec![line(&engine, station.in_flight, limit)];
                    lines.extend(site_lines(&engine, &station));
                    lines
                };
                self.show(&lines);
            }
        }
    }

    /// Leaves the terminal clean.
    pub fn finish(&self) {
        if !self.quiet {
            self.clear();
        }
    }

    fn show(&self, lines: &[String]) {
        if !self.terminal {
            return eprintln!("{}", lines[0]);
        }
        let width = terminal_width().saturating_sub(1);
        let mut out = String::new();
        for line in lines {
            let cut: String = line.chars().take(width).collect();
            out.push_str(&format!("\r\x1b[2K{cut}\n"));
        }
        // Back to the first line, so that the next round writes over this one.
        eprint!("{out}\x1b[J\x1b[{}A", lines.len());
        let _ = std::io::stderr().flush();
    }

    fn clear(&self) {
        if self.terminal {
            eprint!("\r\x1b[J");
            let _ = std::io::stderr().flush();
        }
    }
}

/// The busiest sites, one line each.
fn site_lines(view: &EngineView, station: &StationView) -> Vec<String> {
    let mut sites: Vec<_> = view.sites.iter().filter(|site| site.state != "idle").collect();
    sites.sort_by_key(|site| (std::cmp::Reverse(site.queued), site.site.origin()));
    sites
        .iter()
        .take(SITES_SHOWN)
        .map(|site| {
            let opens = station.openings.get(&site.site.host).or(site.next.as_ref());
            let next = opens.map(|at| at.since_ms(view.at)).filter(|ms| *ms > 500);
            let next = next.map(|ms| format!("  next visit in {}", duration(ms))).unwrap_or_default();
            let name = site.site.origin();
            format!(
                "  {name:<40} {:<11} {:>8} pages {:>8} queued{next}",
                site.state,
                count(site.pages),
                count(site.queued)
            )
        })
        .collect()
}

fn line(view: &EngineView, in_flight: usize, limit: Option<u64>) -> String {
    let (rate, _) = view.rates();
    let summary = &view.summary;
    let errors: u64 = summary.errors.values().sum();
    let of = limit.map(|limit| format!(" of {}", count(limit))).unwrap_or_default();
    let busy = view.sites.iter().filter(|site| site.state == "crawling").count();
    let mut line = format!(
        "{}{of} pages  {rate:.1}/s  {}  queue {}  in flight {in_flight}  errors {errors}  sites {busy}/{}",
        count(summary.pages),
        size(summary.bytes),
        count(view.queued()),
        view.sites.len(),
    );
    if let Some(estimate) = view.estimate(limit) {
        line.push_str(&format!("  about {} left ({})", duration(estimate.left_ms), estimate.bound));
    }
    line
}

fn terminal_width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).or_else(width_of_stderr).unwrap_or(100)
}

#[expect(unsafe_code, reason = "the terminal's width can only be asked through ioctl")]
fn width_of_stderr() -> Option<usize> {
    // SAFETY: the kernel fills the struct it is given; a failure is told by the return value.
    let mut size: libc::winsize = unsafe { std::mem::zeroed() };
    let asked = unsafe { libc::ioctl(libc::STDERR_FILENO, libc::TIOCGWINSZ, &raw mut size) };
    (asked == 0 && size.ws_col > 0).then_some(usize::from(size.ws_col))
}
