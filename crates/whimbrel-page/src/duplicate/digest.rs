//! Digests by name, for the content-seen test and for WARC headers. BLAKE3 decides inside the product; the others
//! exist because formats and papers ask for them (SHA-1 in WARC, a 64-bit MD5 fingerprint in the content-seen
//! test of "Effective Web Page Crawler" §5.2). None is used where an attacker gains by a collision.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256};
use whimbrel_types::hex as to_hex;

/// Which digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DigestKind {
    /// BLAKE3, 256 bits.
    Blake3,
    /// SHA-1, 160 bits.
    Sha1,
    /// SHA-256.
    Sha256,
    /// The first 64 bits of MD5.
    Md5First64,
}

impl DigestKind {
    /// Every kind.
    pub const ALL: [DigestKind; 4] =
        [DigestKind::Blake3, DigestKind::Sha1, DigestKind::Sha256, DigestKind::Md5First64];

    /// The name in configuration and exports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            DigestKind::Blake3 => "blake3",
            DigestKind::Sha1 => "sha1",
            DigestKind::Sha256 => "sha256",
            DigestKind::Md5First64 => "md5_64",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<DigestKind> {
        DigestKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The digest of `bytes` in lower-case hexadecimal.
#[must_use]
pub fn hex(kind: DigestKind, bytes: &[u8]) -> String {
    match kind {
        DigestKind::Blake3 => to_hex(blake3::hash(bytes).as_bytes()),
        DigestKind::Sha1 => to_hex(&Sha1::digest(bytes)),
        DigestKind::Sha256 => to_hex(&Sha256::digest(bytes)),
        DigestKind::Md5First64 => to_hex(&Md5::digest(bytes)[..8]),
    }
}
