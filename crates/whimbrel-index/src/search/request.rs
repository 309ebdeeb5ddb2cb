//! What can be asked of a search.

use std::str::FromStr;
use whimbrel_types::Timestamp;

/// What the order of hits goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rank {
    /// Words only.
    Bm25,
    /// Link score, then words.
    Pagerank,
    /// Words, lifted by link score.
    #[default]
    Blend,
}

impl Rank {
    /// Name on the command line and in the API.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Rank::Bm25 => "bm25",
            Rank::Pagerank => "pagerank",
            Rank::Blend => "blend",
        }
    }
}

impl FromStr for Rank {
    type Err = String;

    fn from_str(name: &str) -> Result<Rank, String> {
        [Rank::Bm25, Rank::Pagerank, Rank::Blend]
            .into_iter()
            .find(|rank| rank.as_str() == name)
            .ok_or_else(|| format!("unknown rank {name:?}; use bm25, pagerank or blend"))
    }
}

/// A search to run.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// What was typed.
    pub query: String,
    /// Hits wanted.
    pub limit: usize,
    /// Hits passed over.
    pub offset: usize,
    /// What the order goes by.
    pub rank: Rank,
    /// Whether other forms of the words count.
    pub stem: bool,
    /// The time: pages that asked to be gone by now are left out.
    pub now: Timestamp,
    /// How much link scores lift a hit under [`Rank::Blend`]: the best-linked page gets `1 + link_weight` times its score.
    pub link_weight: f32,
    /// Hits are shown only when their score is a larger share of the best hit's than this (0.1: ten percent).
    pub min_rank: Option<f32>,
}

impl SearchRequest {
    /// Ten hits, stemmed, blended.
    #[must_use]
    pub fn new(query: impl Into<String>, now: Timestamp) -> SearchRequest {
        SearchRequest {
            query: query.into(),
            limit: 10,
            offset: 0,
            rank: Rank::default(),
            stem: true,
            now,
            link_weight: 0.5,
            min_rank: None,
        }
    }
}
