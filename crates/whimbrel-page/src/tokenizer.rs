//! Splits decoded HTML into the tokens of the HTML standard (§13.2.5) and feeds them to a tree builder, whose
//! answers switch the state (script, title and the like hold text, not markup). Written for speed: text and
//! attribute values are found by byte search and handed on as slices of the one source buffer; attributes that
//! no pass reads are dropped here. Never fails: every input is some list of tokens. Works in one buffer, so
//! there is no waiting for more input.
//!
//! Differences from the standard, all invisible in the tree we keep: comments are empty, parse errors are not
//! reported, only so many attributes per tag are kept (a hostile tag may have 200,000), and none of excessive length.
//! Invariant: `position` only grows, and is always on a character boundary when a slice is cut there.

mod character_reference;
mod doctype;
mod markup;
mod names;
mod raw_text;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Token, TokenSink, TokenSinkResult};
use memchr::{memchr, memchr3};
use names::NameCache;
pub(crate) use raw_text::normalize_newlines;

/// What the driver wants to do after each token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Go on.
    Continue,
    /// Leave out start tags that would open a further level.
    NoDeeper,
    /// End of input, as far as this page goes.
    Stop,
}

/// Runs over `source`; `verdict` is asked before every tag.
pub(crate) fn tokenize<S: TokenSink>(
    source: &str,
    sink: &S,
    limits: AttributeLimits,
    mut verdict: impl FnMut(&S) -> Verdict,
) -> Outcome {
    let mut tokenizer = Tokenizer {
        source,
        shared: StrTendril::from_slice(source),
        sink,
        position: 0,
        names: NameCache::default(),
        last_start_tag: String::new(),
        scratch: String::new(),
        limits,
        attributes_dropped: 0,
        values_dropped: 0,
        tags_dropped: 0,
    };
    let stopped = tokenizer.run(&mut verdict);
    let _ = tokenizer.emit(Token::EOFToken);
    sink.end();
    Outcome {
        stopped,
        attributes_dropped: tokenizer.attributes_dropped,
        values_dropped: tokenizer.values_dropped,
        tags_dropped: tokenizer.tags_dropped,
    }
}

/// How much of one tag's attributes is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AttributeLimits {
    pub(crate) count_max: usize,
    /// Longer values count as missing.
    pub(crate) bytes_max: usize,
}

/// What a run left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Told to stop before the end.
    pub(crate) stopped: bool,
    /// Attributes over the limit of one tag.
    pub(crate) attributes_dropped: u32,
    /// Attributes left out for the length of their value.
    pub(crate) values_dropped: u32,
    /// Start tags left out on [`Verdict::NoDeeper`].
    pub(crate) tags_dropped: u32,
}

struct Tokenizer<'a, S> {
    source: &'a str,
    /// The same characters, reference counted: slices of it are tokens without copying.
    shared: StrTendril,
    sink: &'a S,
    position: usize,
    names: NameCache,
    last_start_tag: String,
    scratch: String,
    limits: AttributeLimits,
    attributes_dropped: u32,
    values_dropped: u32,
    tags_dropped: u32,
}

impl<S: TokenSink> Tokenizer<'_, S> {
    fn run(&mut self, verdict: &mut impl FnMut(&S) -> Verdict) -> bool {
        while self.position < self.source.len() {
            self.text();
            if self.position >= self.source.len() {
                break;
            }
            let decision = verdict(self.sink);
            if decision == Verdict::Stop {
                return true;
            }
            match self.markup(decision) {
                TokenSinkResult::RawData(RawKind::Rcdata) => self.rcdata(),
                TokenSinkResult::RawData(RawKind::Rawtext) => self.rawtext(),
                TokenSinkResult::RawData(_) => self.script(),
                TokenSinkResult::Plaintext => self.plaintext(),
                TokenSinkResult::Continue
                | TokenSinkResult::Script(_)
                | TokenSinkResult::EncodingIndicator(_) => {}
            }
        }
        false
    }

    fn bytes(&self) -> &[u8] {
        self.source.as_bytes()
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes().get(self.position + ahead).copied()
    }

    fn emit(&self, token: Token) -> TokenSinkResult<S::Handle> {
        self.sink.process_token(token, 1)
    }

    /// A slice of the source as a tendril.
    fn slice(&self, start: usize, end: usize) -> StrTendril {
        self.shared.subtendril(start as u32, (end - start) as u32)
    }

    fn emit_slice(&self, start: usize, end: usize) {
        if start < end {
            // Text never changes the tokenizer's state.
            let _ = self.emit(Token::CharacterTokens(self.slice(start, end)));
        }
    }

    fn emit_scratch(&mut self) {
        if !self.scratch.is_empty() {
            let text = StrTendril::from_slice(&self.scratch);
            self.scratch.clear();
            let _ = self.emit(Token::CharacterTokens(text));
        }
    }

    /// The data state up to a `<` that begins markup, or the end.
    fn text(&mut self) {
        let mut start = self.position;
        let mut search = start;
        loop {
            let found = memchr3(b'<', b'&', 0, &self.bytes()[search..]).map(|i| search + i);
            let Some(at) = found else {
                self.finish_text(start, self.source.len());
                return;
            };
            match self.bytes()[at] {
                b'<' if begins_markup(self.bytes().get(at + 1).copied()) => {
                    self.finish_text(start, at);
                    return;
                }
                b'<' => search = at + 1,
                b'&' => {
                    self.scratch.push_str(&self.source[start..at]);
                    start = character_reference::decode(self.source, at, false, &mut self.scratch);
                    search = start;
                }
                _ => {
                    self.finish_text(start, at);
                    let _ = self.emit(Token::NullCharacterToken);
                    start = at + 1;
                    search = start;
                }
            }
        }
    }

    fn finish_text(&mut self, start: usize, end: usize) {
        if self.scratch.is_empty() {
            self.emit_slice(start, end);
        } else {
            self.scratch.push_str(&self.source[start..end]);
            self.emit_scratch();
        }
        self.position = end;
    }

    fn plaintext(&mut self) {
        let rest = self.position;
        self.emit_replacing_nul(rest, self.source.len());
        self.position = self.source.len();
    }

    /// Emits raw text, NUL as U+FFFD.
    fn emit_replacing_nul(&mut self, start: usize, end: usize) {
        if memchr(0, &self.bytes()[start..end]).is_none() {
            self.emit_slice(start, end);
            return;
        }
        let text = self.source[start..end].replace('\0', "\u{FFFD}");
        let _ = self.emit(Token::CharacterTokens(StrTendril::from(text)));
    }
}

/// Whether a `<` before this byte is markup rather than a character.
fn begins_markup(next: Option<u8>) -> bool {
    next.is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?'))
}

/// White space as the tokenizer knows it, after newline normalisation.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | 0x0C | b'\r')
}
