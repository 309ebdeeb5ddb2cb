use super::*;

const SMALL: &str = "// about animals
[line]
a #animal# waits near #count# stones.
a #animal# and a #animal#.
[animal]
eel
goat
unicorn
[count]
#3..5#
";

#[test]
fn equal_seeds_write_equal_text_and_other_seeds_other_text() {
    let grammar = Grammar::parse(SMALL);
    let write = |seed| grammar.writer(Random::of(seed, "test")).paragraph("line", 6);
    assert_eq!(write(1), write(1));
    assert_ne!(write(1), write(2));
}

#[test]
fn every_alternative_comes_before_any_comes_again() {
    let grammar = Grammar::parse(SMALL);
    let mut writer = grammar.writer(Random::of(9, "test"));
    for _ in 0..5 {
        let mut animals: Vec<String> = (0..3).map(|_| writer.phrase("animal")).collect();
        animals.sort();
        assert_eq!(animals, ["eel", "goat", "unicorn"]);
    }
}

#[test]
fn sentences_have_capitals_articles_numbers_in_range_and_set_words() {
    let grammar = Grammar::parse(SMALL);
    let mut writer = grammar.writer(Random::of(3, "test"));
    for _ in 0..40 {
        let sentence = writer.sentence("line");
        assert!(
            sentence.starts_with("An eel")
                || sentence.starts_with("A goat")
                || sentence.starts_with("A unicorn"),
            "{sentence}"
        );
        assert!(!sentence.contains("a eel") && !sentence.contains("an unicorn"), "{sentence}");
        assert!((3..=5).contains(&writer.phrase("count").parse::<u32>().unwrap()));
    }
    writer.set("animal", "owl");
    let sentence = writer.sentence("line");
    assert!(sentence.starts_with("An owl"), "{sentence}");
}

#[test]
fn slugs_are_lower_case_words_with_hyphens() {
    assert_eq!(slug("The Warden's Tea, 2nd Edition"), "the-wardens-tea-2nd-edition");
}
