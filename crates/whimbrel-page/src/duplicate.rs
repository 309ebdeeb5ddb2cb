//! What tells copies apart: digests by name now, fingerprints of near copies beside them.

pub mod digest;
