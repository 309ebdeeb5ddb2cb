//! `explain`: every decision about a URL, recomputed from the rules and read from the store.

use super::{Answerer, Question, traps};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use whimbrel_types::{RejectReason, UrlKey, UrlRecord, UrlState};

pub fn explain(answerer: &Answerer, question: &Question) -> Result<Value> {
    let typed = question.need("url")?;
    let url = match whimbrel_url::normalize(typed) {
        Ok(url) => url,
        Err(reason) => {
            return Ok(
                json!({ "url": typed, "normal_form": null, "admitted": false, "reason": reason.to_string() }),
            );
        }
    };
    let key = url.key();
    let row = answerer.store.url(&key).context("reading the URL table")?;
    let pending = answerer.store.pending_link(&key).context("reading waiting links")?;
    let depth = row.as_ref().map(|row| row.depth).or(pending.as_ref().map(|link| link.depth));
    let checks = answerer.rules.explain(&url, depth.unwrap_or(0));
    let robots = super::robots::robots(answerer, &url, crate::clock::now())?;
    let refused = checks.iter().find_map(|(_, result)| result.clone().err());
    let forbidden = robots["allowed"] == Value::Bool(false);
    let (trap, trapped) = traps::about(answerer, &url, row.is_some())?;
    // An order that allows a pattern lifts the judgement of its shape.
    let is_allowed = trap["said"]["verdict"] == "allow";
    let refused = match refused {
        Some(RejectReason::Trap(_) | RejectReason::Cgi) if is_allowed => {
            answerer.rules.admit_any_shape(&url, depth.unwrap_or(0)).err()
        }
        other => other,
    };
    let reason = refused.or(trapped).or(forbidden.then_some(RejectReason::Robots));
    let state = match (&row, &pending) {
        (Some(row), _) => state_name(row),
        (None, Some(_)) => "pending",
        (None, None) => "unknown",
    };
    Ok(json!({
        "url": typed,
        "normal_form": url.as_str(),
        "steps": whimbrel_url::standard::six_steps(typed),
        "key": whimbrel_types::hex(&key.to_bytes()),
        "state": state,
        "admitted": reason.is_none(),
        "reason": reason.map(|reason| reason.to_string()),
        "checks": checks.iter().map(check_json).collect::<Vec<_>>(),
        "robots": robots,
        "trap": trap,
        "depth": depth,
        "record": row.as_ref().map(|row| record_json(answerer, row)).transpose()?,
        "note": note_json(answerer, &key, row.as_ref())?,
        "page": page_json(answerer, &key)?,
        "aliases": urls_of(answerer, &answerer.store.aliases(&key)?)?,
        "anchors": answerer.store.anchors(&key)?.into_iter().map(|anchor| anchor.text).collect::<Vec<_>>(),
    }))
}

fn state_name(row: &UrlRecord) -> &'static str {
    match row.state {
        UrlState::Queued(_) => "queued",
        UrlState::Known if row.representative.is_some() => "alias",
        UrlState::Known if row.versions > 0 => "stored",
        UrlState::Known => "visited",
    }
}

fn check_json((name, result): &(String, Result<(), RejectReason>)) -> Value {
    match result {
        Ok(()) => json!({ "check": name, "passed": true }),
        Err(reason) => json!({ "check": name, "passed": false, "reason": reason.to_string() }),
    }
}

fn record_json(answerer: &Answerer, row: &UrlRecord) -> Result<Value> {
    let name = |key: Option<UrlKey>| -> Result<Option<String>> {
        Ok(urls_of(answerer, &key.into_iter().collect::<Vec<_>>())?.pop())
    };
    let place = match row.state {
        UrlState::Queued(place) => Some(json!({ "class": place.class, "sequence": place.sequence })),
        _ => None,
    };
    Ok(json!({
        "depth": row.depth,
        "discovered_at": row.discovered_at.to_string(),
        "discovered_from": name(row.discovered_from)?,
        "queue_place": place,
        "in_links": row.in_links,
        "occurrences": row.occurrences,
        "link_score": row.link_score,
        "redirect_hops": row.redirect_hops,
        "representative": name(row.representative)?,
        "size": row.size,
        "last_visit": row.last_visit.map(|at| at.to_string()),
        "last_change": row.last_change.map(|at| at.to_string()),
        "last_outcome": row.outcome.as_ref().map(whimbrel_types::FetchOutcome::label),
        "failures": row.failures,
        "unreachable_since": row.unreachable_since.map(|at| at.to_string()),
        "gone_since": row.gone_since.map(|at| at.to_string()),
        "validators": { "etag": row.validators.etag, "last_modified": row.validators.last_modified },
        "next_due": (row.due != whimbrel_types::Timestamp::NEVER).then(|| row.due.to_string()),
        "indexed": row.indexed,
        "unindexed": row.unindexed.map(whimbrel_types::Unindexed::as_str),
        "expires_at": row.expires_at.map(|at| at.to_string()),
        "versions": row.versions,
        "history": row.history.iter().map(|visit| json!({
            "at": visit.at.to_string(),
            "changed": visit.changed,
            "digest": whimbrel_types::hex(&visit.digest),
        })).collect::<Vec<_>>(),
    }))
}

/// The last visit that had something to say: why it failed, which limits it reached.
fn note_json(answerer: &Answerer, key: &UrlKey, row: Option<&UrlRecord>) -> Result<Option<Value>> {
    let Some(note) = answerer.store.note(key).context("reading notes")? else { return Ok(None) };
    let is_last = row.is_none_or(|row| row.last_visit.is_none_or(|at| at <= note.at));
    Ok(Some(json!({
        "at": note.at.to_string(),
        "of_last_visit": is_last,
        "outcome": note.outcome,
        "detail": note.detail,
        "limits": note.limits.iter().map(|limit| limit.key()).collect::<Vec<_>>(),
    })))
}

fn page_json(answerer: &Answerer, key: &UrlKey) -> Result<Option<Value>> {
    let Some(page) = answerer.store.page(key)? else { return Ok(None) };
    let content = answerer.store.content(key)?.unwrap_or_default();
    Ok(Some(json!({
        "title": content.title,
        "author": content.author,
        "language": content.language,
        "status": page.status,
        "content_type": page.content_type,
        "fetched_at": page.fetched_at.to_string(),
        "digest": page.content_hash.to_string(),
        "body_bytes": page.body_bytes,
        "wire_bytes": page.wire_bytes,
        "truncated": page.truncated,
        "canonical": content.canonical.as_ref().map(ToString::to_string),
        "noindex": content.robots.noindex,
        "nofollow": content.robots.nofollow,
        "warc": { "file": page.response.file, "offset": page.response.offset, "length": page.response.length },
    })))
}

/// URLs behind keys; a key whose row is gone is left out.
pub fn urls_of(answerer: &Answerer, keys: &[UrlKey]) -> Result<Vec<String>> {
    let rows = answerer.store.urls(keys).context("reading the URL table")?;
    Ok(rows.into_iter().flatten().map(|row| row.url.to_string()).collect())
}
