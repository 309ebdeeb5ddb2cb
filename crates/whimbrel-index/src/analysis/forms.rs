//! The forms under which one word is indexed: as written (NFKC, lower case), its stem, and without diacritics.
//! A form equal to the word as written is left out: queries ask for both, and the index is a third smaller.

use super::FOLDED_MARK;
use super::fold::{fold, fold_arabic};
use super::profile::Profile;
use super::script::Script;
use super::stemming::{Stemmers, Stemming};
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;

/// Index terms of one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Forms {
    /// As written.
    pub exact: Box<str>,
    /// Marked stem, when it differs.
    pub stem: Option<Box<str>>,
    /// Marked folded form, when it differs.
    pub folded: Option<Box<str>>,
}

impl Forms {
    /// Forms of a word as it stands in the text.
    pub(crate) fn of(raw: &str, script: Script, profile: Profile, stemmers: &mut Stemmers) -> Forms {
        let exact = exact_form(raw, script);
        let folded = match fold(&exact) {
            Cow::Borrowed(_) => None,
            Cow::Owned(folded) if folded == exact || folded.is_empty() => None,
            Cow::Owned(folded) => Some(format!("{FOLDED_MARK}{folded}").into_boxed_str()),
        };
        let stem = profile.stemming(script).and_then(|stemming| {
            let stem = stem_of(&exact, stemming, stemmers);
            (stem != exact).then(|| marked_stem(stemming, &stem))
        });
        Forms { exact: exact.into_boxed_str(), stem, folded }
    }
}

/// The word as quoted phrases ask for it.
pub(crate) fn exact_form(raw: &str, script: Script) -> String {
    let lower = if raw.is_ascii() {
        raw.to_ascii_lowercase()
    } else {
        // Soft hyphens and joiners are how a word is set, not how it is spelled. Lower-casing can undo NFKC (İ).
        let plain: String =
            raw.chars().filter(|c| !matches!(u32::from(*c), 0xad | 0x200c | 0x200d)).collect();
        plain.nfkc().collect::<String>().to_lowercase().nfkc().collect()
    };
    if script == Script::Arabic { fold_arabic(&lower) } else { lower }
}

/// Stem of an exact form, folded; the form itself when there is nothing to take off.
pub(crate) fn stem_of(exact: &str, stemming: Stemming, stemmers: &mut Stemmers) -> String {
    let mut stem = String::new();
    // Exact forms write teh marbuta as heh; the stemmer takes heh for a pronoun.
    let marbuta = (stemming == Stemming::ARABIC)
        .then(|| exact.strip_suffix('ه'))
        .flatten()
        .map(|start| format!("{start}ة"));
    let word = marbuta.as_deref().unwrap_or(exact);
    if word.chars().nth(2).is_some() && !exact.bytes().any(|b| b.is_ascii_digit()) {
        stemmers.stem_into(stemming, word, &mut stem);
    }
    if stem.is_empty() {
        stem.push_str(exact);
    }
    match fold(&stem) {
        Cow::Borrowed(_) => stem,
        Cow::Owned(folded) => folded,
    }
}

/// Index term of a stem.
pub(crate) fn marked_stem(stemming: Stemming, stem: &str) -> Box<str> {
    format!("{}{stem}", stemming.mark()).into_boxed_str()
}
