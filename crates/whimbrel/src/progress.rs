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

/// Where progress goes.
#[derive(Clone, Debug)]
pub struct Progress {
    quiet: bool,
    terminal: bool,
}

impl Progress {
    pub fn new(quiet: bool, no_color: bool) -> Progress {
        let _ = no_color;
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
    pub async fn follow(self, engine: Arc<Mutex<EngineView>>, station: Arc<Mutex<StationView>>, limit: Option<u64>) {
        if self.quiet {
            return;
        }
        let mut round: u32 = 0;
        loop {
            tokio::time::sleep(RENEW).await;
            round = round.wrapping_add(1);
            if self.terminal || round.is_multiple_of(PLAIN_EVERY) {
                let line = line(&lock(&engine), lock(&station).in_flight, limit);
                self.show(&line);
            }
        }
    }

    /// Leaves the terminal clean.
    pub fn finish(&self) {
        if !self.quiet {
            self.clear();
        }
    }

    fn show(&self, line: &str) {
        if self.terminal {
            let width = terminal_width();
            let cut: String = line.chars().take(width.saturating_sub(1)).collect();
            eprint!("\r\x1b[2K{cut}");
            let _ = std::io::stderr().flush();
        } else {
            eprintln!("{line}");
        }
    }

    fn clear(&self) {
        if self.terminal {
            eprint!("\r\x1b[2K");
            let _ = std::io::stderr().flush();
        }
    }
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
    let asleep: Vec<String> = view
        .sites
        .iter()
        .filter(|site| matches!(site.state, "unreachable" | "skipped" | "asking"))
        .take(3)
        .map(|site| format!("{} {}", site.site.host, site.state))
        .collect();
    if !asleep.is_empty() {
        line.push_str(&format!("  [{}]", asleep.join(", ")));
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
