//! A typed word → the index terms that stand for it, and what of them a snippet should light up.

use crate::analysis::{FOLDED_MARK, Profile, Script, Stemming, TermKind, WordCache, analyze, fold};
use crate::error::Error;
use crate::schema::Fields;
use rustc_hash::FxHashMap;
use tantivy::schema::IndexRecordOption;
use tantivy::{Searcher, Term};

/// Which stemmers the index's pages went through, the most used first.
#[derive(Clone, Debug, Default)]
pub(crate) struct IndexLanguages {
    used: Vec<(Stemming, bool)>,
}

impl IndexLanguages {
    /// Reads them off the index.
    pub(crate) fn read(searcher: &Searcher, fields: &Fields) -> Result<IndexLanguages, Error> {
        let pages: u64 = searcher.segment_readers().iter().map(|segment| u64::from(segment.max_doc())).sum();
        let mut counted = Vec::new();
        for stemming in Stemming::all() {
            let term = Term::from_field_text(fields.stemmers, stemming.name());
            let count = searcher.doc_freq(&term).map_err(Error::engine("read the languages of"))?;
            if count > 0 {
                counted.push((stemming, count));
            }
        }
        counted.sort_by_key(|&(stemming, count)| (std::cmp::Reverse(count), stemming));
        Ok(IndexLanguages {
            used: counted.into_iter().map(|(stemming, count)| (stemming, count == pages)).collect(),
        })
    }

    /// Only those that pages of one language go through.
    pub(crate) fn restricted_to(&self, language: &str) -> IndexLanguages {
        let profile = Profile::of(language);
        let used = self.used.iter().filter(|(stemming, _)| profile.stemmings().any(|own| own == *stemming));
        IndexLanguages { used: used.copied().collect() }
    }

    /// Those for words of a script, and whether every page has them.
    pub(crate) fn of_script(&self, script: Script) -> impl Iterator<Item = (Stemming, bool)> + '_ {
        self.used.iter().copied().filter(move |(stemming, _)| stemming.script() == script)
    }
}

/// One index term that stands for a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alternative {
    pub term: String,
    /// Only pages that went through this stemmer mean the word by the term.
    pub only: Option<Stemming>,
}

/// One position of what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A word in its exact form.
    Word { exact: String, script: Script },
    /// A term that has no other forms: a pair of dense characters, a word with symbols.
    Fixed(String),
}

/// What was typed without a space in between, or between quotation marks, position by position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub slots: Vec<(usize, Slot)>,
}

impl Chunk {
    /// Analyzes typed text.
    pub(crate) fn read(text: &str, cache: &mut WordCache) -> Chunk {
        let mut slots: Vec<(usize, Slot)> = Vec::new();
        let mut pair_at = None;
        analyze(text, Profile::of(""), cache, &mut |term| match term.kind {
            TermKind::Exact(script) => {
                slots.push((term.position, Slot::Word { exact: term.text.to_owned(), script }));
            }
            TermKind::Symbol => {
                slots.pop();
                slots.push((term.position, Slot::Fixed(term.text.to_owned())));
            }
            TermKind::Bigram => {
                if slots.last().is_some_and(|(position, _)| *position == term.position) {
                    slots.pop();
                }
                pair_at = Some(term.position);
                slots.push((term.position, Slot::Fixed(term.text.to_owned())));
            }
            // The second half of a pair needs no term of its own.
            TermKind::Unigram if pair_at.is_some_and(|pair| pair + 1 == term.position) => {}
            TermKind::Unigram => slots.push((term.position, Slot::Fixed(term.text.to_owned()))),
            TermKind::Derived | TermKind::Syllables => {}
        });
        Chunk { slots }
    }

    /// Whether it is nothing but pairs of dense characters, enough of them to be more than one word.
    pub(crate) fn is_long_dense_run(&self) -> bool {
        self.slots.len() >= 3
            && self.slots.iter().all(|(_, slot)| matches!(slot, Slot::Fixed(term) if is_pair(term)))
    }
}

fn is_pair(term: &str) -> bool {
    let mut chars = term.chars();
    chars.next().is_some_and(crate::analysis::is_dense) && chars.next().is_some_and(crate::analysis::is_dense)
}

/// Every term that stands for a word when forms do not matter.
pub(crate) fn alternatives(
    exact: &str,
    script: Script,
    languages: &IndexLanguages,
    cache: &mut WordCache,
) -> Vec<Alternative> {
    let mut out = vec![Alternative { term: exact.to_owned(), only: None }];
    let mut add = |term: String, only: Option<Stemming>| {
        if !out.iter().any(|known| known.term == term && (known.only.is_none() || known.only == only)) {
            out.push(Alternative { term, only });
        }
    };
    let folded = fold(exact);
    add(format!("{FOLDED_MARK}{folded}"), None);
    add(folded.into_owned(), None);
    for (stemming, on_every_page) in languages.of_script(script) {
        let (stem, marked) = cache.stem(exact, stemming);
        add(marked.into(), None);
        // A word that is its own stem is in the index as itself; elsewhere it may mean something else.
        add(stem, (!on_every_page).then_some(stemming));
    }
    out
}

/// What to light up: for each unit of the query, the terms at each of its positions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Highlights {
    /// Term → unit and distance from the unit's first position.
    pub places: FxHashMap<String, Vec<(usize, usize)>>,
    /// Positions each unit fills.
    pub unit_slots: Vec<usize>,
}

impl Highlights {
    /// Adds a unit with these terms at its positions.
    pub(crate) fn add_unit(&mut self, slots: Vec<(usize, Vec<String>)>) {
        let unit = self.unit_slots.len();
        self.unit_slots.push(slots.len());
        for (distance, terms) in slots {
            for term in terms {
                self.places.entry(term).or_default().push((unit, distance));
            }
        }
    }
}

/// How much of a posting a query on words reads.
pub(crate) const WITH_FREQUENCIES: IndexRecordOption = IndexRecordOption::WithFreqs;
