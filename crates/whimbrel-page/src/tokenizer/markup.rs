//! What begins with `<`: tags with their attributes, comments, CDATA, bogus comments. HTML standard
//! §13.2.5.6–8, 32–40, 41–52, 69–71. A tag that the input ends inside of is dropped, as the standard says.

use super::{Tokenizer, Verdict, character_reference, is_space};
use crate::tree::AttributeName;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::{Attribute, LocalName, QualName, local_name, ns};
use memchr::{memchr, memchr3, memmem};

impl<S: TokenSink> Tokenizer<'_, S> {
    /// At a `<` that begins markup.
    pub(super) fn markup(&mut self, decision: Verdict) -> TokenSinkResult<S::Handle> {
        match self.peek(1) {
            Some(b'!') => self.declaration(),
            Some(b'?') => self.bogus_comment(1),
            Some(b'/') => match self.peek(2) {
                Some(byte) if byte.is_ascii_alphabetic() => self.tag(TagKind::EndTag, decision),
                Some(b'>') => {
                    self.position += 3;
                    TokenSinkResult::Continue
                }
                Some(_) => self.bogus_comment(2),
                None => {
                    let start = self.position;
                    self.position = self.source.len();
                    self.emit_slice(start, self.position);
                    TokenSinkResult::Continue
                }
            },
            _ => self.tag(TagKind::StartTag, decision),
        }
    }

    fn declaration(&mut self) -> TokenSinkResult<S::Handle> {
        let after = &self.bytes()[self.position + 2..];
        if after.starts_with(b"--") {
            self.position += 4;
            self.comment();
            return self.emit(Token::CommentToken(StrTendril::new()));
        }
        if after.len() >= 7 && after[..7].eq_ignore_ascii_case(b"doctype") {
            self.position += 9;
            let doctype = self.doctype();
            return self.emit(Token::DoctypeToken(doctype));
        }
        if after.starts_with(b"[CDATA[")
            && self.sink.adjusted_current_node_present_but_not_in_html_namespace()
        {
            self.position += 9;
            self.cdata();
            return TokenSinkResult::Continue;
        }
        self.bogus_comment(2)
    }

    /// Behind `<!--`: moves past the comment.
    fn comment(&mut self) {
        let bytes = self.source.as_bytes();
        if bytes[self.position..].starts_with(b">") {
            self.position += 1;
            return;
        }
        if bytes[self.position..].starts_with(b"->") {
            self.position += 2;
            return;
        }
        let mut search = self.position;
        while let Some(found) = memmem::find(&bytes[search..], b"--") {
            let mut end = search + found + 2;
            while bytes.get(end) == Some(&b'-') {
                end += 1;
            }
            if bytes[end..].starts_with(b">") {
                self.position = end + 1;
                return;
            }
            if bytes[end..].starts_with(b"!>") {
                self.position = end + 2;
                return;
            }
            search = end;
        }
        self.position = bytes.len();
    }

    fn cdata(&mut self) {
        let start = self.position;
        let found = memmem::find(&self.bytes()[start..], b"]]>");
        let end = found.map_or(self.source.len(), |i| start + i);
        let mut piece = start;
        while let Some(nul) = memchr(0, &self.bytes()[piece..end]) {
            self.emit_slice(piece, piece + nul);
            let _ = self.emit(Token::NullCharacterToken);
            piece += nul + 1;
        }
        self.emit_slice(piece, end);
        self.position = if found.is_some() { end + 3 } else { end };
    }

    fn bogus_comment(&mut self, skip: usize) -> TokenSinkResult<S::Handle> {
        let start = self.position + skip;
        self.position = memchr(b'>', &self.bytes()[start..]).map_or(self.source.len(), |i| start + i + 1);
        self.emit(Token::CommentToken(StrTendril::new()))
    }

    fn tag(&mut self, kind: TagKind, decision: Verdict) -> TokenSinkResult<S::Handle> {
        let start = self.position + 1 + usize::from(kind == TagKind::EndTag);
        let bytes = self.source.as_bytes();
        let length = bytes[start..].iter().position(|byte| is_space(*byte) || matches!(byte, b'/' | b'>'));
        let Some(length) = length else {
            self.position = bytes.len();
            return TokenSinkResult::Continue;
        };
        let name = self.names.get(&self.source[start..start + length]);
        self.position = start + length;
        let mut tag =
            Tag { kind, name, self_closing: false, attrs: Vec::new(), had_duplicate_attributes: false };
        if !self.attributes(&mut tag) {
            self.position = bytes.len();
            return TokenSinkResult::Continue;
        }
        if kind == TagKind::StartTag {
            if decision == Verdict::NoDeeper && !is_leaf(&tag.name) {
                self.tags_dropped = self.tags_dropped.saturating_add(1);
                return TokenSinkResult::Continue;
            }
            if holds_raw_text(&tag.name) {
                self.last_start_tag.clear();
                self.last_start_tag.push_str(&tag.name);
            }
        }
        self.emit(Token::TagToken(tag))
    }

    /// Behind the tag's name: reads to past its `>`. False when the input ends before that.
    fn attributes(&mut self, tag: &mut Tag) -> bool {
        let bytes = self.source.as_bytes();
        let mut seen = 0;
        loop {
            while self.peek(0).is_some_and(is_space) {
                self.position += 1;
            }
            match self.peek(0) {
                None => return false,
                Some(b'>') => {
                    self.position += 1;
                    return true;
                }
                Some(b'/') => {
                    self.position += 1;
                    if self.peek(0) == Some(b'>') {
                        tag.self_closing = true;
                        self.position += 1;
                        return true;
                    }
                    continue;
                }
                Some(_) => {}
            }
            let name_start = self.position;
            // A `=` as first character belongs to the name.
            self.position += 1;
            while let Some(byte) = self.peek(0) {
                if is_space(byte) || matches!(byte, b'/' | b'>' | b'=') {
                    break;
                }
                self.position += 1;
            }
            let name = &self.source[name_start..self.position];
            while self.peek(0).is_some_and(is_space) {
                self.position += 1;
            }
            let value = if self.peek(0) == Some(b'=') {
                self.position += 1;
                match self.value_range() {
                    Some(range) => range,
                    None => return false,
                }
            } else {
                (self.position, self.position)
            };
            seen += 1;
            if seen > self.limits.count_max {
                self.attributes_dropped = self.attributes_dropped.saturating_add(1);
            } else if tag.kind == TagKind::StartTag && is_wanted(name, &tag.name) {
                if value.1 - value.0 > self.limits.bytes_max {
                    self.values_dropped = self.values_dropped.saturating_add(1);
                } else {
                    self.keep(tag, name, value);
                }
            }
            debug_assert!(self.position <= bytes.len());
        }
    }

    /// Behind `=`: the range of the value; the position moves past it. None at the end of the input.
    fn value_range(&mut self) -> Option<(usize, usize)> {
        while self.peek(0).is_some_and(is_space) {
            self.position += 1;
        }
        let bytes = self.source.as_bytes();
        let start = self.position;
        match self.peek(0)? {
            quote @ (b'"' | b'\'') => {
                let length = memchr(quote, &bytes[start + 1..])?;
                self.position = start + length + 2;
                Some((start + 1, start + 1 + length))
            }
            // `<a href=>`: an empty value, and the tag ends.
            b'>' => Some((start, start)),
            _ => {
                let length = bytes[start..].iter().position(|byte| is_space(*byte) || *byte == b'>')?;
                self.position = start + length;
                Some((start, self.position))
            }
        }
    }

    fn keep(&mut self, tag: &mut Tag, name: &str, (start, end): (usize, usize)) {
        let name = self.names.get(name);
        if tag.attrs.iter().any(|attribute| attribute.name.local == name) {
            tag.had_duplicate_attributes = true;
            return;
        }
        let value = self.attribute_value(start, end);
        tag.attrs.push(Attribute { name: QualName::new(None, ns!(), name), value });
    }

    fn attribute_value(&self, start: usize, end: usize) -> StrTendril {
        let special = |from: usize| memchr3(b'&', 0, 0, &self.bytes()[from..end]).map(|i| from + i);
        let Some(mut at) = special(start) else { return self.slice(start, end) };
        let mut value = String::with_capacity(end - start);
        let mut piece = start;
        let within = &self.source[..end];
        loop {
            value.push_str(&within[piece..at]);
            piece = if within.as_bytes()[at] == 0 {
                value.push('\u{FFFD}');
                at + 1
            } else {
                character_reference::decode(within, at, true, &mut value)
            };
            let Some(next) = special(piece) else { break };
            at = next;
        }
        value.push_str(&within[piece..end]);
        StrTendril::from(value)
    }
}

