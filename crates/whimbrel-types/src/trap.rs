//! What is known of the patterns of URLs that a site makes without end, and what the operator said about them.

use crate::key::{UrlId, UrlKey};
use crate::site::Site;
use crate::time::Timestamp;
use crate::url::CanonicalUrl;
use serde::{Deserialize, Serialize};

/// The pattern of a row that is about a whole site.
pub const WHOLE_SITE: &str = "/*";

/// How many URLs of a pattern are kept to show what it is.
pub const TRAP_EXAMPLES_MAX: usize = 5;

/// Where a pattern stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TrapState {
    /// Within its budget.
    Watched,
    /// Its budget is used up: what it makes of itself is refused.
    Stopped,
    /// A site with unusually many URLs: told, not cut.
    Reported,
}

impl TrapState {
    /// Name in `status` and `traps`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            TrapState::Watched => "watched",
            TrapState::Stopped => "stopped",
            TrapState::Reported => "reported",
        }
    }
}

/// One pattern of URLs on one site, and what it has used of its budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrapRecord {
    /// The site.
    pub site: Site,
    /// The pattern, as people read and type it.
    pub pattern: String,
    /// Where it stands.
    pub state: TrapState,
    /// Since when.
    pub since: Timestamp,
    /// Nearest depth at which a URL of it was met.
    pub depth_min: u16,
    /// URLs admitted because pages of other patterns lead to them.
    pub members: u64,
    /// URLs admitted because pages of the pattern itself lead to them.
    pub extended: u64,
    /// What those cost so far.
    pub charge: u64,
    /// Pages of it that led to new pages of other patterns.
    pub productive: u64,
    /// Pages of it that were stored.
    pub stored: u64,
    /// Pages of it that were copies, dead, or without value.
    pub poor: u64,
    /// Links that were refused; a link counts each time it is met.
    pub refused: u64,
    /// A few of its URLs, the newest last.
    pub examples: Vec<CanonicalUrl>,
}

impl TrapRecord {
    /// A pattern just met.
    #[must_use]
    pub fn met(site: Site, pattern: String, depth: u16, now: Timestamp) -> TrapRecord {
        TrapRecord {
            site,
            pattern,
            state: TrapState::Watched,
            since: now,
            depth_min: depth,
            members: 0,
            extended: 0,
            charge: 0,
            productive: 0,
            stored: 0,
            poor: 0,
            refused: 0,
            examples: Vec::new(),
        }
    }

    /// Key of the row: the site, and the identity of the pattern within it.
    #[must_use]
    pub fn key(&self) -> UrlKey {
        UrlKey { site: self.site.key(), url: UrlId::of(&self.pattern) }
    }

    /// URLs admitted in all.
    #[must_use]
    pub fn admitted(&self) -> u64 {
        self.members + self.extended
    }

    /// Keeps a URL as an example; the oldest makes room.
    pub fn show(&mut self, url: &CanonicalUrl) {
        if self.examples.contains(url) {
            return;
        }
        if self.examples.len() >= TRAP_EXAMPLES_MAX {
            self.examples.remove(0);
        }
        self.examples.push(url.clone());
    }
}

/// What the operator wants of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TrapVerdict {
    /// Not to be visited.
    Exclude,
    /// To be visited without a budget.
    Allow,
    /// To be treated as if nothing had been said, with a new budget.
    Reset,
}

impl TrapVerdict {
    /// The word on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            TrapVerdict::Exclude => "exclude",
            TrapVerdict::Allow => "allow",
            TrapVerdict::Reset => "reset",
        }
    }

    /// From the word on the command line.
    #[must_use]
    pub fn from_word(word: &str) -> Option<TrapVerdict> {
        [TrapVerdict::Exclude, TrapVerdict::Allow, TrapVerdict::Reset]
            .into_iter()
            .find(|verdict| verdict.as_str() == word)
    }
}

/// What the operator said about a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrapRule {
    /// On which site; `None` for all.
    pub site: Option<Site>,
    /// The pattern as typed, in normal form.
    pub pattern: String,
    /// What is wanted.
    pub verdict: TrapVerdict,
    /// When it was said.
    pub at: Timestamp,
    /// Links of stored pages are still to be looked at again for what was refused before.
    pub unsettled: bool,
}

impl TrapRule {
    /// Key of the row: one per site and pattern.
    #[must_use]
    pub fn key(&self) -> UrlId {
        UrlId::of(&self.to_string())
    }
}

/// `https://host/pattern`, or the pattern alone when it is for all sites.
impl std::fmt::Display for TrapRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.site {
            Some(site) => write!(f, "{site}{}", self.pattern),
            None => f.write_str(&self.pattern),
        }
    }
}
