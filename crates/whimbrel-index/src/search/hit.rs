//! What a search answers.

use crate::snippet::Snippet;
use whimbrel_types::{Timestamp, UrlKey};

/// Where a score comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScoreParts {
    /// Score of the words (BM25 over the weighted fields).
    pub text: f32,
    /// Link score as given by the caller.
    pub link: f32,
    /// What the text score was multiplied by because of the link score; 1 without blending.
    pub link_factor: f32,
    /// In the first block: everything asked for is there.
    pub all_words: bool,
}

/// One result.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Identity of the page.
    pub key: UrlKey,
    /// Its URL.
    pub url: String,
    /// Its title, clean of control characters; may be empty.
    pub title: String,
    /// Who wrote it.
    pub author: Option<String>,
    /// When it was last changed or first published, where known.
    pub date: Option<Timestamp>,
    /// When it was fetched.
    pub fetched_at: Timestamp,
    /// Its language.
    pub language: Option<String>,
    /// The portion that matched.
    pub snippet: Snippet,
    /// What it was ordered by within its block.
    pub score: f32,
    /// Where the score comes from.
    pub parts: ScoreParts,
}

/// The answer to a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchResponse {
    /// Pages found, in both blocks.
    pub total: usize,
    /// Pages of the first block.
    pub total_all_words: usize,
    /// The hits asked for.
    pub hits: Vec<Hit>,
    /// Stop words that were left out.
    pub ignored_words: Vec<String>,
    /// What was understood otherwise than it may have been meant.
    pub notes: Vec<String>,
}
