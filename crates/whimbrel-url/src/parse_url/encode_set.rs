//! Which characters are percent-encoded in which part (URL standard §1.3), and the encoding itself. Never decodes
//! and never touches a triplet that is there already.

use crate::percent::push_triplet;
use encoding_rs::{EncoderResult, Encoding, UTF_8};

/// A percent-encode set: a bit for each ASCII character in it. Everything not ASCII is in all sets.
#[derive(Clone, Copy)]
pub(super) struct EncodeSet(u128);

/// Opaque paths and opaque hosts.
pub(super) const CONTROLS: EncodeSet = EncodeSet(0xFFFF_FFFF | (1 << 0x7F));
/// Fragments.
pub(super) const FRAGMENT: EncodeSet = CONTROLS.with(b" \"<>`");
/// Queries of schemes that the standard does not know.
pub(super) const QUERY: EncodeSet = CONTROLS.with(b" \"#<>");
/// Queries of http and its kin.
pub(super) const SPECIAL_QUERY: EncodeSet = QUERY.with(b"'");
/// Path segments.
pub(super) const PATH: EncodeSet = QUERY.with(b"?^`{}");
/// User names and passwords.
pub(super) const USERINFO: EncodeSet = PATH.with(b"/:;=@[\\]|");

impl EncodeSet {
    const fn with(self, members: &[u8]) -> EncodeSet {
        let mut bits = self.0;
        let mut index = 0;
        while index < members.len() {
            bits |= 1 << members[index];
            index += 1;
        }
        EncodeSet(bits)
    }

    fn contains(self, byte: u8) -> bool {
        !byte.is_ascii() || (self.0 >> byte) & 1 == 1
    }
}

/// Appends `text` in UTF-8, percent-encoded by `set`.
pub(super) fn push_encoded(text: &str, set: EncodeSet, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| set.contains(byte)) {
        out.push_str(&rest[..at]);
        let encoded = rest[at..].chars().next().map_or(1, char::len_utf8);
        for &byte in &rest.as_bytes()[at..at + encoded] {
            push_triplet(byte, out);
        }
        rest = &rest[at + encoded..];
    }
    out.push_str(rest);
}

/// Appends the query of an http URL as a document in `encoding` sends it (§1.3 "percent-encode after encoding"):
/// what the encoding lacks becomes a percent-encoded decimal character reference.
pub(crate) fn push_encoded_query(text: &str, encoding: &'static Encoding, out: &mut String) {
    let encoding = encoding.output_encoding();
    if encoding == UTF_8 {
        return push_encoded(text, SPECIAL_QUERY, out);
    }
    let mut encoder = encoding.new_encoder();
    let mut buffer = [0_u8; 256];
    let mut rest = text;
    loop {
        let (result, read, written) = encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
        push_encoded_bytes(&buffer[..written], SPECIAL_QUERY, out);
        rest = &rest[read..];
        match result {
            EncoderResult::InputEmpty => return,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(missing) => {
                out.push_str("%26%23");
                out.push_str(&u32::from(missing).to_string());
                out.push_str("%3B");
            }
        }
    }
}

fn push_encoded_bytes(bytes: &[u8], set: EncodeSet, out: &mut String) {
    for &byte in bytes {
        if set.contains(byte) {
            push_triplet(byte, out);
        } else {
            out.push(char::from(byte));
        }
    }
}
