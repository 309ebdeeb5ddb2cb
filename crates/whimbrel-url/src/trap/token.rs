//! One piece of a URL (a path segment, a key, a value) with everything that counts up replaced by placeholders:
//! dates `{date}`, uuids `{uuid}`, hexadecimal numbers `{hex}`, long mixed tokens `{id}`, digits `{n}`.
//! What is left is text. Braces and stars of the piece itself are escaped, so that a placeholder is never mistaken.

use super::pattern::Month;

/// Shortest run of hexadecimal digits that is taken for a number; shorter ones may be words (`facade`, `cafe`).
const HEX_LEN_MIN: usize = 8;
/// Shortest run of mixed letters and digits that is taken for a token.
const TOKEN_LEN_MIN: usize = 20;

/// Appends the shape of `piece`; a date in it is told to `month`.
pub(super) fn push_shape(out: &mut String, piece: &str, month: &mut Option<Month>) {
    let bytes = piece.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' && at + 2 < bytes.len() {
            // An escaped byte is a letter, whatever its digits are.
            out.push_str(&piece[at..at + 3]);
            at += 3;
            continue;
        }
        if !bytes[at].is_ascii_alphanumeric() {
            push_literal(out, bytes[at]);
            at += 1;
            continue;
        }
        if let Some(length) = uuid_at(&bytes[at..]) {
            out.push_str("{uuid}");
            at += length;
            continue;
        }
        if let Some((found, length)) = date_at(&bytes[at..]) {
            month.get_or_insert(found);
            out.push_str("{date}");
            at += length;
            continue;
        }
        let length = run_len(&bytes[at..], u8::is_ascii_alphanumeric);
        push_run(out, &piece[at..at + length]);
        at += length;
    }
}

/// The class of a query value as a whole: a placeholder, or `{w}` for any other text.
pub(super) fn value_class(value: &str, month: &mut Option<Month>) -> &'static str {
    let bytes = value.as_bytes();
    let number = value.strip_prefix('-').unwrap_or(value);
    if let Some((found, length)) = date_at(bytes)
        && (length == bytes.len() || bytes[length] == b'T')
    {
        month.get_or_insert(found);
        "{date}"
    } else if is_decimal(number) {
        "{n}"
    } else if uuid_at(bytes) == Some(bytes.len()) {
        "{uuid}"
    } else if bytes.iter().all(u8::is_ascii_alphanumeric) && is_hex_number(value) {
        "{hex}"
    } else if is_long_token(value, |b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)) {
        "{id}"
    } else {
        "{w}"
    }
}

/// A number of one or two digits within bounds, as months and days are written.
pub(super) fn small_number(text: &str, max: u8) -> Option<u8> {
    let fits = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|number| fits && (1..=max).contains(number))
}

fn push_run(out: &mut String, run: &str) {
    let is_number = run.bytes().all(|b| b.is_ascii_digit());
    if !is_number && is_hex_number(run) {
        return out.push_str("{hex}");
    }
    if is_long_token(run, |b| b.is_ascii_alphanumeric()) {
        return out.push_str("{id}");
    }
    let mut in_digits = false;
    for byte in run.bytes() {
        let is_digit = byte.is_ascii_digit();
        if !is_digit {
            out.push(byte.into());
        } else if !in_digits {
            out.push_str("{n}");
        }
        in_digits = is_digit;
    }
}

fn push_literal(out: &mut String, byte: u8) {
    match byte {
        b'{' => out.push_str("%7B"),
        b'}' => out.push_str("%7D"),
        b'*' => out.push_str("%2A"),
        other => out.push(other.into()),
    }
}

fn is_decimal(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    digits(whole) && digits(fraction)
}

/// Letters and digits of base 16, both kinds, too long for a word.
fn is_hex_number(run: &str) -> bool {
    run.len() >= HEX_LEN_MIN
        && run.bytes().all(|b| b.is_ascii_hexdigit())
        && run.bytes().any(|b| b.is_ascii_digit())
        && run.bytes().any(|b| b.is_ascii_alphabetic())
}

/// Long, of the given bytes, with digits among its letters rather than only at an end (`python311documentation`).
fn is_long_token(run: &str, of: impl Fn(u8) -> bool) -> bool {
    if run.len() < TOKEN_LEN_MIN || !run.bytes().all(of) {
        return false;
    }
    let kinds = run.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit());
    kinds.count() >= 4
}

fn uuid_at(bytes: &[u8]) -> Option<usize> {
    const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
    let mut at = 0;
    for (nth, length) in GROUPS.into_iter().enumerate() {
        if nth > 0 {
            (bytes.get(at) == Some(&b'-')).then_some(())?;
            at += 1;
        }
        bytes.get(at..at + length)?.iter().all(u8::is_ascii_hexdigit).then_some(())?;
        at += length;
    }
    bytes.get(at).is_none_or(|b| !b.is_ascii_alphanumeric()).then_some(at)
}

/// `2026-11-05`, `2026-11`, `2026_11_05` or `20261105` at the front, and its length.
fn date_at(bytes: &[u8]) -> Option<(Month, usize)> {
    let digits = run_len(bytes, u8::is_ascii_digit);
    let number = |from: usize, length: usize| -> Option<u16> {
        let text = std::str::from_utf8(bytes.get(from..from + length)?).ok()?;
        text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
    };
    let part = |from: usize, max: u16| number(from, 2).filter(|n| (1..=max).contains(n));
    let ends = |at: usize| !bytes.get(at).is_some_and(u8::is_ascii_digit);
    let year = number(0, 4)?;
    if digits == 8 && (1900..2200).contains(&year) {
        let (month, _) = (part(4, 12)?, part(6, 31)?);
        return Some((Month::new(year, month as u8), 8));
    }
    let separator = *bytes.get(4).filter(|b| digits == 4 && b"-_".contains(b) && year >= 1000)?;
    let month = Month::new(year, part(5, 12).filter(|_| ends(7))? as u8);
    let has_day = bytes.get(7) == Some(&separator) && part(8, 31).is_some() && ends(10);
    Some((month, if has_day { 10 } else { 7 }))
}

fn run_len(bytes: &[u8], of: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().position(|b| !of(b)).unwrap_or(bytes.len())
}
