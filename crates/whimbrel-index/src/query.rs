//! The query language: text → tokens → tree → tantivy query. Parsing never fails: what is no query is taken as words
//! and noted. Invariant: length, depth and number of words are bounded, so no query is dear because it is hostile.
//!
//! Words side by side: pages with all of them come first, then pages with any. As soon as AND, OR or XOR is written,
//! side by side means AND. `OR` binds looser than `XOR`, `XOR` looser than `AND`; side by side binds loosest,
//! so `web crawling OR indexing` asks for `web` with one of the two.

mod compile;
mod date;
mod expand;
mod lexer;
mod node;
mod parity;
mod parser;
mod plan;
mod stop;

pub(crate) use compile::{Compiled, Compiler};
pub(crate) use expand::{Highlights, IndexLanguages};
pub(crate) use parser::parse;

#[cfg(test)]
mod tests;
