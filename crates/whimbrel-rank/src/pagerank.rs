//! PageRank by power iteration. Links pass their page's score on in proportion to their weight, so with equal weights it
//! is the plain one. Pages without links spread theirs over all. Sums run in a fixed order: the same graph, the same bits.

use crate::graph::Graph;

/// How it is computed.
#[derive(Clone, Copy, Debug)]
pub struct PageRank {
    /// Share of a score that follows links.
    pub damping: f64,
    /// Ends when the scores change by less than this in all.
    pub tolerance: f64,
    /// Ends after so many rounds whatever happens.
    pub rounds_max: usize,
}

impl Default for PageRank {
    fn default() -> PageRank {
        PageRank { damping: 0.85, tolerance: 1e-9, rounds_max: 200 }
    }
}

/// Scores that add up to 1; `pages ×` them gives the form that adds up to the number of pages.
#[must_use]
pub fn pagerank(graph: &Graph, rule: PageRank) -> Vec<f64> {
    let pages = graph.pages();
    if pages == 0 {
        return Vec::new();
    }
    let even = 1.0 / pages as f64;
    let out_weight: Vec<f64> =
        (0..pages).map(|page| graph.links(page).map(|(_, weight)| weight).sum()).collect();
    let mut scores = vec![even; pages];
    let mut next = vec![0.0; pages];
    for _ in 0..rule.rounds_max {
        let dangling: f64 = (0..pages).filter(|page| out_weight[*page] == 0.0).map(|page| scores[page]).sum();
        next.fill((1.0 - rule.damping) * even + rule.damping * dangling * even);
        for page in 0..pages {
            if out_weight[page] > 0.0 {
                let share = rule.damping * scores[page] / out_weight[page];
                for (to, weight) in graph.links(page) {
                    next[to] += share * weight;
                }
            }
        }
        let change: f64 = scores.iter().zip(&next).map(|(a, b)| (a - b).abs()).sum();
        std::mem::swap(&mut scores, &mut next);
        if change < rule.tolerance {
            break;
        }
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::GraphBuilder;
    use proptest::collection::vec;
    use proptest::{prop_assert, prop_assert_eq, proptest};

    fn graph(pages: u32, edges: &[(u32, u32, f32)]) -> Graph {
        let mut builder = GraphBuilder::default();
        for (from, to, weight) in edges {
            builder.link(*from, *to, *weight);
        }
        builder.build(pages)
    }

    #[test]
    fn a_heavier_link_passes_more_on() {
        let scores = pagerank(&graph(3, &[(0, 1, 9.0), (0, 2, 1.0)]), PageRank::default());
        assert!(scores[1] > scores[2]);
    }

    #[test]
    fn an_empty_graph_and_one_without_links_are_fine() {
        assert!(pagerank(&graph(0, &[]), PageRank::default()).is_empty());
        assert_eq!(pagerank(&graph(4, &[]), PageRank::default()), vec![0.25; 4]);
    }

    proptest! {
        #[test]
        fn scores_add_up_to_one_and_equal_weights_are_the_plain_rank(edges in vec((0u32..20, 0u32..20), 0..80), weight in 1u8..18) {
            let mut distinct = edges;
            distinct.sort_unstable();
            distinct.dedup();
            let with = |w: f32| graph(20, &distinct.iter().map(|(a, b)| (*a, *b, w)).collect::<Vec<_>>());
            let plain = pagerank(&with(1.0), PageRank::default());
            let weighted = pagerank(&with(f32::from(weight)), PageRank::default());
            prop_assert!((plain.iter().sum::<f64>() - 1.0).abs() < 1e-6);
            for (a, b) in plain.iter().zip(&weighted) {
                prop_assert!((a - b).abs() < 1e-9);
            }
            prop_assert_eq!(plain.len(), 20);
        }
    }
}
