//! L1: how important a page is among its neighbours. Pure functions over a graph of dense numbers; the shell brings the
//! links and keeps the scores.

mod graph;
mod pagerank;
mod scores;

pub use graph::{Graph, GraphBuilder};
pub use pagerank::{PageRank, pagerank};
pub use scores::ScoreTable;

#[cfg(test)]
mod seed_vectors;
