//! Links become URLs of the frontier: filters, robots, the seen test, and the place in the queue.
//! Links within a site count at once; links to other sites wait (`pend`) until that site's rules are read and it has
//! nothing of its own to do.

use super::long_page::{self, Share};
use super::site::{Rules, SiteState};
use super::traps::{self, Parent};
use super::{Engine, Found, intake};
use crate::strategy::passed_on;
use rustc_hash::FxHashSet;
use whimbrel_types::{
    Anchor, Batch, CanonicalUrl, Component, IndexOp, Limit, Link, PendingLink, QueueEntry, QueuePlace,
    RejectReason, Signal, SiteKey, SiteRecord, Timestamp, UrlKey, UrlRecord, UrlState, Write,
};
use whimbrel_url::{Known, LinkDecision, decide};

/// The longest anchor text that is kept.
const ANCHOR_BYTES_MAX: usize = 200;

/// How a URL was met.
struct Meeting<'a> {
    target: &'a CanonicalUrl,
    key: UrlKey,
    depth: u16,
    from: Option<UrlKey>,
    score: f32,
    in_links: u32,
    redirect_hops: u8,
    seed: bool,
    anchors: Vec<Anchor>,
    /// The page of the same site that it was met on.
    parent: Option<&'a Parent<'a>>,
}

/// Keys of the targets on the same site that are followed.
pub(super) fn targets(page: &CanonicalUrl, links: &[Link], targets_max: usize) -> Vec<UrlKey> {
    let site = page.site_key();
    // No further than needed: a page can have a hundred thousand links.
    let mut met: FxHashSet<&str> = FxHashSet::default();
    met.insert(page.as_str());
    let new = links.iter().filter(|link| met.insert(link.target.as_str())).take(targets_max);
    let keys = new.map(|link| link.target.key_beside(page, site));
    keys.filter(|key| key.site == site).collect()
}

/// The links of a page just stored.
pub(super) fn links(
    engine: &mut Engine,
    now: Timestamp,
    page: &UrlRecord,
    links: &[Link],
    found: &mut Found,
    batch: &mut Batch,
) {
    let (distinct, left_out) = distinct(&page.url, links, engine.config.targets_max);
    if left_out > 0 {
        intake::count_limit(engine, Limit::Targets, batch);
        intake::note_limit(
            &page.url,
            (now, "fetched"),
            Limit::Targets,
            format!("{left_out} of its links are not followed"),
            batch,
        );
    }
    // A page that is stored again passes its score on only once.
    let first = page.versions == 1;
    let share = Share {
        score: if first { passed_on(page.link_score, distinct.len()) } else { 0.0 },
        in_links: u32::from(first),
        known_before: engine.summary.discovered,
    };
    let parent = Parent::of(&page.url);
    traps::begin_page(engine, page.url.site_key());
    let (now_due, rest) = distinct.split_at(distinct.len().min(long_page::SLICE));
    follow_all(engine, now, (page, &parent), now_due.iter().copied(), share, found, batch);
    if rest.is_empty() {
        followed(engine, now, page, &parent, share);
    } else {
        long_page::begin(engine, now, page, rest, share, batch);
    }
    traps::keep(engine, page.url.site_key(), batch);
}

/// Follows links of a page, in their order.
pub(super) fn follow_all<'a>(
    engine: &mut Engine,
    now: Timestamp,
    (page, parent): (&UrlRecord, &Parent<'_>),
    links: impl Iterator<Item = &'a Link>,
    share: Share,
    found: &mut Found,
    batch: &mut Batch,
) {
    let from = page.key();
    for link in links {
        if link.rel.says_no() {
            engine.summary.reject(RejectReason::NoFollow.label());
            continue;
        }
        let anchors = anchor_of(link, from).into_iter().collect();
        let given = (share.score, share.in_links, anchors);
        follow(engine, now, (page, from, parent), link, given, found, batch);
    }
}

/// All links of a page were followed.
pub(super) fn followed(
    engine: &mut Engine,
    now: Timestamp,
    page: &UrlRecord,
    parent: &Parent<'_>,
    share: Share,
) {
    traps::end_page(engine, page, parent);
    let new = engine.summary.discovered.saturating_sub(share.known_before);
    if new > 0 {
        let from_to = (Component::UrlOrganizer, Component::UrlScheduler);
        engine.signal(
            now,
            Signal::UrlsReady,
            from_to,
            &page.url.site(),
            Some(&page.url),
            &[("new", new.to_string())],
        );
    }
}

