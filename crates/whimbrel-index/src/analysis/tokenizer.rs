//! The analysis as a tantivy tokenizer. The page's language travels in front of the text, because tantivy binds a
//! tokenizer to a field and not to a document.

use super::cache::{CachePool, WordCache};
use super::profile::Profile;
use super::terms::analyze;
use std::collections::VecDeque;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Name in the schema.
pub(crate) const TOKENIZER_NAME: &str = "whimbrel";

/// The text with its language in front, as [`PageTokenizer`] takes it.
pub(crate) fn tagged(language: &str, text: &str) -> String {
    let mut out = String::with_capacity(language.len() + 1 + text.len());
    out.push_str(language);
    out.push('\n');
    out.push_str(text);
    out
}

/// Tokenizer of every text field.
#[derive(Clone, Default)]
pub(crate) struct PageTokenizer {
    pool: CachePool,
}

impl Tokenizer for PageTokenizer {
    type TokenStream<'a> = PageTokenStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> PageTokenStream<'a> {
        let (language, text) = text.split_once('\n').unwrap_or(("", text));
        PageTokenStream {
            text,
            profile: Profile::of(language),
            pool: &self.pool,
            cache: Some(self.pool.take()),
            token: Token::default(),
            waiting: None,
        }
    }
}

/// Tokens of one value.
pub(crate) struct PageTokenStream<'a> {
    text: &'a str,
    profile: Profile,
    pool: &'a CachePool,
    cache: Option<WordCache>,
    token: Token,
    waiting: Option<VecDeque<Token>>,
}

impl TokenStream for PageTokenStream<'_> {
    fn advance(&mut self) -> bool {
        if self.waiting.is_none() {
            let mut tokens = VecDeque::new();
            self.process(&mut |token| tokens.push_back(token.clone()));
            self.waiting = Some(tokens);
        }
        match self.waiting.as_mut().and_then(VecDeque::pop_front) {
            Some(token) => {
                self.token = token;
                true
            }
            None => false,
        }
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }

    /// The way the index writer goes: no token outlives the call, so one buffer serves all.
    fn process(&mut self, sink: &mut dyn FnMut(&Token)) {
        let mut cache = self.cache.take().unwrap_or_else(|| self.pool.take());
        let token = &mut self.token;
        analyze(self.text, self.profile, &mut cache, &mut |term| {
            token.text.clear();
            token.text.push_str(term.text);
            token.position = term.position;
            token.offset_from = term.range.start;
            token.offset_to = term.range.end;
            sink(token);
        });
        self.cache = Some(cache);
    }
}

impl Drop for PageTokenStream<'_> {
    fn drop(&mut self) {
        if let Some(cache) = self.cache.take() {
            self.pool.give_back(cache);
        }
    }
}
