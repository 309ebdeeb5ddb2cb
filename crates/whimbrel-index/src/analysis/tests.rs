//! What terms a text gives.

use super::{Profile, TermKind, WordCache, analyze, fold};
use proptest::prelude::*;

fn terms(language: &str, text: &str) -> Vec<String> {
    let mut out = Vec::new();
    analyze(text, Profile::of(language), &mut WordCache::default(), &mut |term| {
        let shown: String = term.text.chars().map(|c| if c.is_control() { '*' } else { c }).collect();
        out.push(format!("{}:{shown}", term.position));
    });
    out
}

#[test]
fn words_come_as_written_with_their_stem_at_one_position() {
    assert_eq!(terms("en", "The Web crawlers"), ["0:the", "1:web", "2:crawlers", "2:*crawler"]);
    assert_eq!(
        terms("en", "pg_stat_activity 3.11"),
        ["0:pg", "1:stat", "2:activity", "2:*activ", "3:3", "4:11"]
    );
}

#[test]
fn the_language_of_the_page_chooses_the_stemmer() {
    assert!(terms("de", "Häuser").contains(&"0:*haus".to_owned()), "{:?}", terms("de", "Häuser"));
    assert!(
        terms("fr", "continuellement").contains(&"0:*continuel".to_owned()),
        "{:?}",
        terms("fr", "continuellement")
    );
    assert_eq!(terms("pl", "crawling"), ["0:crawling"]);
    assert_eq!(terms("ja", "crawling"), ["0:crawling", "0:*crawl"]);
}

#[test]
fn diacritics_are_kept_and_also_folded() {
    let found = terms("pl", "Zażółć");
    assert_eq!(found, ["0:zażółć", "0:*zazolc"]);
    let table =
        [("straße", "strasse"), ("ångström", "angstrom"), ("fjörð", "fjord"), ("й", "й"), ("हिन्दी", "हिन्दी")];
    for (word, folded) in table {
        assert_eq!(fold(word), folded, "{word}");
    }
}

#[test]
fn compatibility_forms_and_set_marks_do_not_matter() {
    assert_eq!(terms("pl", "Ｗｅｂ"), ["0:web"]);
    assert_eq!(terms("pl", "ﬁle"), ["0:file"]);
    assert_eq!(terms("pl", "hy\u{ad}phen"), ["0:hyphen"]);
    assert_eq!(terms("ja", "ｶﾞ"), ["0:ガ"]);
}

#[test]
fn dense_scripts_become_characters_and_pairs() {
    assert_eq!(terms("zh", "全文検"), ["0:全", "0:全文", "1:文", "1:文検", "2:検"]);
    assert_eq!(terms("zh", "Rust语言"), ["0:rust", "1:语", "1:语言", "2:言"]);
    assert_eq!(terms("th", "กขค"), ["0:กข", "1:ขค"]);
}

#[test]
fn hangul_words_have_pairs_of_syllables_at_their_position() {
    assert_eq!(
        terms("ko", "한국어를 GPU로"),
        ["0:한국어를", "0:*한국", "0:*국어", "0:*어를", "1:gpu", "2:로"]
    );
}

#[test]
fn arabic_spellings_agree() {
    let exact = |word: &str| {
        let mut out = String::new();
        analyze(word, Profile::of("ar"), &mut WordCache::default(), &mut |term| {
            if matches!(term.kind, TermKind::Exact(_)) {
                out.push_str(term.text);
            }
        });
        out
    };
    assert_eq!(exact("أحمد"), exact("احمد"));
    assert_eq!(exact("مُحَمَّد"), exact("محمد"));
    assert_eq!(exact("العربيـــة"), exact("العربيه"));
    assert_eq!(exact("علی"), exact("على"));
}

#[test]
fn symbols_after_a_word_are_found_with_it() {
    assert_eq!(terms("pl", "C++ and C#."), ["0:c", "0:c++", "1:and", "2:c", "2:c#"]);
    assert_eq!(terms("pl", "a+++b x#y"), ["0:a", "1:b", "2:x", "3:y"]);
}

#[test]
fn a_blob_takes_a_position_but_is_no_term() {
    let blob = "x".repeat(500);
    assert_eq!(terms("pl", &format!("a {blob} b")), ["0:a", "2:b"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn ranges_lie_in_the_text_on_character_boundaries(text in ".{0,80}") {
        let mut cache = WordCache::default();
        let mut last = 0;
        analyze(&text, Profile::of("en"), &mut cache, &mut |term| {
            assert!(text.get(term.range.clone()).is_some());
            assert!(term.position >= last);
            assert!(!term.text.is_empty());
            last = term.position;
        });
    }
}
