//! Decides how a page becomes a tree: our tokenizer, html5ever's tree builder, our arena. Bounds the work: the
//! tree builder searches its stack of open elements for every tag and may rebuild formatting elements for every
//! paragraph, so depth is capped while parsing, and a page that costs too many nodes and moves ends there.

use super::DomTree;
use super::sink::ArenaSink;
use crate::tokenizer::{self, AttributeLimits, Verdict};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};

/// How large a tree may get.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeLimits {
    pub(crate) nodes_max: usize,
    pub(crate) depth_max: u16,
    pub(crate) attributes_max: usize,
    pub(crate) attribute_bytes_max: usize,
}

/// A tree and what was left out of it.
pub(crate) struct Built {
    pub(crate) tree: DomTree,
    /// The page had more nodes than allowed; the rest is missing.
    pub(crate) nodes_cut: bool,
    /// Elements left out because they were too deep.
    pub(crate) too_deep: u32,
    /// Attributes left out because one tag had too many.
    pub(crate) attributes_cut: u32,
    /// Attributes left out because their value was too long.
    pub(crate) attributes_too_long: u32,
}

/// Builds the tree of a decoded page.
pub(crate) fn build(source: &str, limits: TreeLimits) -> Built {
    let normalized = tokenizer::normalize_newlines(source);
    let source = normalized.as_deref().unwrap_or(source);
    // A crawler runs no scripts, so `noscript` is parsed as markup.
    let options =
        TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..TreeBuilderOpts::default() };
    let builder = TreeBuilder::new(ArenaSink::with_capacity(source.len()), options);
    let attributes =
        AttributeLimits { count_max: limits.attributes_max, bytes_max: limits.attribute_bytes_max };
    let outcome = tokenizer::tokenize(source, &builder, attributes, |builder| {
        if builder.sink.work() >= limits.nodes_max {
            Verdict::Stop
        } else if builder.sink.depth() >= limits.depth_max {
            Verdict::NoDeeper
        } else {
            Verdict::Continue
        }
    });
    Built {
        tree: builder.sink.finish(),
        nodes_cut: outcome.stopped,
        too_deep: outcome.tags_dropped,
        attributes_cut: outcome.attributes_dropped,
        attributes_too_long: outcome.values_dropped,
    }
}
