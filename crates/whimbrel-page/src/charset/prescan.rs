//! Looks for a declared encoding in the first 1,024 bytes, without decoding them: the HTML standard's "prescan a
//! byte stream to determine its encoding" with its attribute rules, and the XML declaration. A declaration behind
//! them makes a browser decode the page again; `late_prescan` finds it beforehand.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;

const PRESCAN_BYTES: usize = 1024;
/// A declaration further down is not looked for.
const LATE_BYTES_MAX: usize = 64 * 1024;
/// Elements whose content is text: a tag in them declares nothing.
const RAW_TEXT: [&[u8]; 4] = [b"script", b"style", b"title", b"textarea"];

/// The encoding the document declares about itself, if any.
#[must_use]
pub fn prescan(body: &[u8]) -> Option<&'static Encoding> {
    if body.starts_with(&[0x3C, 0, 0x3F, 0, 0x78, 0]) {
        return Some(UTF_16LE);
    }
    if body.starts_with(&[0, 0x3C, 0, 0x3F, 0, 0x78]) {
        return Some(UTF_16BE);
    }
    let head = &body[..body.len().min(PRESCAN_BYTES)];
    let mut scanner = Scanner { bytes: head, at: 0, skips_raw_text: false };
    scanner.meta().or_else(|| xml_declaration(head)).map(usable)
}

/// The encoding that a `<meta>` behind the first 1,024 bytes declares, if any.
#[must_use]
pub fn late_prescan(body: &[u8]) -> Option<&'static Encoding> {
    if body.len() <= PRESCAN_BYTES {
        return None;
    }
    let bytes = &body[..body.len().min(LATE_BYTES_MAX)];
    Scanner { bytes, at: 0, skips_raw_text: true }.meta().map(usable)
}

/// A page whose declaration could be read is not UTF-16, whatever it says.
fn usable(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

fn xml_declaration(head: &[u8]) -> Option<&'static Encoding> {
    let rest = head.strip_prefix(b"<?xml")?;
    let rest = &rest[..memchr::memchr(b'>', rest)?];
    let after = memmem::find(rest, b"encoding")? + b"encoding".len();
    let rest = skip(&rest[after..], |byte| byte <= b' ').strip_prefix(b"=")?;
    let rest = skip(rest, |byte| byte <= b' ');
    let quote = *rest.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let rest = &rest[1..];
    let label = &rest[..memchr::memchr(quote, rest)?];
    if label.iter().any(|byte| *byte <= b' ') {
        return None;
    }
    Encoding::for_label(label)
}

fn skip(bytes: &[u8], unwanted: impl Fn(u8) -> bool) -> &[u8] {
    let start = bytes.iter().position(|byte| !unwanted(*byte)).unwrap_or(bytes.len());
    &bytes[start..]
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    skips_raw_text: bool,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn meta(&mut self) -> Option<&'static Encoding> {
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"<!--") {
                // `<!-->` is a whole comment: its dashes count twice.
                let end = memmem::find(&rest[2..], b"-->")?;
                self.at += 2 + end + 3;
            } else if is_meta(rest) {
                self.at += 5;
                if let Some(encoding) = self.meta_attributes() {
                    return Some(encoding);
                }
            } else if is_tag(rest) {
                self.at += rest.iter().position(|byte| is_space(*byte) || *byte == b'>')?;
                while self.attribute().is_some() {}
                if self.skips_raw_text {
                    self.skip_raw_text(rest);
                }
            } else if matches!(rest, [b'<', b'!' | b'/' | b'?', ..]) {
                self.at += memchr::memchr(b'>', rest)? + 1;
            } else {
                self.at += 1 + memchr::memchr(b'<', &rest[1..])?;
            }
        }
        None
    }

    /// Behind a start tag that began at the front of `tag`: past its end tag, if it holds text.
    fn skip_raw_text(&mut self, tag: &[u8]) {
        let name = &tag[1..1 + tag[1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count()];
        if !RAW_TEXT.iter().any(|raw| raw.eq_ignore_ascii_case(name)) {
            return;
        }
        while let Some(found) = memmem::find(&self.bytes[self.at..], b"</") {
            self.at += found + 2;
            let end = self.bytes.get(self.at..self.at + name.len());
            if end.is_some_and(|end| end.eq_ignore_ascii_case(name)) {
                return;
            }
        }
        self.at = self.bytes.len();
    }

    fn meta_attributes(&mut self) -> Option<&'static Encoding> {
        let (mut got_pragma, mut need_pragma, mut charset) = (false, None, None);
        let mut seen: Vec<Vec<u8>> = Vec::new();
        while let Some((name, value)) = self.attribute() {
            if seen.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" => got_pragma = got_pragma || value == b"content-type",
                b"content" if charset.is_none() => {
                    if let Some(encoding) = from_content(&value) {
                        charset = Some(Some(encoding));
                        need_pragma = Some(true);
                    }
                }
                b"charset" => {
                    charset = Some(Encoding::for_label(&value));
                    need_pragma = Some(false);
                }
                _ => {}
            }
            seen.push(name);
        }
        match need_pragma? {
            true if !got_pragma => None,
            _ => charset.flatten(),
        }
    }

    /// "Get an attribute": lower-cased name and value; none at the end of the tag or of the bytes.
    fn attribute(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        while self.peek().is_some_and(|byte| is_space(byte) || byte == b'/') {
            self.at += 1;
        }
        if self.peek()? == b'>' {
            self.at += 1;
            return None;
        }
        let mut name = Vec::new();
        loop {
            match self.peek()? {
                b'=' if !name.is_empty() => break,
                byte if is_space(byte) => {
                    self.skip_spaces();
                    if self.peek()? != b'=' {
                        return Some((name, Vec::new()));
                    }
                    break;
                }
                b'/' | b'>' => return Some((name, Vec::new())),
                byte => name.push(byte.to_ascii_lowercase()),
            }
            self.at += 1;
        }
        self.at += 1;
        self.skip_spaces();
        let mut value = Vec::new();
        match self.peek()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                while self.peek()? != quote {
                    value.push(self.bytes[self.at].to_ascii_lowercase());
                    self.at += 1;
                }
                self.at += 1;
            }
            _ => {
                while !self.peek().map(|byte| is_space(byte) || byte == b'>')? {
                    value.push(self.bytes[self.at].to_ascii_lowercase());
                    self.at += 1;
                }
            }
        }
        Some((name, value))
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }
}

fn is_meta(rest: &[u8]) -> bool {
    rest.len() > 5 && rest[..5].eq_ignore_ascii_case(b"<meta") && (is_space(rest[5]) || rest[5] == b'/')
}

fn is_tag(rest: &[u8]) -> bool {
    match rest {
        [b'<', b'/', letter, ..] => letter.is_ascii_alphabetic(),
        [b'<', letter, ..] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

/// "Extract a character encoding from a meta element": `text/html; charset=…` in a lower-cased `content`.
pub(crate) fn from_content(content: &[u8]) -> Option<&'static Encoding> {
    let mut rest = content;
    loop {
        rest = &rest[memmem::find(rest, b"charset")? + b"charset".len()..];
        let after = skip(rest, is_space);
        if let Some(value) = after.strip_prefix(b"=") {
            let value = skip(value, is_space);
            return match value.first()? {
                quote @ (b'"' | b'\'') => {
                    let value = &value[1..];
                    Encoding::for_label(&value[..memchr::memchr(*quote, value)?])
                }
                _ => {
                    let end = value.iter().position(|byte| is_space(*byte) || *byte == b';');
                    Encoding::for_label(&value[..end.unwrap_or(value.len())])
                }
            };
        }
    }
}
