//! `<!DOCTYPE …>`, HTML standard §13.2.5.53–68. Only its effect matters here: quirks mode changes whether a table
//! closes a paragraph.

use super::{Tokenizer, is_space};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Doctype, TokenSink};
use memchr::memchr;

impl<S: TokenSink> Tokenizer<'_, S> {
    /// Behind `<!DOCTYPE`.
    pub(super) fn doctype(&mut self) -> Doctype {
        let mut doctype = Doctype::default();
        self.skip_spaces();
        let start = self.position;
        while self.peek(0).is_some_and(|byte| !is_space(byte) && byte != b'>') {
            self.position += 1;
        }
        if self.position > start {
            let name = self.source[start..self.position].to_ascii_lowercase().replace('\0', "\u{FFFD}");
            doctype.name = Some(StrTendril::from(name));
        } else {
            doctype.force_quirks = true;
        }
        self.skip_spaces();
        let rest = &self.bytes()[self.position..];
        let keyword = rest.get(..6).unwrap_or_default();
        if keyword.eq_ignore_ascii_case(b"public") {
            self.position += 6;
            doctype.public_id = self.identifier();
            if doctype.public_id.is_some() {
                self.skip_spaces();
                if self.peek(0).is_some_and(|byte| byte != b'>') {
                    doctype.system_id = self.identifier();
                    doctype.force_quirks |= doctype.system_id.is_none();
                }
            } else {
                doctype.force_quirks = true;
            }
        } else if keyword.eq_ignore_ascii_case(b"system") {
            self.position += 6;
            doctype.system_id = self.identifier();
            doctype.force_quirks |= doctype.system_id.is_none();
        } else if self.peek(0).is_some_and(|byte| byte != b'>') {
            doctype.force_quirks = true;
        }
        match memchr(b'>', &self.bytes()[self.position..]) {
            Some(found) => self.position += found + 1,
            None => {
                doctype.force_quirks = true;
                self.position = self.source.len();
            }
        }
        doctype
    }

    /// A quoted identifier; without its closing quote it is cut at `>` and does not count.
    fn identifier(&mut self) -> Option<StrTendril> {
        self.skip_spaces();
        let quote = self.peek(0).filter(|byte| matches!(byte, b'"' | b'\''))?;
        let start = self.position + 1;
        let rest = &self.bytes()[start..];
        let length =
            rest.iter().position(|byte| *byte == quote || *byte == b'>').filter(|i| rest[*i] == quote)?;
        self.position = start + length + 1;
        Some(self.slice(start, start + length))
    }

    fn skip_spaces(&mut self) {
        while self.peek(0).is_some_and(is_space) {
            self.position += 1;
        }
    }
}
