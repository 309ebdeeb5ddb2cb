//! Limits that were reached since the collection began: how often, what they are set to, and where to look.

use super::Answerer;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use whimbrel_types::Limit;

/// URLs shown per limit.
const EXAMPLES_MAX: usize = 3;
/// Notes that are looked through for them.
const NOTES_READ_MAX: usize = 20_000;
/// Counters of limits begin with this.
const PREFIX: &str = "limit:";

pub fn limits(answerer: &Answerer) -> Result<Value> {
    let counters = answerer.store.counters().context("reading counters")?;
    let mut examples: BTreeMap<Limit, Vec<String>> = BTreeMap::new();
    if counters.keys().any(|name| name.starts_with(PREFIX)) {
        for note in answerer.store.notes().take(NOTES_READ_MAX) {
            let note = note.context("reading notes")?;
            for limit in note.limits {
                let urls = examples.entry(limit).or_default();
                if urls.len() < EXAMPLES_MAX {
                    urls.push(note.url.to_string());
                }
            }
        }
    }
    let mut rows: Vec<(u64, Value)> = Vec::new();
    for limit in Limit::ALL {
        let Some(count) = counters.get(&format!("{PREFIX}{}", limit.key())) else { continue };
        let row = json!({
            "limit": limit.key(),
            "value": answerer.config.value_of(limit.key()),
            "count": count,
            "examples": examples.remove(limit).unwrap_or_default(),
        });
        rows.push((*count, row));
    }
    rows.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    Ok(Value::Array(rows.into_iter().map(|(_, row)| row).collect()))
}
