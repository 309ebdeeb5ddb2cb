use super::{Token, Tokens, attribute, pairs};
use proptest::prelude::*;

fn shown(document: &str) -> Vec<String> {
    Tokens::new(document)
        .map(|token| match token {
            Token::Text(text) => format!("'{text}'"),
            Token::Cdata(text) => format!("[{text}]"),
            Token::Start { name, empty, .. } => format!("<{name}{}>", if empty { "/" } else { "" }),
            Token::End { name } => format!("</{name}>"),
        })
        .collect()
}

#[test]
fn well_formed_xml_is_cut_into_its_pieces() {
    let document = "<?xml version='1.0'?><!-- <a> --><a:b x='>' y=\"&lt;\"><c/>t<![CDATA[<d>]]></a:b >";
    assert_eq!(shown(document), ["<a:b>", "<c/>", "'t'", "[<d>]", "</a:b>"]);
}

#[test]
fn tags_without_their_brackets_and_quotes_end_where_the_next_begins() {
    assert_eq!(shown("<a <b>x</a<c>"), ["<a>", "<b>", "'x'", "</a>", "<c>"]);
    assert_eq!(shown("<a href=\"x><b>y</b>"), ["<a>", "<b>", "'y'", "</b>"]);
    assert_eq!(shown("<a><![CDATA[x</a><![CDATA[y</a>"), ["<a>", "[x]", "</a>", "[y]", "</a>"]);
    assert_eq!(shown("1 < 2 <a>"), ["'1 '", "'<'", "' 2 '", "<a>"]);
}

#[test]
fn what_nothing_closes_ends_with_the_document() {
    for document in ["<a", "<a x='", "</a", "<!-- x <a>", "<![CDATA[x", "<!DOCTYPE a [ <!ENTITY", "<"] {
        let mut tokens = Tokens::new(document);
        while tokens.next().is_some() {}
        assert!(tokens.cut_off(), "{document}");
    }
}

#[test]
fn a_document_type_is_skipped_whole() {
    let document = "<!DOCTYPE foo [<!ENTITY a \"]>\"><!-- ]> --><!ELEMENT foo ANY>]><foo>x</foo>";
    assert_eq!(shown(document), ["<foo>", "'x'", "</foo>"]);
    // An apostrophe that nothing closes does not swallow the document.
    assert_eq!(shown("<!DOCTYPE foo [ it's ]><foo>"), ["<foo>"]);
    // Only the first one is looked through.
    assert_eq!(shown("<!DOCTYPE a><!DOCTYPE b [<!ENTITY c 'd'>]><foo>").last().unwrap(), "<foo>");
}

#[test]
fn entities_made_of_entities_are_noticed() {
    for (doctype, expected) in [
        ("<!DOCTYPE a [<!ENTITY x 'lol'><!ENTITY y '&x;&x;'>]>", true),
        ("<!DOCTYPE a [<!ENTITY y \"it's &x;\">]>", true),
        ("<!DOCTYPE a [<!ENTITY % x 'lol'><!ENTITY y '%x;'>]>", true),
        ("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>", false),
        ("<!DOCTYPE a [<!ENTITY x '&amp; &#65; 100% &'>]>", false),
        ("<!DOCTYPE urlset>", false),
    ] {
        let mut tokens = Tokens::new(doctype);
        assert!(tokens.next().is_none());
        assert_eq!(tokens.doctype().unwrap().nests_entities, expected, "{doctype}");
    }
}

#[test]
fn attributes_are_found_in_any_quotes_or_none() {
    let attributes = " a = 'x y' b=\"1>2\" c=z d e=''/";
    let found: Vec<_> = pairs(attributes).collect();
    assert_eq!(found, [("a", "x y"), ("b", "1>2"), ("c", "z"), ("d", ""), ("e", "")]);
    assert_eq!(attribute(attributes, "B"), Some("1>2"));
    assert_eq!(attribute(attributes, "f"), None);
}

proptest! {
    #[test]
    fn any_text_is_cut_into_pieces_that_move_on(document in "([<>!/?'\"&;a-c \\[\\]=-]|<!--|-->|<!\\[CDATA\\[|\\]\\]>|\\PC){0,60}") {
        let mut tokens = Tokens::new(&document);
        let mut before = tokens.offset();
        while let Some(token) = tokens.next() {
            prop_assert!(tokens.offset() > before);
            before = tokens.offset();
            if let Token::Start { attributes, .. } = token {
                pairs(attributes).for_each(drop);
            }
        }
        prop_assert_eq!(tokens.offset(), document.len());
    }
}
