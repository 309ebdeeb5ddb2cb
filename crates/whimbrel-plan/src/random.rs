//! Reproducible randomness: a value is a function of the run's seed and of what it is for, never of when it is asked.

/// A uniform number from `seed` and what it is for.
#[must_use]
pub fn mix(seed: u64, what: &[u8], nth: u64) -> u64 {
    // FNV-1a over the bytes, then the finaliser of SplitMix64.
    let mut hash = 0xcbf2_9ce4_8422_2325 ^ seed.rotate_left(17);
    for byte in what.iter().copied().chain(nth.to_le_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    let mut z = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A uniform number below `bound` (0 when `bound` is 0).
#[must_use]
pub fn below(bound: u64, seed: u64, what: &[u8], nth: u64) -> u64 {
    if bound == 0 { 0 } else { ((u128::from(mix(seed, what, nth)) * u128::from(bound)) >> 64) as u64 }
}
