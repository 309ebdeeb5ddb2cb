//! Letters that readers take for the same: diacritics of Latin, Greek and Cyrillic, Hebrew points, and the
//! spelling variants of Arabic script. Never touches the vowel signs of Indic and South-East Asian scripts.

use super::script::{Script, script_of};
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The word without diacritics; borrowed when it has none.
pub(crate) fn fold(word: &str) -> Cow<'_, str> {
    if word.is_ascii() || !word.chars().any(is_foldable) {
        return Cow::Borrowed(word);
    }
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        if !is_foldable(c) {
            out.push(c);
        } else if let Some(replacement) = ligature(c) {
            out.push_str(replacement);
        } else if !is_hebrew_point(c) {
            out.extend(std::iter::once(c).nfd().filter(|&part| !is_combining_mark(part)));
        }
    }
    Cow::Owned(out)
}

/// Arabic script in one spelling: no vowel points or tatweel, one alef, one yeh, one kaf, heh for teh marbuta.
pub(crate) fn fold_arabic(word: &str) -> String {
    word.chars()
        .filter(|&c| !matches!(u32::from(c), 0x610..=0x61a | 0x640 | 0x64b..=0x65f | 0x670 | 0x6d6..=0x6ed | 0x8d3..=0x8ff))
        .map(|c| match c {
            'آ' | 'أ' | 'إ' | 'ٱ' | 'ٲ' | 'ٳ' => 'ا',
            'ى' | 'ی' | 'ې' => 'ي',
            'ک' | 'ڪ' => 'ك',
            'ة' | 'ۃ' | 'ہ' | 'ە' => 'ه',
            '٠'..='٩' => ascii_digit(c, '٠'),
            '۰'..='۹' => ascii_digit(c, '۰'),
            other => other,
        })
        .collect()
}

fn ascii_digit(c: char, zero: char) -> char {
    char::from_digit(u32::from(c) - u32::from(zero), 10).unwrap_or(c)
}

fn is_foldable(c: char) -> bool {
    if c.is_ascii() {
        return false;
    }
    if is_hebrew_point(c) || matches!(u32::from(c), 0x300..=0x36f) {
        return true;
    }
    // Short i is a letter of its own to every reader of Cyrillic.
    if matches!(c, 'й' | 'Й') {
        return false;
    }
    matches!(script_of(c), Script::Latin | Script::Greek | Script::Cyrillic)
        && (ligature(c).is_some() || std::iter::once(c).nfd().nth(1).is_some())
}

fn is_hebrew_point(c: char) -> bool {
    matches!(u32::from(c), 0x591..=0x5bd | 0x5bf | 0x5c1..=0x5c2 | 0x5c4..=0x5c5 | 0x5c7)
}

fn ligature(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ħ' => "h",
        'ı' => "i",
        'ŋ' => "n",
        'ŧ' => "t",
        'ς' => "σ",
        _ => return None,
    })
}
