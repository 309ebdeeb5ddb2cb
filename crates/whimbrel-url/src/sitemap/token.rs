//! Cuts XML, well formed or not, into tags and text. Never fails, never looks a name up, never expands anything: a
//! document type is skipped whole, so no entity it declares exists. What is no markup is text.
//! Invariant: every byte is looked at a bounded number of times, and no call recurses.

/// A piece of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Text with its references still in it.
    Text(&'a str),
    /// Text of a CDATA section.
    Cdata(&'a str),
    /// `<name attributes>` or `<name attributes/>`.
    Start {
        /// As written, with its prefix.
        name: &'a str,
        /// Everything between name and closing bracket.
        attributes: &'a str,
        /// Closed by itself.
        empty: bool,
    },
    /// `</name>`.
    End {
        /// As written, with its prefix.
        name: &'a str,
    },
}

/// What a document type says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Doctype<'a> {
    /// Name of the root.
    pub(super) name: &'a str,
    /// An entity is made of other entities, as none needs to be whose text is short.
    pub(super) nests_entities: bool,
}

/// Reads tokens off a document.
pub(super) struct Tokens<'a> {
    document: &'a str,
    at: usize,
    doctype: Option<Doctype<'a>>,
    cut_off: bool,
    /// The end of a CDATA section may still come.
    cdata_ends: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(document: &'a str) -> Tokens<'a> {
        Tokens { document, at: 0, doctype: None, cut_off: false, cdata_ends: true }
    }

    /// Where the next token begins.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// The document type, if one was declared.
    pub(super) fn doctype(&self) -> Option<Doctype<'a>> {
        self.doctype
    }

    /// The document ended within markup.
    pub(super) fn cut_off(&self) -> bool {
        self.cut_off
    }

    /// Skips to the end: what remains is markup that nothing closes.
    fn give_up(&mut self) {
        self.cut_off = true;
        self.at = self.document.len();
    }

    /// Skips `open` bytes and everything up to and including `close`.
    fn skip_to(&mut self, open: usize, close: &str) {
        match self.document[self.at + open..].find(close) {
            Some(end) => self.at += open + end + close.len(),
            None => self.give_up(),
        }
    }

    /// A section that nothing closes ends with the next tag. There is no other end behind it then, so it is not
    /// looked for again.
    fn cdata(&mut self) -> &'a str {
        let rest = &self.document[self.at + 9..];
        let close = if self.cdata_ends { rest.find("]]>") } else { None };
        if let Some(end) = close {
            self.at += 9 + end + 3;
            return &rest[..end];
        }
        self.cdata_ends = false;
        let end = rest.find('<').unwrap_or(rest.len());
        self.cut_off = end == rest.len();
        self.at += 9 + end;
        &rest[..end]
    }

    fn declaration(&mut self) {
        let rest = &self.document[self.at + 2..];
        let is_doctype = rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("doctype"));
        // Only one document type is legal, and only one is scanned for its end: more would cost a scan each.
        let end = if is_doctype && self.doctype.is_none() {
            let name = rest[7..].trim_start();
            let length = name.find(|c: char| c.is_whitespace() || "[>".contains(c)).unwrap_or(name.len());
            let end = doctype_end(rest)
                .or_else(|| rest.find("]>").map(|i| i + 2))
                .or_else(|| rest.find('>').map(|i| i + 1));
            let nests_entities = nests_entities(&rest[..end.unwrap_or(rest.len())]);
            self.doctype = Some(Doctype { name: &name[..length], nests_entities });
            end
        } else {
            rest.find('>').map(|i| i + 1)
        };
        match end {
            Some(end) => self.at += 2 + end,
            None => self.give_up(),
        }
    }

    fn end_tag(&mut self) -> Token<'a> {
        let rest = &self.document[self.at + 2..];
        let end = rest.find(['>', '<']).unwrap_or(rest.len());
        self.cut_off = end == rest.len();
        self.at += 2 + end + usize::from(rest[end..].starts_with('>'));
        Token::End { name: rest[..end].trim() }
    }

    fn start_tag(&mut self) -> Token<'a> {
        let rest = &self.document[self.at + 1..];
        let (end, closed) = tag_end(rest);
        self.cut_off = end == rest.len();
        self.at += 1 + end + usize::from(closed);
        let tag = &rest[..end];
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let length = tag.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(tag.len());
        Token::Start { name: &tag[..length], attributes: &tag[length..], empty }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = self.document.get(self.at..).filter(|rest| !rest.is_empty())?;
            let Some(markup) = rest.strip_prefix('<') else {
                let end = rest.find('<').unwrap_or(rest.len());
                self.at += end;
                return Some(Token::Text(&rest[..end]));
            };
            if markup.starts_with("!--") {
                self.skip_to(4, "-->");
            } else if markup.starts_with("![CDATA[") {
                return Some(Token::Cdata(self.cdata()));
            } else if markup.starts_with('?') {
                self.skip_to(2, ">");
            } else if markup.starts_with('!') {
                self.declaration();
            } else if markup.starts_with('/') {
                return Some(self.end_tag());
            } else if markup.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == ':') {
                return Some(self.start_tag());
            } else {
                // A bracket that opens nothing.
                self.at += 1;
                self.cut_off = markup.is_empty();
                return Some(Token::Text(&rest[..1]));
            }
        }
    }
}

