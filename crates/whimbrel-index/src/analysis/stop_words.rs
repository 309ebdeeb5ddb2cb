//! Words that say nothing on their own, by language. They are indexed; only queries leave them out.

use super::stemming::Stemming;
use rustc_hash::FxHashMap;
use tantivy::tokenizer::{RawTokenizer, StopWordFilter, TextAnalyzer};

/// Function words that tantivy's English list leaves out.
const MORE_ENGLISH: [&str; 38] = [
    "am", "been", "being", "can", "could", "did", "do", "does", "from", "had", "has", "have", "he", "her",
    "his", "how", "i", "its", "me", "my", "our", "she", "so", "than", "them", "too", "us", "we", "were",
    "what", "when", "where", "which", "who", "why", "would", "you", "your",
];

/// Stop-word lists made ready on first use.
#[derive(Default)]
pub(crate) struct StopWords {
    lists: FxHashMap<Stemming, Option<TextAnalyzer>>,
}

impl StopWords {
    /// Whether a lower-case word is one in the stemmer's language.
    pub(crate) fn contains(&mut self, language: Stemming, word: &str) -> bool {
        if language == Stemming::ENGLISH && MORE_ENGLISH.contains(&word) {
            return true;
        }
        let list = self.lists.entry(language).or_insert_with(|| {
            let filter = StopWordFilter::new(language.language())?;
            Some(TextAnalyzer::builder(RawTokenizer::default()).filter(filter).build())
        });
        list.as_mut().is_some_and(|list| !list.token_stream(word).advance())
    }
}
