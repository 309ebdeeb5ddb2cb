//! A directed graph with weighted edges in compressed rows: pages are `0..n`, edges lie by source in one array.
//! Invariants: an edge stands once (weights of parallel links add up); no edge leads from a page to itself.

/// Edges by source.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    starts: Vec<u32>,
    targets: Vec<u32>,
    weights: Vec<f32>,
}

/// Takes edges in any order of sources.
#[derive(Debug, Default)]
pub struct GraphBuilder {
    edges: Vec<(u32, u32, f32)>,
}

impl GraphBuilder {
    /// Adds a link. A link of a page to itself says nothing about its importance and is left out.
    pub fn link(&mut self, from: u32, to: u32, weight: f32) {
        if from != to && weight > 0.0 {
            self.edges.push((from, to, weight));
        }
    }

    /// The graph over `pages` pages; links beyond them are left out.
    #[must_use]
    pub fn build(mut self, pages: u32) -> Graph {
        self.edges.retain(|(from, to, _)| *from < pages && *to < pages);
        self.edges.sort_by_key(|(from, to, _)| (*from, *to));
        let mut graph = Graph { starts: vec![0; pages as usize + 1], ..Graph::default() };
        let mut last = None;
        for (from, to, weight) in self.edges {
            if last == Some((from, to)) {
                *graph.weights.last_mut().expect("the edge before is there") += weight;
                continue;
            }
            last = Some((from, to));
            graph.targets.push(to);
            graph.weights.push(weight);
            graph.starts[from as usize + 1] += 1;
        }
        for i in 1..graph.starts.len() {
            graph.starts[i] += graph.starts[i - 1];
        }
        graph
    }
}

impl Graph {
    /// Number of pages.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Number of distinct edges.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// Targets and weights of a page's links.
    pub fn links(&self, from: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[from] as usize..self.starts[from + 1] as usize;
        self.targets[range.clone()]
            .iter()
            .map(|to| *to as usize)
            .zip(self.weights[range].iter().map(|w| f64::from(*w)))
    }
}
