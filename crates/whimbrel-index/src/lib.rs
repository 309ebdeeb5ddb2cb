//! L2: full text over tantivy: analysis of the world's scripts, the writer, the query language, ranking and snippets.
//! Owns tantivy; no other crate sees it. Never reads the store: what a hit shows beyond its line comes through a
//! closure, and so do link scores. Invariant: a page is in the index at most once, under its [`UrlKey`].
//!
//! [`UrlKey`]: whimbrel_types::UrlKey

mod analysis;
mod document;
mod error;
mod query;
mod schema;
mod search;
mod snippet;
mod writer;

pub use document::IndexDocument;
pub use error::Error;
pub use search::{
    Hit, LinkScore, PageText, Rank, ScoreParts, SearchRequest, SearchResponse, Searcher, min_rank_filter,
};
pub use snippet::Snippet;
pub use writer::{INDEX_MEMORY_BYTES_DEFAULT, IndexWriter};

#[cfg(test)]
mod seed_vectors;
#[cfg(test)]
mod testing;
