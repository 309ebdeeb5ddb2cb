//! What one visit means for its URL: the row's new state, what is stored, when it is due again.
//! Deletion follows the table of the design: a page leaves the index only on evidence, never because it was not seen.

use super::{Engine, Found};
use crate::message::{PageReport, VisitReport};
use whimbrel_types::{
    Batch, Component, DAY_MS, FetchOutcome, IndexOp, NewPage, PageVersion, PastVisit, Redirect,
    RevisitCapture, Signal, Timestamp, Unindexed, UrlKey, UrlRecord, UrlState, Validators, WarcPointer,
    Write,
};

/// The component pair of a content check, and of a write.
const CHECK: (Component, Component) = (Component::Migrant, Component::DuplicateEliminator);
const UPDATE: (Component, Component) = (Component::DuplicateEliminator, Component::UpdateDatabase);

/// Takes one page visit in. Returns the row, and where in the batch the page is that was stored.
pub(super) fn absorb(
    engine: &mut Engine,
    now: Timestamp,
    mut row: UrlRecord,
    mut visit: VisitReport,
    found: &Found,
    batch: &mut Batch,
) -> (UrlRecord, Option<usize>) {
    let key = row.key();
    leave_queue(engine, &mut row, batch);
    let old_due = row.due;
    row.outcome = Some(visit.outcome.clone());
    if visit.outcome.is_passing() {
        fail(engine, now, &mut row, &visit);
        set_due(&row, old_due, batch);
        return (row, None);
    }
    row.failures = 0;
    row.unreachable_since = None;
    row.last_visit = Some(visit.at);
    row.due = engine.config.revisit.due(&key, visit.at);
    let mut stored = None;
    match visit.outcome.clone() {
        FetchOutcome::Fetched => {
            let page = visit.page.take().expect("a fetched page visit carries its page");
            row.validators = visit.validators.clone();
            stored = content(engine, now, &mut row, &visit, *page, found, batch);
        }
        FetchOutcome::NotModified if is_orphan(&row, found) => orphaned(now, &mut row, batch),
        FetchOutcome::NotModified => {
            let is_back = row.gone_since.take().is_some();
            if !visit.validators.is_empty() {
                row.validators = visit.validators.clone();
            }
            unchanged(engine, &mut row, &visit, is_back, batch);
            if let (true, Some(capture)) = (engine.config.warc_revisits, visit.unchanged_capture.take()) {
                batch.writes.push(Write::PutRevisit(Box::new(RevisitCapture {
                    url: row.url.clone(),
                    capture: *capture,
                    refers_to: row.representative.unwrap_or(key),
                    not_modified: true,
                })));
            }
        }
        FetchOutcome::Redirected(redirect) => redirected(engine, now, &mut row, &redirect, found, batch),
        FetchOutcome::Gone { .. } => gone(engine, now, &mut row, batch),
        FetchOutcome::Disallowed => disallowed(engine, now, &mut row, batch),
        FetchOutcome::UnwantedType { .. } => {
            engine.summary.reject("content_type");
            take_out(&mut row, batch);
        }
        FetchOutcome::Refused { .. } | FetchOutcome::Failed(_) => {
            engine.summary.error(&visit.outcome.label())
        }
        FetchOutcome::Unavailable { .. } => unreachable!("passing outcomes were handled above"),
    }
    expire(now, &mut row, batch);
    if let Some(at) = row.expires_at.filter(|at| *at > now) {
        row.due = row.due.min(at);
    }
    set_due(&row, old_due, batch);
    (row, stored)
}

/// A first visit takes the URL out of its queue.
fn leave_queue(engine: &mut Engine, row: &mut UrlRecord, batch: &mut Batch) {
    if let UrlState::Queued(place) = row.state {
        let site = row.key().site;
        batch.writes.push(Write::Dequeue { site, place });
        row.state = UrlState::Known;
        if let Some(state) = engine.sites.get_mut(&site) {
            state.record.queued = state.record.queued.saturating_sub(1);
            state.dequeued(place);
        }
    }
}

