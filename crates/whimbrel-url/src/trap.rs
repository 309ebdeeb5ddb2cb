//! Traps as far as a URL's own text tells: its pattern, its date, its session id, and shapes that no honest page has.
//! Never counts anything: budgets over many URLs are the planner's. Nothing here rewrites a URL.
//!
//! Invariants: the pattern of a URL is a function of the URL alone, can be typed back ([`UrlPattern::parse`]) and is the
//! same then; every function takes time linear in the URL.

mod pattern;
mod session;
mod shape;
mod token;
mod typed;

pub use pattern::{Month, UrlPattern};
pub use session::has_fresh_session;
pub use shape::{CgiPolicy, TrapLimits};
pub use typed::{PatternError, TypedPattern};

#[cfg(test)]
mod tests;
