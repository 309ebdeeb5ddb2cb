//! The inside of elements that hold text, not markup: title and textarea (references are decoded), style and the
//! like, and scripts with their comment-in-script rules. HTML standard §13.2.5.2–4, 9–31. Ends before the
//! matching end tag, which the markup states then read.

use super::{Tokenizer, character_reference, is_space};
use html5ever::tokenizer::TokenSink;
use memchr::{memchr, memchr2, memmem};

impl<S: TokenSink> Tokenizer<'_, S> {
    pub(super) fn rawtext(&mut self) {
        let end = self.find_end_tag(self.position);
        self.emit_replacing_nul(self.position, end);
        self.position = end;
    }

    pub(super) fn rcdata(&mut self) {
        let end = self.find_end_tag(self.position);
        let mut piece = self.position;
        while let Some(found) = memchr2(b'&', 0, &self.bytes()[piece..end]) {
            let at = piece + found;
            self.scratch.push_str(&self.source[piece..at]);
            piece = if self.bytes()[at] == 0 {
                self.scratch.push('\u{FFFD}');
                at + 1
            } else {
                character_reference::decode(&self.source[..end], at, false, &mut self.scratch)
            };
        }
        self.finish_text(piece, end);
    }

    pub(super) fn script(&mut self) {
        let end = self.find_script_end();
        self.emit_replacing_nul(self.position, end);
        self.position = end;
    }

    /// Where the end tag that matches the last start tag begins, or the end of the input.
    fn find_end_tag(&self, from: usize) -> usize {
        let mut search = from;
        while let Some(found) = memchr(b'<', &self.bytes()[search..]) {
            let at = search + found;
            if self.is_end_tag(at, &self.last_start_tag) {
                return at;
            }
            search = at + 1;
        }
        self.source.len()
    }

    fn is_end_tag(&self, at: usize, name: &str) -> bool {
        self.bytes().get(at + 1) == Some(&b'/') && self.is_word(at + 2, name)
    }

    /// Whether `name` stands at `at` in any case, followed by what ends a tag name.
    fn is_word(&self, at: usize, name: &str) -> bool {
        let Some(rest) = self.bytes().get(at..) else { return false };
        rest.len() > name.len()
            && rest[..name.len()].eq_ignore_ascii_case(name.as_bytes())
            && (is_space(rest[name.len()]) || matches!(rest[name.len()], b'/' | b'>'))
    }

    /// A script ends at `</script`, but not inside `<!-- … <script … </script> … -->`.
    fn find_script_end(&self) -> usize {
        let mut at = self.position;
        while let Some(found) = memchr(b'<', &self.bytes()[at..]) {
            at += found;
            if self.is_end_tag(at, "script") {
                return at;
            }
            if self.bytes()[at..].starts_with(b"<!--") {
                match self.escaped_script(at + 4) {
                    EscapeEnd::Script(end) => return end,
                    EscapeEnd::Comment(after) => at = after,
                }
            } else {
                at += 1;
            }
        }
        self.source.len()
    }

    /// Behind `<!--` in a script: up to `-->`, or to an end tag that counts.
    fn escaped_script(&self, start: usize) -> EscapeEnd {
        // `<!-->` and `<!--->` end at once: the dashes of the opening count.
        let mut at = start - 2;
        let mut double = false;
        while let Some(found) = memchr2(b'<', b'-', &self.bytes()[at..]) {
            at += found;
            if self.bytes()[at] == b'-' {
                if self.bytes()[at..].starts_with(b"-->") {
                    return EscapeEnd::Comment(at + 3);
                }
            } else if !double && self.is_end_tag(at, "script") {
                return EscapeEnd::Script(at);
            } else if !double && self.is_word(at + 1, "script") {
                double = true;
            } else if double && self.is_end_tag(at, "script") {
                double = false;
            }
            at += 1;
        }
        EscapeEnd::Script(self.source.len())
    }
}

/// How the escaped part of a script ends.
enum EscapeEnd {
    /// The script ends here.
    Script(usize),
    /// Its comment ends; plain script goes on here.
    Comment(usize),
}

/// Whether the text holds any carriage return, which the standard turns into line feeds before tokenizing.
pub(crate) fn normalize_newlines(source: &str) -> Option<String> {
    memchr(b'\r', source.as_bytes())?;
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = memchr(b'\r', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        out.push('\n');
        rest = rest[at + 1..].strip_prefix('\n').unwrap_or(&rest[at + 1..]);
    }
    out.push_str(rest);
    debug_assert!(memmem::find(out.as_bytes(), b"\r").is_none());
    Some(out)
}
