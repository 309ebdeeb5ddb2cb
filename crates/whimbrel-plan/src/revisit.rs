//! Says when a known page is due again. Until the freshness policies come this is one fixed interval; what stays is the
//! shift of the visit's time of day, which differs from day to day within the operator's window (S0-3.1-d).
//! Invariant: never sooner than `shortest_ms` after the visit.

use crate::random::below;
use whimbrel_types::{DAY_MS, Timestamp, UrlKey};

/// The rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RevisitRule {
    /// Time between two visits of a page.
    pub interval_ms: u64,
    /// The shortest interval there is.
    pub shortest_ms: u64,
    /// Start of the daily window in milliseconds after midnight, UTC.
    pub window_start_ms: u64,
    /// Length of the window.
    pub window_ms: u64,
    /// Seed of the shift.
    pub seed: u64,
}

impl RevisitRule {
    /// When a page visited at `visited` is due again.
    #[must_use]
    pub fn due(&self, key: &UrlKey, visited: Timestamp) -> Timestamp {
        let interval = self.interval_ms.max(self.shortest_ms);
        let earliest = visited.plus_ms(self.shortest_ms);
        if interval < DAY_MS {
            return visited.plus_ms(interval).max(earliest);
        }
        let (day, _) = visited.plus_ms(interval).day_and_ms();
        let shift = below(self.window_ms.clamp(1, DAY_MS), self.seed, &key.to_bytes(), day);
        Timestamp(day * DAY_MS + self.window_start_ms + shift).max(earliest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whimbrel_types::{CanonicalUrl, HOUR_MS};

    fn rule(window_start_ms: u64, window_ms: u64) -> RevisitRule {
        RevisitRule { interval_ms: DAY_MS, shortest_ms: HOUR_MS, window_start_ms, window_ms, seed: 1 }
    }

    fn visits(rule: &RevisitRule, days: usize) -> Vec<Timestamp> {
        let key = CanonicalUrl::from_canonical("https://a.example/daily").unwrap().key();
        let mut at = Timestamp(1_700_000_000_000);
        (0..days)
            .map(|_| {
                at = rule.due(&key, at);
                at
            })
            .collect()
    }

    #[test]
    fn visit_time_of_a_daily_page_is_spread_over_the_day() {
        let mut hours = [0; 24];
        for at in visits(&rule(0, DAY_MS), 30) {
            hours[(at.day_and_ms().1 / HOUR_MS) as usize] += 1;
        }
        assert!(hours.iter().all(|n| *n <= 6), "no hour has more than a fifth of 30 visits: {hours:?}");
    }

    #[test]
    fn visits_stay_within_the_operators_window_and_come_daily() {
        let all = visits(&rule(2 * HOUR_MS, 4 * HOUR_MS), 30);
        for at in &all {
            let hour = at.day_and_ms().1 / HOUR_MS;
            assert!((2..6).contains(&hour), "{at}");
        }
        assert!(all.windows(2).all(|w| w[1].day_and_ms().0 == w[0].day_and_ms().0 + 1));
    }

    #[test]
    fn shortest_interval_is_never_undercut() {
        let rule = RevisitRule { interval_ms: 1, ..rule(0, DAY_MS) };
        let key = CanonicalUrl::from_canonical("https://a.example/").unwrap().key();
        assert_eq!(rule.due(&key, Timestamp(5)), Timestamp(5 + HOUR_MS));
    }
}
