//! Equal bytes, equal hash: the identity of a page's content. BLAKE3 (256 bit) because SHA-1 has public
//! collisions; SHA-1 appears only where the WARC format asks for it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// BLAKE3 of a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContentHash(pub [u8; 32]);

impl ContentHash {
    /// Hash of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> ContentHash {
        ContentHash(*blake3::hash(bytes).as_bytes())
    }

    /// The first 64 bits: the document fingerprint of the content-seen test. A match is confirmed with all 256.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 8] {
        let mut out = [0; 8];
        out.copy_from_slice(&self.0[..8]);
        out
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "blake3:{}", hex(&self.0))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Lower-case hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]])
        .map(char::from)
        .collect()
}
