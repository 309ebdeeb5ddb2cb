//! L1: one pass over a fetched body gives everything the product knows of a page: charset, tree, links with their
//! attributes, title, author, dates, language, robots directives, main text apart from navigation, hashes.
//! Pure: no IO, no clock, no randomness; never fails and never panics, whatever the bytes are.

pub mod charset;
pub mod dates;
pub mod duplicate;
mod facts;
mod hints;
mod language;
pub mod link_attributes;
mod links;
mod main_text;
mod parse;
mod refresh;
pub mod robots_meta;
#[cfg(test)]
mod seed_vectors;
pub mod srcset;
mod tag;
mod text_buffer;
mod tokenizer;
mod tree;
mod visible;
mod visit;

pub use language::detect as detect_language;
pub use parse::{ParseInput, ParseLimits, Parsed, Problem, parse, parse_tree, visible_text};
pub use refresh::{Refresh, parse_refresh};
pub use tree::{AttributeName, DomTree, NodeId, Tag};
