//! Hosts (URL standard §3.5): names to ASCII by UTS 46, IPv4 in all its spellings, IPv6, opaque hosts.
//! Never resolves a name. Invariant: a host ends up in one spelling, and what is taken for a number is an address.

use super::encode_set::{CONTROLS, push_encoded};
use crate::percent::triplet;
use idna::AsciiDenyList;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Appends the host that `text` spells; `None` when it is none. `special` schemes have names, others opaque text.
pub(super) fn push_host(text: &str, special: bool, out: &mut String) -> Option<()> {
    if let Some(inside) = text.strip_prefix('[') {
        return push_ipv6(inside.strip_suffix(']')?, out);
    }
    if !special {
        if text.bytes().any(is_forbidden) {
            return None;
        }
        push_encoded(text, CONTROLS, out);
        return Some(());
    }
    let name = name_to_ascii(text)?;
    if ends_in_number(&name) {
        let address = ipv4(&name)?;
        write!(out, "{address}").expect("a string takes what is written to it");
    } else {
        out.push_str(&name);
    }
    Some(())
}

/// A name as DNS has it. A name that is ASCII already only loses its capitals, also when one of its `xn--` labels
/// is no Punycode: nothing about it would be shown otherwise than it is asked for.
fn name_to_ascii(text: &str) -> Option<Cow<'_, str>> {
    let plain = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_');
    let name = if text.bytes().all(plain) {
        Cow::Borrowed(text)
    } else {
        let decoded = percent_decoded(text);
        let mut name = match decoded.is_ascii() {
            true => decoded,
            false => Cow::Owned(
                idna::domain_to_ascii_cow(decoded.as_bytes(), AsciiDenyList::URL).ok()?.into_owned(),
            ),
        };
        if name.bytes().any(|b| b.is_ascii_uppercase()) {
            name.to_mut().make_ascii_lowercase();
        }
        name
    };
    let forbidden = |b: u8| is_forbidden(b) || b.is_ascii_control() || b == b'%';
    (!name.is_empty() && !name.bytes().any(forbidden)).then_some(name)
}

/// Bytes that are no UTF-8 become U+FFFD, which no name may have.
fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        match triplet(rest) {
            Some(value) => {
                bytes.push(value);
                rest = &rest[3..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// "Forbidden host code point"; all are ASCII.
fn is_forbidden(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | b'\r' | b' ') || b"#/:<>?@[\\]^|".contains(&byte)
}

fn ends_in_number(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let last = name.rsplit('.').next().unwrap_or_default();
    (!last.is_empty() && last.bytes().all(|b| b.is_ascii_digit())) || ipv4_number(last).is_some()
}

/// One to four numbers, the last of which fills what the others leave.
fn ipv4(name: &str) -> Option<Ipv4Addr> {
    let name = name.strip_suffix('.').unwrap_or(name);
    let mut bits: u32 = 0;
    let mut count = 0;
    let mut parts = name.split('.').peekable();
    while let Some(part) = parts.next() {
        let number = ipv4_number(part)?;
        count += 1;
        if parts.peek().is_some() {
            if number > 255 || count > 3 {
                return None;
            }
            bits |= u32::try_from(number).ok()? << (8 * (4 - count));
        } else {
            if number >= 1 << (8 * (5 - count)) {
                return None;
            }
            bits |= u32::try_from(number).ok()?;
        }
    }
    Some(Ipv4Addr::from(bits))
}

/// Decimal, octal after `0`, hexadecimal after `0x`; too large numbers stay too large.
fn ipv4_number(text: &str) -> Option<u64> {
    let (digits, radix) = match text.as_bytes() {
        [] => return None,
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text, 10),
    };
    digits.chars().try_fold(0_u64, |sum, digit| {
        let value = digit.to_digit(radix)?;
        Some(sum.saturating_mul(u64::from(radix)).saturating_add(u64::from(value)))
    })
}

/// The longest run of two or more zeros is left out, the first among equals (RFC 5952); an embedded IPv4 address
/// is written as the rest, so that there is one spelling.
fn push_ipv6(text: &str, out: &mut String) -> Option<()> {
    let pieces = text.parse::<Ipv6Addr>().ok()?.segments();
    let run_at = |start: usize| pieces[start..].iter().take_while(|piece| **piece == 0).count();
    let longest = (0..8).map(|start| (run_at(start), start)).rev().max_by_key(|(length, _)| *length);
    let (length, start) = longest.filter(|(length, _)| *length > 1).unwrap_or((0, 8));
    out.push('[');
    let mut index = 0;
    while index < 8 {
        if index == start {
            out.push_str(if index == 0 { "::" } else { ":" });
            index += length;
            continue;
        }
        write!(out, "{:x}", pieces[index]).expect("a string takes what is written to it");
        index += 1;
        if index < 8 {
            out.push(':');
        }
    }
    out.push(']');
    Some(())
}
