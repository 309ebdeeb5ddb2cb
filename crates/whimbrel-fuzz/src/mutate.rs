//! Changes to inputs: bits, bytes, ranges, numbers, the words of the format, pieces of other inputs.

use crate::random::Random;
use crate::target::{SEPARATOR, Target};

/// Bytes that many formats treat in a way of their own.
const ODD_BYTES: &[u8] = b"\0\t\n\r \"#%&'()*+,-./0:;<=>?@[\\]^_`{|}~\x7f\x80\xc3\xe9\xfe\xff\x1b\x1f";
/// Numbers at which something often changes.
const ODD_NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "1e309",
    "99999999999999999999999999",
    "0x10",
    "00",
];
/// Characters that are more than they look: other digits, marks, joiners, directions, odd cases, wide ones.
const ODD_TEXTS: &[&str] = &[
    "\u{feff}",
    "\u{130}",
    "\u{df}",
    "\u{200d}",
    "\u{202e}",
    "\u{ff0e}",
    "\u{3002}",
    "\u{661}",
    "\u{1f600}",
    "\u{301}",
    "\u{fdd0}",
    "\u{a0}",
    "\u{85}",
    "\u{2028}",
    "\u{ad}",
];

/// A changed copy of `input`, not longer than the target's inputs are.
pub(crate) fn mutate(random: &mut Random, input: &[u8], other: &[u8], target: &Target) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=random.below(5) {
        change(random, &mut bytes, other, target);
        bytes.truncate(target.bytes_max);
    }
    bytes
}

fn change(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8], target: &Target) {
    let place = random.below(bytes.len() + 1);
    let range = random.range(bytes.len());
    match random.below(14) {
        0 if place < bytes.len() => bytes[place] ^= 1 << random.below(8),
        1 if place < bytes.len() => bytes[place] = ODD_BYTES[random.below(ODD_BYTES.len())],
        2 if place < bytes.len() => bytes[place] = random.next() as u8,
        3 => bytes.insert(place, ODD_BYTES[random.below(ODD_BYTES.len())]),
        4 => drop(bytes.drain(range)),
        5 => bytes.truncate(place),
        6 => {
            let again = bytes[range].to_vec();
            let times = [1, 2, 8, 64, 512][random.below(5)];
            let room = target.bytes_max.saturating_sub(bytes.len()) / again.len().max(1);
            insert(bytes, place, &again.repeat(times.min(room)));
        }
        7 => {
            let piece = &other[random.range(other.len())];
            bytes.splice(range, piece.iter().copied());
        }
        8 => {
            let piece = other[random.range(other.len())].to_vec();
            insert(bytes, place, &piece);
        }
        9 => insert(bytes, place, ODD_NUMBERS[random.below(ODD_NUMBERS.len())].as_bytes()),
        10 => insert(bytes, place, ODD_TEXTS[random.below(ODD_TEXTS.len())].as_bytes()),
        11 if random.below(4) == 0 => insert(bytes, place, &[SEPARATOR]),
        _ if target.tokens.is_empty() => insert(bytes, place, b"\n"),
        12 => {
            let token = target.tokens[random.below(target.tokens.len())].as_bytes();
            bytes.splice(range, token.iter().copied());
        }
        _ => {
            let token = target.tokens[random.below(target.tokens.len())].as_bytes();
            let times = [1, 1, 1, 2, 40][random.below(5)];
            insert(bytes, place, &token.repeat(times));
        }
    }
}

fn insert(bytes: &mut Vec<u8>, place: usize, piece: &[u8]) {
    bytes.splice(place..place, piece.iter().copied());
}
