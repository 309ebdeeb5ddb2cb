//! A store in memory, as simple as can be: the judge of what the engine's writes mean.

use super::*;
use whimbrel_types::{PendingLink, QueuePlace, SiteRecord, TrapRecord, TrapRule, UrlId};

#[derive(Clone, Debug, Default)]
pub(super) struct Disk {
    pub urls: BTreeMap<UrlKey, UrlRecord>,
    pub links: BTreeMap<UrlKey, Vec<Link>>,
    pub pages: BTreeMap<UrlKey, ContentHash>,
    pub index: BTreeSet<UrlKey>,
    pub aliases: BTreeSet<(UrlKey, UrlKey)>,
    pub next_sequence: u64,
    pub long_pages: BTreeSet<UrlKey>,
    pub notes: BTreeMap<UrlKey, whimbrel_types::VisitNote>,
    pub counters: BTreeMap<String, u64>,
    queue: BTreeMap<(SiteKey, QueuePlace), UrlId>,
    due: BTreeSet<(SiteKey, Timestamp, UrlId)>,
    digests: BTreeMap<ContentHash, UrlKey>,
    sites: BTreeMap<SiteKey, SiteRecord>,
    robots: BTreeMap<ContentHash, Vec<u8>>,
    pending: BTreeMap<UrlKey, PendingLink>,
    reports: BTreeSet<[u8; 16]>,
    pub traps: BTreeMap<UrlKey, TrapRecord>,
    pub trap_rules: BTreeMap<UrlId, TrapRule>,
    runs: u64,
}

impl Disk {
    pub fn next_run(&mut self) -> u64 {
        self.runs += 1;
        self.runs
    }

    pub fn commit(&mut self, batch: Batch) {
        if batch.report.is_some_and(|id| !self.reports.insert(id)) {
            return;
        }
        for write in batch.writes {
            self.write(write);
        }
    }

    fn write(&mut self, write: Write) {
        match write {
            Write::PutUrl(row) => {
                self.urls.insert(row.key(), *row);
            }
            Write::RemoveUrl(key) => {
                self.urls.remove(&key);
            }
            Write::Enqueue { place, key } => {
                self.next_sequence = self.next_sequence.max(place.sequence + 1);
                assert!(self.queue.insert((key.site, place), key.url).is_none(), "a place is given out once");
            }
            Write::Dequeue { site, place } => {
                assert!(self.queue.remove(&(site, place)).is_some(), "only what is queued is taken out");
            }
            Write::SetDue { key, at } => {
                self.due.insert((key.site, at, key.url));
            }
            Write::ClearDue { key, at } => {
                assert!(self.due.remove(&(key.site, at, key.url)), "only a due time that was set is cleared");
            }
            Write::PutPage(page) => {
                let key = page.version.url.key();
                self.links.insert(key, page.content.links);
                self.pages.insert(key, page.version.content_hash);
            }
            Write::PutSite(site) => {
                self.sites.insert(site.key(), *site);
            }
            Write::PutRobots { hash, body } => {
                self.robots.insert(hash, body);
            }
            Write::PutPending(link) => {
                self.pending.insert(link.target.key(), *link);
            }
            Write::RemovePending(key) => {
                self.pending.remove(&key);
            }
            Write::ClaimDigest { hash, owner } => {
                assert!(
                    self.digests.insert(hash, owner).is_none_or(|old| old == owner),
                    "a content has one owner"
                );
            }
            Write::ReleaseDigest { hash } => {
                self.digests.remove(&hash);
            }
            Write::AddAlias { representative, alias } => {
                self.aliases.insert((representative, alias));
            }
            Write::RemoveAlias { representative, alias } => {
                self.aliases.remove(&(representative, alias));
            }
            Write::PutLongPage(key) => {
                self.long_pages.insert(key);
            }
            Write::RemoveLongPage(key) => {
                assert!(self.long_pages.remove(&key), "only a mark that was set is removed");
            }
            Write::PutTrap(record) => {
                self.traps.insert(record.key(), *record);
            }
            Write::RemoveTrap(key) => {
                self.traps.remove(&key);
            }
            Write::PutTrapRule(rule) => {
                self.trap_rules.insert(rule.key(), *rule);
            }
            Write::RemoveTrapRule(key) => {
                self.trap_rules.remove(&key);
            }
            Write::Index { key, op: IndexOp::Delete } => {
                self.index.remove(&key);
            }
            Write::Index { key, op: IndexOp::Update } => {
                self.index.insert(key);
            }
            Write::Index { key, op: IndexOp::Refresh } => {
                assert!(self.index.contains(&key), "only what is in is refreshed")
            }
            Write::PutNote(note) => {
                self.notes.insert(note.url.key(), *note);
            }
            Write::Count { name, by } => *self.counters.entry(name).or_default() += by,
            Write::PutRevisit(_) | Write::PutGate(_) | Write::PutAnchor { .. } => {}
        }
    }

    pub fn refill(&self, site: SiteKey, heads: usize, due_after: (Timestamp, UrlId)) -> Refill {
        let want = 2 * heads;
        let queue: Vec<QueueEntry> = self
            .queue
            .range((site, QueuePlace { class: 0, sequence: 0 })..)
            .take_while(|((of, _), _)| *of == site)
            .take(want)
            .map(|((_, place), url)| QueueEntry { place: *place, url: *url })
            .collect();
        let due: Vec<(Timestamp, UrlId)> = self
            .due
            .range((site, due_after.0, due_after.1)..)
            .take_while(|(of, ..)| *of == site)
            .filter(|(_, at, url)| (*at, *url) > due_after)
            .take(heads)
            .map(|(_, at, url)| (*at, *url))
            .collect();
        Refill { site, queue_more: queue.len() == want, due_more: due.len() == heads, queue, due }
    }

    pub fn found(&self, urls: &[UrlKey], digests: &[ContentHash]) -> Found {
        let mut found = Found::default();
        for key in urls {
            if let Some(row) = self.urls.get(key) {
                found.urls.insert(*key, row.clone());
            }
        }
        for hash in digests {
            if let Some(owner) = self.digests.get(hash) {
                found.digests.insert(*hash, *owner);
            }
        }
        found
    }

    pub fn sites(&self) -> Vec<(SiteRecord, Option<Vec<u8>>, Vec<PendingLink>)> {
        self.sites
            .values()
            .map(|record| {
                let robots = match record.robots {
                    whimbrel_types::RobotsState::Rules(hash) => self.robots.get(&hash).cloned(),
                    _ => None,
                };
                let pending = self.pending.values().filter(|link| link.target.key().site == record.key());
                (record.clone(), robots, pending.cloned().collect())
            })
            .collect()
    }

    /// URLs queued and never visited.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }
}
