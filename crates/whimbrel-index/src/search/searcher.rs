//! The reader of an index: holds one state of it, runs queries on it, makes hits.

use super::collect::{BestMatches, Found};
use super::hit::{Hit, SearchResponse};
use super::rank::{BLENDED_MAX, LINK_RANKED_MAX, Ranked, min_rank_filter, rank_block};
use super::request::{Rank, SearchRequest};
use crate::analysis::{CachePool, StopWords};
use crate::document::Shown;
use crate::error::Error;
use crate::query::{Compiled, Compiler, Highlights, IndexLanguages, parse};
use crate::schema::{self, Fields};
use crate::snippet::{Snippet, clean_line};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tantivy::query::{BooleanQuery, Occur, Query};
use tantivy::schema::Value;
use tantivy::{DocAddress, IndexReader, ReloadPolicy, TantivyDocument};
use whimbrel_types::{PageContent, UrlKey};

/// Link score of a page.
pub type LinkScore<'a> = dyn Fn(&UrlKey) -> f32 + 'a;
/// Content of a page, for its snippet.
pub type PageText<'a> = dyn Fn(&UrlKey) -> Option<PageContent> + 'a;

/// Hits that can be paged through.
const WINDOW_MAX: usize = 10_000;

/// Answers queries on an index.
pub struct Searcher {
    reader: IndexReader,
    fields: Fields,
    pool: CachePool,
    stop_words: Mutex<StopWords>,
    state: RwLock<Arc<State>>,
}

/// One state of the index.
struct State {
    searcher: tantivy::Searcher,
    languages: IndexLanguages,
}

impl Searcher {
    /// Opens the index in `dir` at its last commit. A writer, also of another process, may go on.
    ///
    /// # Errors
    /// [`Error::Missing`] when there is no index; others when it cannot be read.
    pub fn open(dir: &Path) -> Result<Searcher, Error> {
        let Some((index, fields)) = schema::open_existing(dir)? else {
            return Err(Error::Missing { dir: dir.to_owned() });
        };
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()
            .map_err(|source| schema::damaged(dir, source))?;
        let state = RwLock::new(Arc::new(State::read(&reader, &fields)?));
        Ok(Searcher { reader, fields, pool: CachePool::default(), stop_words: Mutex::default(), state })
    }

    /// Goes on to the last commit.
    ///
    /// # Errors
    /// When the index cannot be read; the state held before stays in use.
    pub fn reload(&self) -> Result<(), Error> {
        self.reader.reload().map_err(Error::engine("reload"))?;
        let state = Arc::new(State::read(&self.reader, &self.fields)?);
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = state;
        Ok(())
    }

    /// Pages in the state held.
    #[must_use]
    pub fn page_count(&self) -> u64 {
        self.state().searcher.num_docs()
    }

    /// Runs a search. `link_score` is asked for the candidates, `content` for the hits shown.
    ///
    /// # Errors
    /// When the index cannot be read. A query is never an error.
    pub fn search(
        &self,
        request: &SearchRequest,
        link_score: &LinkScore<'_>,
        content: &PageText<'_>,
    ) -> Result<SearchResponse, Error> {
        let state = self.state();
        let Some(compiled) = self.compile(&state, request)? else {
            let notes = vec!["the query asks for nothing; type some words".to_owned()];
            return Ok(SearchResponse { notes, ..SearchResponse::default() });
        };
        let end = request.offset.saturating_add(request.limit).min(WINDOW_MAX);
        let start = request.offset.min(end);
        let (mut ranked, totals) = run_blocks(&state, &compiled, request, end, link_score)?;
        let (total_all_words, mut total) = totals;
        if let Some(min_rank) = request.min_rank {
            let shown = keep_above(&mut ranked, min_rank);
            total = if shown { ranked.len() } else { total };
        }
        let mut response = SearchResponse {
            total,
            total_all_words: total_all_words.min(total),
            hits: Vec::new(),
            ignored_words: compiled.ignored_words,
            notes: compiled.notes,
        };
        if request.offset.saturating_add(request.limit) > WINDOW_MAX {
            response.notes.push(format!("only the first {WINDOW_MAX} results can be shown"));
        }
        let end = end.min(ranked.len());
        let start = start.min(end);
        self.order_ties_by_url(&state, &mut ranked, start, end)?;
        for one in &ranked[start..end] {
            response.hits.push(self.hit(&state, one, &compiled.highlights, content)?);
        }
        Ok(response)
    }

    fn state(&self) -> Arc<State> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn compile(&self, state: &State, request: &SearchRequest) -> Result<Option<Compiled>, Error> {
        let mut cache = self.pool.take();
        let mut stop_words = self.stop_words.lock().unwrap_or_else(PoisonError::into_inner);
        let compiler = Compiler {
            searcher: &state.searcher,
            fields: &self.fields,
            languages: &state.languages,
            cache: &mut cache,
            stop_words: &mut stop_words,
            stem: request.stem,
            now: request.now,
        };
        let compiled = compiler.compile(parse(&request.query));
        self.pool.give_back(cache);
        compiled
    }