/// A page met nearer to the seeds: its links come nearer too, and some that were too deep get in.
pub(super) fn rederive(
    engine: &mut Engine,
    now: Timestamp,
    page: &UrlRecord,
    links: &[Link],
    mut found: Found,
) {
    let mut batch = Batch::default();
    let from = page.key();
    let site = from.site;
    if engine.left_long.remove(&from) {
        batch.writes.push(Write::RemoveLongPage(from));
    }
    let parent = Parent::of(&page.url);
    for link in distinct(&page.url, links, engine.config.targets_max).0 {
        if !link.rel.says_no() {
            follow(engine, now, (page, from, &parent), link, (0.0, 0, Vec::new()), &mut found, &mut batch);
        }
    }
    traps::keep(engine, site, &mut batch);
    engine.commit(batch);
    engine.consider(now, site);
}

/// The target of a redirect: same depth, the whole score, one hop more.
pub(super) fn redirect(
    engine: &mut Engine,
    now: Timestamp,
    row: &UrlRecord,
    target: &CanonicalUrl,
    found: &mut Found,
    batch: &mut Batch,
) {
    let hops = row.redirect_hops.saturating_add(1);
    if hops > engine.config.redirects_max {
        intake::count_limit(engine, Limit::Redirects, batch);
        let detail = format!("the {hops}th redirect in a row, to {target}, is not followed");
        intake::note_limit(&row.url, (now, "redirected"), Limit::Redirects, detail, batch);
        return;
    }
    if let Err(reason) = traps::admits(engine, target, row.depth) {
        engine.summary.reject(reason.label());
        if row.depth == 0 && row.discovered_from.is_none() {
            let name = row.url.site().origin();
            let why = format!(
                "the seed redirects to {target}, which is not admitted: {reason}; give that as a seed"
            );
            engine.summary.skipped_sites.insert(name, why);
        }
        return;
    }
    let first = row.last_visit.is_none() || row.history.is_empty();
    let parent = Parent::of(&row.url);
    let meeting = Meeting {
        target,
        key: target.key(),
        depth: row.depth,
        from: Some(row.key()),
        score: if first { row.link_score } else { 0.0 },
        in_links: 0,
        redirect_hops: hops,
        seed: false,
        anchors: Vec::new(),
        parent: Some(&parent),
    };
    if meeting.key == row.key() {
        engine.summary.error("redirect_to_itself");
    } else if meeting.key.site == row.key().site {
        meet_on_site(engine, now, meeting, found, batch);
    } else {
        pend(engine, now, waiting(&meeting), batch);
        // A site met by a redirect alone is asked for its rules like any other.
        engine.consider(now, meeting.key.site);
    }
}

/// Takes up the links that waited for a site.
pub(super) fn release(engine: &mut Engine, now: Timestamp, key: SiteKey, mut found: Found) {
    let mut batch = Batch::default();
    let Some(site) = engine.sites.get_mut(&key) else { return };
    let waiting = std::mem::take(&mut site.pending);
    site.seeds_pending = false;
    site.idle_since = None;
    let before = engine.summary.discovered;
    let target_site = site.record.site.clone();
    let count = waiting.len();
    for (url_key, link) in waiting {
        batch.writes.push(Write::RemovePending(url_key));
        if let Err(reason) = traps::admits(engine, &link.target, link.depth) {
            engine.summary.reject(reason.label());
            if link.seed {
                refuse_seed(engine, &link.target, &reason);
            }
            continue;
        }
        let meeting = Meeting {
            target: &link.target,
            key: url_key,
            depth: link.depth,
            from: link.from,
            score: link.score,
            in_links: link.in_links,
            redirect_hops: link.redirect_hops,
            seed: link.seed,
            anchors: link.anchors.clone(),
            parent: None,
        };
        meet_on_site(engine, now, meeting, &mut found, &mut batch);
    }
    let new = engine.summary.discovered - before;
    let from_to = (Component::UrlOrganizer, Component::UrlScheduler);
    let fields = [("waiting", count.to_string()), ("new", new.to_string())];
    engine.signal(now, Signal::UrlsReady, from_to, &target_site, None, &fields);
    traps::keep(engine, key, &mut batch);
    batch.writes.push(Write::PutSite(Box::new(engine.sites[&key].record.clone())));
    engine.commit(batch);
}