/// The body was read: new, changed, a copy of another page, or the same as before.
fn content(
    engine: &mut Engine,
    now: Timestamp,
    row: &mut UrlRecord,
    visit: &VisitReport,
    page: PageReport,
    found: &Found,
    batch: &mut Batch,
) -> Option<usize> {
    let key = row.key();
    let site = row.url.site();
    engine.signal(
        now,
        Signal::Check,
        CHECK,
        &site,
        Some(&row.url),
        &[("digest", page.content_hash.to_string())],
    );
    row.size = page.body_bytes;
    let is_back = row.gone_since.take().is_some();
    if row.content_hash == Some(page.content_hash) {
        unchanged(engine, row, visit, is_back, batch);
        return None;
    }
    remember(row, visit.at, true, page.content_hash.fingerprint());
    row.last_change = Some(visit.at);
    if let Some(old) = row.content_hash.replace(page.content_hash)
        && row.representative.is_none()
    {
        batch.writes.push(Write::ReleaseDigest { hash: old });
    }
    if let Some(former) = row.representative.take() {
        batch.writes.push(Write::RemoveAlias { representative: former, alias: key });
    }
    if let Some(owner) = found.digests.get(&page.content_hash).filter(|owner| **owner != key) {
        engine.summary.duplicates += 1;
        row.representative = Some(*owner);
        take_out(row, batch);
        batch.writes.push(Write::AddAlias { representative: *owner, alias: key });
        batch.writes.push(Write::PutRevisit(Box::new(RevisitCapture {
            url: row.url.clone(),
            capture: page.capture,
            refers_to: *owner,
            not_modified: false,
        })));
        return None;
    }
    engine.summary.pages += 1;
    for (_, reason) in &page.content.rejected_links {
        engine.summary.reject(reason.label());
    }
    row.versions += 1;
    row.text_hash = Some(page.content.text_hash);
    batch.writes.push(Write::ClaimDigest { hash: page.content_hash, owner: key });
    engine.signal(now, Signal::SomethingToUpdate, UPDATE, &site, Some(&row.url), &[]);
    if let Some(state) = engine.sites.get_mut(&key.site) {
        state.record.pages += u64::from(row.versions == 1);
        state.run_pages += 1;
    }
    row.expires_at = page.content.robots.unavailable_after;
    row.unindexed = unindexed(now, &page);
    if row.unindexed.is_some() {
        take_out(row, batch);
    } else {
        row.indexed = true;
        batch.writes.push(Write::Index { key, op: IndexOp::Update });
    }
    batch.writes.push(Write::PutPage(Box::new(new_page(row, visit, page))));
    Some(batch.writes.len() - 1)
}

/// Why a page just read stays out of the index.
fn unindexed(now: Timestamp, page: &PageReport) -> Option<Unindexed> {
    let robots = page.content.robots;
    if robots.noindex {
        Some(Unindexed::NoIndex)
    } else if robots.unavailable_after.is_some_and(|at| at <= now) {
        Some(Unindexed::Expired)
    } else {
        page.low_value.map(Unindexed::LowValue)
    }
}

/// The time that a page named has come.
fn expire(now: Timestamp, row: &mut UrlRecord, batch: &mut Batch) {
    if row.expires_at.is_some_and(|at| at <= now) && row.unindexed.is_none() {
        row.unindexed = Some(Unindexed::Expired);
        take_out(row, batch);
    }
}

fn new_page(row: &UrlRecord, visit: &VisitReport, page: PageReport) -> NewPage {
    NewPage {
        version: PageVersion {
            url: row.url.clone(),
            sequence: 0,
            fetched_at: visit.at,
            status: page.status,
            content_type: page.content_type,
            content_hash: page.content_hash,
            body_bytes: page.body_bytes,
            wire_bytes: visit.wire_bytes,
            truncated: page.truncated,
            response: WarcPointer { file: 0, offset: 0, length: 0 },
            last_modified: page.last_modified,
        },
        content: page.content,
        capture: page.capture,
    }
}

fn unchanged(
    engine: &mut Engine,
    row: &mut UrlRecord,
    visit: &VisitReport,
    is_back: bool,
    batch: &mut Batch,
) {
    engine.summary.unchanged += 1;
    let digest = row.content_hash.map(|hash| hash.fingerprint()).unwrap_or_default();
    remember(row, visit.at, false, digest);
    // Back at once when it answers again after it was taken for gone; a page that asks to stay out was never in.
    let may_be_found = row.versions > 0 && row.representative.is_none() && row.unindexed.is_none();
    if is_back && !row.indexed && may_be_found {
        row.indexed = true;
        batch.writes.push(Write::Index { key: row.key(), op: IndexOp::Update });
    }
}

/// A copy whose original has other words by now, or is no more: nobody keeps its words for it.
fn is_orphan(row: &UrlRecord, found: &Found) -> bool {
    row.representative.is_some()
        && row.content_hash.is_some_and(|hash| found.digests.get(&hash) != row.representative.as_ref())
}

/// It stands on its own again and is asked for its whole body at once.
fn orphaned(now: Timestamp, row: &mut UrlRecord, batch: &mut Batch) {
    // While it is still a copy: the content, if anybody has it, is not its own to give up.
    forget_content(row, batch);
    if let Some(former) = row.representative.take() {
        batch.writes.push(Write::RemoveAlias { representative: former, alias: row.key() });
    }
    row.due = now;
}

/// The content is no longer this URL's: another may own it, and the next visit brings a body.
fn forget_content(row: &mut UrlRecord, batch: &mut Batch) {
    if let Some(hash) = row.content_hash.take()
        && row.representative.is_none()
        && row.versions > 0
    {
        batch.writes.push(Write::ReleaseDigest { hash });
    }
    row.validators = Validators::default();
}

