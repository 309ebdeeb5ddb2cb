//! Reads of URLs, pages, sites, digests and the index queue.
//!
//! `url`, `urls`, `site`, `pending_link` and `digest_owner` see what was submitted and is not committed yet. All others
//! see what is committed; [`Store::in_order`] is the way to read them after one's own writes.

use crate::apply::META_PREFIX;
use crate::error::Error;
use crate::row::{self, IndexRow, PageRow};
use crate::store::Store;
use crate::table::{Rows, Table, Tables};
use crate::warc::{StoredResponse, WarcRecord};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{PoisonError, RwLockReadGuard};
use whimbrel_types::{
    Anchor, ContentHash, GateState, IndexOp, Link, PageContent, PageVersion, SiteKey, SiteRecord, UrlKey,
    UrlRecord, VisitNote, WarcPointer,
};

/// A row of the index queue: its number, the URL, what to do.
pub type IndexTask = (u64, UrlKey, IndexOp);

/// Sizes of a collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreStats {
    /// Bytes of the database's tables.
    pub database_bytes: u64,
    /// Bytes of the WARC files.
    pub warc_bytes: u64,
    /// Number of WARC files.
    pub warc_files: usize,
    /// Number of the last committed batch.
    pub sequence: u64,
    /// Pages submitted and not yet committed.
    pub uncommitted_pages: usize,
}

impl Store {
    /// A row of the URL table, submitted or committed.
    pub fn url(&self, key: &UrlKey) -> Result<Option<UrlRecord>, Error> {
        if let Some(record) = self.overlay().url(key) {
            return Ok(record.cloned());
        }
        self.row(Table::Urls, &key.to_bytes())
    }

    /// Rows of the URL table in the order of `keys`; looked up in the order of the table.
    pub fn urls(&self, keys: &[UrlKey]) -> Result<Vec<Option<UrlRecord>>, Error> {
        let mut found = vec![None; keys.len()];
        let mut order = Vec::with_capacity(keys.len());
        {
            let overlay = self.overlay();
            for (place, key) in keys.iter().enumerate() {
                match overlay.url(key) {
                    Some(record) => found[place] = record.cloned(),
                    None => order.push(place),
                }
            }
        }
        order.sort_unstable_by_key(|place| keys[*place]);
        let mut previous: Option<usize> = None;
        for place in order {
            found[place] = match previous {
                Some(before) if keys[before] == keys[place] => found[before].clone(),
                _ => self.row(Table::Urls, &keys[place].to_bytes())?,
            };
            previous = Some(place);
        }
        Ok(found)
    }

    /// Committed URL rows of a site, in the order of their identities.
    pub fn site_urls(&self, site: &SiteKey) -> impl Iterator<Item = Result<UrlRecord, Error>> + Send + use<> {
        values(Table::Urls, self.tables().prefix(Table::Urls, &site.to_bytes()))
    }

    /// All committed URL rows, site by site.
    pub fn all_urls(&self) -> impl Iterator<Item = Result<UrlRecord, Error>> + Send + use<> {
        values(Table::Urls, self.tables().from(Table::Urls, &[]))
    }

    /// The current version of a page.
    pub fn page(&self, key: &UrlKey) -> Result<Option<PageVersion>, Error> {
        match self.tables().prefix(Table::Pages, &key.to_bytes()).next_back() {
            Some(entry) => Ok(Some(row::decode::<PageRow>(Table::Pages, &entry?.1)?.version)),
            None => Ok(None),
        }
    }

    /// The versions of a page that are kept, oldest first.
    pub fn versions(&self, key: &UrlKey) -> Result<Vec<PageVersion>, Error> {
        let rows = values::<PageRow>(Table::Pages, self.tables().prefix(Table::Pages, &key.to_bytes()));
        rows.map(|page| page.map(|page| page.version)).collect()
    }

    /// Text and fields of the current version, without its links.
    pub fn content(&self, key: &UrlKey) -> Result<Option<PageContent>, Error> {
        let bytes = self.tables().get(Table::Content, &key.to_bytes())?;
        bytes.map(|bytes| row::decode_packed(Table::Content, &bytes)).transpose()
    }

    /// Links of the current version; none when there is no page.
    pub fn links(&self, key: &UrlKey) -> Result<Vec<Link>, Error> {
        match self.tables().get(Table::Links, &key.to_bytes())? {
            Some(bytes) => row::decode_packed(Table::Links, &bytes),
            None => Ok(Vec::new()),
        }
    }

    /// What links say about a page, heaviest first.
    pub fn anchors(&self, key: &UrlKey) -> Result<Vec<Anchor>, Error> {
        Ok(self.row(Table::Anchors, &key.to_bytes())?.unwrap_or_default())
    }

    /// A row of the site table, submitted or committed.
    pub fn site(&self, key: &SiteKey) -> Result<Option<SiteRecord>, Error> {
        if let Some(record) = self.overlay().site(key) {
            return Ok(Some(record.clone()));
        }
        self.row(Table::Sites, &key.to_bytes())
    }

    /// All committed sites.
    pub fn sites(&self) -> impl Iterator<Item = Result<SiteRecord, Error>> + Send + use<> {
        values(Table::Sites, self.tables().from(Table::Sites, &[]))
    }

