//! Says which of a site's new URLs comes first, as one of 256 classes (0 best); within a class first come, first served.
//! Best-first: estimated PageRank from the links seen so far, then the number of in-links ("Effective Web Page
//! Crawler", §5.1; the formula is ours). Breadth-first: level by level.

use std::str::FromStr;

/// The damping factor of the estimate.
pub const DAMPING: f32 = 0.85;
/// The estimate of a page that no counted link leads to.
pub const SCORE_MIN: f32 = 1.0 - DAMPING;
/// What one in-link adds: enough to break ties, too little to outweigh a score.
const IN_LINK_WEIGHT: f32 = 0.001;
/// Classes per doubling of the score. Fewer mean fewer moves within the queue on disk; at 4 a score must grow by a fifth.
const CLASSES_PER_DOUBLING: f32 = 4.0;

/// An order of visiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Highest estimated PageRank first.
    BestFirst,
    /// Level by level inside a site.
    BreadthFirst,
}

impl Strategy {
    /// Names that can be chosen.
    pub const NAMES: [&'static str; 2] = ["best-first", "breadth-first"];

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Strategy::BestFirst => Self::NAMES[0],
            Strategy::BreadthFirst => Self::NAMES[1],
        }
    }

    /// Priority class of a URL that was not visited yet.
    #[must_use]
    pub fn class(self, depth: u16, link_score: f32, in_links: u32) -> u8 {
        match self {
            Strategy::BreadthFirst => u8::try_from(depth).unwrap_or(u8::MAX),
            Strategy::BestFirst => {
                let value = link_score.max(0.0) + SCORE_MIN + IN_LINK_WEIGHT * in_links as f32;
                let steps = (value / SCORE_MIN).log2() * CLASSES_PER_DOUBLING;
                u8::MAX - (steps as u8)
            }
        }
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(name: &str) -> Result<Strategy, String> {
        match name {
            "best-first" => Ok(Strategy::BestFirst),
            "breadth-first" | "bfs" => Ok(Strategy::BreadthFirst),
            other => Err(format!("unknown strategy {other:?}; known are {}", Self::NAMES.join(", "))),
        }
    }
}

/// What a page passes on to each of its `targets` distinct targets.
#[must_use]
pub fn passed_on(link_score: f32, targets: usize) -> f32 {
    if targets == 0 { 0.0 } else { DAMPING * (link_score + SCORE_MIN) / targets as f32 }
}

#[cfg(test)]
mod tests {
    use super::Strategy;
    use proptest::{prop_assert, proptest};

    proptest! {
        #[test]
        fn a_better_linked_url_never_comes_later(score in 0.0f32..1e6, more in 0.0f32..1e6, links in 0u32..1000) {
            let class = |s, l| Strategy::BestFirst.class(3, s, l);
            prop_assert!(class(score + more, links) <= class(score, links));
            prop_assert!(class(score, links + 1) <= class(score, links));
        }

        #[test]
        fn breadth_first_orders_by_level(a in 0u16..300, b in 0u16..300) {
            let class = |d| Strategy::BreadthFirst.class(d, 9.0, 9);
            prop_assert!(a > b || class(a) <= class(b));
        }
    }

    #[test]
    fn names_are_understood_and_others_are_named_in_the_error() {
        for name in Strategy::NAMES {
            assert_eq!(name.parse::<Strategy>().unwrap().as_str(), name);
        }
        assert!("depth-last".parse::<Strategy>().unwrap_err().contains("best-first"));
    }
}
