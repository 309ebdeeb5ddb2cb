//! One target per file, each with its laws; [`ALL`] lists them.

mod body_coding;
mod charset;
mod content_type;
mod cookies;
mod dates;
mod filter;
mod filter_file;
mod html_page;
mod json_ld;
mod messages;
mod meta_refresh;
mod query_encoding;
mod query_language;
mod response_head;
mod robots;
mod robots_meta;
mod rows;
mod settings;
mod sitemap;
mod sitemap_tree;
mod sniff;
mod srcset;
mod stored_response;
mod trap;
mod url;
mod warc;

use crate::target::Target;

/// All targets.
pub const ALL: &[Target] = &[
    body_coding::TARGET,
    charset::TARGET,
    content_type::TARGET,
    cookies::TARGET,
    dates::TARGET,
    filter::TARGET,
    filter_file::TARGET,
    html_page::TARGET,
    json_ld::TARGET,
    messages::TARGET,
    meta_refresh::TARGET,
    query_encoding::TARGET,
    query_language::TARGET,
    response_head::TARGET,
    robots::TARGET,
    robots_meta::TARGET,
    rows::TARGET,
    settings::TARGET,
    sitemap::TARGET,
    sitemap_tree::TARGET,
    sniff::TARGET,
    srcset::TARGET,
    stored_response::TARGET,
    trap::TARGET,
    url::TARGET,
    warc::TARGET,
];
