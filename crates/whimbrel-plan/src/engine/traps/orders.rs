//! What the operator said about patterns: excluded, allowed, or to begin anew. The longest pattern that covers a URL
//! decides, one for its site before one for all. An order that opens something has the links of stored pages looked at
//! again; until that is done it is `unsettled`, so that a crash or an order given between two runs forgets nothing.

use super::Engine;
use crate::engine::Action;
use std::collections::BTreeMap;
use whimbrel_types::{
    Batch, CanonicalUrl, SiteKey, Timestamp, TrapRecord, TrapRule, TrapState, TrapVerdict, UrlId, Write,
};
use whimbrel_url::UrlPattern;

/// What came of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ordered {
    /// The rule as it stands now.
    pub rule: TrapRule,
    /// Sites whose stored pages are looked at again.
    pub sites: usize,
    /// Stopped patterns that go on.
    pub lifted: usize,
}

#[derive(Debug)]
struct Entry {
    rule: TrapRule,
    site: Option<SiteKey>,
    pattern: UrlPattern,
}

/// All orders.
#[derive(Debug, Default)]
pub(in crate::engine) struct TrapRules {
    entries: BTreeMap<UrlId, Entry>,
    unsettled: bool,
}

impl TrapRules {
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The order that holds for a URL, and its pattern.
    pub fn verdict(
        &self,
        site: SiteKey,
        url: &CanonicalUrl,
        own: &UrlPattern,
    ) -> Option<(TrapVerdict, &str)> {
        self.strongest(site, url, own).map(|entry| (entry.rule.verdict, entry.rule.pattern.as_str()))
    }

    fn strongest(&self, site: SiteKey, url: &CanonicalUrl, own: &UrlPattern) -> Option<&Entry> {
        let holds = |entry: &&Entry| {
            entry.rule.verdict != TrapVerdict::Reset
                && entry.site.is_none_or(|of| of == site)
                && entry.pattern.covers(url, own)
        };
        let strength = |entry: &&Entry| (entry.pattern.as_str().len(), entry.site.is_some());
        self.entries.values().filter(holds).max_by_key(strength)
    }

    pub fn excludes(&self, site: SiteKey, url: &CanonicalUrl) -> bool {
        !self.is_empty()
            && self
                .verdict(site, url, &UrlPattern::of(url))
                .is_some_and(|(said, _)| said == TrapVerdict::Exclude)
    }

    fn put(&mut self, rule: TrapRule) {
        // What cannot be read was checked when it was typed; a rule of a later version covers nothing.
        let Ok(pattern) = UrlPattern::parse(&rule.pattern) else { return };
        self.unsettled |= rule.unsettled;
        let site = rule.site.as_ref().map(|site| site.key());
        self.entries.insert(rule.key(), Entry { rule, site, pattern });
    }
}

impl Engine {
    /// The operator says something about a pattern. Takes effect with the next itinerary.
    pub fn order(&mut self, now: Timestamp, mut rule: TrapRule) -> Ordered {
        rule.at = now;
        rule.unsettled = rule.verdict != TrapVerdict::Exclude;
        let mut batch = Batch::default();
        let undone = |said: &TrapRule| undoes(&rule, said);
        for (key, _) in self.trap_rules.entries.extract_if(.., |_, entry| undone(&entry.rule)) {
            batch.writes.push(Write::RemoveTrapRule(key));
        }
        batch.writes.push(Write::PutTrapRule(Box::new(rule.clone())));
        self.trap_rules.put(rule.clone());
        let mut lifted = 0;
        for site in self.sites.values_mut() {
            lifted += site.traps.lift(&rule);
            batch.writes.extend(site.traps.take_writes());
        }
        self.commit(batch);
        let sites = if rule.unsettled { look_again(self, &rule) } else { 0 };
        Ordered { rule, sites, lifted }
    }
}

/// Whether a new order takes an older one back: a reset does, of the same pattern, on its site or on all.
#[must_use]
pub fn undoes(order: &TrapRule, said: &TrapRule) -> bool {
    order.verdict == TrapVerdict::Reset
        && said.pattern == order.pattern
        && (order.site.is_none() || order.site == said.site)
}

/// The record of a pattern after an order that opens it; `None` when the order is not about it. A reset gives a new
/// budget, too. A pattern with stars is about those whose examples it all covers.
#[must_use]
pub fn lifted(record: &TrapRecord, order: &TrapRule) -> Option<TrapRecord> {
    let is_about_site = order.site.as_ref().is_none_or(|site| *site == record.site);
    if order.verdict == TrapVerdict::Exclude || !is_about_site || record.state == TrapState::Reported {
        return None;
    }
    if record.pattern != order.pattern {
        let typed = UrlPattern::parse(&order.pattern).ok().filter(UrlPattern::is_glob)?;
        let covers = |url: &CanonicalUrl| typed.covers(url, &UrlPattern::of(url));
        (!record.examples.is_empty() && record.examples.iter().all(covers)).then_some(())?;
    }
    let mut open = TrapRecord { state: TrapState::Watched, ..record.clone() };
    if order.verdict == TrapVerdict::Reset {
        // The next one met is the first.
        open = TrapRecord::met(record.site.clone(), record.pattern.clone(), u16::MAX, order.at);
        open.examples.clone_from(&record.examples);
    }
    Some(open)
}

/// What the operator said about a URL: the order that holds.
#[must_use]
pub fn said_about(rules: &[TrapRule], url: &CanonicalUrl) -> Option<TrapRule> {
    let mut all = TrapRules::default();
    rules.iter().for_each(|rule| all.put(rule.clone()));
    all.strongest(url.site_key(), url, &UrlPattern::of(url)).map(|entry| entry.rule.clone())
}

/// Orders of former runs.
pub(super) fn load(engine: &mut Engine, rules: Vec<TrapRule>) {
    for rule in &rules {
        engine.trap_rules.put(rule.clone());
    }
    for rule in rules.iter().filter(|rule| rule.unsettled) {
        look_again(engine, rule);
    }
}

/// What an order opens is found in the links of pages that are stored.
fn look_again(engine: &mut Engine, rule: &TrapRule) -> usize {
    let site = rule.site.as_ref().map(|site| site.key());
    let concerned = engine
        .sites
        .iter()
        .filter(|(key, state)| site.is_none_or(|site| site == **key) && state.record.pages > 0);
    let keys: Vec<SiteKey> = concerned.map(|(key, _)| *key).collect();
    for key in &keys {
        engine.listing += 1;
        engine.outbox.push_back(Action::ListPages(*key));
    }
    keys.len()
}

/// All links were looked at again: the orders are settled, and those that only undid something are forgotten.
pub(in crate::engine) fn settle(engine: &mut Engine) -> bool {
    let is_busy = engine.listing > 0 || engine.rederiving > 0 || !engine.rederive.is_empty();
    if is_busy || !std::mem::take(&mut engine.trap_rules.unsettled) {
        return false;
    }
    let mut batch = Batch::default();
    engine.trap_rules.entries.retain(|key, entry| {
        if entry.rule.verdict == TrapVerdict::Reset {
            batch.writes.push(Write::RemoveTrapRule(*key));
            return false;
        }
        if std::mem::take(&mut entry.rule.unsettled) {
            batch.writes.push(Write::PutTrapRule(Box::new(entry.rule.clone())));
        }
        true
    });
    engine.commit(batch);
    true
}
