//! How text becomes index terms: the one analysis that the writer, the query compiler and the snippets share.
//! Never looks at fields or scores. Invariant: the same text under the same profile always gives the same terms,
//! so what the writer put in is what a query asks for; [`ANALYSIS_VERSION`] changes when that stops being true.

mod cache;
mod dense;
mod fold;
mod forms;
mod profile;
mod script;
mod split;
mod stemming;
mod stop_words;
mod terms;
mod tokenizer;

pub(crate) use cache::{CachePool, WordCache};
pub(crate) use fold::fold;
pub(crate) use profile::{Profile, primary_subtag};
pub(crate) use script::{Script, is_dense, script_of};
pub(crate) use stemming::Stemming;
pub(crate) use stop_words::StopWords;
pub(crate) use terms::{TermKind, analyze};
pub(crate) use tokenizer::{PageTokenizer, TOKENIZER_NAME, tagged};

/// Version of the terms written to disk; an index of another version is rebuilt.
pub(crate) const ANALYSIS_VERSION: u32 = 1;
/// Before the folded form of a word (diacritics removed).
pub(crate) const FOLDED_MARK: char = '\u{1f}';
/// Before a two-syllable piece of a Hangul word.
pub(crate) const HANGUL_MARK: char = '\u{1e}';
/// A word longer than this is passed over: it is a blob, not a word.
pub(crate) const WORD_BYTES_MAX: usize = 120;

#[cfg(test)]
mod tests;
