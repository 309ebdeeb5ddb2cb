//! `links`: the links of a stored page with their attributes, and the four views of the URL organizer (thesis, App. I).

use super::{Answerer, Question};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use whimbrel_types::{CanonicalUrl, Link};
use whimbrel_url::{ExtractedLink, duplicate_links, views};

pub fn links(answerer: &Answerer, question: &Question) -> Result<Value> {
    let typed = question.need("url")?;
    let url = match whimbrel_url::normalize(typed) {
        Ok(url) => url,
        Err(reason) => bail!("{typed:?} is no URL that can be crawled: {reason}"),
    };
    let key = url.key();
    if answerer.store.page(&key)?.is_none() {
        let hint = match answerer.store.url(&key)? {
            Some(row) if row.representative.is_some() => {
                "it is an alias of another page; `whimbrel explain` names it"
            }
            Some(_) => "it was met but is not stored; `whimbrel explain` says why",
            None => "it is not in the collection",
        };
        bail!("no stored page {url}: {hint}");
    }
    let links = answerer.store.links(&key).context("reading links")?;
    match question.get("view") {
        None => Ok(json!({ "url": url.as_str(), "links": links.iter().map(link_json).collect::<Vec<_>>() })),
        Some("duplicates") => duplicates(&url, &links),
        Some(view) => organizer(answerer, &url, &links, view),
    }
}

fn link_json(link: &Link) -> Value {
    json!({
        "id": link.target.id().to_string(),
        "target": link.target.as_str(),
        "text": link.text,
        "visibility": link.visibility,
        "position": link.position,
        "distance": link.distance,
        "kind": format!("{:?}", link.kind).to_lowercase(),
        "nofollow": link.rel.says_no(),
        "in_navigation": link.in_navigation,
    })
}

fn duplicates(url: &CanonicalUrl, links: &[Link]) -> Result<Value> {
    let report = duplicate_links(links);
    Ok(json!({ "url": url.as_str(), "total": links.len(), "report": report }))
}

fn organizer(answerer: &Answerer, url: &CanonicalUrl, links: &[Link], view: &str) -> Result<Value> {
    let extracted: Vec<ExtractedLink> = links.iter().map(ExtractedLink::from).collect();
    let embedded = |target: &CanonicalUrl| answerer.store.links(&target.key()).map_or(0, |links| links.len());
    let all = views(extracted, None, embedded);
    let value = serde_json::to_value(&all).context("showing the views")?;
    let name = match view {
        "extracted" | "normalized" | "duplicates" | "ordered" => view,
        other => bail!("there is no view {other:?}; there are extracted, normalized, duplicates, ordered"),
    };
    Ok(json!({ "url": url.as_str(), "view": name, "links": value.get(name) }))
}
