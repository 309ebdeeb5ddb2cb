//! What a robots.txt allows (RFC 9309): groups by product token, longest match, Allow wins ties.
//! Never fails: what is not understood is skipped, as the RFC asks. Beyond the RFC it accepts what the common
//! parsers share: a missing colon, frequent misspellings, `Allow: /x/index.html` for `/x/`, and `Crawl-delay`.
//! Invariant: `/robots.txt` itself is always allowed, and work is linear in the file and in the path.

mod agent;
mod check;
mod parse;
pub(crate) mod pattern;
mod status;

pub use agent::{AgentRules, path_of};
pub use check::{RobotsCheck, check};
pub use status::{ROBOTS_REDIRECTS_MAX, RobotsPolicy};

use agent::product_token;
use pattern::Pattern;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Bytes that are read; the RFC asks for at least this much.
pub const ROBOTS_BYTES_MAX: usize = 500 * 1024;

/// The rule that decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedRule {
    /// Its line, counted from 1.
    pub line: usize,
    /// The line without comment and surrounding white space.
    pub text: String,
}

/// Whether a path may be requested, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotsVerdict {
    /// May it be requested?
    pub allowed: bool,
    /// The longest matching rule; `None` when none matches.
    pub rule: Option<MatchedRule>,
}

/// A robots.txt that has been read.
#[derive(Clone, Debug, Default)]
pub struct RobotsRules {
    agents: FxHashMap<String, AgentGroups>,
    groups: Vec<Vec<Rule>>,
    delays_ms: Vec<Option<u64>>,
    sitemaps: Vec<String>,
}

/// Where the lines of one product token are. Rules and delays are grouped apart, since `Crawl-delay` must not
/// end a group of rules (RFC 9309 §2.2.4) while it speaks for the agents right above it only.
#[derive(Clone, Debug, Default)]
struct AgentGroups {
    rules: SmallVec<[u32; 2]>,
    delays: SmallVec<[u32; 2]>,
}

#[derive(Clone, Debug)]
struct Rule {
    allow: bool,
    pattern: Pattern,
    line: usize,
    text: String,
}

impl RobotsRules {
    /// Reads the first [`ROBOTS_BYTES_MAX`] bytes of a robots.txt in any encoding that agrees with ASCII.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> RobotsRules {
        parse::parse(bytes)
    }

    /// The rules for one agent, to be kept while its site is visited. `agent` is a product token such as
    /// `whimbrel`; of `whimbrel/2.0 (+url)` the token is taken.
    #[must_use]
    pub fn for_agent(&self, agent: &str) -> AgentRules {
        let chosen = self.groups_of(agent);
        let rules =
            chosen.iter().flat_map(|groups| groups.rules.iter()).flat_map(|i| &self.groups[*i as usize]);
        AgentRules::new(rules.cloned(), self.crawl_delay_ms(agent))
    }

    /// Whether `agent` may request `path_and_query`. For many paths, use [`RobotsRules::for_agent`].
    #[must_use]
    pub fn verdict(&self, agent: &str, path_and_query: &str) -> RobotsVerdict {
        self.for_agent(agent).verdict(path_and_query)
    }

    /// The longest `Crawl-delay` given to `agent`.
    #[must_use]
    pub fn crawl_delay_ms(&self, agent: &str) -> Option<u64> {
        let chosen = self.groups_of(agent)?;
        chosen.delays.iter().filter_map(|i| self.delays_ms[*i as usize]).max()
    }

    /// The `Sitemap` lines, as written.
    #[must_use]
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }

    /// Whose groups speak to `agent`: its own product token as the file is read, `*`, or nobody's.
    #[must_use]
    pub fn group_token(&self, agent: &str) -> Option<&str> {
        let own = self.agents.get_key_value(&product_token(agent));
        own.or_else(|| self.agents.get_key_value("*")).map(|(token, _)| token.as_str())
    }

    /// The agent's own groups; those of `*` only when it has none.
    fn groups_of(&self, agent: &str) -> Option<&AgentGroups> {
        self.agents.get(&product_token(agent)).or_else(|| self.agents.get("*"))
    }
}

#[cfg(test)]
mod tests;
