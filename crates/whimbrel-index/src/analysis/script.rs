//! Which script a character belongs to, as far as analysis cares: which stemmer may apply, whether the script is
//! written without spaces (dense), and whether a character is part of a word at all.

/// Scripts with rules of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    Latin,
    Cyrillic,
    Greek,
    Arabic,
    Tamil,
    Hangul,
    /// Any other script with spaces between words, and digits.
    Other,
}

/// What a character does to the words around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CharClass {
    /// Ends a word.
    Break,
    /// Belongs to a word.
    Word(Script),
    /// A mark that belongs to the word it stands in and starts none.
    Mark,
    /// Belongs to a run without spaces.
    Dense,
}

/// Class of a character.
pub(crate) fn class_of(c: char) -> CharClass {
    if c.is_ascii() {
        return match c {
            'a'..='z' | 'A'..='Z' => CharClass::Word(Script::Latin),
            '0'..='9' => CharClass::Word(Script::Other),
            _ => CharClass::Break,
        };
    }
    if is_dense(c) {
        return CharClass::Dense;
    }
    if is_mark(c) {
        return CharClass::Mark;
    }
    if c.is_alphanumeric() { CharClass::Word(script_of(c)) } else { CharClass::Break }
}

/// Script of a letter.
pub(crate) fn script_of(c: char) -> Script {
    match u32::from(c) {
        0x41..=0x5a | 0x61..=0x7a => Script::Latin,
        0xaa | 0xba | 0xc0..=0x2af | 0x1e00..=0x1eff | 0x2c60..=0x2c7f => Script::Latin,
        0xa720..=0xa7ff | 0xfb00..=0xfb06 | 0xff21..=0xff3a | 0xff41..=0xff5a => Script::Latin,
        0x370..=0x3ff | 0x1f00..=0x1fff => Script::Greek,
        0x400..=0x52f | 0x1c80..=0x1c8f | 0x2de0..=0x2dff | 0xa640..=0xa69f => Script::Cyrillic,
        0x600..=0x6ff | 0x750..=0x77f | 0x870..=0x8ff | 0xfb50..=0xfdff | 0xfe70..=0xfeff => Script::Arabic,
        0xb80..=0xbff => Script::Tamil,
        0x1100..=0x11ff | 0x3130..=0x318f | 0xa960..=0xa97f | 0xac00..=0xd7ff | 0xffa0..=0xffdc => {
            Script::Hangul
        }
        _ => Script::Other,
    }
}

/// Letters of scripts written without spaces: Han, Kana, Bopomofo, Yi, Thai, Lao, Khmer, Myanmar.
pub(crate) fn is_dense(c: char) -> bool {
    is_dense_with_unigrams(c) || is_south_east_asian(c)
}

/// Dense letters of which a single one can be a word worth finding.
pub(crate) fn is_dense_with_unigrams(c: char) -> bool {
    matches!(
        u32::from(c),
        0x3005..=0x3007
            | 0x3021..=0x3029
            | 0x3031..=0x3035
            | 0x303b
            | 0x3041..=0x309f
            | 0x30a1..=0x30fa
            | 0x30fc..=0x30ff
            | 0x3105..=0x312f
            | 0x31f0..=0x31ff
            | 0x3400..=0x4dbf
            | 0x4e00..=0x9fff
            | 0xa000..=0xa48c
            | 0xf900..=0xfaff
            | 0xff66..=0xff9f
            | 0x1b000..=0x1b16f
            | 0x20000..=0x323af
    )
}

fn is_south_east_asian(c: char) -> bool {
    matches!(
        u32::from(c),
        0xe01..=0xe3a
            | 0xe40..=0xe4e
            | 0xe81..=0xece
            | 0xedc..=0xedf
            | 0x1000..=0x103f
            | 0x1050..=0x109d
            | 0x1780..=0x17d3
            | 0x17d7
            | 0x17dc..=0x17dd
            | 0xa9e0..=0xa9fe
            | 0xaa60..=0xaa7f
    )
}

/// Marks and joiners that `char::is_alphanumeric` leaves out but that stand inside words.
fn is_mark(c: char) -> bool {
    matches!(u32::from(c), 0xad | 0x200c | 0x200d | 0x640)
        || unicode_normalization::char::is_combining_mark(c)
}