    /// Hits of one score go by URL, where they touch the window that is shown.
    fn order_ties_by_url(
        &self,
        state: &State,
        ranked: &mut [Ranked],
        start: usize,
        end: usize,
    ) -> Result<(), Error> {
        let same = |a: &Ranked, b: &Ranked| {
            a.score == b.score && a.parts.text == b.parts.text && a.parts.all_words == b.parts.all_words
        };
        let mut first = 0;
        while first < ranked.len() && first < end {
            let length = ranked[first..].iter().take_while(|one| same(one, &ranked[first])).count();
            let last = first + length;
            if length > 1 && last > start && length <= BLENDED_MAX {
                let mut group = Vec::with_capacity(length);
                for one in &ranked[first..last] {
                    group.push((self.shown(state, one.candidate.address)?.url, *one));
                }
                group.sort_by(|a, b| a.0.cmp(&b.0));
                for (place, (_, one)) in group.into_iter().enumerate() {
                    ranked[first + place] = one;
                }
            }
            first = last;
        }
        Ok(())
    }

    fn hit(
        &self,
        state: &State,
        one: &Ranked,
        highlights: &Highlights,
        content: &PageText<'_>,
    ) -> Result<Hit, Error> {
        let shown = self.shown(state, one.candidate.address)?;
        let key = one.candidate.key;
        let snippet = content(&key).map_or_else(Snippet::default, |content| {
            let mut cache = self.pool.take();
            let snippet = Snippet::of(&content, highlights, &mut cache);
            self.pool.give_back(cache);
            snippet
        });
        Ok(Hit {
            key,
            url: shown.url,
            title: clean_line(&shown.title),
            author: shown.author.as_deref().map(clean_line),
            date: shown.date,
            fetched_at: shown.fetched,
            language: shown.language,
            snippet,
            score: one.score,
            parts: one.parts,
        })
    }

    fn shown(&self, state: &State, address: DocAddress) -> Result<Shown, Error> {
        let document: TantivyDocument =
            state.searcher.doc(address).map_err(Error::engine("read a result of"))?;
        let bytes =
            document.get_first(self.fields.shown).and_then(|value| value.as_bytes()).unwrap_or_default();
        serde_json::from_slice(bytes).map_err(|source| Error::Engine {
            action: "read a result of",
            source: tantivy::TantivyError::InternalError(source.to_string()),
        })
    }
}

impl State {
    fn read(reader: &IndexReader, fields: &Fields) -> Result<State, Error> {
        let searcher = reader.searcher();
        let languages = IndexLanguages::read(&searcher, fields)?;
        Ok(State { searcher, languages })
    }
}

/// Both blocks, ranked, as far as they are needed; and how many pages are in the first and in both.
fn run_blocks(
    state: &State,
    compiled: &Compiled,
    request: &SearchRequest,
    end: usize,
    link_score: &LinkScore<'_>,
) -> Result<(Vec<Ranked>, (usize, usize)), Error> {
    let limit = match request.rank {
        Rank::Pagerank => LINK_RANKED_MAX,
        Rank::Bm25 | Rank::Blend if request.min_rank.is_some() => LINK_RANKED_MAX,
        Rank::Bm25 | Rank::Blend => end.max(BLENDED_MAX),
    };
    let run = |query: &dyn Query, limit: usize| -> Result<Found, Error> {
        state.searcher.search(query, &BestMatches { limit }).map_err(Error::engine("search"))
    };
    let first = run(compiled.all.as_ref(), limit)?;
    let (total_first, mut total) = (first.count, first.count);
    let mut ranked = rank_block(first.best, true, request, link_score);
    if let Some(any) = &compiled.any {
        let others = BooleanQuery::new(vec![
            (Occur::Must, any.box_clone()),
            (Occur::MustNot, compiled.all.box_clone()),
        ]);
        let needed = total_first < end || request.min_rank.is_some();
        let second = run(&others, if needed { limit } else { 0 })?;
        total += second.count;
        ranked.extend(rank_block(second.best, false, request, link_score));
    }
    Ok((ranked, (total_first, total)))
}

/// Drops hits whose share of the best score is not above the minimum; whether any was dropped.
fn keep_above(ranked: &mut Vec<Ranked>, min_rank: f32) -> bool {
    let best = ranked.iter().map(|one| one.score).fold(0.0, f32::max);
    if best <= 0.0 {
        return false;
    }
    let before = ranked.len();
    ranked.retain(|one| !min_rank_filter(&[f64::from(one.score / best)], f64::from(min_rank)).is_empty());
    ranked.len() < before
}
