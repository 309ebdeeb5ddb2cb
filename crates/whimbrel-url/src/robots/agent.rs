//! One agent's rules in the order of their say. Built once per site, asked for every link.
//! Invariant: the verdict is that of the longest matching rule, Allow first among equals, whatever the number of
//! rules: plain prefixes are looked up by length, only patterns with wildcards are tried one after the other.

use super::pattern::normal_path;
use super::{MatchedRule, RobotsVerdict, Rule};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// What a robots.txt says to one agent.
#[derive(Clone, Debug, Default)]
pub struct AgentRules {
    /// Longest first, Allow first among equals.
    rules: Vec<Rule>,
    /// Plain prefixes, to their place in `rules`.
    literals: FxHashMap<Box<str>, usize>,
    /// Lengths that occur among `literals`.
    literal_lengths: Vec<usize>,
    /// Places in `rules` of the patterns with wildcards, in order.
    wildcards: Vec<usize>,
    crawl_delay_ms: Option<u64>,
}

impl AgentRules {
    pub(super) fn new(rules: impl Iterator<Item = Rule>, crawl_delay_ms: Option<u64>) -> AgentRules {
        let mut rules: Vec<Rule> = rules.collect();
        rules.sort_by_key(|rule| (Reverse(rule.pattern.length()), !rule.allow));
        let mut out = AgentRules { crawl_delay_ms, ..AgentRules::default() };
        for (place, rule) in rules.iter().enumerate() {
            match rule.pattern.as_literal() {
                Some(text) => {
                    out.literal_lengths.push(text.len());
                    out.literals.entry(text.into()).or_insert(place);
                }
                None => out.wildcards.push(place),
            }
        }
        out.literal_lengths.sort_unstable();
        out.literal_lengths.dedup();
        out.rules = rules;
        out
    }

    /// Whether `path_and_query` may be requested.
    #[must_use]
    pub fn verdict(&self, path_and_query: &str) -> RobotsVerdict {
        let path = normal_path(path_and_query);
        if path.split_once('?').map_or(&*path, |(path, _)| path) == "/robots.txt" {
            return RobotsVerdict { allowed: true, rule: None };
        }
        let literal = self.longest_literal(&path);
        // Order in `rules` is order of say, so patterns behind the best literal need no try.
        let wildcard = self
            .wildcards
            .iter()
            .take_while(|place| literal.is_none_or(|best| **place < best))
            .find(|place| self.rules[**place].pattern.matches(&path))
            .copied();
        match wildcard.or(literal).map(|place| &self.rules[place]) {
            Some(rule) => RobotsVerdict {
                allowed: rule.allow,
                rule: Some(MatchedRule { line: rule.line, text: rule.text.clone() }),
            },
            None => RobotsVerdict { allowed: true, rule: None },
        }
    }

    /// The delay between two requests that the site asks for.
    #[must_use]
    pub fn crawl_delay_ms(&self) -> Option<u64> {
        self.crawl_delay_ms
    }

    fn longest_literal(&self, path: &str) -> Option<usize> {
        let prefixes = self.literal_lengths.iter().filter_map(|length| path.get(..*length));
        // The first in order of say: `/a**` is longer than `/ab`, though its prefix is shorter.
        prefixes.filter_map(|prefix| self.literals.get(prefix)).min().copied()
    }
}

/// What robots rules are matched against, of a URL in any spelling: path and query, `/` when there are none.
#[must_use]
pub fn path_of(url: &str) -> String {
    let url = url.split_once('#').map_or(url, |(before, _)| before);
    let after_scheme = match url.split_once("//") {
        Some((before, rest)) if !before.contains(['/', '?']) => rest,
        _ => url,
    };
    match after_scheme.find(['/', '?']) {
        Some(at) if after_scheme[at..].starts_with('/') => after_scheme[at..].to_owned(),
        Some(at) => format!("/{}", &after_scheme[at..]),
        None => "/".to_owned(),
    }
}

/// Lower-case product token at the beginning of a `User-agent` value or of a full agent string; `*` for a lone
/// star (whatever markup follows it) and for nothing at all. Digits, dots and letters of any script count, as they
/// do in agents' real names.
pub(super) fn product_token(text: &str) -> String {
    let text = text.trim();
    let ends = |c: char| c.is_whitespace() || "/*;,()<>\"".contains(c);
    if text.is_empty() || text.strip_prefix('*').is_some_and(|rest| rest.is_empty() || rest.starts_with(ends))
    {
        return "*".to_owned();
    }
    text[..text.find(ends).unwrap_or(text.len())].to_lowercase()
}
