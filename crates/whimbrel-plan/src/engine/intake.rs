//! Reports come in: visits are absorbed, links discovered, robots answers taken, and all of it becomes one batch.

use super::{Engine, Found, Needs, absorb, discover, long_page, robots, traps};
use crate::message::{Report, StopKind, VisitReport};
use whimbrel_types::{
    Batch, CanonicalUrl, Component, FetchOutcome, Limit, Link, NOTE_BYTES_MAX, Signal, SiteKey, Timestamp,
    UrlKey, UrlRecord, UrlState, VisitNote, Write,
};

/// Rows and digests that `apply` will ask for and that are not in memory.
pub(super) fn needs(engine: &mut Engine, report: &Report) -> Needs {
    let mut needs = Needs::default();
    for visit in report.visits.iter().filter(|visit| visit.kind == StopKind::Page) {
        let key = visit.url.key();
        if !engine.seen.contains(&key) {
            needs.urls.push(key);
        }
        if let Some(page) = &visit.page {
            needs.digests.push(page.content_hash);
            let moved = engine.moved.get(&key).into_iter().flatten();
            needs.urls.extend(moved.filter(|from| !engine.seen.contains(from)));
            // More than these are followed later.
            let at_once = engine.config.targets_max.min(long_page::SLICE);
            for target in discover::targets(&visit.url, &page.content.links, at_once) {
                if !engine.seen.contains(&target) {
                    needs.urls.push(target);
                }
            }
        }
        if visit.outcome == FetchOutcome::NotModified
            && let Some(row) = engine.seen.peek(&key).filter(|row| row.representative.is_some())
        {
            needs.digests.extend(row.content_hash);
        }
        if let FetchOutcome::Redirected(redirect) = &visit.outcome {
            let target = redirect.target.key();
            if !engine.seen.contains(&target) {
                needs.urls.push(target);
            }
        }
    }
    needs.urls.sort_unstable();
    needs.urls.dedup();
    needs
}

pub(super) fn apply(engine: &mut Engine, now: Timestamp, report: Report, mut found: Found) {
    let key = report.site.key();
    if engine.itineraries.get(&report.id.itinerary) != Some(&key) {
        return; // told twice: its effects are there already
    }
    let mut batch = Batch { report: Some(report.id.to_bytes()), writes: Vec::new() };
    engine.uncommitted.insert(report.id.to_bytes(), fetched(&report));
    for visit in report.visits {
        count(engine, key, &visit);
        note(engine, &visit, &mut batch);
        match visit.kind {
            StopKind::Robots => robots::answered(engine, now, key, &visit, &mut batch),
            StopKind::Page => visited(engine, now, visit, &mut found, &mut batch),
        }
    }
    if !report.returned.is_empty() {
        give_back(engine, key, &report.returned);
    }
    if let Some(gate) = report.gate {
        batch.writes.push(Write::PutGate(gate));
    }
    if report.done {
        engine.itineraries.remove(&report.id.itinerary);
        engine.sites.get_mut(&key).expect("a report's site is on the workbench").outstanding -= 1;
        let from_to = (Component::Migrant, Component::CrawlManager);
        engine.signal(now, Signal::Done, from_to, &report.site, None, &[]);
    }
    traps::keep(engine, key, &mut batch);
    let record = engine.sites[&key].record.clone();
    batch.writes.push(Write::PutSite(Box::new(record)));
    engine.commit(batch);
    engine.consider(now, key);
}

/// Visits that a station held a place for.
fn fetched(report: &Report) -> usize {
    report.visits.iter().filter(|visit| visit.sent).count()
}

/// Every request counts as a visit, whatever it was for.
fn count(engine: &mut Engine, site: SiteKey, visit: &VisitReport) {
    let fetches = u64::from(visit.sent);
    engine.summary.fetches += fetches;
    engine.summary.bytes += visit.wire_bytes;
    if visit.outcome == FetchOutcome::NotModified {
        engine.summary.unchanged_bytes += visit.wire_bytes;
    }
    if let Some(site) = engine.sites.get_mut(&site) {
        site.record.visits += fetches;
        site.record.bytes += visit.wire_bytes;
    }
}

/// What a visit has to say beyond its outcome is kept, and the limits it ran into are counted.
fn note(engine: &mut Engine, visit: &VisitReport, batch: &mut Batch) {
    for limit in &visit.limits {
        count_limit(engine, *limit, batch);
    }
    if !visit.detail.is_empty() || !visit.limits.is_empty() {
        batch.writes.push(Write::PutNote(Box::new(VisitNote {
            url: visit.url.clone(),
            at: visit.at,
            outcome: visit.outcome.label(),
            detail: visit.detail.chars().take(NOTE_BYTES_MAX / 4).collect(),
            limits: visit.limits.clone(),
        })));
    }
}

/// Counts a limit, in this run and for good.
pub(super) fn count_limit(engine: &mut Engine, limit: Limit, batch: &mut Batch) {
    engine.summary.limit(limit.key());
    let name = format!("limit:{}", limit.key());
    // One page can drop a hundred thousand links: they are one write.
    match batch.writes.last_mut() {
        Some(Write::Count { name: last, by }) if *last == name => *by += 1,
        _ => batch.writes.push(Write::Count { name, by: 1 }),
    }
}