/// Whether the attribute is kept: read by a pass, or by the tree builder's rules.
fn is_wanted(name: &str, tag: &LocalName) -> bool {
    let mut lower = [0; 16];
    let Some(lower) = lower.get_mut(..name.len()) else { return is_formatting(tag) };
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    let known = std::str::from_utf8(lower).is_ok_and(|name| AttributeName::of(name).is_some());
    known
        || is_formatting(tag)
        || (lower == b"encoding" && *tag == local_name!("annotation-xml"))
        || (lower == b"xlink:href" && *tag == local_name!("a"))
}

/// The tree builder compares all attributes of these ("Noah's Ark clause") and looks at those of `font`.
fn is_formatting(tag: &LocalName) -> bool {
    matches!(
        *tag,
        local_name!("b")
            | local_name!("big")
            | local_name!("code")
            | local_name!("em")
            | local_name!("font")
            | local_name!("i")
            | local_name!("nobr")
            | local_name!("s")
            | local_name!("small")
            | local_name!("strike")
            | local_name!("strong")
            | local_name!("tt")
            | local_name!("u")
    )
}

/// Elements whose end tag the raw text states look for.
fn holds_raw_text(tag: &LocalName) -> bool {
    matches!(
        *tag,
        local_name!("iframe")
            | local_name!("noembed")
            | local_name!("noframes")
            | local_name!("noscript")
            | local_name!("script")
            | local_name!("style")
            | local_name!("textarea")
            | local_name!("title")
            | local_name!("xmp")
    )
}

/// Elements that open no level of their own, or must open one so that their text is not taken for markup.
fn is_leaf(tag: &LocalName) -> bool {
    holds_raw_text(tag)
        || matches!(
            *tag,
            local_name!("area")
                | local_name!("base")
                | local_name!("br")
                | local_name!("col")
                | local_name!("embed")
                | local_name!("hr")
                | local_name!("img")
                | local_name!("input")
                | local_name!("link")
                | local_name!("meta")
                | local_name!("plaintext")
                | local_name!("source")
                | local_name!("track")
                | local_name!("wbr")
        )
}
