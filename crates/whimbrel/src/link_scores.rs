//! PageRank over the stored pages, computed when a crawl ends and kept beside the index. Links weigh by visibility,
//! position and distance; a link to a copy or a redirect counts for the page behind it.

use crate::collection::score_file;
use anyhow::{Context, Result};
use rustc_hash::FxHashMap;
use std::path::Path;
use whimbrel_rank::{GraphBuilder, PageRank, ScoreTable, pagerank};
use whimbrel_store::Store;
use whimbrel_types::UrlKey;

/// Redirects and copies followed from a link to the page behind it.
const HOPS_MAX: usize = 6;

/// Computes and writes the table.
pub fn renew(store: &Store, data: &Path) -> Result<usize> {
    let mut number: FxHashMap<UrlKey, u32> = FxHashMap::default();
    let mut keys: Vec<UrlKey> = Vec::new();
    let mut behind: FxHashMap<UrlKey, UrlKey> = FxHashMap::default();
    for row in store.all_urls() {
        let row = row.context("reading the URL table")?;
        let key = row.key();
        if let Some(representative) = row.representative {
            behind.insert(key, representative);
        } else if row.versions > 0 {
            number.insert(key, u32::try_from(keys.len()).context("numbering pages")?);
            keys.push(key);
        }
    }
    let mut builder = GraphBuilder::default();
    for (from, key) in (0u32..).zip(&keys) {
        for link in store.links(key).context("reading links")? {
            let mut target = link.target.key();
            for _ in 0..HOPS_MAX {
                match behind.get(&target) {
                    Some(next) if !number.contains_key(&target) => target = *next,
                    _ => break,
                }
            }
            if let Some(to) = number.get(&target)
                && !link.rel.says_no()
            {
                builder.link(from, *to, link.weight() as f32);
            }
        }
    }
    let scores = pagerank(&builder.build(u32::try_from(keys.len())?), PageRank::default());
    let table = ScoreTable::new(keys.into_iter().zip(scores).collect());
    write(&score_file(data), table.as_bytes())?;
    Ok(table.len())
}

/// The table of the last crawl; empty when there is none yet.
pub fn load(data: &Path) -> ScoreTable {
    std::fs::read(score_file(data)).ok().and_then(ScoreTable::from_bytes).unwrap_or_default()
}

/// Whole or not at all: a reader sees the old table or the new one.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let dir = path.parent().context("the score file has a directory")?;
    std::fs::create_dir_all(dir).with_context(|| format!("creating {}", dir.display()))?;
    let fresh = path.with_extension("new");
    std::fs::write(&fresh, bytes).with_context(|| format!("writing {}", fresh.display()))?;
    std::fs::rename(&fresh, path).with_context(|| format!("renaming {}", fresh.display()))
}
