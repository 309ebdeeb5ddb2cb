//! The Snowball stemmers there are, and their names in the index. A stem term starts with its stemmer's mark,
//! so a page is found by its own language's stems only. Snowball: M. F. Porter, 2001, snowballstem.org.

use super::script::Script;
use tantivy::tokenizer::{Language, RawTokenizer, Stemmer, TextAnalyzer};

/// One stemmer, by its place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Stemming(u8);

/// Order is part of the index format: a stemmer's mark is its place plus one.
const TABLE: [(Language, &str); 18] = [
    (Language::Arabic, "arabic"),
    (Language::Danish, "danish"),
    (Language::Dutch, "dutch"),
    (Language::English, "english"),
    (Language::Finnish, "finnish"),
    (Language::French, "french"),
    (Language::German, "german"),
    (Language::Greek, "greek"),
    (Language::Hungarian, "hungarian"),
    (Language::Italian, "italian"),
    (Language::Norwegian, "norwegian"),
    (Language::Portuguese, "portuguese"),
    (Language::Romanian, "romanian"),
    (Language::Russian, "russian"),
    (Language::Spanish, "spanish"),
    (Language::Swedish, "swedish"),
    (Language::Tamil, "tamil"),
    (Language::Turkish, "turkish"),
];

impl Stemming {
    pub(crate) const ARABIC: Stemming = Stemming(0);
    pub(crate) const DANISH: Stemming = Stemming(1);
    pub(crate) const DUTCH: Stemming = Stemming(2);
    pub(crate) const ENGLISH: Stemming = Stemming(3);
    pub(crate) const FINNISH: Stemming = Stemming(4);
    pub(crate) const FRENCH: Stemming = Stemming(5);
    pub(crate) const GERMAN: Stemming = Stemming(6);
    pub(crate) const GREEK: Stemming = Stemming(7);
    pub(crate) const HUNGARIAN: Stemming = Stemming(8);
    pub(crate) const ITALIAN: Stemming = Stemming(9);
    pub(crate) const NORWEGIAN: Stemming = Stemming(10);
    pub(crate) const PORTUGUESE: Stemming = Stemming(11);
    pub(crate) const ROMANIAN: Stemming = Stemming(12);
    pub(crate) const RUSSIAN: Stemming = Stemming(13);
    pub(crate) const SPANISH: Stemming = Stemming(14);
    pub(crate) const SWEDISH: Stemming = Stemming(15);
    pub(crate) const TAMIL: Stemming = Stemming(16);
    pub(crate) const TURKISH: Stemming = Stemming(17);

    /// Every stemmer.
    pub(crate) fn all() -> impl Iterator<Item = Stemming> {
        (0..TABLE.len() as u8).map(Stemming)
    }

    /// Place in the table.
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Name in the index's `stemmers` field.
    pub(crate) fn name(self) -> &'static str {
        TABLE[self.index()].1
    }

    /// The language in tantivy's terms.
    pub(crate) fn language(self) -> Language {
        TABLE[self.index()].0
    }

    /// Script of the words it is for.
    pub(crate) fn script(self) -> Script {
        match self {
            Stemming::ARABIC => Script::Arabic,
            Stemming::GREEK => Script::Greek,
            Stemming::RUSSIAN => Script::Cyrillic,
            Stemming::TAMIL => Script::Tamil,
            _ => Script::Latin,
        }
    }

    /// Character before the terms of this stemmer: a control character, so never part of a word.
    pub(crate) fn mark(self) -> char {
        char::from(self.0 + 1)
    }
}

/// Stemmers made ready, each on first use.
#[derive(Default)]
pub(crate) struct Stemmers {
    ready: Vec<Option<TextAnalyzer>>,
}

impl Stemmers {
    /// Appends the stem of a lower-case word.
    pub(crate) fn stem_into(&mut self, stemming: Stemming, word: &str, out: &mut String) {
        if self.ready.len() <= stemming.index() {
            self.ready.resize(TABLE.len(), None);
        }
        let stemmer = self.ready[stemming.index()].get_or_insert_with(|| {
            TextAnalyzer::builder(RawTokenizer::default()).filter(Stemmer::new(stemming.language())).build()
        });
        let mut stream = stemmer.token_stream(word);
        if stream.advance() {
            out.push_str(&stream.token().text);
        }
    }
}
