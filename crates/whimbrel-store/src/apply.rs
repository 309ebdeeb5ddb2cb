//! Carries out one batch: turns each write into rows of the group and members of the WARC file. Decides nothing that a
//! planner decides; only what belongs to the layout: pointers, sequence numbers, revisit records, bounded rows.

use crate::anchor::AnchorCache;
use crate::digest;
use crate::error::Error;
use crate::group::Group;
use crate::options::StoreOptions;
use crate::queue::{Item, Submission};
use crate::retention::drop_old_versions;
use crate::row::{self, IndexRow, Packer, PageRow};
use crate::table::Table;
use crate::warc::{MetadataFields, RevisitFields, WarcAppender, metadata_record, revisit_record};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use whimbrel_types::{CanonicalUrl, Capture, NewPage, PageVersion, RevisitCapture, UrlKey, UrlRecord, Write};

/// Prefix of the caller's own rows in the meta table.
pub(crate) const META_PREFIX: &str = "user:";

/// What the writer keeps from group to group.
pub(crate) struct Workshop {
    pub appender: WarcAppender,
    pub packer: Packer,
    pub anchors: AnchorCache,
    pub counters: BTreeMap<String, u64>,
    pub index_sequence: u64,
    /// Rows of the index queue up to here are gone.
    pub index_removed: u64,
    /// Last batch committed so far.
    pub committed: u64,
}

/// One group being built.
pub(crate) struct Application<'g, 'w> {
    group: Group<'g>,
    workshop: &'w mut Workshop,
    options: &'w StoreOptions,
    counted: BTreeSet<String>,
    pages: FxHashMap<UrlKey, PageRow>,
}

impl<'g, 'w> Application<'g, 'w> {
    pub(crate) fn new(
        group: Group<'g>,
        workshop: &'w mut Workshop,
        options: &'w StoreOptions,
    ) -> Application<'g, 'w> {
        Application { group, workshop, options, counted: BTreeSet::new(), pages: FxHashMap::default() }
    }

    /// Adds a batch to the group.
    pub(crate) fn apply(&mut self, submission: &mut Submission) -> Result<(), Error> {
        let Submission { sequence, items, subjects, .. } = submission;
        for item in items.iter_mut() {
            match item {
                Item::Url(key, record) => {
                    self.group.put(Table::Urls, &key.to_bytes(), row::encode_url(record))
                }
                Item::Site(key, record) => {
                    self.group.put(Table::Sites, &key.to_bytes(), row::encode(&**record))
                }
                Item::Pending(key, link) => {
                    self.group.put(Table::Pending, &key.to_bytes(), row::encode(&**link))
                }
                Item::Meta(name, value) => self.put_meta(name, value.take()),
                Item::IndexDone(up_to) => self.index_done(*up_to)?,
                Item::Write(write) => self.write(write, *sequence, subjects)?,
            }
        }
        // Owners are told apart by their URL rows, so these come after all rows of the batch.
        for item in items.iter() {
            match item {
                Item::Write(Write::ClaimDigest { hash, owner }) => {
                    digest::claim(&mut self.group, hash, owner)?
                }
                Item::Write(Write::ReleaseDigest { hash }) => digest::release(&mut self.group, hash)?,
                _ => {}
            }
        }
        if let Some(report) = submission.report {
            self.group.put(Table::Reports, &row::number_key(submission.sequence), report.as_slice());
        }
        for forgotten in &submission.forgotten_reports {
            self.group.remove_once(Table::Reports, &row::number_key(*forgotten));
        }
        Ok(())
    }

