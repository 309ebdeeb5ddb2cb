//! A page with very many links is followed bit by bit, so that one page never holds up the others: a slice of its links,
//! then whoever else has something to report, then the next slice.
//! Invariants: what happens on a site happens in the same order as if the page had been followed at once, because the
//! site's next migrants and the reports of its last ones wait for it. A mark on disk says that links are left, from the
//! batch that stores the page to the one of its last slice: whatever happens in between, the next run follows them.

use super::traps::{self, Parent};
use super::{Action, Engine, Found, discover};
use crate::message::Report;
use std::collections::VecDeque;
use whimbrel_types::{Batch, Link, SiteKey, Timestamp, UrlKey, UrlRecord, Write};

/// Links that are followed at once. With what the store does about them, they cost some ten milliseconds.
pub(super) const SLICE: usize = 250;
/// So many slices are what long pages of honest sites come to; others may go in between, but the page hardly waits.
const SWIFT_SLICES: u64 = 4;
const SWIFT_PAUSE_MS: u64 = 2;
/// Beyond them a site takes a tenth of a core at the most, as with pages that are dear to read.
const PAUSE_MS: u64 = 100;

/// What the links of a page get from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    pub score: f32,
    pub in_links: u32,
    /// URLs that were known when the first link was followed.
    pub known_before: u64,
}

#[derive(Debug)]
struct LongPage {
    page: UrlRecord,
    links: VecDeque<Link>,
    share: Share,
    slices: u64,
}

/// The long pages of one site.
#[derive(Debug)]
pub(super) struct LongPages {
    /// The first one is being followed.
    pages: VecDeque<LongPage>,
    due: Timestamp,
    /// The rows of the next slice were asked for.
    is_looking: bool,
    /// Reports of the site that came meanwhile.
    held: VecDeque<Box<Report>>,
}

/// The rest of a page's links will be followed. A run that is being ended leaves them to the next one.
pub(super) fn begin(
    engine: &mut Engine,
    now: Timestamp,
    page: &UrlRecord,
    rest: &[&Link],
    share: Share,
    batch: &mut Batch,
) {
    let key = page.key();
    batch.writes.push(Write::PutLongPage(key));
    if engine.draining {
        return;
    }
    let links = rest.iter().map(|link| (*link).clone()).collect();
    let site = engine.long_pages.entry(key.site).or_insert_with(|| LongPages {
        pages: VecDeque::new(),
        due: now.plus_ms(SWIFT_PAUSE_MS),
        is_looking: false,
        held: VecDeque::new(),
    });
    site.pages.push_back(LongPage { page: page.clone(), links, share, slices: 1 });
}

/// When the next slice is to be followed.
pub(super) fn next_due(engine: &Engine) -> Option<Timestamp> {
    engine.long_pages.values().filter(|site| !site.is_looking).map(|site| site.due).min()
}

/// The rows that a slice needs, when one is due.
pub(super) fn next(engine: &mut Engine, now: Timestamp) -> Option<Action> {
    let due = |site: &LongPages| !site.is_looking && site.due <= now;
    let (key, site) = engine.long_pages.iter_mut().find(|(_, site)| due(site))?;
    site.is_looking = true;
    let front = site.pages.front()?;
    let targets = front.links.iter().take(SLICE);
    let keys = targets.map(|link| link.target.key_beside(&front.page.url, *key));
    let keys = keys.filter(|target| !engine.seen.contains(target)).collect();
    Some(Action::LoadTargets { site: *key, keys })
}

/// They are there: the slice is followed.
pub(super) fn loaded(engine: &mut Engine, now: Timestamp, key: SiteKey, mut found: Found) {
    // A run that is being ended has let go of its long pages.
    let Some(mut site) = engine.long_pages.remove(&key) else { return };
    let Some(mut front) = site.pages.pop_front() else { return };
    let mut batch = Batch::default();
    let parent = Parent::of(&front.page.url);
    let slice: Vec<Link> = front.links.drain(..SLICE.min(front.links.len())).collect();
    discover::follow_all(
        engine,
        now,
        (&front.page, &parent),
        slice.iter(),
        front.share,
        &mut found,
        &mut batch,
    );
    if front.links.is_empty() {
        discover::followed(engine, now, &front.page, &parent, front.share);
        batch.writes.push(Write::RemoveLongPage(front.page.key()));
    } else {
        front.slices += 1;
        site.due = now.plus_ms(if front.slices <= SWIFT_SLICES { SWIFT_PAUSE_MS } else { PAUSE_MS });
        site.pages.push_front(front);
    }
    traps::keep(engine, key, &mut batch);
    batch.writes.push(Write::PutSite(Box::new(engine.sites[&key].record.clone())));
    engine.commit(batch);
    if site.pages.is_empty() {
        engine.outbox.extend(site.held.into_iter().map(Action::TakeUp));
        engine.consider(now, key);
    } else {
        site.is_looking = false;
        engine.long_pages.insert(key, site);
    }
}

/// A report came: it is given back to be taken in now, or kept until its site's turn.
pub(super) fn arrived(engine: &mut Engine, report: Box<Report>) -> Option<Box<Report>> {
    match engine.long_pages.get_mut(&report.site.key()) {
        Some(site) => {
            site.held.push_back(report);
            None
        }
        None => Some(report),
    }
}

/// The run is being ended: what is left is for the next one.
pub(super) fn let_go(engine: &mut Engine) {
    for site in std::mem::take(&mut engine.long_pages).into_values() {
        engine.outbox.extend(site.held.into_iter().map(Action::TakeUp));
    }
}

impl Engine {
    /// Long pages that a former run left: their links are followed again from the store.
    pub fn load_long_pages(&mut self, pages: Vec<UrlKey>) {
        self.rederive.extend(pages.iter().copied());
        self.left_long.extend(pages);
    }
}
