//! Traps on the workbench: which new URLs the budgets let in, what the operator said about patterns, and what is told.
//! A URL is refused before it enters the table, so it can be met again when the operator changes his mind; what was
//! admitted stays admitted, unless it is excluded: then it is not visited any more.
//!
//! Invariant: decisions about a site depend on that site's own history and on the operator alone.

mod orders;
mod patterns;

use super::{Action, Engine, intake};
pub use orders::{Ordered, lifted, said_about, undoes};
pub(super) use orders::{TrapRules, settle};
pub(super) use patterns::{SiteTraps, Step, Verdict};
pub use patterns::{TrapBudget, account};
use whimbrel_types::{
    Batch, CanonicalUrl, Component, FetchOutcome, Limit, RejectReason, Signal, SiteKey, Timestamp,
    TrapRecord, TrapVerdict, UrlRecord, UrlState, VisitNote, Write,
};
use whimbrel_url::UrlPattern;

/// The page that a URL was met on.
pub(super) struct Parent<'a> {
    pub url: &'a CanonicalUrl,
    pub pattern: UrlPattern,
}

impl<'a> Parent<'a> {
    pub fn of(url: &'a CanonicalUrl) -> Parent<'a> {
        Parent { url, pattern: UrlPattern::of(url) }
    }
}

/// The operator's rules for URLs, with what he said about patterns since.
pub(super) fn admits(engine: &Engine, url: &CanonicalUrl, depth: u16) -> Result<(), RejectReason> {
    let rules = &engine.config.rules;
    if engine.trap_rules.is_empty() {
        return rules.admit(url, depth);
    }
    match engine.trap_rules.verdict(url.site_key(), url, &UrlPattern::of(url)) {
        Some((TrapVerdict::Exclude, pattern)) => Err(RejectReason::Trap(format!("excluded: {pattern}"))),
        Some((TrapVerdict::Allow, _)) => rules.admit_any_shape(url, depth),
        _ => rules.admit(url, depth),
    }
}

/// Whether a URL never met before is within the budget of its pattern.
pub(super) fn lets_in(
    engine: &mut Engine,
    now: Timestamp,
    (site, url, depth): (SiteKey, &CanonicalUrl, u16),
    parent: Option<&Parent<'_>>,
    batch: &mut Batch,
) -> bool {
    let (pattern, month) = UrlPattern::with_month(url);
    let said = engine.trap_rules.verdict(site, url, &pattern).map(|(verdict, _)| verdict);
    let state = engine.sites.get_mut(&site).expect("a URL is met on a site on the workbench");
    if said != Some(TrapVerdict::Allow) {
        let step = Step { url, pattern: &pattern, month, depth, parent, now };
        match state.traps.meet(&step, &engine.config.traps) {
            Verdict::Apart => state.traps.page_yield += u64::from(parent.is_some()),
            Verdict::Extended => {}
            Verdict::Refused { news } => {
                engine.summary.reject("trap");
                if let Some(record) = news {
                    intake::count_limit(engine, Limit::Pattern, batch);
                    batch.writes.push(Write::PutNote(Box::new(VisitNote {
                        url: url.clone(),
                        at: now,
                        outcome: "not admitted".to_owned(),
                        detail: format!("the first URL beyond the budget of {}", record.pattern),
                        limits: vec![Limit::Pattern],
                    })));
                    tell(engine, now, *record);
                }
                return false;
            }
        }
    }
    let urls = state.record.urls + 1;
    if let Some(record) = state.traps.count_site(url, urls, engine.config.traps.site_report, now) {
        tell(engine, now, record);
    }
    true
}

/// What a visit says about the pattern of its URL.
pub(super) fn visited(engine: &mut Engine, row: &UrlRecord, outcome: &FetchOutcome, is_stored: bool) {
    let is_copy = matches!(outcome, FetchOutcome::Fetched) && !is_stored && row.representative.is_some();
    let is_dead = matches!(outcome, FetchOutcome::Gone { .. });
    if let Some(site) = engine.sites.get_mut(&row.key().site) {
        // A page of no value counts as a page: its judge is a guess, and a budget must be what it says.
        let is_poor = is_copy || is_dead;
        if is_stored || is_poor {
            site.traps.visited(&UrlPattern::of(&row.url), is_poor);
        }
    }
}

/// A page's links are about to be looked at.
pub(super) fn begin_page(engine: &mut Engine, site: SiteKey) {
    if let Some(site) = engine.sites.get_mut(&site) {
        site.traps.page_yield = 0;
    }
}

/// They were: did the page lead anywhere but to more of its kind?
pub(super) fn end_page(engine: &mut Engine, page: &UrlRecord, parent: &Parent<'_>) {
    if let Some(site) = engine.sites.get_mut(&page.key().site)
        && site.traps.page_yield > 0
    {
        site.traps.led_on(&parent.pattern, page.depth, &engine.config.traps);
    }
}

/// Rows that changed, for the batch of what changed them.
pub(super) fn keep(engine: &mut Engine, site: SiteKey, batch: &mut Batch) {
    if let Some(site) = engine.sites.get_mut(&site) {
        batch.writes.extend(site.traps.take_writes());
    }
}

/// URLs that were queued and are excluded now. Never visited: the row goes, and comes back when its pattern is allowed
/// again. Visited before: it stays as it is and is looked at again much later.
pub(super) fn leave_out(engine: &mut Engine, now: Timestamp, site: SiteKey, rows: Vec<UrlRecord>) {
    if rows.is_empty() {
        return;
    }
    let mut batch = Batch::default();
    for mut row in rows {
        let key = row.key();
        engine.summary.reject("trap");
        match row.state {
            UrlState::Queued(place) => {
                batch.writes.push(Write::Dequeue { site, place });
                batch.writes.push(Write::RemoveUrl(key));
                engine.seen.remove(&key);
                if let Some(state) = engine.sites.get_mut(&site) {
                    state.record.queued = state.record.queued.saturating_sub(1);
                    state.dequeued(place);
                }
            }
            UrlState::Known => {
                let old = row.due;
                row.due = engine.config.revisit.due(&key, now);
                if old != Timestamp::NEVER {
                    batch.writes.push(Write::ClearDue { key, at: old });
                }
                batch.writes.push(Write::SetDue { key, at: row.due });
                batch.writes.push(Write::PutUrl(Box::new(row.clone())));
                super::absorb::note_due(engine, old, &row);
                engine.seen.insert(key, row, false);
            }
        }
    }
    batch.writes.push(Write::PutSite(Box::new(engine.sites[&site].record.clone())));
    engine.commit(batch);
}

/// Tells the world about a pattern, once.
fn tell(engine: &mut Engine, now: Timestamp, record: TrapRecord) {
    let from_to = (Component::UrlOrganizer, Component::CrawlManager);
    let fields = [
        ("pattern", record.pattern.clone()),
        ("state", record.state.as_str().to_owned()),
        ("admitted", record.admitted().to_string()),
        ("examples", record.examples.iter().map(CanonicalUrl::as_str).collect::<Vec<_>>().join(" ")),
    ];
    engine.signal(now, Signal::TrapReported, from_to, &record.site, record.examples.last(), &fields);
    engine.outbox.push_back(Action::TrapFound(Box::new(record)));
}

impl Engine {
    /// Patterns and orders of former runs; to be told after the sites.
    pub fn load_traps(&mut self, records: Vec<TrapRecord>, rules: Vec<whimbrel_types::TrapRule>) {
        for record in records {
            if let Some(site) = self.sites.get_mut(&record.site.key()) {
                site.traps.load(record);
            }
        }
        orders::load(self, rules);
    }
}
