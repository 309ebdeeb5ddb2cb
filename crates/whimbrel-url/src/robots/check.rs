//! Everything a robots.txt says to one agent about one URL, in one call: for testers of robots files.
//! Never fetches; which file speaks for which URL is the caller's to know.

use super::{MatchedRule, RobotsRules, path_of};
use crate::parse_url::ParsedUrl;

/// What a robots.txt says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotsCheck {
    /// May the URL be requested?
    pub allowed: bool,
    /// The rule that decided; `None` when none matches.
    pub rule: Option<MatchedRule>,
    /// Least time between two requests that the agent is asked for.
    pub crawl_delay_ms: Option<u64>,
    /// The `Sitemap` lines, in order.
    pub sitemaps: Vec<String>,
}

/// Reads `robots_txt` as `user_agent` (product token or whole header value) about to request `url`.
#[must_use]
pub fn check(robots_txt: &[u8], user_agent: &str, url: &str) -> RobotsCheck {
    let rules = RobotsRules::parse(robots_txt);
    let verdict = rules.verdict(user_agent, &path_of(url));
    RobotsCheck {
        allowed: verdict.allowed,
        rule: verdict.rule,
        crawl_delay_ms: rules.crawl_delay_ms(user_agent),
        sitemaps: rules.sitemaps().to_vec(),
    }
}

impl RobotsRules {
    /// The `Sitemap` lines as URLs: absolute ones as written, others as seen from where the file lies (RFC 9309
    /// leaves them open, sites write them). What is no http URL is left out.
    pub fn sitemap_urls(&self, robots_url: &str) -> Vec<String> {
        let base = ParsedUrl::parse(robots_url);
        let is_web = |url: &ParsedUrl| matches!(url.scheme(), "http" | "https");
        let absolute = |text: &String| {
            if ParsedUrl::parse(text).as_ref().is_some_and(is_web) {
                return Some(text.clone());
            }
            let url = base.as_ref()?.join(text).filter(is_web)?;
            Some(url.href().to_owned())
        };
        self.sitemaps().iter().filter_map(absolute).collect()
    }
}