/// The value of the attribute `wanted`, references and all, given what stands in a tag behind its name.
pub(super) fn attribute<'a>(attributes: &'a str, wanted: &str) -> Option<&'a str> {
    pairs(attributes).find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value)
}

/// Names and values in a tag; values need no quotes.
pub(super) fn pairs(attributes: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = attributes;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/' || c == '=');
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        let Some(value) = behind.trim_start().strip_prefix('=').map(str::trim_start) else {
            rest = behind;
            return Some((name, ""));
        };
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, behind) = match quote {
            Some(quote) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        rest = behind;
        Some((name, value))
    })
}

/// Where a start tag ends, and whether by its own bracket. A bracket in quotes belongs to the value; but where the
/// next tag begins before the quotes end, they were never closed, and the first bracket in them closes the tag.
fn tag_end(tag: &str) -> (usize, bool) {
    let mut quote = None;
    let mut bracket_in_quotes = None;
    for (i, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return (i, true),
            (None, b'<') => return (i, false),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => {
                quote = None;
                bracket_in_quotes = None;
            }
            (Some(_), b'>') if bracket_in_quotes.is_none() => bracket_in_quotes = Some(i),
            (Some(_), b'<') => return bracket_in_quotes.map_or((i, false), |i| (i, true)),
            _ => {}
        }
    }
    bracket_in_quotes.map_or((tag.len(), false), |i| (i, true))
}

/// The byte behind the bracket that closes a document type, with regard to quotes, comments and the internal subset.
fn doctype_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut quote = None;
    let mut depth = 0_usize;
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'<') if bytes[i..].starts_with(b"<!--") => i += text.get(i..)?.find("-->")? + 2,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'[') => depth += 1,
            (None, b']') => depth = depth.saturating_sub(1),
            (None, b'>') if depth == 0 => return Some(i + 1),
            _ => {}
        }
        i += 1;
    }
    None
}

/// Does a declaration in this document type have a value with a reference in it, other than to a character?
fn nests_entities(doctype: &str) -> bool {
    doctype.split("<!ENTITY").skip(1).any(|declaration| {
        let Some(open) = declaration.find(['"', '\'']) else { return false };
        let quote = char::from(declaration.as_bytes()[open]);
        let value = declaration[open + 1..].split(quote).next().unwrap_or_default();
        value.split(['&', '%']).skip(1).any(|reference| {
            let is_name = reference.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | ':'));
            let is_character =
                ["amp;", "lt;", "gt;", "quot;", "apos;"].iter().any(|name| reference.starts_with(name));
            is_name && !is_character && reference.contains(';')
        })
    })
}

#[cfg(test)]
mod tests;