/// The target goes its own way as a discovered URL; here the URL only learns what it points to. A stored page becomes an
/// alias when its target is stored too, not before: a redirect to nowhere must not lose it.
fn redirected(
    engine: &mut Engine,
    now: Timestamp,
    row: &mut UrlRecord,
    redirect: &Redirect,
    found: &Found,
    batch: &mut Batch,
) {
    engine.summary.redirects += 1;
    let (key, target) = (row.key(), redirect.target.key());
    if !redirect.permanent && row.versions > 0 && row.representative.is_none() {
        return; // a stored page that is away for a while stays what it is
    }
    if redirect.permanent {
        // Its content may now be the target's: the target must not be taken for a copy of it.
        forget_content(row, batch);
    }
    let behind = engine.seen.peek(&target).or_else(|| found.urls.get(&target));
    let target_is_stored = behind.is_some_and(|row| row.versions > 0 && row.representative.is_none());
    if row.indexed && !target_is_stored {
        row.due = row.due.min(now.plus_ms(engine.config.revisit.shortest_ms));
        engine.moved.entry(target).or_default().push(key);
        return;
    }
    if row.representative != Some(target) {
        if let Some(former) = row.representative.replace(target) {
            batch.writes.push(Write::RemoveAlias { representative: former, alias: key });
        }
        batch.writes.push(Write::AddAlias { representative: target, alias: key });
    }
    if redirect.permanent {
        take_out(row, batch);
    }
}

/// A place that pages moved to is stored: they become its aliases.
pub(super) fn settle_moved(engine: &mut Engine, place: UrlKey, found: &Found, batch: &mut Batch) {
    for key in engine.moved.remove(&place).unwrap_or_default() {
        let known = engine.seen.peek(&key).or_else(|| found.urls.get(&key)).cloned();
        let still = |row: &UrlRecord| matches!(&row.outcome, Some(FetchOutcome::Redirected(to)) if to.target.key() == place);
        let Some(mut row) = known.filter(|row| row.indexed && still(row)) else { continue };
        row.representative = Some(place);
        batch.writes.push(Write::AddAlias { representative: place, alias: key });
        take_out(&mut row, batch);
        batch.writes.push(Write::PutUrl(Box::new(row.clone())));
        engine.seen.insert(key, row, false);
    }
}

/// 404 or 410: out of the index when seen twice, a day apart.
fn gone(engine: &mut Engine, now: Timestamp, row: &mut UrlRecord, batch: &mut Batch) {
    engine.summary.dead_links += 1;
    let since = *row.gone_since.get_or_insert(now);
    if now.since_ms(since) >= DAY_MS {
        take_out(row, batch);
        forget_content(row, batch);
    } else if row.indexed {
        row.due = row.due.min(now.plus_ms(DAY_MS));
    }
}

/// The rules changed after admission. Never visited: the row goes. Visited: out when the rules still say so a day later.
fn disallowed(engine: &mut Engine, now: Timestamp, row: &mut UrlRecord, batch: &mut Batch) {
    engine.summary.reject("robots");
    let since = *row.gone_since.get_or_insert(now);
    if row.versions > 0 && now.since_ms(since) >= DAY_MS {
        take_out(row, batch);
    }
}

fn fail(engine: &mut Engine, now: Timestamp, row: &mut UrlRecord, visit: &VisitReport) {
    let key = row.key();
    engine.summary.error(&visit.outcome.label());
    row.failures = row.failures.saturating_add(1);
    row.unreachable_since.get_or_insert(now);
    let asked = match visit.outcome {
        FetchOutcome::Unavailable { retry_after_ms, .. } => retry_after_ms.unwrap_or(0),
        _ => 0,
    };
    let tries = tried(engine, &key);
    let wait = engine.config.retry.wait_ms(tries, engine.config.seed, &key.to_bytes());
    row.due = if tries < engine.config.tries_max {
        now.plus_ms(wait.max(asked))
    } else {
        now.plus_ms(wait.max(asked).max(engine.config.revisit.shortest_ms))
    };
}

/// Counts a try of this run.
fn tried(engine: &mut Engine, key: &UrlKey) -> u8 {
    let Some(site) = engine.sites.get_mut(&key.site) else { return engine.config.tries_max };
    let tries = site.tries.entry(key.url).or_insert(0);
    *tries = tries.saturating_add(1);
    *tries
}

fn take_out(row: &mut UrlRecord, batch: &mut Batch) {
    if std::mem::take(&mut row.indexed) {
        batch.writes.push(Write::Index { key: row.key(), op: IndexOp::Delete });
    }
}

fn remember(row: &mut UrlRecord, at: Timestamp, changed: bool, digest: [u8; 8]) {
    row.remember(PastVisit { at, changed, digest });
}

fn set_due(row: &UrlRecord, old: Timestamp, batch: &mut Batch) {
    if old != Timestamp::NEVER {
        batch.writes.push(Write::ClearDue { key: row.key(), at: old });
    }
    batch.writes.push(Write::SetDue { key: row.key(), at: row.due });
}

/// Known URLs of a site by due time, as far as they are in memory: see `SiteState`.
pub(super) fn note_due(engine: &mut Engine, old: Timestamp, row: &UrlRecord) {
    let key = row.key();
    let heads_max = engine.config.heads_max;
    if let Some(state) = engine.sites.get_mut(&key.site) {
        state.due_changed(key.url, old, row.due, heads_max);
    }
}
