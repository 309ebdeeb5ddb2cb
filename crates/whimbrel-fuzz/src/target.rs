//! What a fuzz target is, and the few things that all of them need.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Separates the arguments of targets that take several.
pub(crate) const SEPARATOR: u8 = 0x1f;

/// Something to be fuzzed.
#[derive(Clone, Copy)]
pub struct Target {
    /// Name on the command line.
    pub name: &'static str,
    /// Runs it on one input and panics when a law is broken. The answer tells inputs apart that made it behave
    /// differently: such inputs are kept.
    pub run: fn(&[u8]) -> u64,
    /// Inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words of the format.
    pub tokens: &'static [&'static str],
    /// More inputs, from public suites where those are at hand.
    pub shared: &'static [Shared],
    /// No input is longer.
    pub bytes_max: usize,
    /// Executions of the smoke run.
    pub smoke_runs: u64,
}

/// A file of a public suite: JSON lines, below the directory of the suites.
#[derive(Clone, Copy)]
pub struct Shared {
    /// Path of the file.
    pub file: &'static str,
    /// Fields that make up an input, in order. Those that end in `_b64` are base 64; of `a|b` the first that is there
    /// is taken.
    pub fields: &'static [&'static str],
}

/// The arguments in an input: as many as asked for, the last one with all that is left.
pub(crate) fn arguments<const N: usize>(data: &[u8]) -> [&[u8]; N] {
    let mut parts = data.splitn(N, |byte| *byte == SEPARATOR);
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

/// An argument as text.
pub(crate) fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Inputs of text.
pub(crate) fn texts(inputs: &[&str]) -> Vec<Vec<u8>> {
    inputs.iter().map(|input| input.as_bytes().to_vec()).collect()
}

/// The answer of a target: what it saw, made small.
pub(crate) fn answer(seen: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    seen.hash(&mut hasher);
    hasher.finish()
}

/// A number by its size only, so that answers do not differ by every byte.
pub(crate) fn size(number: usize) -> u32 {
    usize::BITS - number.leading_zeros()
}
