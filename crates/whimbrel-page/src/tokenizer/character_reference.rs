//! Character references (`&amp;`, `&#8217;`), HTML standard §13.2.5.72–80. A reference that is none stays as text.

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// No name in the standard's table is longer.
const NAME_BYTES_MAX: usize = 32;

/// Decodes the reference whose `&` is at `at` onto `out`; returns where the text goes on.
pub(super) fn decode(source: &str, at: usize, in_attribute: bool, out: &mut String) -> usize {
    let bytes = source.as_bytes();
    let consumed = match bytes.get(at + 1) {
        Some(b'#') => numeric(bytes, at + 2, out),
        Some(byte) if byte.is_ascii_alphanumeric() => named(source, at + 1, in_attribute, out),
        _ => None,
    };
    consumed.unwrap_or_else(|| {
        out.push('&');
        at + 1
    })
}

fn numeric(bytes: &[u8], mut at: usize, out: &mut String) -> Option<usize> {
    let hexadecimal = matches!(bytes.get(at), Some(b'x' | b'X'));
    let base = if hexadecimal { 16 } else { 10 };
    at += usize::from(hexadecimal);
    let first = at;
    let mut value = 0_u32;
    while let Some(digit) = bytes.get(at).and_then(|byte| char::from(*byte).to_digit(base)) {
        value = value.saturating_mul(base).saturating_add(digit);
        at += 1;
    }
    if at == first {
        return None;
    }
    out.push(match value {
        0 => '\u{FFFD}',
        0x80..=0x9F => C1_REPLACEMENTS[value as usize - 0x80].unwrap_or(char::from(value as u8)),
        _ => char::from_u32(value).unwrap_or('\u{FFFD}'),
    });
    Some(at + usize::from(bytes.get(at) == Some(&b';')))
}

fn named(source: &str, start: usize, in_attribute: bool, out: &mut String) -> Option<usize> {
    let bytes = source.as_bytes();
    for (name, character) in COMMON {
        if bytes[start..].starts_with(name) {
            out.push(*character);
            return Some(start + name.len());
        }
    }
    let mut best = None;
    let mut end = start;
    while end < bytes.len() && end - start < NAME_BYTES_MAX {
        let byte = bytes[end];
        if !byte.is_ascii_alphanumeric() && byte != b';' {
            break;
        }
        end += 1;
        match NAMED_ENTITIES.get(&source[start..end]) {
            // The table also holds every beginning of a name, as (0, 0).
            Some((0, _)) => {}
            Some(characters) => best = Some((end, *characters)),
            None => break,
        }
    }
    let (end, (first, second)) = best?;
    // `&copy=1` in an old query string is not a reference.
    if in_attribute && bytes[end - 1] != b';' {
        let next = bytes.get(end).copied().unwrap_or(b' ');
        if next == b'=' || next.is_ascii_alphanumeric() {
            return None;
        }
    }
    out.extend(char::from_u32(first));
    if second != 0 {
        out.extend(char::from_u32(second));
    }
    Some(end)
}

/// Nine of ten references; found without hashing.
const COMMON: &[(&[u8], char)] =
    &[(b"amp;", '&'), (b"lt;", '<'), (b"gt;", '>'), (b"quot;", '"'), (b"nbsp;", '\u{A0}')];
