//! Remembers the forms of words already met, because stemming is the dearest part of indexing and text repeats its
//! words. Invariant: bounded; when full it starts anew, which costs time and never changes a term.

use super::forms::{Forms, marked_stem, stem_of};
use super::profile::Profile;
use super::script::Script;
use super::stemming::{Stemmers, Stemming};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Words remembered at most, over all profiles: some 6 MB.
const WORDS_MAX: usize = 40_000;

/// Word as it stands in text → its forms.
#[derive(Default)]
pub(crate) struct WordCache {
    places: Vec<FxHashMap<Box<str>, u32>>,
    forms: Vec<Forms>,
    stemmers: Stemmers,
}

impl WordCache {
    /// Place of a word's forms; good until the next call.
    pub(crate) fn place(&mut self, raw: &str, script: Script, profile: Profile) -> usize {
        let id = profile.id();
        if let Some(&place) = self.places.get(id).and_then(|places| places.get(raw)) {
            return place as usize;
        }
        if self.forms.len() >= WORDS_MAX {
            self.places.clear();
            self.forms.clear();
        }
        if self.places.len() <= id {
            self.places.resize_with(id + 1, FxHashMap::default);
        }
        let place = self.forms.len();
        self.forms.push(Forms::of(raw, script, profile, &mut self.stemmers));
        self.places[id].insert(raw.into(), place as u32);
        place
    }

    /// Forms at a place.
    pub(crate) fn forms(&self, place: usize) -> &Forms {
        &self.forms[place]
    }

    /// Folded stem of a query word under one stemmer, and the stem's index term.
    pub(crate) fn stem(&mut self, exact: &str, stemming: Stemming) -> (String, Box<str>) {
        let stem = stem_of(exact, stemming, &mut self.stemmers);
        let term = marked_stem(stemming, &stem);
        (stem, term)
    }
}

/// Caches handed out one to a thread at a time and kept between texts, fields and segments.
#[derive(Clone, Default)]
pub(crate) struct CachePool {
    idle: Arc<Mutex<Vec<WordCache>>>,
}

impl CachePool {
    /// An idle cache, or a new one.
    pub(crate) fn take(&self) -> WordCache {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Gives a cache back.
    pub(crate) fn give_back(&self, cache: WordCache) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(cache);
    }
}
