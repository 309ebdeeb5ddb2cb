//! From a fetched body to everything the product wants to know of it, in one pass: decode, build the tree, walk it
//! once, then read the walk's notes. Never fails; what was left out because of a limit is listed as a problem.

use crate::charset;
use crate::facts::Facts;
use crate::language;
use crate::limits::{Omission, ParseLimits, Problem};
use crate::links::{self, LinkContext, Resolved, Resolver};
use crate::low_value::{self, PageFacts};
use crate::main_text;
use crate::robots_meta;
use crate::sniff::{SniffedType, sniff};
use crate::text_buffer::{TextBuffer, collapse, cut};
use crate::tree::build::{self, Built, TreeLimits};
use crate::tree::{AttributeName, DomTree};
use crate::visit::Visit;
use encoding_rs::Encoding;
use whimbrel_types::{CanonicalUrl, Heading, Link, LowValue, MetaRobots, PageContent, PageFormat};

/// The first line of a plain text serves as its title, within bounds.
const TEXT_TITLE_BYTES_MAX: usize = 200;

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
    /// What the body was taken for. Of one that is not readable nothing was read but what its headers say.
    pub sniffed: SniffedType,
    /// Why it is not worth finding, if so: made by a machine without end.
    pub low_value: Option<LowValue>,
    /// What is missing.
    pub problems: Vec<Problem>,
    /// What was shortened or not looked at.
    pub omissions: Vec<Omission>,
}

impl Parsed {
    /// Names of everything that reached a limit or could not be read, as they are counted.
    pub fn labels(&self) -> impl Iterator<Item = &'static str> {
        let binary = (!self.sniffed.is_readable()).then_some("binary");
        let problems = self.problems.iter().map(|problem| problem.label());
        binary.into_iter().chain(problems).chain(self.omissions.iter().map(|omission| omission.label()))
    }
}

/// Parses a page.
#[must_use]
pub fn parse(input: &ParseInput<'_>, limits: &ParseLimits) -> Parsed {
    let robots = input
        .x_robots_tag
        .iter()
        .fold(MetaRobots::default(), |sum, value| sum.stricter(robots_meta::from_header(value, input.agent)));
    let sniffed = sniff(input.content_type, input.body);
    let tld = input.url.host().rsplit('.').next();
    let mut parsed = match sniffed {
        SniffedType::Html | SniffedType::Xml => {
            let (text, encoding, _) = charset::decode(input.body, input.content_type, tld);
            html(&text, encoding, input, limits)
        }
        SniffedType::Text => {
            let (text, encoding, _) = charset::decode(input.body, input.content_type, tld);
            plain_text(&text, encoding, limits)
        }
        _ => Parsed::empty(encoding_rs::WINDOWS_1252),
    };
    parsed.sniffed = sniffed;
    parsed.content.robots = parsed.content.robots.stricter(robots);
    parsed.content.text_hash = text_hash(&parsed.content.text);
    if parsed.content.language.is_none() {
        parsed.content.language = language::detect(&parsed.content.text);
    }
    let content = &parsed.content;
    parsed.low_value = low_value::classify(&PageFacts {
        url: input.url,
        title: &content.title,
        text: &content.text,
        navigation_text: &content.navigation_text,
        links: &content.links,
    });
    parsed
}

impl Parsed {
    /// Nothing read yet.
    fn empty(encoding: &'static Encoding) -> Parsed {
        Parsed {
            content: PageContent::default(),
            tree: DomTree::default(),
            embedded_links: Vec::new(),
            encoding,
            sniffed: SniffedType::Html,
            low_value: None,
            problems: Vec::new(),
            omissions: Vec::new(),
        }
    }
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
        attribute_bytes_max: limits.attribute_bytes_max,
    }
}

