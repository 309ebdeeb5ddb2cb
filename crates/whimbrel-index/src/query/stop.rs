//! Leaves stop words out of a query when other words remain. The language is the one asked for with `lang:`, else
//! the index's main one, else another that explains more of the query's words.

use super::node::Node;
use crate::analysis::{Profile, Script, Stemming, StopWords};

/// Takes stop words out of `parts`; returns them as typed. Nothing is taken when nothing else would remain.
pub(crate) fn remove_stop_words(
    parts: &mut Vec<Node>,
    languages: &[Stemming],
    lists: &mut StopWords,
) -> Vec<String> {
    let words = words_of(parts);
    let Some(language) = language_of(&words, asked_language(parts), languages, lists) else {
        return Vec::new();
    };
    let is_stop = |word: &str, lists: &mut StopWords| lists.contains(language, &word.to_lowercase());
    if !has_meaning(parts, &mut |word| is_stop(word, lists)) {
        return Vec::new();
    }
    let mut ignored = Vec::new();
    parts.retain_mut(|part| keep(part, &mut |word| is_stop(word, lists), &mut ignored));
    ignored
}

/// `lang:` of the query, if it names one.
pub(crate) fn asked_language(parts: &[Node]) -> Option<&str> {
    parts.iter().find_map(|part| match part {
        Node::Language(code) => Some(code.as_str()),
        Node::All(inner) => asked_language(inner),
        _ => None,
    })
}

fn language_of(
    words: &[String],
    asked: Option<&str>,
    languages: &[Stemming],
    lists: &mut StopWords,
) -> Option<Stemming> {
    if let Some(code) = asked {
        return Profile::of(code).stemming(Script::Latin);
    }
    let mut count = |language| words.iter().filter(|word| lists.contains(language, word)).count();
    let main = languages.first().copied().unwrap_or(Stemming::ENGLISH);
    let mut best = (main, count(main));
    for &other in languages.iter().skip(1) {
        let found = count(other);
        // One word is no evidence: `die` and `an` are words in many languages.
        if found >= 2 && found > best.1 {
            best = (other, found);
        }
    }
    Some(best.0)
}

fn words_of(parts: &[Node]) -> Vec<String> {
    parts
        .iter()
        .flat_map(|part| match part {
            Node::Word(word) => vec![word.to_lowercase()],
            Node::All(inner) | Node::Any(inner) | Node::OddlyMany(inner) => words_of(inner),
            _ => Vec::new(),
        })
        .collect()
}

/// Whether something other than stop words, filters and exclusions is asked for.
fn has_meaning(parts: &[Node], is_stop: &mut dyn FnMut(&str) -> bool) -> bool {
    parts.iter().any(|part| match part {
        Node::Word(word) => !is_stop(word),
        Node::MustWord(_) | Node::Phrase(_) | Node::In { .. } => true,
        Node::All(inner) | Node::Any(inner) | Node::OddlyMany(inner) => has_meaning(inner, is_stop),
        _ => false,
    })
}

fn keep(part: &mut Node, is_stop: &mut dyn FnMut(&str) -> bool, ignored: &mut Vec<String>) -> bool {
    match part {
        Node::Word(word) if is_stop(word) => {
            ignored.push(word.clone());
            false
        }
        Node::All(inner) | Node::Any(inner) => {
            inner.retain_mut(|node| keep(node, is_stop, ignored));
            !inner.is_empty()
        }
        _ => true,
    }
}