/// Keeps a link for later.
pub(super) fn pend(engine: &mut Engine, now: Timestamp, link: PendingLink, batch: &mut Batch) {
    let key = link.target.key();
    let site = engine.sites.entry(key.site).or_insert_with(|| {
        let record = SiteRecord::met(link.target.site(), now);
        batch.writes.push(Write::PutSite(Box::new(record.clone())));
        SiteState::new(record)
    });
    if matches!(site.rules, Rules::Skipped) {
        engine.summary.reject(RejectReason::CrawlDelayTooLong.label());
        return;
    }
    site.seeds_pending |= link.seed;
    if let Some(known) = site.pending.get_mut(&key) {
        known.score += link.score;
        known.in_links += link.in_links;
        known.seed |= link.seed;
        for anchor in link.anchors {
            if known.anchors.len() < engine.config.anchors_max
                && known.anchors.iter().all(|a| a.text != anchor.text)
            {
                known.anchors.push(anchor);
            }
        }
        if link.depth < known.depth {
            known.depth = link.depth;
            batch.writes.push(Write::PutPending(Box::new(known.clone())));
        }
    } else if site.pending.len() >= engine.config.pending_max {
        engine.summary.reject(RejectReason::PendingFull.label());
        intake::count_limit(engine, Limit::Pending, batch);
    } else {
        batch.writes.push(Write::PutPending(Box::new(link.clone())));
        site.pending.insert(key, link);
    }
}

fn refuse_seed(engine: &mut Engine, seed: &CanonicalUrl, reason: &RejectReason) {
    engine.summary.seeds_failed += 1;
    engine.summary.skipped_sites.insert(seed.to_string(), format!("the seed is not admitted: {reason}"));
}

/// The first link to each of the first `targets_max` targets, and how many targets are beyond them.
fn distinct<'a>(page: &CanonicalUrl, links: &'a [Link], targets_max: usize) -> (Vec<&'a Link>, usize) {
    let mut met: FxHashSet<&str> = FxHashSet::default();
    met.insert(page.as_str());
    let mut out: Vec<&Link> = Vec::with_capacity(links.len().min(targets_max));
    let mut left_out = 0;
    for link in links {
        if met.insert(link.target.as_str()) {
            if out.len() < targets_max {
                out.push(link);
            } else {
                left_out += 1;
            }
        }
    }
    (out, left_out)
}

