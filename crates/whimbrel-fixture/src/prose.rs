//! Writes English that makes sense, from a grammar and a seed.
//!
//! A grammar is text: `[symbol]` opens a list of alternatives, one per line; `#symbol#` stands for any of
//! them, `#3..40#` for a number, `//` opens a comment line. A writer draws every alternative of a list once
//! before any comes again, so a page does not repeat itself.
//! Invariant: equal grammar, seed and words give equal text.

use crate::random::Random;
use std::collections::BTreeMap;

/// Lists of alternatives by symbol.
#[derive(Debug)]
pub(crate) struct Grammar {
    lists: BTreeMap<&'static str, Vec<&'static str>>,
}

impl Grammar {
    /// Reads a grammar. Lines before the first symbol and empty lines are left out.
    pub(crate) fn parse(text: &'static str) -> Grammar {
        let mut lists: BTreeMap<&'static str, Vec<&'static str>> = BTreeMap::new();
        let mut symbol = None;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")) {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                symbol = Some(name);
            } else if let Some(name) = symbol {
                lists.entry(name).or_default().push(line);
            }
        }
        Grammar { lists }
    }

    /// All alternatives of a symbol.
    pub(crate) fn list(&self, symbol: &str) -> &[&'static str] {
        self.lists.get(symbol).map_or(&[], Vec::as_slice)
    }

    /// A writer with a seed of its own.
    pub(crate) fn writer(&self, random: Random) -> Writer<'_> {
        Writer { grammar: self, random, bags: BTreeMap::new(), words: BTreeMap::new() }
    }
}

/// Writes from one grammar.
#[derive(Debug)]
pub(crate) struct Writer<'g> {
    grammar: &'g Grammar,
    pub(crate) random: Random,
    bags: BTreeMap<String, Vec<&'static str>>,
    words: BTreeMap<String, String>,
}

impl Writer<'_> {
    /// From now on `#symbol#` is this word: what the page is about.
    pub(crate) fn set(&mut self, symbol: &str, word: impl Into<String>) {
        self.words.insert(symbol.to_owned(), word.into());
    }

    /// One text for a symbol, as it stands.
    ///
    /// # Panics
    /// When the grammar lacks the symbol: the grammars are part of this program, and a test reads them all.
    pub(crate) fn phrase(&mut self, symbol: &str) -> String {
        if let Some(word) = self.words.get(symbol) {
            return word.clone();
        }
        if let Some((low, high)) = symbol.split_once("..") {
            let bound =
                |text: &str| text.parse().unwrap_or_else(|_| panic!("{symbol} is no range of numbers"));
            return self.random.between(bound(low), bound(high)).to_string();
        }
        let template = self.draw(symbol);
        self.fill(template)
    }

    /// One sentence for a symbol: with a capital and the right article.
    pub(crate) fn sentence(&mut self, symbol: &str) -> String {
        with_capital_quotes(&capitalized(&with_articles(&self.phrase(symbol))))
    }

    /// Several sentences.
    pub(crate) fn paragraph(&mut self, symbol: &str, sentence_count: usize) -> String {
        (0..sentence_count).map(|_| self.sentence(symbol)).collect::<Vec<_>>().join(" ")
    }

    fn draw(&mut self, symbol: &str) -> &'static str {
        let bag = self.bags.entry(symbol.to_owned()).or_default();
        if bag.is_empty() {
            let list = self.grammar.list(symbol);
            assert!(!list.is_empty(), "the grammar has no {symbol:?}");
            bag.extend_from_slice(list);
            self.random.shuffle(bag);
        }
        bag.pop().expect("the bag has just been filled")
    }

    fn fill(&mut self, template: &str) -> String {
        let mut text = String::new();
        for (number, part) in template.split('#').enumerate() {
            if number % 2 == 0 {
                text.push_str(part);
            } else {
                text.push_str(&self.phrase(part));
            }
        }
        text
    }
}

/// The text with its first letter large.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Lower case with hyphens, for paths.
pub(crate) fn slug(text: &str) -> String {
    let letters = text
        .chars()
        .filter(|letter| *letter != '\'')
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' });
    letters.collect::<String>().split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// What somebody is quoted as saying starts with a capital.
fn with_capital_quotes(text: &str) -> String {
    let quoted =
        |(number, part): (usize, &str)| if number % 2 == 1 { capitalized(part) } else { part.to_owned() };
    text.split('"').enumerate().map(quoted).collect::<Vec<_>>().join("\"")
}

/// "a" before a vowel becomes "an"; words that sound otherwise than they look are few here.
fn with_articles(text: &str) -> String {
    const SOUNDS_LIKE_CONSONANT: [&str; 7] = ["one", "once", "uni", "use", "usu", "euro", "ubiq"];
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for number in 1..words.len() {
        let next = words[number].to_lowercase();
        let is_vowel = next.starts_with(['a', 'e', 'i', 'o', 'u'])
            || next.starts_with("8")
            || next == "11"
            || next == "18";
        if is_vowel && !SOUNDS_LIKE_CONSONANT.iter().any(|start| next.starts_with(start)) {
            match words[number - 1].as_str() {
                "a" => "an".clone_into(&mut words[number - 1]),
                "A" => "An".clone_into(&mut words[number - 1]),
                _ => {}
            }
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests;