    /// Rows of the counters that changed; then the group is complete.
    pub(crate) fn finish(mut self) -> Group<'g> {
        for name in &self.counted {
            let value = self.workshop.counters.get(name).copied().unwrap_or(0);
            self.group.put(Table::Counters, name.as_bytes(), row::encode(&value));
        }
        self.group
    }

    fn write(
        &mut self,
        write: &mut Write,
        sequence: u64,
        subjects: &[(UrlKey, Arc<UrlRecord>)],
    ) -> Result<(), Error> {
        let group = &mut self.group;
        match write {
            Write::RemoveUrl(key) => group.remove(Table::Urls, &key.to_bytes()),
            Write::Enqueue { place, key } => {
                // The planner numbers places and gives none out twice, so a place may be removed once for all.
                group.put(Table::Queue, &row::queue_key(&key.site, *place), key.url.0.as_slice())
            }
            Write::Dequeue { site, place } => group.remove_once(Table::Queue, &row::queue_key(site, *place)),
            // The same time may come again for a URL, so these rows are not written once.
            Write::SetDue { key, at } => group.put(Table::Due, &row::due_key(key, *at), Vec::new()),
            Write::ClearDue { key, at } => group.remove(Table::Due, &row::due_key(key, *at)),
            Write::PutPage(page) => self.put_page(page, sequence, subjects)?,
            Write::PutRevisit(revisit) => self.put_revisit(revisit, sequence, subjects)?,
            Write::PutRobots { hash, body } => group.put(Table::Robots, &hash.0, std::mem::take(body)),
            Write::PutGate(gate) => group.put(Table::Gates, gate.host.as_bytes(), row::encode(gate)),
            Write::PutNote(note) => group.put(Table::Notes, &note.url.key().to_bytes(), row::encode(&**note)),
            Write::PutLongPage(key) => group.put(Table::Meta, &row::long_page_key(key), Vec::new()),
            Write::RemoveLongPage(key) => group.remove(Table::Meta, &row::long_page_key(key)),
            Write::PutTrap(record) => {
                group.put(Table::Traps, &record.key().to_bytes(), row::encode(&**record))
            }
            Write::RemoveTrap(key) => group.remove(Table::Traps, &key.to_bytes()),
            Write::PutTrapRule(rule) => group.put(Table::TrapRules, &rule.key().0, row::encode(&**rule)),
            Write::RemoveTrapRule(key) => group.remove(Table::TrapRules, &key.0),
            Write::RemovePending(key) => group.remove(Table::Pending, &key.to_bytes()),
            Write::PutAnchor { target, anchor } => {
                self.workshop.anchors.put(group, target, anchor, self.options.anchors_max)?;
            }
            Write::AddAlias { representative, alias } => {
                group.put(Table::Aliases, &row::alias_key(representative, alias), Vec::new());
            }
            Write::RemoveAlias { representative, alias } => {
                group.remove(Table::Aliases, &row::alias_key(representative, alias));
            }
            Write::Index { key, op } => {
                self.workshop.index_sequence += 1;
                let task = row::encode(&IndexRow { key: *key, op: *op });
                group.put(Table::IndexQueue, &row::number_key(self.workshop.index_sequence), task);
            }
            Write::Count { name, by } => {
                let counter = self.workshop.counters.entry(name.clone()).or_insert(0);
                *counter = counter.saturating_add(*by);
                self.counted.insert(std::mem::take(name));
            }
            // Digests are done last, the others are items of their own.
            Write::ClaimDigest { .. } | Write::ReleaseDigest { .. } => {}
            Write::PutUrl(record) => {
                group.put(Table::Urls, &record.key().to_bytes(), row::encode_url(record))
            }
            Write::PutSite(record) => {
                group.put(Table::Sites, &record.key().to_bytes(), row::encode(&**record))
            }
            Write::PutPending(link) => {
                group.put(Table::Pending, &link.target.key().to_bytes(), row::encode(&**link))
            }
        }
        Ok(())
    }

    fn put_page(
        &mut self,
        page: &mut NewPage,
        sequence: u64,
        subjects: &[(UrlKey, Arc<UrlRecord>)],
    ) -> Result<(), Error> {
        let key = page.version.url.key();
        let subject = subjects.iter().find(|(subject, _)| *subject == key).map(|(_, record)| &**record);
        self.workshop.appender.begin(page.capture.at)?;
        self.workshop.appender.append(&page.capture.request)?;
        page.version.response = self.workshop.appender.append(&page.capture.response)?;
        let fields = metadata_fields(subject, Some(&page.version));
        self.append_metadata(&page.version.url, &page.capture, sequence, fields)?;

        let key_bytes = key.to_bytes();
        let links = std::mem::take(&mut page.content.links);
        self.group.put(
            Table::Content,
            &key_bytes,
            row::encode_content(&mut self.workshop.packer, &page.content),
        );
        self.group.put(Table::Links, &key_bytes, row::encode_links(&mut self.workshop.packer, &links));
        let page_row = PageRow {
            version: page.version.clone(),
            captured_at: page.capture.at,
            record_id: page.capture.record_id,
            payload_sha1: page.capture.payload_sha1,
        };
        self.group.put(Table::Pages, &row::page_key(&key, sequence), row::encode(&page_row));
        // A URL stored for the first time has no old versions to look for.
        if subject.is_none_or(|record| record.versions != 1) {
            drop_old_versions(&mut self.group, &key, &page.version, self.options)?;
        }
        self.pages.insert(key, page_row);
        Ok(())
    }

    fn put_revisit(
        &mut self,
        revisit: &RevisitCapture,
        sequence: u64,
        subjects: &[(UrlKey, Arc<UrlRecord>)],
    ) -> Result<(), Error> {
        let key = revisit.url.key();
        let subject = subjects.iter().find(|(subject, _)| *subject == key).map(|(_, record)| &**record);
        let original = self.current_page(&revisit.refers_to)?;
        let capture = &revisit.capture;
        self.workshop.appender.begin(capture.at)?;
        self.workshop.appender.append(&capture.request)?;
        // Equal content may have come in another coding. Then the payloads differ, and a record that says they are the
        // same would be false: the response itself is kept.
        let same = |original: &PageRow| revisit.not_modified || original.payload_sha1 == capture.payload_sha1;
        match original.filter(same) {
            Some(original) => {
                let record = revisit_record(&RevisitFields {
                    url: &revisit.url,
                    at: capture.at,
                    address: capture.ip,
                    record_id: capture.record_id,
                    head: &capture.head,
                    payload_sha1: capture.payload_sha1,
                    not_modified: revisit.not_modified,
                    refers_to_url: &original.version.url,
                    refers_to_at: original.captured_at,
                    refers_to_id: original.record_id,
                });
                self.workshop.appender.append(&record)?;
            }
            None => {
                self.workshop.appender.append(&capture.response)?;
            }
        }
        self.append_metadata(&revisit.url, capture, sequence, metadata_fields(subject, None))
    }

    fn append_metadata(
        &mut self,
        url: &CanonicalUrl,
        capture: &Capture,
        sequence: u64,
        fields: Vec<(&'static str, String)>,
    ) -> Result<(), Error> {
        let record = metadata_record(&MetadataFields {
            url,
            at: capture.at,
            concurrent_to: capture.record_id,
            sequence,
            committed: self.workshop.committed,
            fields,
        });
        self.workshop.appender.append(&record).map(|_| ())
    }

    fn current_page(&self, key: &UrlKey) -> Result<Option<PageRow>, Error> {
        if let Some(page) = self.pages.get(key) {
            return Ok(Some(page.clone()));
        }
        match self.group.tables().prefix(Table::Pages, &key.to_bytes()).next_back() {
            Some(entry) => Ok(Some(row::decode(Table::Pages, &entry?.1)?)),
            None => Ok(None),
        }
    }

    fn put_meta(&mut self, name: &str, value: Option<Vec<u8>>) {
        let key = format!("{META_PREFIX}{name}");
        match value {
            Some(value) => self.group.put(Table::Meta, key.as_bytes(), value),
            None => self.group.remove(Table::Meta, key.as_bytes()),
        }
    }

    fn index_done(&mut self, up_to: u64) -> Result<(), Error> {
        for entry in
            self.group.tables().from(Table::IndexQueue, &row::number_key(self.workshop.index_removed))
        {
            let (key, _) = entry?;
            if row::number(&key).is_none_or(|sequence| sequence > up_to) {
                break;
            }
            self.group.remove_once(Table::IndexQueue, &key);
        }
        self.workshop.index_removed = self.workshop.index_removed.max(up_to);
        Ok(())
    }
}

fn metadata_fields(
    subject: Option<&UrlRecord>,
    version: Option<&PageVersion>,
) -> Vec<(&'static str, String)> {
    let mut fields = Vec::new();
    if let Some(record) = subject {
        let outcome = record.outcome.as_ref().map_or_else(|| "fetched".to_owned(), |outcome| outcome.label());
        fields.push(("outcome", outcome));
        fields.push(("depth", record.depth.to_string()));
    }
    if let Some(version) = version {
        fields.push(("status", version.status.to_string()));
        fields.push(("content-hash", version.content_hash.to_string()));
        fields.push(("decoded-bytes", version.body_bytes.to_string()));
    }
    fields
}
