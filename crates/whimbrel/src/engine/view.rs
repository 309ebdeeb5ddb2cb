//! What a running crawl shows of itself: the progress line and `status` read it, the engine's thread writes it.

use crate::render::plural;
use serde_json::{Value, json};
use whimbrel_plan::engine::{SiteProgress, Summary};
use whimbrel_types::Timestamp;

/// How often it is renewed.
const RENEW_MS: u64 = 200;
/// Over how long the rate is taken.
const RATE_WINDOW_MS: u64 = 10_000;

/// A snapshot of the engine.
#[derive(Debug, Default)]
pub struct EngineView {
    pub at: Timestamp,
    pub started: Timestamp,
    pub summary: Summary,
    pub sites: Vec<SiteProgress>,
    samples: Vec<(Timestamp, u64, u64)>,
}

/// Why the crawl is not done yet.
#[derive(Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Milliseconds left.
    pub left_ms: u64,
    /// What bounds it.
    pub bound: String,
}

impl EngineView {
    /// A view of a run that begins.
    pub fn new(started: Timestamp) -> EngineView {
        EngineView { started, ..EngineView::default() }
    }

    pub fn is_stale(&self, at: Timestamp) -> bool {
        at.since_ms(self.at) >= RENEW_MS
    }

    pub fn update(&mut self, at: Timestamp, summary: &Summary, sites: Vec<SiteProgress>) {
        self.at = at;
        self.samples.push((at, summary.pages, summary.fetches));
        let keep_from = at.0.saturating_sub(RATE_WINDOW_MS);
        self.samples.retain(|(when, ..)| when.0 >= keep_from);
        self.summary = summary.clone();
        self.sites = sites;
    }

    /// Pages and visits per second over the last seconds.
    pub fn rates(&self) -> (f64, f64) {
        let (Some(first), Some(last)) = (self.samples.first(), self.samples.last()) else {
            return (0.0, 0.0);
        };
        let seconds = last.0.since_ms(first.0) as f64 / 1000.0;
        if seconds < 0.2 {
            return (0.0, 0.0);
        }
        ((last.1 - first.1) as f64 / seconds, (last.2 - first.2) as f64 / seconds)
    }

    pub fn queued(&self) -> u64 {
        self.sites.iter().map(|site| site.queued).sum()
    }

    /// Time left and its cause: the site with the most to do at its own pace, or what the machine gets through.
    pub fn estimate(&self, limit: Option<u64>) -> Option<Estimate> {
        let slowest = self
            .sites
            .iter()
            .filter(|site| site.state == "crawling" || site.state == "waiting")
            .map(|site| (site.queued.saturating_mul(site.delay_ms), site))
            .max_by_key(|(ms, _)| *ms)?;
        let (_, rate) = self.rates();
        let by_rate = if rate > 0.0 { (self.queued() as f64 / rate * 1000.0) as u64 } else { 0 };
        let busy = self.sites.iter().filter(|site| site.state == "crawling").count();
        let mut estimate = if slowest.0 >= by_rate {
            let seconds = slowest.1.delay_ms as f64 / 1000.0;
            Estimate {
                left_ms: slowest.0,
                bound: format!("{}, {seconds} s between visits", plural(busy as u64, "site", "sites")),
            }
        } else {
            Estimate { left_ms: by_rate, bound: format!("{rate:.0} visits/s") }
        };
        if let Some(left) = limit.map(|limit| limit.saturating_sub(self.summary.pages)) {
            let (pages, _) = self.rates();
            if pages > 0.0 {
                let by_limit = (left as f64 / pages * 1000.0) as u64;
                if by_limit < estimate.left_ms {
                    estimate = Estimate {
                        left_ms: by_limit,
                        bound: format!("{} to the limit", plural(left, "page", "pages")),
                    };
                }
            }
        }
        (estimate.left_ms > 0).then_some(estimate)
    }

    /// For `status` of a running crawl.
    pub fn to_json(&self, limit: Option<u64>) -> Value {
        let (pages, visits) = self.rates();
        let estimate = self.estimate(limit);
        json!({
            "started": self.started.to_string(),
            "pages": self.summary.pages,
            "fetches": self.summary.fetches,
            "bytes": self.summary.bytes,
            "duplicates": self.summary.duplicates,
            "errors": self.summary.errors,
            "rejected": self.summary.rejected,
            "limits": self.summary.limits,
            "queued": self.queued(),
            "pages_per_second": (pages * 10.0).round() / 10.0,
            "visits_per_second": (visits * 10.0).round() / 10.0,
            "seconds_left": estimate.as_ref().map(|e| e.left_ms / 1000),
            "bound_by": estimate.map(|e| e.bound),
            "sites": self.sites.iter().map(site_json).collect::<Vec<_>>(),
        })
    }
}

fn site_json(site: &SiteProgress) -> Value {
    json!({
        "site": site.site.origin(),
        "state": site.state,
        "pages": site.pages,
        "queued": site.queued,
        "in_flight": site.in_flight,
        "delay_seconds": site.delay_ms as f64 / 1000.0,
        "next": site.next.map(|at| at.to_string()),
    })
}
