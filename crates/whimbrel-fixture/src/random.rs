//! The one source of chance in this crate: SplitMix64 (Steele, Lea, Flood 2014), always seeded by the caller.
//! Invariant: equal seeds give equal sequences on every machine and in every version.

/// A seeded sequence of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// A sequence of its own for one thing, so that adding a page does not change the others.
    pub(crate) fn of(seed: u64, name: &str) -> Random {
        Random { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ fingerprint(name.as_bytes()) }
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, and 0 when `end` is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        // The high half of a 128-bit product is below `end`, which fits in usize.
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// A number in `low..=high`.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True in `share` of all cases.
    pub(crate) fn chance(&mut self, share: f64) -> bool {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64 <= share && share > 0.0
    }

    /// Any one of `items`, which must not be empty.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts `items` into a random order (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}

/// FNV-1a, 64 bit: names of sequences and entity tags. Not for anything an attacker could gain by.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}
