//! How queries are read.

use super::node::{Node, WordField};
use super::parser::parse;
use proptest::prelude::*;
use whimbrel_types::Timestamp;

fn word(text: &str) -> Node {
    Node::Word(text.to_owned())
}

fn not(node: Node) -> Node {
    Node::Not(Box::new(node))
}

#[test]
fn operators_bind_as_documented() {
    let table = [
        ("a b", vec![word("a"), word("b")]),
        ("a -b", vec![word("a"), not(word("b"))]),
        ("a NOT b", vec![word("a"), not(word("b"))]),
        ("+a b", vec![Node::MustWord("a".into()), word("b")]),
        ("a OR b", vec![Node::Any(vec![word("a"), word("b")])]),
        ("a b OR c", vec![word("a"), Node::Any(vec![word("b"), word("c")])]),
        ("a AND b OR c", vec![Node::Any(vec![Node::All(vec![word("a"), word("b")]), word("c")])]),
        ("a XOR b AND c", vec![Node::OddlyMany(vec![word("a"), Node::All(vec![word("b"), word("c")])])]),
        ("a AND (b OR c)", vec![Node::All(vec![word("a"), Node::Any(vec![word("b"), word("c")])])]),
        ("a AND NOT b", vec![Node::All(vec![word("a"), not(word("b"))])]),
        ("(a b) OR c", vec![Node::Any(vec![Node::All(vec![word("a"), word("b")]), word("c")])]),
        ("(a b) c", vec![word("a"), word("b"), word("c")]),
        ("a -(b c)", vec![word("a"), not(Node::Any(vec![word("b"), word("c")]))]),
        ("NOT NOT a", vec![word("a")]),
        ("\"a b\" c", vec![Node::Phrase("a b".into()), word("c")]),
        ("“a b”", vec![Node::Phrase("a b".into())]),
        ("a-b --c", vec![word("a-b"), word("--c")]),
        ("or not and", vec![word("or"), word("not"), word("and")]),
    ];
    for (query, expected) in table {
        assert_eq!(parse(query).parts, expected, "{query}");
    }
}

#[test]
fn fields_are_read_and_unknown_ones_are_words() {
    let day = Timestamp::from_utc(2024, 5, 17, 0).expect("a day");
    let title = |text: &str, quoted| Node::In { field: WordField::Title, text: text.into(), quoted };
    let table = [
        ("site:Example.org", Node::Site("example.org".into())),
        ("intitle:web", title("web", false)),
        ("intitle:\"web crawler\"", title("web crawler", true)),
        ("lang:de", Node::Language("de".into())),
        ("language:de-AT", Node::Language("de-at".into())),
        ("filetype:txt", Node::FileType("txt".into())),
        ("after:2024-05-17", Node::After(day)),
        ("before:2024-05-17", Node::Before(day)),
        ("std::vec", word("std::vec")),
        ("http://x/", word("http://x/")),
        ("before:soon", word("before:soon")),
        ("site:", word("site:")),
    ];
    for (query, expected) in table {
        assert_eq!(parse(query).parts, [expected], "{query}");
    }
}

#[test]
fn broken_queries_are_taken_as_words_and_noted() {
    let table = [
        ("web OR", vec![word("web"), word("OR")]),
        ("AND web", vec![word("AND"), word("web")]),
        ("a OR OR b", vec![word("a"), Node::Any(vec![word("OR"), word("b")])]),
        ("(a", vec![word("a")]),
        ("a) b", vec![word("a"), word("b")]),
        ("\"a b", vec![word("a"), word("b")]),
        ("before:soon", vec![word("before:soon")]),
    ];
    for (query, expected) in table {
        let parsed = parse(query);
        assert!(!parsed.notes.is_empty(), "{query} is noted");
        assert_eq!(parsed.parts, expected, "{query}");
    }
}

#[test]
fn hostile_queries_are_bounded() {
    let table = [
        "(".repeat(10_000),
        format!("{}a{}", "(".repeat(10_000), ")".repeat(10_000)),
        "NOT ".repeat(10_000),
        "a OR ".repeat(10_000),
        "a XOR ".repeat(100_000),
        "\"".repeat(9_999),
        "-(".repeat(5_000),
        "word ".repeat(200_000),
        "字".repeat(400_000),
    ];
    for query in table {
        let parsed = parse(&query);
        assert!(parsed.parts.len() <= 70, "{} parts", parsed.parts.len());
        assert!(!parsed.notes.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_parses(query in "[a-c\"()\\-+ :|]{0,40}|(AND|OR|XOR|NOT|\\(|\\)|a|\"| |-){0,30}|\\PC{0,60}") {
        parse(&query);
    }
}