/// Adds a limit to what the batch says of a URL's visit.
pub(super) fn note_limit(
    url: &CanonicalUrl,
    (now, outcome): (Timestamp, &str),
    limit: Limit,
    detail: String,
    batch: &mut Batch,
) {
    let notes = batch.writes.iter_mut().filter_map(|write| match write {
        Write::PutNote(note) if note.url == *url => Some(note),
        _ => None,
    });
    match notes.last() {
        Some(note) => {
            note.limits.push(limit);
            if note.detail.is_empty() {
                note.detail = detail;
            }
        }
        None => batch.writes.push(Write::PutNote(Box::new(VisitNote {
            url: url.clone(),
            at: now,
            outcome: outcome.to_owned(),
            detail,
            limits: vec![limit],
        }))),
    }
}

fn visited(engine: &mut Engine, now: Timestamp, visit: VisitReport, found: &mut Found, batch: &mut Batch) {
    let key = visit.url.key();
    engine.reserved -= 1;
    if let Some(site) = engine.sites.get_mut(&key.site) {
        site.taken.remove(&key.url);
    }
    let Some(row) = take_row(engine, &visit.url, found) else { return };
    if row.depth == 0 && row.discovered_from.is_none() {
        let refused = matches!(
            visit.outcome,
            FetchOutcome::Gone { .. }
                | FetchOutcome::Refused { .. }
                | FetchOutcome::Failed(_)
                | FetchOutcome::Disallowed
        );
        let failed = refused || visit.outcome.is_passing();
        engine.summary.seeds_reached += u64::from(!failed);
        engine.summary.seeds_failed += u64::from(failed);
    }
    let site = visit.url.site();
    let fields = [("outcome", visit.outcome.label())];
    let (url, outcome, old_due) = (visit.url.clone(), visit.outcome.clone(), row.due);
    let unvisited = row.versions == 0 && row.last_visit.is_none();
    let (row, stored) = absorb::absorb(engine, now, row, visit, found, batch);
    if let Some(digest) = row.content_hash.filter(|_| stored.is_some()) {
        found.digests.insert(digest, key);
    }
    let from_to = (Component::Migrant, Component::CrawlManager);
    engine.signal(now, Signal::RequestProcessed, from_to, &site, Some(&url), &fields);
    if outcome == FetchOutcome::Disallowed && unvisited {
        batch.writes.push(Write::ClearDue { key, at: row.due });
        batch.writes.push(Write::RemoveUrl(key));
        engine.seen.remove(&key);
        return;
    }
    if unvisited {
        traps::visited(engine, &row, &outcome, stored.is_some());
    }
    absorb::note_due(engine, old_due, &row);
    if let FetchOutcome::Redirected(redirect) = &outcome {
        discover::redirect(engine, now, &row, &redirect.target, found, batch);
    }
    batch.writes.push(Write::PutUrl(Box::new(row.clone())));
    engine.seen.insert(key, row.clone(), false);
    if stored.is_some() {
        absorb::settle_moved(engine, key, found, batch);
    }
    // The links are lent out while the batch grows: a page can have a hundred thousand.
    if let Some(links) = stored.and_then(|place| followed(batch, place)).map(std::mem::take) {
        discover::links(engine, now, &row, &links, found, batch);
        if let Some(place) = stored.and_then(|place| followed(batch, place)) {
            *place = links;
        }
    }
}

/// The links of a page in the batch, unless it asks not to follow them.
fn followed(batch: &mut Batch, place: usize) -> Option<&mut Vec<Link>> {
    match batch.writes.get_mut(place) {
        Some(Write::PutPage(page)) if !page.content.robots.nofollow => Some(&mut page.content.links),
        _ => None,
    }
}

/// The row of a visited URL, from memory or from what was looked up.
fn take_row(engine: &mut Engine, url: &CanonicalUrl, found: &mut Found) -> Option<UrlRecord> {
    let key: UrlKey = url.key();
    match engine.seen.peek(&key) {
        Some(row) => Some(row.clone()),
        None => found.urls.get(&key).cloned(),
    }
}

/// Stops that were not visited wait on disk as before; the heads are read anew.
fn give_back(engine: &mut Engine, key: SiteKey, returned: &[CanonicalUrl]) {
    for url in returned {
        let id = url.id();
        let place = engine.seen.peek(&url.key()).map(|row| (row.state, row.due));
        let site = engine.sites.get_mut(&key).expect("a report's site is on the workbench");
        if !site.taken.remove(&id) {
            site.asking = false; // the stop was robots.txt
            continue;
        }
        engine.reserved -= 1;
        site.sent_rules = false;
        match place {
            Some((UrlState::Queued(place), _)) => {
                site.heads.insert(place, id);
            }
            Some((UrlState::Known, due)) => {
                site.due.insert((due, id));
            }
            _ => site.queue_more = true,
        }
    }
}
