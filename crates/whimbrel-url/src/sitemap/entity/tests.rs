use super::push_decoded;
use proptest::prelude::*;

fn decoded(raw: &str) -> (String, bool, bool) {
    let mut out = String::new();
    let oddities = push_decoded(raw, &mut out);
    (out, oddities.loose_ampersand, oddities.unknown_entity)
}

#[test]
fn the_five_names_and_numbers_are_replaced_once() {
    assert_eq!(decoded("a&amp;b&lt;&gt;&quot;&apos;"), ("a&b<>\"'".into(), false, false));
    assert_eq!(decoded("&#43;&#x2B;&#X2b;"), ("+++".into(), false, false));
    assert_eq!(decoded("?a=1&amp;amp;b=2"), ("?a=1&amp;b=2".into(), false, false));
}

#[test]
fn ampersands_that_begin_no_reference_stay() {
    assert_eq!(decoded("?a=1&b=2&c=3"), ("?a=1&b=2&c=3".into(), true, false));
    assert_eq!(
        decoded("&;&#;&#x;&#0;&#1114112;&#99999999999;"),
        ("&;&#;&#x;&#0;&#1114112;&#99999999999;".into(), true, false)
    );
    assert_eq!(decoded("& ; &"), ("& ; &".into(), true, false));
}

#[test]
fn other_entities_stand_for_nothing() {
    assert_eq!(decoded("http://a/&xxe;b&lol9;"), ("http://a/b".into(), false, true));
}

proptest! {
    #[test]
    fn text_never_grows(raw in "([&#;xa-f0-9 ]|amp;|\\PC){0,60}") {
        prop_assert!(decoded(&raw).0.len() <= raw.len());
    }
}
