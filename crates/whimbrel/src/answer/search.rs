//! `search`: words in, pages out.

use super::{Answerer, Question};
use crate::clock::now;
use crate::collection::index_dir;
use crate::link_scores;
use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use whimbrel_index::{Hit, Rank, SearchRequest, Searcher};
use whimbrel_types::UrlKey;

/// Results per answer at the most.
const LIMIT_MAX: usize = 1000;

pub fn search(answerer: &Answerer, question: &Question) -> Result<Value> {
    let rank: Rank = question
        .get("rank")
        .unwrap_or(&answerer.config.raw.index.rank)
        .parse()
        .map_err(|why: String| anyhow!(why))?;
    let mut request = SearchRequest::new(question.need("q")?, now());
    request.limit = question.number("limit", 10)?.min(LIMIT_MAX);
    request.offset = question.number("offset", 0)?;
    request.rank = rank;
    request.stem = question.get("exact") != Some("true");
    let searcher = answerer.searcher()?;
    let scores = link_scores::load(&answerer.data);
    let link_score = |key: &UrlKey| scores.get(key).unwrap_or(0.0);
    let content = |key: &UrlKey| answerer.store.content(key).ok().flatten();
    let found = searcher.search(&request, &link_score, &content).context("searching")?;
    Ok(json!({
        "query": request.query,
        "total": found.total,
        "total_all_words": found.total_all_words,
        "offset": request.offset,
        "rank": rank.as_str(),
        "results": found.hits.iter().map(hit_json).collect::<Vec<_>>(),
        "ignored_words": found.ignored_words,
        "notes": found.notes,
    }))
}

fn hit_json(hit: &Hit) -> Value {
    let highlights: Vec<[usize; 2]> =
        hit.snippet.highlights.iter().map(|range| [range.start, range.end]).collect();
    json!({
        "url": hit.url,
        "title": hit.title,
        "author": hit.author,
        "date": hit.date.map(|at| at.to_string()),
        "fetched_at": hit.fetched_at.to_string(),
        "language": hit.language,
        "snippet": hit.snippet.text,
        "highlights": highlights,
        "score": hit.score,
        "score_parts": {
            "text": hit.parts.text,
            "link": hit.parts.link,
            "link_factor": hit.parts.link_factor,
            "all_words": hit.parts.all_words,
        },
    })
}

impl Answerer {
    /// Opened on first use; renewed before each search, since a running crawl commits to it.
    pub fn searcher(&self) -> Result<&Searcher> {
        if self.searcher.get().is_none() {
            let opened = Searcher::open(&index_dir(&self.data)).context("opening the index")?;
            let _ = self.searcher.set(opened);
        }
        let searcher = self.searcher.get().context("the index was just opened")?;
        searcher.reload().context("renewing the index")?;
        Ok(searcher)
    }

    /// Pages that can be found, 0 without an index.
    pub fn indexed_pages(&self) -> u64 {
        self.searcher().map_or(0, Searcher::page_count)
    }
}
