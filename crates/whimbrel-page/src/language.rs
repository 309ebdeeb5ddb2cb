//! The language of a page: what it declares, or what its main text looks like when that is clear.
//! The detector is the dearest step of a parse (a fifth of it on pages that declare nothing), so it gets a sample
//! only, and plain cases are settled before it by counting function words.

use crate::text_buffer::cut;
use whatlang::Lang;

/// Enough for a clear answer on running text.
const SAMPLE_BYTES_MAX: usize = 1200;
/// Below this the detector is as often wrong as right.
const SAMPLE_BYTES_MIN: usize = 40;

/// ISO 639-1 code of the language that `text` is written in, when that is clear.
#[must_use]
pub fn detect(text: &str) -> Option<String> {
    let sample = cut(text, SAMPLE_BYTES_MAX);
    if sample.len() < SAMPLE_BYTES_MIN {
        return None;
    }
    if let Some(language) = by_function_words(sample) {
        return Some(language.to_owned());
    }
    let info = whatlang::detect(sample)?;
    info.is_reliable().then(|| two_letters(info.lang())).flatten().map(str::to_owned)
}

/// Words that nearly every sentence of a language has and hardly any of the others.
const FUNCTION_WORDS: [(&str, &[&str]); 4] = [
    ("en", &["the", "of", "and", "to", "is", "that", "for", "with", "are", "this", "be", "by"]),
    ("de", &["der", "die", "und", "das", "ist", "nicht", "mit", "den", "von", "auf", "werden", "eine"]),
    ("fr", &["les", "des", "est", "dans", "une", "pour", "qui", "sur", "pas", "du", "et", "sont"]),
    ("es", &["los", "las", "una", "por", "con", "para", "del", "el", "más", "como", "su", "es"]),
];
/// Fewer words prove nothing.
const WORDS_MIN: u32 = 40;

/// The language of plain running text: function words are an eighth of it, and no other's come near.
fn by_function_words(sample: &str) -> Option<&'static str> {
    let mut counts = [0_u32; FUNCTION_WORDS.len()];
    let mut words = 0;
    for word in sample.split_ascii_whitespace() {
        words += 1;
        if word.len() > 6 {
            continue;
        }
        for (count, (_, list)) in counts.iter_mut().zip(FUNCTION_WORDS) {
            *count += u32::from(list.contains(&word));
        }
    }
    let (best, most) = counts.iter().enumerate().max_by_key(|(_, count)| **count)?;
    let others: u32 = counts.iter().sum::<u32>() - most;
    (words >= WORDS_MIN && most * 8 >= words && others * 4 <= *most).then_some(FUNCTION_WORDS[best].0)
}

/// ISO 639-1 code of a detected language; none for languages that have only three letters.
fn two_letters(language: Lang) -> Option<&'static str> {
    let three = language.code();
    CODES.iter().find(|(code, _)| *code == three).map(|(_, two)| *two)
}

/// ISO 639-3 to 639-1 for every language of the detector.
const CODES: [(&str, &str); 70] = [
    ("epo", "eo"),
    ("eng", "en"),
    ("rus", "ru"),
    ("cmn", "zh"),
    ("spa", "es"),
    ("por", "pt"),
    ("ita", "it"),
    ("ben", "bn"),
    ("fra", "fr"),
    ("deu", "de"),
    ("ukr", "uk"),
    ("kat", "ka"),
    ("ara", "ar"),
    ("hin", "hi"),
    ("jpn", "ja"),
    ("heb", "he"),
    ("yid", "yi"),
    ("pol", "pl"),
    ("amh", "am"),
    ("jav", "jv"),
    ("kor", "ko"),
    ("nob", "nb"),
    ("dan", "da"),
    ("swe", "sv"),
    ("fin", "fi"),
    ("tur", "tr"),
    ("nld", "nl"),
    ("hun", "hu"),
    ("ces", "cs"),
    ("ell", "el"),
    ("bul", "bg"),
    ("bel", "be"),
    ("mar", "mr"),
    ("kan", "kn"),
    ("ron", "ro"),
    ("slv", "sl"),
    ("hrv", "hr"),
    ("srp", "sr"),
    ("mkd", "mk"),
    ("lit", "lt"),
    ("lav", "lv"),
    ("est", "et"),
    ("tam", "ta"),
    ("vie", "vi"),
    ("urd", "ur"),
    ("tha", "th"),
    ("guj", "gu"),
    ("uzb", "uz"),
    ("pan", "pa"),
    ("aze", "az"),
    ("ind", "id"),
    ("tel", "te"),
    ("pes", "fa"),
    ("mal", "ml"),
    ("ori", "or"),
    ("mya", "my"),
    ("nep", "ne"),
    ("sin", "si"),
    ("khm", "km"),
    ("tuk", "tk"),
    ("aka", "ak"),
    ("zul", "zu"),
    ("sna", "sn"),
    ("afr", "af"),
    ("lat", "la"),
    ("slk", "sk"),
    ("cat", "ca"),
    ("tgl", "tl"),
    ("hye", "hy"),
    ("cym", "cy"),
];

#[cfg(test)]
mod tests;
