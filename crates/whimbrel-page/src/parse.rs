//! From a fetched body to everything the product wants to know of it, in one pass: decode, build the tree, walk it
//! once, then read the walk's notes. Never fails; what was left out because of a limit is listed as a problem.

use crate::charset;
use crate::facts::{FIELD_BYTES_MAX, Facts};
use crate::language;
use crate::links::{self, LinkContext, Resolver};
use crate::main_text;
use crate::robots_meta;
use crate::text_buffer::{TextBuffer, collapse, cut};
use crate::tree::build::{self, TreeLimits};
use crate::tree::{AttributeName, DomTree};
use crate::visit::Visit;
use encoding_rs::Encoding;
use whimbrel_types::{CanonicalUrl, Heading, Link, MetaRobots, PageContent, PageFormat};

/// A body and what came with it.
#[derive(Clone, Copy, Debug)]
pub struct ParseInput<'a> {
    /// Where it was fetched from, after redirects.
    pub url: &'a CanonicalUrl,
    /// The `Content-Type` header.
    pub content_type: Option<&'a str>,
    /// The body, decompressed.
    pub body: &'a [u8],
    /// The values of all `X-Robots-Tag` headers.
    pub x_robots_tag: &'a [&'a str],
    /// Our robots token, for what is said to us by name.
    pub agent: &'a str,
}

/// How much of one page is looked at. Reaching a limit is a [`Problem`], never an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseLimits {
    /// Nodes made or moved while building the tree; the page ends there.
    pub nodes_max: usize,
    /// Elements deeper than this are left out, their text is not.
    pub depth_max: u16,
    /// Attributes of one element.
    pub attributes_max: usize,
    /// Anchors and areas.
    pub links_max: usize,
    /// References that were refused, kept for the report.
    pub rejected_links_max: usize,
    /// Visible text.
    pub text_bytes_max: usize,
    /// Headings.
    pub headings_max: usize,
    /// Whether frames, images, `link` elements and refreshes are listed too.
    pub embedded_links: bool,
}

impl Default for ParseLimits {
    fn default() -> ParseLimits {
        ParseLimits {
            nodes_max: 1 << 20,
            depth_max: 512,
            attributes_max: 256,
            links_max: 100_000,
            rejected_links_max: 1000,
            text_bytes_max: 8 << 20,
            headings_max: 2000,
            embedded_links: false,
        }
    }
}

/// What was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Problem {
    /// The page has more nodes than `nodes_max`; the rest is missing.
    NodesCut,
    /// So many elements were deeper than `depth_max`.
    TooDeep(u32),
    /// So many attributes were beyond `attributes_max`.
    AttributesCut(u32),
    /// So many links were beyond `links_max`.
    LinksCut(u32),
    /// So many refused references were beyond `rejected_links_max`.
    RejectedLinksCut(u32),
    /// Visible text was beyond `text_bytes_max`.
    TextCut,
    /// So many headings were beyond `headings_max`.
    HeadingsCut(u32),
}

impl Problem {
    /// The name it is counted under.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Problem::NodesCut => "nodes_cut",
            Problem::TooDeep(_) => "too_deep",
            Problem::AttributesCut(_) => "attributes_cut",
            Problem::LinksCut(_) => "links_cut",
            Problem::RejectedLinksCut(_) => "rejected_links_cut",
            Problem::TextCut => "text_cut",
            Problem::HeadingsCut(_) => "headings_cut",
        }
    }
}

/// A parsed page.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// What readers, the index and the planner see.
    pub content: PageContent,
    /// The page's tree.
    pub tree: DomTree,
    /// Frames, images, `link` elements and refreshes, when asked for.
    pub embedded_links: Vec<Link>,
    /// The charset it was read in.
    pub encoding: &'static Encoding,
    /// What was left out.
    pub problems: Vec<Problem>,
}

/// Parses a page.
#[must_use]
pub fn parse(input: &ParseInput<'_>, limits: &ParseLimits) -> Parsed {
    let tld = input.url.host().rsplit('.').next();
    let (text, encoding, _) = charset::decode(input.body, input.content_type, tld);
    let robots = input
        .x_robots_tag
        .iter()
        .fold(MetaRobots::default(), |sum, value| sum.stricter(robots_meta::from_header(value, input.agent)));
    let mut parsed = if is_plain_text(input.content_type) {
        plain_text(&text, encoding, limits)
    } else {
        html(&text, encoding, input, limits)
    };
    parsed.content.robots = parsed.content.robots.stricter(robots);
    parsed.content.text_hash = text_hash(&parsed.content.text);
    if parsed.content.language.is_none() {
        parsed.content.language = language::detect(&parsed.content.text);
    }
    parsed
}

/// The text that a reader sees, in document order, without any choice: everything but scripts, styles, templates,
/// frames, form fields and the title.
#[must_use]
pub fn visible_text(html: &str) -> String {
    let limits = ParseLimits::default();
    let built = build::build(html, tree_limits(&limits));
    crate::visible::text_of(&built.tree)
}

/// Only the tree of decoded HTML.
#[must_use]
pub fn parse_tree(html: &str, limits: &ParseLimits) -> DomTree {
    build::build(html, tree_limits(limits)).tree
}

