//! Orders the candidates of one block. Link scores come from the caller and have any scale; blending looks only at
//! how they compare among the candidates, on a log scale because link scores are spread like a power law.

use super::collect::Candidate;
use super::hit::ScoreParts;
use super::request::{Rank, SearchRequest};
use std::cmp::Ordering;
use whimbrel_types::UrlKey;

/// Candidates whose text score is blended with their link score; those after them follow by text score.
pub(crate) const BLENDED_MAX: usize = 1_000;
/// Candidates that are ordered by link score.
pub(crate) const LINK_RANKED_MAX: usize = 10_000;

/// A candidate in its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked {
    pub candidate: Candidate,
    pub score: f32,
    pub parts: ScoreParts,
}

/// Scores that are strictly higher than the minimum, in order ("only pages with rank score higher than 10 %").
#[must_use]
pub fn min_rank_filter(scores: &[f64], min_rank: f64) -> Vec<f64> {
    scores.iter().copied().filter(|&score| score > min_rank).collect()
}

/// Orders one block, best first.
pub(crate) fn rank_block(
    candidates: Vec<Candidate>,
    all_words: bool,
    request: &SearchRequest,
    link_score: &dyn Fn(&UrlKey) -> f32,
) -> Vec<Ranked> {
    let plain = |candidate: Candidate| Ranked {
        candidate,
        score: candidate.score,
        parts: ScoreParts { text: candidate.score, link: 0.0, link_factor: 1.0, all_words },
    };
    let mut ranked: Vec<Ranked> = candidates.into_iter().map(plain).collect();
    match request.rank {
        Rank::Bm25 => {}
        Rank::Pagerank => {
            for one in &mut ranked {
                one.parts.link = sane(link_score(&one.candidate.key));
                one.score = one.parts.link;
            }
            ranked.sort_by(by_score_then_text);
        }
        Rank::Blend => {
            let head = ranked.len().min(BLENDED_MAX);
            let head = &mut ranked[..head];
            for one in head.iter_mut() {
                one.parts.link = sane(link_score(&one.candidate.key));
            }
            let lift = Lift::over(head.iter().map(|one| one.parts.link));
            for one in head.iter_mut() {
                one.parts.link_factor = 1.0 + request.link_weight.max(0.0) * lift.of(one.parts.link);
                one.score = one.parts.text * one.parts.link_factor;
            }
            head.sort_by(by_score_then_text);
        }
    }
    ranked
}

fn by_score_then_text(a: &Ranked, b: &Ranked) -> Ordering {
    b.score
        .total_cmp(&a.score)
        .then_with(|| b.parts.text.total_cmp(&a.parts.text))
        .then_with(|| a.candidate.key.cmp(&b.candidate.key))
}

/// Link score → 0 (none) to 1 (the best among the candidates).
struct Lift {
    mean: f32,
    max: f32,
}

impl Lift {
    fn over(scores: impl Iterator<Item = f32>) -> Lift {
        let (mut sum, mut count, mut max) = (0.0_f64, 0_u32, 0.0_f32);
        for score in scores.filter(|score| *score > 0.0) {
            sum += f64::from(score);
            count += 1;
            max = max.max(score);
        }
        Lift { mean: (sum / f64::from(count.max(1))) as f32, max }
    }

    fn of(&self, score: f32) -> f32 {
        if self.max <= 0.0 || self.mean <= 0.0 {
            return 0.0;
        }
        (score / self.mean).ln_1p() / (self.max / self.mean).ln_1p()
    }
}

fn sane(score: f32) -> f32 {
    if score.is_finite() && score > 0.0 { score } else { 0.0 }
}
