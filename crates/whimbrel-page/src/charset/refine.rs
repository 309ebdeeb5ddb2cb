//! Two guesses that the detector gets wrong, corrected by what single bytes mean. Mac Cyrillic shares its small letters
//! with windows-1251 but for я; Hungarian shares all letters with windows-1252 but for ő and ű. Only looks at guesses
//! that can be wrong in these ways; whatever is not clear stays as guessed.

use encoding_rs::{
    Encoding, IBM866, KOI8_R, KOI8_U, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, X_MAC_CYRILLIC,
};

/// So many я inside words decide for Mac Cyrillic.
const MAC_LETTERS_MIN: usize = 2;
/// So many Hungarian words and letters decide for Hungarian.
const HUNGARIAN_WORDS_MIN: usize = 4;
const HUNGARIAN_LETTERS_MIN: usize = 2;

/// The encoding in place of `guess`.
pub(super) fn refine(guess: &'static Encoding, bytes: &[u8]) -> &'static Encoding {
    let may_be_mac = [WINDOWS_1251, WINDOWS_1252, KOI8_U, KOI8_R, IBM866].contains(&guess);
    if may_be_mac && is_mac_cyrillic(bytes) {
        return X_MAC_CYRILLIC;
    }
    if guess == WINDOWS_1252 && is_hungarian(bytes) {
        return WINDOWS_1250;
    }
    guess
}

/// Small letters are 0xE0–0xFE in both; я is 0xDF here and 0xFF there, where 0xDF is the capital and begins words.
fn is_mac_cyrillic(bytes: &[u8]) -> bool {
    let is_small = |byte: u8| (0xE0..=0xFE).contains(&byte);
    let (mut small, mut running, mut mac, mut windows) = (0_usize, 0_usize, 0_usize, 0_usize);
    for pair in bytes.windows(2) {
        let [before, byte] = [pair[0], pair[1]];
        small += usize::from(is_small(byte));
        if is_small(before) {
            running += usize::from(is_small(byte));
            mac += usize::from(byte == 0xDF);
            // Capitals of windows-1251 inside a word speak against it, я speaks for it.
            windows += usize::from(byte == 0xFF);
        }
    }
    // Cyrillic words are runs of such bytes; accented Latin letters stand alone.
    running * 2 > small && mac >= MAC_LETTERS_MIN && mac > windows * 4 && mac * 100 > small
}

/// ő and ű (0xF5, 0xFB, in capitals 0xD5, 0xDB) among Hungarian words.
fn is_hungarian(bytes: &[u8]) -> bool {
    const WORDS: [&[u8]; 8] = [b"hogy", b"egy", b"nem", b"az", b"csak", b"volt", b"vagy", b"mint"];
    let letters = bytes.iter().filter(|byte| matches!(byte, 0xF5 | 0xFB | 0xD5 | 0xDB)).count();
    if letters < HUNGARIAN_LETTERS_MIN {
        return false;
    }
    let mut seen = [0_usize; WORDS.len()];
    for word in bytes.split(|byte| !byte.is_ascii_alphabetic() && *byte < 0x80) {
        if let Some(place) = WORDS.iter().position(|known| known.eq_ignore_ascii_case(word)) {
            seen[place] += 1;
        }
    }
    let distinct = seen.iter().filter(|count| **count > 0).count();
    seen.iter().sum::<usize>() >= HUNGARIAN_WORDS_MIN && distinct >= 2
}
