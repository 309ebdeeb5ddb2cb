//! Reads of what waits: queues, due times, links whose site is not ready; and of what must not wait for ever: traps. All see what is committed, but for
//! `pending_link`, which sees what is submitted.

use crate::error::Error;
use crate::read::values;
use crate::row;
use crate::store::Store;
use crate::table::Table;
use whimbrel_types::{PendingLink, QueueEntry, SiteKey, Timestamp, TrapRecord, TrapRule, UrlId, UrlKey};

impl Store {
    /// The first `max` places of a site's queue.
    pub fn queue(&self, site: &SiteKey, max: usize) -> Result<Vec<QueueEntry>, Error> {
        let rows = self.tables().prefix(Table::Queue, &site.to_bytes()).take(max);
        rows.map(|entry| entry.and_then(|(key, value)| row::queue_entry(&key, &value))).collect()
    }

    /// Sites with something in their queues.
    pub fn queued_sites(&self) -> Result<Vec<SiteKey>, Error> {
        self.sites_in(Table::Queue)
    }

    /// At most `max` URLs of a site that are due at or before `before`, earliest first.
    pub fn due(
        &self,
        site: &SiteKey,
        before: Timestamp,
        max: usize,
    ) -> Result<Vec<(Timestamp, UrlId)>, Error> {
        let mut found = Vec::new();
        for entry in self.tables().prefix(Table::Due, &site.to_bytes()).take(max) {
            let (at, url) = row::due_entry(&entry?.0)?;
            if at > before {
                break;
            }
            found.push((at, url));
        }
        Ok(found)
    }

    /// At most `max` URLs of a site in the order of their due times, from the one after `after` on.
    pub fn due_after(
        &self,
        site: &SiteKey,
        after: (Timestamp, UrlId),
        max: usize,
    ) -> Result<Vec<(Timestamp, UrlId)>, Error> {
        let start = row::due_key(&UrlKey { site: *site, url: after.1 }, after.0);
        let mut found = Vec::new();
        for entry in self.tables().from(Table::Due, &start) {
            let (key, _) = entry?;
            if found.len() == max || !key.starts_with(&site.to_bytes()) {
                break;
            }
            let place = row::due_entry(&key)?;
            if place > after {
                found.push(place);
            }
        }
        Ok(found)
    }

    /// When the first URL of a site is due.
    pub fn next_due(&self, site: &SiteKey) -> Result<Option<Timestamp>, Error> {
        match self.tables().prefix(Table::Due, &site.to_bytes()).next() {
            Some(entry) => Ok(Some(row::due_entry(&entry?.0)?.0)),
            None => Ok(None),
        }
    }

    /// Sites with a URL that is due some time.
    pub fn due_sites(&self) -> Result<Vec<SiteKey>, Error> {
        self.sites_in(Table::Due)
    }

    /// At most `max` waiting links of a site.
    pub fn pending(&self, site: &SiteKey, max: usize) -> Result<Vec<PendingLink>, Error> {
        values(Table::Pending, self.tables().prefix(Table::Pending, &site.to_bytes())).take(max).collect()
    }

    /// Sites with waiting links.
    pub fn pending_sites(&self) -> Result<Vec<SiteKey>, Error> {
        self.sites_in(Table::Pending)
    }

    /// The waiting link to a URL, submitted or committed.
    pub fn pending_link(&self, key: &UrlKey) -> Result<Option<PendingLink>, Error> {
        if let Some(link) = self.overlay().pending(key) {
            return Ok(link.cloned());
        }
        self.row(Table::Pending, &key.to_bytes())
    }

    /// What is known of a site's pattern, by the identity of its text.
    pub fn trap(&self, key: &UrlKey) -> Result<Option<TrapRecord>, Error> {
        self.row(Table::Traps, &key.to_bytes())
    }

    /// All patterns that are watched or stopped, site by site.
    pub fn traps(&self) -> impl Iterator<Item = Result<TrapRecord, Error>> + Send + use<> {
        values(Table::Traps, self.tables().from(Table::Traps, &[]))
    }

    /// What the operator said about patterns.
    pub fn trap_rules(&self) -> Result<Vec<TrapRule>, Error> {
        values(Table::TrapRules, self.tables().from(Table::TrapRules, &[])).collect()
    }

    /// The sites that have rows in a table whose keys begin with a site; one seek per site, not one step per row.
    fn sites_in(&self, table: Table) -> Result<Vec<SiteKey>, Error> {
        let mut sites = Vec::new();
        let mut from = Some([0; SiteKey::LEN]);
        while let Some(start) = from {
            let Some(entry) = self.tables().from(table, &start).next() else { break };
            let site = SiteKey::from_bytes(&entry?.0)
                .ok_or_else(|| Error::damaged("a key of a site", "too short"))?;
            sites.push(site);
            from = successor(site.to_bytes());
        }
        Ok(sites)
    }
}

/// The next prefix of the same length.
fn successor(mut bytes: [u8; SiteKey::LEN]) -> Option<[u8; SiteKey::LEN]> {
    for byte in bytes.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return Some(bytes);
        }
    }
    None
}