fn follow(
    engine: &mut Engine,
    now: Timestamp,
    (page, from, parent): (&UrlRecord, UrlKey, &Parent<'_>),
    link: &Link,
    (score, in_links, anchors): (f32, u32, Vec<Anchor>),
    found: &mut Found,
    batch: &mut Batch,
) {
    let depth = page.depth.saturating_add(1);
    if let Err(reason) = traps::admits(engine, &link.target, depth) {
        engine.summary.reject(reason.label());
        return;
    }
    let meeting = Meeting {
        target: &link.target,
        key: link.target.key_beside(&page.url, from.site),
        depth,
        from: Some(from),
        score,
        in_links,
        redirect_hops: 0,
        seed: false,
        anchors,
        parent: Some(parent),
    };
    if meeting.key.site == from.site {
        meet_on_site(engine, now, meeting, found, batch);
    } else {
        pend(engine, now, waiting(&meeting), batch);
        engine.consider(now, meeting.key.site);
    }
}

fn waiting(meeting: &Meeting<'_>) -> PendingLink {
    PendingLink {
        target: meeting.target.clone(),
        depth: meeting.depth,
        from: meeting.from,
        score: meeting.score,
        in_links: meeting.in_links,
        redirect_hops: meeting.redirect_hops,
        seed: meeting.seed,
        anchors: meeting.anchors.clone(),
    }
}

/// The seen test and what follows from it.
fn meet_on_site(
    engine: &mut Engine,
    now: Timestamp,
    meeting: Meeting<'_>,
    found: &mut Found,
    batch: &mut Batch,
) {
    let site = &engine.sites[&meeting.key.site];
    match site.allows(meeting.target.path_and_query()) {
        Some(true) => {}
        Some(false) => {
            if meeting.seed {
                refuse_seed(engine, meeting.target, &RejectReason::Robots);
            }
            return engine.summary.reject(RejectReason::Robots.label());
        }
        None => return pend(engine, now, waiting(&meeting), batch),
    }
    let key = meeting.key;
    let known = |row: &UrlRecord| Known { visited: row.last_visit };
    let cached = engine.seen.peek(&key).map(known);
    // What sites announce about their pages comes with the sitemaps; until then nothing is said to be newer.
    let decision = decide(cached, || found.urls.get(&key).map(known), None);
    *engine.summary.seen_test.entry(decision.as_str()).or_default() += 1;
    if decision == LinkDecision::New {
        let met = (key.site, meeting.target, meeting.depth);
        if traps::lets_in(engine, now, met, meeting.parent, batch) {
            admit(engine, now, meeting, batch);
        }
        return;
    }
    if let (None, Some(row)) = (cached, found.urls.remove(&key)) {
        engine.seen.insert(key, row, false);
    }
    meet_again(engine, meeting, batch);
}

/// A URL never met before.
fn admit(engine: &mut Engine, now: Timestamp, meeting: Meeting<'_>, batch: &mut Batch) {
    let class = engine.config.strategy.class(meeting.depth, meeting.score, meeting.in_links);
    let place = QueuePlace { class, sequence: engine.next_sequence };
    engine.next_sequence += 1;
    let mut row = UrlRecord::admitted(meeting.target.clone(), UrlState::Queued(place), meeting.depth, now);
    row.discovered_from = meeting.from;
    row.in_links = meeting.in_links;
    row.link_score = meeting.score;
    row.redirect_hops = meeting.redirect_hops;
    batch.writes.push(Write::PutUrl(Box::new(row.clone())));
    batch.writes.push(Write::Enqueue { place, key: meeting.key });
    engine.summary.discovered += 1;
    engine.seen.insert(meeting.key, row, false);
    let heads_max = engine.config.heads_max;
    let site = engine.sites.get_mut(&meeting.key.site).expect("a URL is admitted to a site on the workbench");
    site.record.urls += 1;
    site.record.queued += 1;
    site.queued(QueueEntry { place, url: meeting.key.url }, heads_max);
    keep_anchors(engine, meeting.key, meeting.anchors, batch);
}

/// A URL met before: it counts as seen once more, and may move forward in its queue.
fn meet_again(engine: &mut Engine, meeting: Meeting<'_>, batch: &mut Batch) {
    let key = meeting.key;
    let strategy = engine.config.strategy;
    let heads_max = engine.config.heads_max;
    let site = engine.sites.get_mut(&key.site).expect("a URL is met on a site on the workbench");
    let seen = engine.seen.get(&key).expect("the caller made sure of it");
    let row = &mut seen.record;
    if !meeting.seed {
        row.in_links += meeting.in_links;
        row.link_score += meeting.score;
        row.occurrences += 1;
        seen.dirty = true;
    }
    if meeting.depth < row.depth {
        row.depth = meeting.depth;
        row.discovered_from = meeting.from;
        seen.dirty = true;
        if row.versions > 0 {
            engine.rederive.push_back(key);
        }
    }
    row.redirect_hops = row.redirect_hops.min(meeting.redirect_hops);
    if let UrlState::Queued(old) = row.state
        && !site.taken.contains(&key.url)
    {
        let class = strategy.class(row.depth, row.link_score, row.in_links);
        if class != old.class {
            let place = QueuePlace { class, sequence: engine.next_sequence };
            engine.next_sequence += 1;
            row.state = UrlState::Queued(place);
            seen.dirty = false;
            batch.writes.push(Write::Dequeue { site: key.site, place: old });
            batch.writes.push(Write::Enqueue { place, key });
            batch.writes.push(Write::PutUrl(Box::new(row.clone())));
            site.dequeued(old);
            site.queued(QueueEntry { place, url: key.url }, heads_max);
        }
    }
    keep_anchors(engine, key, meeting.anchors, batch);
}

fn keep_anchors(engine: &mut Engine, key: UrlKey, anchors: Vec<Anchor>, batch: &mut Batch) {
    let anchors_max = engine.config.anchors_max;
    let Some(seen) = engine.seen.get_mut_quietly(&key) else { return };
    let mut news = false;
    for anchor in anchors {
        let hash = crate::random::mix(0, anchor.text.as_bytes(), 0) as u32;
        if seen.anchors.len() < anchors_max && !seen.anchors.contains(&hash) {
            seen.anchors.push(hash);
            batch.writes.push(Write::PutAnchor { target: key, anchor });
            news = true;
        }
    }
    if news && seen.record.indexed {
        batch.writes.push(Write::Index { key, op: IndexOp::Refresh });
    }
}

fn anchor_of(link: &Link, from: UrlKey) -> Option<Anchor> {
    let mut end = link.text.len().min(ANCHOR_BYTES_MAX);
    while !link.text.is_char_boundary(end) {
        end -= 1;
    }
    let text = link.text[..end].trim();
    (!text.is_empty()).then(|| Anchor { text: text.to_owned(), from, weight: link.weight() })
}