fn tree_limits(limits: &ParseLimits) -> TreeLimits {
    TreeLimits {
        nodes_max: limits.nodes_max,
        depth_max: limits.depth_max,
        attributes_max: limits.attributes_max,
    }
}

fn is_plain_text(content_type: Option<&str>) -> bool {
    let essence = content_type.and_then(|value| value.split(';').next()).unwrap_or_default().trim();
    essence.get(..5).is_some_and(|kind| kind.eq_ignore_ascii_case("text/"))
        && !essence.to_ascii_lowercase().contains("html")
        && !essence.to_ascii_lowercase().contains("xml")
}

fn plain_text(text: &str, encoding: &'static Encoding, limits: &ParseLimits) -> Parsed {
    let kept = cut(text, limits.text_bytes_max);
    let mut words = TextBuffer::with_capacity(0);
    words.push(kept);
    let title = kept.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let content = PageContent {
        format: PageFormat::Text,
        title: collapse(cut(title, 200)),
        text: kept.trim_end().to_owned(),
        word_count: words.words(),
        ..PageContent::default()
    };
    let problems = if kept.len() < text.len() { vec![Problem::TextCut] } else { Vec::new() };
    Parsed { content, tree: DomTree::default(), embedded_links: Vec::new(), encoding, problems }
}

fn html(source: &str, encoding: &'static Encoding, input: &ParseInput<'_>, limits: &ParseLimits) -> Parsed {
    let built = build::build(source, tree_limits(limits));
    let tree = built.tree;
    let visit = Visit::walk(&tree, limits.links_max, limits.text_bytes_max);
    let facts = visit.facts.read(&tree, input.agent);
    let is_main = main_text::select(&visit);
    let base = visit.facts.base.and_then(|node| tree.attribute(node, AttributeName::Href));
    let resolver = Resolver::new(input.url, base, encoding);
    let context =
        LinkContext { resolver: &resolver, is_main: &is_main, rejected_max: limits.rejected_links_max };
    let resolved = links::anchors(&visit, &context);
    let embedded_links = if limits.embedded_links { links::embedded(&visit, &context) } else { Vec::new() };
    let canonical = visit.facts.canonical.and_then(|node| tree.attribute(node, AttributeName::Href));
    let canonical = canonical.and_then(|href| resolver.resolve(href).ok());

    let mut problems = Vec::new();
    let mut note = |happened: bool, problem: Problem| {
        if happened {
            problems.push(problem);
        }
    };
    note(built.nodes_cut, Problem::NodesCut);
    note(built.too_deep > 0, Problem::TooDeep(built.too_deep));
    note(built.attributes_cut > 0, Problem::AttributesCut(built.attributes_cut));
    note(visit.links_cut > 0, Problem::LinksCut(visit.links_cut));
    note(resolved.rejected_cut > 0, Problem::RejectedLinksCut(resolved.rejected_cut));
    note(visit.text_cut, Problem::TextCut);
    let headings_cut = visit.headings.len().saturating_sub(limits.headings_max) as u32;
    note(headings_cut > 0, Problem::HeadingsCut(headings_cut));

    let (text, navigation_text) = split_text(&visit, &is_main);
    let headings = headings(&visit, limits.headings_max);
    let content = PageContent {
        format: PageFormat::Html,
        title: title(&facts, &headings),
        description: facts.description,
        author: facts.author,
        published: facts.published,
        modified: facts.modified,
        language: facts.language,
        headings,
        text,
        navigation_text,
        canonical,
        robots: facts.robots,
        links: resolved.links,
        rejected_links: resolved.rejected,
        word_count: visit.text.words(),
        structure_hash: visit.structure_hash,
        text_hash: [0; 16],
    };
    Parsed { content, tree, embedded_links, encoding, problems }
}

/// Main text and the rest, in document order; cells of one row on one line.
fn split_text(visit: &Visit<'_>, is_main: &[bool]) -> (String, String) {
    let whole = visit.text.as_str();
    let mut main = String::with_capacity(whole.len());
    let mut rest = String::new();
    for block in &visit.blocks {
        let out = if is_main[block.container as usize] { &mut main } else { &mut rest };
        if !out.is_empty() {
            out.push(if block.same_row { ' ' } else { '\n' });
        }
        out.push_str(&whole[block.start as usize..block.end as usize]);
    }
    main.shrink_to_fit();
    (main, rest)
}

fn headings(visit: &Visit<'_>, headings_max: usize) -> Vec<Heading> {
    let whole = visit.text.as_str();
    let kept = visit.headings.iter().take(headings_max);
    kept.map(|(level, range)| {
        let text = whole.get(range.start..range.end.min(whole.len())).unwrap_or_default();
        Heading { level: *level, text: collapse(cut(text, FIELD_BYTES_MAX)) }
    })
    .filter(|heading| !heading.text.is_empty())
    .collect()
}

/// The page's title, or its first main heading.
fn title(facts: &Facts, headings: &[Heading]) -> String {
    if !facts.title.is_empty() {
        return facts.title.clone();
    }
    let first = headings.iter().find(|heading| heading.level == 1).or(headings.first());
    first.map(|heading| heading.text.clone()).unwrap_or_default()
}

fn text_hash(text: &str) -> [u8; 16] {
    let mut hash = [0; 16];
    hash.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..16]);
    hash
}

#[cfg(test)]
mod tests;
