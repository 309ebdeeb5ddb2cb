//! Reads of the store on behalf of the engine.

use anyhow::{Context, Result};
use whimbrel_plan::engine::{Found, Refill};
use whimbrel_store::Store;
use whimbrel_types::{ContentHash, Link, SiteKey, Timestamp, UrlId, UrlKey, UrlRecord};

/// Rows and owners of digests, for a report to be applied.
pub fn found(store: &Store, urls: &[UrlKey], digests: &[ContentHash]) -> Result<Found> {
    let mut found = Found::default();
    let rows = store.urls(urls).context("reading the URL table")?;
    for (key, row) in urls.iter().zip(rows) {
        if let Some(row) = row {
            found.urls.insert(*key, row);
        }
    }
    for hash in digests {
        if let Some(owner) = store.digest_owner(hash).context("reading the table of contents seen")? {
            found.digests.insert(*hash, owner);
        }
    }
    Ok(found)
}

/// The heads of a site's queues.
pub fn refill(store: &Store, site: SiteKey, heads: usize, due_after: (Timestamp, UrlId)) -> Result<Refill> {
    // URLs in itineraries are still in the queue on disk, so more is read than is wanted.
    let want = 2 * heads;
    let queue = store.queue(&site, want).context("reading a site's queue")?;
    let due = store.due_after(&site, due_after, heads).context("reading due pages")?;
    Ok(Refill { site, queue_more: queue.len() == want, due_more: due.len() == heads, queue, due })
}

/// A stored page's row and its links.
pub type PageLinks = (UrlRecord, Vec<Link>);

/// A stored page's row and links.
pub fn page_links(store: &Store, key: &UrlKey) -> Result<Option<Box<PageLinks>>> {
    let Some(row) = store.url(key).context("reading the URL table")? else { return Ok(None) };
    let links = store.links(key).context("reading links")?;
    Ok(Some(Box::new((row, links))))
}

/// Targets of a page's links on its own site.
pub fn link_targets(page: &UrlRecord, links: &[Link]) -> Vec<UrlKey> {
    let site = page.key().site;
    let mut keys: Vec<UrlKey> =
        links.iter().map(|link| link.target.key()).filter(|key| key.site == site).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Pages of a site that are stored.
pub fn stored_pages(store: &Store, site: &SiteKey) -> Result<Vec<UrlKey>> {
    let mut pages = Vec::new();
    for row in store.site_urls(site) {
        let row = row.context("reading the URL table")?;
        if row.versions > 0 {
            pages.push(row.key());
        }
    }
    Ok(pages)
}