fn plain_text(text: &str, encoding: &'static Encoding, limits: &ParseLimits) -> Parsed {
    let kept = cut(text, limits.text_bytes_max);
    let mut words = TextBuffer::with_capacity(0);
    words.push(kept);
    let title = kept.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let content = PageContent {
        format: PageFormat::Text,
        title: collapse(cut(title, TEXT_TITLE_BYTES_MAX.min(limits.field_bytes_max))),
        text: kept.trim_end().to_owned(),
        word_count: words.words(),
        ..PageContent::default()
    };
    let problems = if kept.len() < text.len() { vec![Problem::TextCut] } else { Vec::new() };
    Parsed { content, problems, ..Parsed::empty(encoding) }
}

fn html(source: &str, encoding: &'static Encoding, input: &ParseInput<'_>, limits: &ParseLimits) -> Parsed {
    let mut built = build::build(source, tree_limits(limits));
    let tree = std::mem::take(&mut built.tree);
    let visit = Visit::walk(&tree, limits);
    let facts = visit.facts.read(&tree, input.agent, limits);
    let is_main = main_text::select(&visit, &facts.title);
    let base = visit.facts.base.and_then(|node| tree.attribute(node, AttributeName::Href));
    let resolver = Resolver::new(input.url, base, encoding);
    let context = LinkContext {
        resolver: &resolver,
        is_main: &is_main,
        rejected_max: limits.rejected_links_max,
        embedded_max: limits.links_max,
        text_bytes_max: limits.anchor_text_bytes_max,
    };
    let resolved = links::anchors(&visit, &context);
    let (embedded_links, embedded_cut) =
        if limits.embedded_links { links::embedded(&visit, &context) } else { (Vec::new(), 0) };
    let canonical = visit.facts.canonical.and_then(|node| tree.attribute(node, AttributeName::Href));
    let canonical = canonical.and_then(|href| resolver.resolve(href).ok());

    let problems = problems(&built, &visit, &resolved, embedded_cut);
    let (headings, headings_shortened) = headings(&visit, limits);
    let omissions = omissions(&built, &facts, &resolved, headings_shortened);
    let (text, navigation_text) = split_text(&visit, &is_main);
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
    drop(visit);
    Parsed { content, tree, embedded_links, problems, omissions, ..Parsed::empty(encoding) }
}

fn problems(built: &Built, visit: &Visit<'_>, resolved: &Resolved, embedded_cut: u32) -> Vec<Problem> {
    let links_cut = visit.links_cut.saturating_add(embedded_cut);
    [
        built.nodes_cut.then_some(Problem::NodesCut),
        some(built.too_deep, Problem::TooDeep),
        some(built.attributes_cut, Problem::AttributesCut),
        some(links_cut, Problem::LinksCut),
        some(resolved.rejected_cut, Problem::RejectedLinksCut),
        visit.text_cut.then_some(Problem::TextCut),
        some(visit.headings_cut, Problem::HeadingsCut),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn omissions(built: &Built, facts: &Facts, resolved: &Resolved, headings_shortened: u32) -> Vec<Omission> {
    [
        some(built.attributes_too_long, Omission::AttributeTooLong),
        some(resolved.text_cut, Omission::AnchorTextCut),
        some(facts.fields_cut.saturating_add(headings_shortened), Omission::FieldsCut),
        some(facts.statements_cut, Omission::StatementsCut),
        some(facts.json_ld_cut, Omission::JsonLdCut),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A report with a count, where there is something to count.
fn some<T>(count: u32, report: fn(u32) -> T) -> Option<T> {
    (count > 0).then(|| report(count))
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

/// The headings, and how many were too long.
fn headings(visit: &Visit<'_>, limits: &ParseLimits) -> (Vec<Heading>, u32) {
    let whole = visit.text.as_str();
    let mut shortened = 0;
    let mut headings = Vec::new();
    for (level, range) in &visit.headings {
        let text = whole.get(range.start..range.end.min(whole.len())).unwrap_or_default();
        shortened += u32::from(text.len() > limits.field_bytes_max);
        let text = collapse(cut(text, limits.field_bytes_max));
        if !text.is_empty() {
            headings.push(Heading { level: *level, text });
        }
    }
    (headings, shortened)
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
