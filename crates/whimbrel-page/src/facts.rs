//! What a page says about itself: title, description, author, dates, canonical URL, language, robots. Collected
//! during the walk as node numbers and ranked afterwards: machine-readable statements beat visible ones, the first of
//! equals wins (`ranked`). Never guesses an author or a date from running text.

mod json_ld;
mod ranked;

use crate::limits::ParseLimits;
use crate::robots_meta;
use crate::text_buffer::cut;
use crate::tree::{AttributeName, DomTree, NodeId, Tag};
use ranked::Ranked;
use whimbrel_types::{MetaRobots, Timestamp};

/// Elements worth a look, in order of appearance.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawFacts {
    pub(crate) title: Option<NodeId>,
    pub(crate) base: Option<NodeId>,
    pub(crate) canonical: Option<NodeId>,
    pub(crate) html: Option<NodeId>,
    metas: Vec<NodeId>,
    items: Vec<NodeId>,
    times: Vec<NodeId>,
    authors: Vec<NodeId>,
    json_ld: Vec<NodeId>,
    statements_max: usize,
    json_ld_scripts_max: usize,
    /// Statements beyond the limit.
    statements_cut: u32,
    json_ld_cut: u32,
}

/// The statements, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) author: Option<String>,
    pub(crate) published: Option<Timestamp>,
    pub(crate) modified: Option<Timestamp>,
    pub(crate) language: Option<String>,
    pub(crate) robots: MetaRobots,
    /// Fields that were too long.
    pub(crate) fields_cut: u32,
    /// Statements that were too many.
    pub(crate) statements_cut: u32,
    /// Scripts that were too many or too long.
    pub(crate) json_ld_cut: u32,
}

impl RawFacts {
    /// Nothing noted yet.
    pub(crate) fn new(limits: &ParseLimits) -> RawFacts {
        RawFacts {
            statements_max: limits.statements_max,
            json_ld_scripts_max: limits.json_ld_scripts_max,
            ..RawFacts::default()
        }
    }

    /// Notes an element if it says something about the page.
    pub(crate) fn see_element(&mut self, tree: &DomTree, node: NodeId, tag: Tag) {
        let (most, cut) = (self.statements_max, &mut self.statements_cut);
        match tag {
            Tag::TITLE => self.title = self.title.or(Some(node)),
            Tag::HTML => self.html = self.html.or(Some(node)),
            Tag::BASE if tree.attribute(node, AttributeName::Href).is_some() => {
                self.base = self.base.or(Some(node))
            }
            Tag::LINK
                if self.canonical.is_none() && has_word(tree, node, AttributeName::Rel, "canonical") =>
            {
                self.canonical = Some(node);
            }
            Tag::SCRIPT if is_json_ld(tree, node) => {
                note(&mut self.json_ld, node, self.json_ld_scripts_max, &mut self.json_ld_cut);
            }
            Tag::META => note(&mut self.metas, node, most, cut),
            Tag::TIME => note(&mut self.times, node, most, cut),
            _ => {}
        }
        if matches!(tag, Tag::SCRIPT | Tag::TITLE | Tag::HTML) {
            return;
        }
        let described = [AttributeName::Itemprop, AttributeName::Property];
        let first = if tag == Tag::META { 1 } else { 2 };
        if described[..first].iter().any(|name| tree.attribute(node, *name).is_some()) {
            note(&mut self.items, node, most, cut);
        }
        if matches!(tag, Tag::A | Tag::LINK) && has_word(tree, node, AttributeName::Rel, "author") {
            note(&mut self.authors, node, most, cut);
        }
    }

    /// Whether this `<meta>` is a refresh.
    pub(crate) fn is_refresh(&self, tree: &DomTree, node: NodeId) -> bool {
        tree.attribute(node, AttributeName::HttpEquiv)
            .is_some_and(|name| name.trim().eq_ignore_ascii_case("refresh"))
    }

    /// Reads the statements. `agent` is our robots token.
    pub(crate) fn read(&self, tree: &DomTree, agent: &str, limits: &ParseLimits) -> Facts {
        let mut facts = Facts {
            language: self.html.and_then(|node| declared_language(tree, node)),
            statements_cut: self.statements_cut,
            json_ld_cut: self.json_ld_cut,
            ..Facts::default()
        };
        let mut ranked = Ranked::new(limits.field_bytes_max);
        if let Some(title) = self.title {
            ranked.read_title(&inner_text(tree, title, limits.field_bytes_max));
        }
        for &meta in &self.metas {
            let content = tree.attribute(meta, AttributeName::Content);
            if let (Some(name), Some(content)) = (tree.attribute(meta, AttributeName::Name), content) {
                facts.robots = facts.robots.stricter(robots_meta::from_meta(name, content, agent));
            }
            let pragma = tree.attribute(meta, AttributeName::HttpEquiv);
            if pragma.is_some_and(|name| name.eq_ignore_ascii_case("content-language")) {
                facts.language = facts.language.take().or_else(|| content.and_then(primary_subtag));
            }
            ranked.read_meta(tree, meta);
        }
        for &script in &self.json_ld {
            let text = inner_text(tree, script, limits.json_ld_bytes_max);
            if text.len() > limits.json_ld_bytes_max {
                facts.json_ld_cut = facts.json_ld_cut.saturating_add(1);
            } else {
                ranked.read_json_ld(json_ld::read(&text));
            }
        }
        self.items.iter().for_each(|item| ranked.read_item(tree, *item));
        self.authors.iter().for_each(|author| ranked.read_author_link(tree, *author));
        self.times.iter().for_each(|time| ranked.read_time(tree, *time));
        ranked.finish(&mut facts);
        facts
    }
}

/// Adds to a list, or to the count of what did not fit.
fn note(list: &mut Vec<NodeId>, node: NodeId, most: usize, cut: &mut u32) {
    if list.len() < most {
        list.push(node);
    } else {
        *cut = cut.saturating_add(1);
    }
}

/// The text below a node as it stands; a little more than `bytes_max` when there is more.
pub(crate) fn inner_text(tree: &DomTree, node: NodeId, bytes_max: usize) -> String {
    let mut text = String::new();
    for (inner, _) in tree.descendants(node) {
        text.push_str(cut(tree.text(inner), bytes_max.saturating_add(4)));
        if text.len() > bytes_max {
            break;
        }
    }
    text
}

fn is_json_ld(tree: &DomTree, node: NodeId) -> bool {
    tree.attribute(node, AttributeName::Type)
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/ld+json"))
}

fn has_word(tree: &DomTree, node: NodeId, name: AttributeName, word: &str) -> bool {
    tree.attribute(node, name)
        .is_some_and(|value| value.split_ascii_whitespace().any(|w| w.eq_ignore_ascii_case(word)))
}

fn declared_language(tree: &DomTree, html: NodeId) -> Option<String> {
    [AttributeName::Lang, AttributeName::XmlLang]
        .into_iter()
        .filter_map(|name| tree.attribute(html, name))
        .find_map(primary_subtag)
}

/// `de` of `de-CH`: two letters, lower case.
fn primary_subtag(value: &str) -> Option<String> {
    let primary = value.trim().split(['-', '_', ',']).next()?.trim();
    let plain = primary.len() == 2 && primary.bytes().all(|byte| byte.is_ascii_alphabetic());
    plain.then(|| primary.to_ascii_lowercase())
}

#[cfg(test)]
mod tests;
