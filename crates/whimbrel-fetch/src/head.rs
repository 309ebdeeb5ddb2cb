//! Response heads as raw bytes: where one ends, and what fields are in it. The bytes themselves are what is kept;
//! the fields are read from them, so case and order are the server's (RFC 9112, sections 2.1 to 2.3 and 5).
//! Never judges: lines that are no fields are skipped. The layer above (hyper) decides on validity and framing.
//! Invariant: the end is found at the same byte however the head is cut into pieces.

/// Finds the end of a head in pieces that come one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EndFinder {
    /// A line with something on it has been seen: only then does an empty line end the head.
    started: bool,
    /// Bytes of the current line so far, without the line feed.
    line_len: usize,
    /// The current line is a lone carriage return.
    line_is_cr: bool,
}

impl EndFinder {
    /// How many bytes of `piece` belong to the head, when it ends in this piece.
    pub(crate) fn find(&mut self, piece: &[u8]) -> Option<usize> {
        for (index, &byte) in piece.iter().enumerate() {
            if byte == b'\n' {
                let empty = self.line_len == 0 || self.line_is_cr;
                if empty && self.started {
                    return Some(index + 1);
                }
                self.started |= !empty;
                self.line_len = 0;
                self.line_is_cr = false;
            } else {
                self.line_is_cr = self.line_len == 0 && byte == b'\r';
                self.line_len += 1;
            }
        }
        None
    }
}

/// The status code of a head, when its first line has one.
#[must_use]
pub fn status_code(head: &[u8]) -> Option<u16> {
    let line = head.split(|&b| b == b'\n').find(|line| !trim(line).is_empty())?;
    let mut words = line.split(|&b| b == b' ').filter(|word| !word.is_empty());
    words.next().filter(|version| version.starts_with(b"HTTP/"))?;
    let digits = trim(words.next()?);
    if digits.len() != 3 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |code, digit| code * 10 + u16::from(digit - b'0')))
}

/// The fields in order: names in lower case, values without the white space around them, folded lines joined.
#[must_use]
pub fn fields(head: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut out: Vec<(String, Vec<u8>)> = Vec::with_capacity(16);
    let mut lines = head.split(|&b| b == b'\n').skip_while(|line| trim(line).is_empty());
    lines.next();
    // A folded line belongs to the field above it, or to nothing when the line above was no field.
    let mut foldable = false;
    for line in lines {
        if matches!(line.first(), Some(b' ' | b'\t')) {
            if let Some((_, value)) = out.last_mut().filter(|_| foldable) {
                value.push(b' ');
                value.extend_from_slice(trim(line));
            }
            continue;
        }
        let name_and_value =
            line.iter().position(|&b| b == b':').map(|colon| (trim(&line[..colon]), &line[colon + 1..]));
        match name_and_value {
            Some((name, value)) if !name.is_empty() && name.iter().all(|&b| is_token(b)) => {
                let name = name.iter().map(|b| char::from(b.to_ascii_lowercase())).collect();
                out.push((name, trim(value).to_vec()));
                foldable = true;
            }
            _ => foldable = false,
        }
    }
    out
}

/// Whether a request field tells a secret: such fields are sent, but never kept.
pub(crate) fn is_private(name: &str) -> bool {
    ["authorization", "proxy-authorization", "cookie"]
        .iter()
        .any(|private| name.eq_ignore_ascii_case(private))
}

/// A request head without the fields that tell secrets. Ours has one field per line, never folded.
pub(crate) fn without_private(head: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(head.len());
    for line in head.split_inclusive(|&b| b == b'\n') {
        let name = line.split(|&b| b == b':').next().unwrap_or_default();
        if !std::str::from_utf8(name).is_ok_and(is_private) {
            out.extend_from_slice(line);
        }
    }
    out
}

fn trim(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii()
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests;
