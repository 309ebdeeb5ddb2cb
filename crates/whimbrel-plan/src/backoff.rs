//! How long to wait after failures in a row: doubled each time, with jitter so that many hosts do not come back at once.

use crate::random::below;

/// The rule of a wait that doubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackOff {
    /// The first wait.
    pub base_ms: u64,
    /// No wait is longer, jitter aside.
    pub longest_ms: u64,
}

impl BackOff {
    /// The wait after the `failures`-th failure in a row (1 is the first): doubled each time, plus up to a quarter.
    #[must_use]
    pub fn wait_ms(&self, failures: u8, seed: u64, what: &[u8]) -> u64 {
        let doublings = u32::from(failures.saturating_sub(1)).min(40);
        let wait = self.base_ms.saturating_mul(1 << doublings).min(self.longest_ms);
        wait + below(wait / 4 + 1, seed, what, u64::from(failures))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn wait_doubles_within_its_bounds(failures in 1u8..=255, seed: u64, base in 1u64..60_000) {
            let rule = BackOff { base_ms: base, longest_ms: 3_600_000 };
            let plain = base.saturating_mul(1u64 << (u32::from(failures) - 1).min(40)).min(3_600_000);
            let wait = rule.wait_ms(failures, seed, b"host");
            prop_assert!(wait >= plain && wait <= plain + plain / 4 + 1);
            prop_assert_eq!(wait, rule.wait_ms(failures, seed, b"host"));
        }
    }
}
