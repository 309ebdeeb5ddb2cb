//! L1: one pass over a fetched body gives everything the product knows of a page: charset, tree, links with their
//! attributes, title, author, dates, language, robots directives, main text apart from navigation, hashes.
//! Pure: no IO, no clock, no randomness; never fails and never panics, whatever the bytes are.

pub mod charset;
pub mod dates;
pub mod duplicate;
mod facts;
mod hints;
mod language;
mod limits;
pub mod link_attributes;
mod links;
mod low_value;
mod main_text;
pub mod media_type;
mod parse;
mod references;
mod refresh;
pub mod robots_meta;
#[cfg(test)]
mod seed_vectors;
pub mod sniff;
pub mod srcset;
mod tag;
mod text_buffer;
mod tokenizer;
mod tree;
mod visible;
mod visit;

pub use language::detect as detect_language;
pub use limits::{Omission, ParseLimits, Problem};
pub use parse::{ParseInput, Parsed, parse, parse_tree, visible_text};
pub use references::{Reference, references};
pub use refresh::{Refresh, parse_refresh};
pub use tree::{AttributeName, DomTree, NodeId, Tag};
