//! Answers queries: two blocks (all words, then any), each ranked; a page of hits with snippets.
//! Reads commits of a writer in this or another process. Never keeps page text: the caller hands it in.

mod collect;
mod hit;
mod rank;
mod request;
mod searcher;

pub use hit::{Hit, ScoreParts, SearchResponse};
pub use rank::min_rank_filter;
pub use request::{Rank, SearchRequest};
pub use searcher::{LinkScore, PageText, Searcher};

#[cfg(test)]
mod tests;