    /// A robots.txt body by its hash.
    pub fn robots(&self, hash: &ContentHash) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.tables().get(Table::Robots, &hash.0)?.map(|body| body.to_vec()))
    }

    /// All gates.
    pub fn gates(&self) -> impl Iterator<Item = Result<GateState, Error>> + Send + use<> {
        values(Table::Gates, self.tables().from(Table::Gates, &[]))
    }

    /// The page that was first seen with this content, and still has it. The 64-bit fingerprint finds it, the 256-bit
    /// hash in its URL row confirms it. Sees what is submitted.
    pub fn digest_owner(&self, hash: &ContentHash) -> Result<Option<UrlKey>, Error> {
        if let Some(owner) = self.overlay().digest(hash) {
            return Ok(owner);
        }
        let Some(row) = self.tables().get(Table::Digests, &hash.fingerprint())? else { return Ok(None) };
        for owner in row::decode_owners(&row)? {
            if self.url(&owner)?.is_some_and(|record| record.content_hash == Some(*hash)) {
                return Ok(Some(owner));
            }
        }
        Ok(None)
    }

    /// URLs that show the same content as a page, or redirect to it.
    pub fn aliases(&self, key: &UrlKey) -> Result<Vec<UrlKey>, Error> {
        let rows = self.tables().prefix(Table::Aliases, &key.to_bytes());
        rows.map(|entry| row::url_key(Table::Aliases, entry?.0.get(UrlKey::LEN..).unwrap_or_default()))
            .collect()
    }

    /// At most `max` rows of the index queue after row `after`, in order.
    pub fn index_queue(&self, after: u64, max: usize) -> Result<Vec<IndexTask>, Error> {
        let floor = self.inner.shared.index_floor.load(Ordering::Acquire);
        let from = after.max(floor).saturating_add(1);
        let rows = self.tables().from(Table::IndexQueue, &row::number_key(from));
        rows.take(max)
            .map(|entry| {
                let (key, value) = entry?;
                let number = row::number(&key)
                    .ok_or_else(|| Error::damaged("the index queue", "wrong length of a key"))?;
                let IndexRow { key, op } = row::decode(Table::IndexQueue, &value)?;
                Ok((number, key, op))
            })
            .collect()
    }

    /// Pages whose links were not all followed when the last run ended.
    pub fn long_pages(&self) -> Result<Vec<UrlKey>, Error> {
        let rows = self.tables().prefix(Table::Meta, row::LONG_PAGE_PREFIX);
        rows.map(|entry| {
            row::url_key(Table::Meta, entry?.0.get(row::LONG_PAGE_PREFIX.len()..).unwrap_or_default())
        })
        .collect()
    }

    /// What there was to say of a URL's visits, last time there was something.
    pub fn note(&self, key: &UrlKey) -> Result<Option<VisitNote>, Error> {
        self.row(Table::Notes, &key.to_bytes())
    }

    /// All notes, site by site.
    pub fn notes(&self) -> impl Iterator<Item = Result<VisitNote, Error>> + Send + use<> {
        values(Table::Notes, self.tables().from(Table::Notes, &[]))
    }

    /// All counters.
    pub fn counters(&self) -> Result<BTreeMap<String, u64>, Error> {
        let rows = self.tables().from(Table::Counters, &[]);
        rows.map(|entry| {
            let (name, value) = entry?;
            Ok((String::from_utf8_lossy(&name).into_owned(), row::decode(Table::Counters, &value)?))
        })
        .collect()
    }

    /// A value kept with [`Store::meta_put`].
    pub fn meta_get(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let value = self.tables().get(Table::Meta, format!("{META_PREFIX}{name}").as_bytes())?;
        Ok(value.map(|value| value.to_vec()))
    }

    /// Sizes.
    #[must_use]
    pub fn stats(&self) -> StoreStats {
        let shared = &self.inner.shared;
        StoreStats {
            database_bytes: shared.tables.disk_bytes(),
            warc_bytes: shared.files.bytes(),
            warc_files: shared.files.all().len(),
            sequence: shared.committed.load(Ordering::Acquire),
            uncommitted_pages: self.uncommitted_pages(),
        }
    }

    /// The response a pointer points to, as it was received.
    pub fn response(&self, pointer: &WarcPointer) -> Result<StoredResponse, Error> {
        crate::warc::read_response(&self.inner.shared.files, pointer)
    }

    /// The WARC record a pointer points to, for exports.
    pub fn warc_record(&self, pointer: &WarcPointer) -> Result<WarcRecord, Error> {
        crate::warc::read_record(&self.inner.shared.files, pointer)
    }

    /// The WARC files in order: their numbers, as pointers have them, and their paths.
    #[must_use]
    pub fn warc_files(&self) -> Vec<(u32, PathBuf)> {
        self.inner.shared.files.all()
    }

    /// The data directory.
    #[must_use]
    pub fn dir(&self) -> &std::path::Path {
        &self.inner.shared.dir
    }

    pub(crate) fn tables(&self) -> &Tables {
        &self.inner.shared.tables
    }

    pub(crate) fn overlay(&self) -> RwLockReadGuard<'_, crate::overlay::Overlay> {
        self.inner.shared.overlay.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn row<T: serde::de::DeserializeOwned>(
        &self,
        table: Table,
        key: &[u8],
    ) -> Result<Option<T>, Error> {
        self.tables().get(table, key)?.map(|bytes| row::decode(table, &bytes)).transpose()
    }
}

/// Decoded values of a scan.
pub(crate) fn values<T: serde::de::DeserializeOwned>(
    table: Table,
    rows: Rows,
) -> impl Iterator<Item = Result<T, Error>> + Send + use<T> {
    rows.map(move |entry| row::decode(table, &entry?.1))
}
