//! What the answer to a request for /robots.txt means before it is read (RFC 9309 §2.3.1). Never parses.

use serde::{Deserialize, Serialize};

/// Redirects in a row that are followed to a robots.txt, across hosts if need be (RFC 9309 §2.3.1.2). Its rules are
/// those of the site that was asked, wherever the file was found.
pub const ROBOTS_REDIRECTS_MAX: usize = 5;

/// What to do after /robots.txt was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RobotsPolicy {
    /// There is a body: its rules hold.
    Parse,
    /// The site has no rules.
    AllowAll,
    /// Unknown: visit nothing, ask again later.
    DisallowAllRetry,
}

impl RobotsPolicy {
    /// From the final status after redirects; `None` when no answer came (time-out, no such host, refused).
    /// 429 is a plea to stay away, not the absence of rules. A redirect that leads nowhere counts as
    /// "unavailable", as the RFC has it.
    #[must_use]
    pub fn of_status(status: Option<u16>) -> RobotsPolicy {
        match status {
            Some(200..=299) => RobotsPolicy::Parse,
            Some(429) => RobotsPolicy::DisallowAllRetry,
            Some(300..=499) => RobotsPolicy::AllowAll,
            _ => RobotsPolicy::DisallowAllRetry,
        }
    }

    /// From a chain of redirects and the status at its end. A chain that is too long counts as "unavailable",
    /// whatever might have come after it.
    #[must_use]
    pub fn of_fetch(redirects: usize, status: Option<u16>) -> RobotsPolicy {
        if redirects > ROBOTS_REDIRECTS_MAX {
            RobotsPolicy::AllowAll
        } else {
            RobotsPolicy::of_status(status)
        }
    }

    /// Name in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            RobotsPolicy::Parse => "parse",
            RobotsPolicy::AllowAll => "allow_all",
            RobotsPolicy::DisallowAllRetry => "disallow_all_retry",
        }
    }
}
