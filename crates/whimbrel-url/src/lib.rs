//! L1: what a URL is and whether it may be visited: normal form, scope, filters, robots rules, the URL
//! cache and the duplicate-link report. Everything here is a pure function of its arguments.

pub mod date;
pub mod filter;
pub mod filter_file;
pub mod link_extractor;
pub mod link_report;
pub mod media;
pub mod normalize;
pub mod occurrence_cache;
pub mod parse_url;
mod percent;
pub mod query_encoding;
pub mod robots;
pub mod rules;
pub mod scope;
pub mod sitemap;
pub mod standard;
pub mod trap;

pub use filter::{FilterError, FilterExpression, FilterInput};
pub use filter_file::{FilterFileError, parse_filter_file};
pub use link_extractor::{Known, LinkDecision, decide};
pub use link_report::{DuplicateGroup, ExtractedLink, LinkReport, LinkViews, duplicate_links, views};
pub use media::{MediaPattern, is_page_type};
pub use normalize::{Normalizer, URL_BYTES_MAX, normalize, normalize_parsed, resolve, resolve_in};
pub use occurrence_cache::OccurrenceCache;
pub use parse_url::{ParsedUrl, parse_url};
pub use query_encoding::encode_query;
pub use robots::{AgentRules, MatchedRule, RobotsPolicy, RobotsRules, RobotsVerdict};
pub use rules::UrlRules;
pub use scope::{Scope, ScopeError, ScopeSet};
pub use trap::{CgiPolicy, TrapLimits, TypedPattern, UrlPattern};

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod seed_vectors;
