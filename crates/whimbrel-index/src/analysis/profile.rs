//! Which stemmers a page's words go through: one for each script, by the page's language. A word in a script that
//! is not the page's (English in a Japanese page) goes by the script's most common language.

use super::script::Script;
use super::stemming::Stemming;

/// The choice for one page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Profile {
    latin: Option<Stemming>,
    cyrillic: Option<Stemming>,
    arabic: Option<Stemming>,
}

impl Profile {
    /// Choice for a language code (`de`, `de-AT`), empty when the language is unknown.
    pub(crate) fn of(language: &str) -> Profile {
        let code = primary_subtag(language);
        let cyrillic_without_stemmer = matches!(
            code.as_str(),
            "uk" | "bg" | "be" | "sr" | "mk" | "kk" | "ky" | "mn" | "tg" | "tt" | "ba" | "cv"
        );
        let arabic_without_stemmer = matches!(code.as_str(), "fa" | "ur" | "ps" | "sd" | "ug" | "ku" | "ckb");
        Profile {
            latin: latin_stemming(&code),
            cyrillic: (!cyrillic_without_stemmer).then_some(Stemming::RUSSIAN),
            arabic: (!arabic_without_stemmer).then_some(Stemming::ARABIC),
        }
    }

    /// Stemmer for words of a script.
    pub(crate) fn stemming(self, script: Script) -> Option<Stemming> {
        match script {
            Script::Latin => self.latin,
            Script::Cyrillic => self.cyrillic,
            Script::Arabic => self.arabic,
            Script::Greek => Some(Stemming::GREEK),
            Script::Tamil => Some(Stemming::TAMIL),
            Script::Hangul | Script::Other => None,
        }
    }

    /// Every stemmer a page of this profile may use.
    pub(crate) fn stemmings(self) -> impl Iterator<Item = Stemming> {
        [Script::Latin, Script::Cyrillic, Script::Arabic, Script::Greek, Script::Tamil]
            .into_iter()
            .filter_map(move |script| self.stemming(script))
    }

    /// Small number that tells profiles apart.
    pub(crate) fn id(self) -> usize {
        let latin = self.latin.map_or(0, |stemming| stemming.index() + 1);
        latin * 4 + usize::from(self.cyrillic.is_some()) * 2 + usize::from(self.arabic.is_some())
    }
}

/// Lower-case language without region and script.
pub(crate) fn primary_subtag(language: &str) -> String {
    let end = language.find(['-', '_']).unwrap_or(language.len());
    language[..end].trim().to_ascii_lowercase()
}

fn latin_stemming(code: &str) -> Option<Stemming> {
    Some(match code {
        "en" | "" | "und" => Stemming::ENGLISH,
        "da" => Stemming::DANISH,
        "nl" | "af" => Stemming::DUTCH,
        "fi" => Stemming::FINNISH,
        "fr" => Stemming::FRENCH,
        "de" => Stemming::GERMAN,
        "hu" => Stemming::HUNGARIAN,
        "it" => Stemming::ITALIAN,
        "no" | "nb" | "nn" => Stemming::NORWEGIAN,
        "pt" => Stemming::PORTUGUESE,
        "ro" => Stemming::ROMANIAN,
        "es" => Stemming::SPANISH,
        "sv" => Stemming::SWEDISH,
        "tr" => Stemming::TURKISH,
        // In pages of another script, Latin words are mostly English.
        "ar" | "fa" | "ur" | "ps" | "he" | "yi" | "ru" | "uk" | "bg" | "be" | "sr" | "mk" | "kk" | "ky"
        | "mn" | "tg" | "el" | "hy" | "ka" | "am" | "ti" | "hi" | "mr" | "ne" | "bn" | "as" | "gu" | "pa"
        | "or" | "ta" | "te" | "kn" | "ml" | "si" | "th" | "lo" | "km" | "my" | "bo" | "dz" | "zh"
        | "yue" | "ja" | "ko" | "ug" | "sd" | "ckb" => Stemming::ENGLISH,
        _ => return None,
    })
}
