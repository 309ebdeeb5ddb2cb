//! What a page says about itself: title, description, author, dates, canonical URL, language, robots. Collected
//! during the walk as node numbers and ranked afterwards: machine-readable statements beat visible ones, the first of equals wins.
//! Never guesses an author or a date from running text.

mod json_ld;

use crate::dates::parse_date;
use crate::robots_meta;
use crate::text_buffer::{collapse, cut};
use crate::tree::{AttributeName, DomTree, NodeId, Tag};
use whimbrel_types::{MetaRobots, Timestamp};

/// Longest title, author or description that is kept.
pub(crate) const FIELD_BYTES_MAX: usize = 2000;
/// So many scripts of linked data are read.
const JSON_LD_SCRIPTS_MAX: usize = 8;
/// So many `<meta>` elements, microdata items and times are looked at.
const STATEMENTS_MAX: usize = 500;

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
}

impl RawFacts {
    /// Notes an element if it says something about the page.
    pub(crate) fn see_element(&mut self, tree: &DomTree, node: NodeId, tag: Tag) {
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
            Tag::SCRIPT if self.json_ld.len() < JSON_LD_SCRIPTS_MAX && is_json_ld(tree, node) => {
                self.json_ld.push(node)
            }
            Tag::META if self.metas.len() < STATEMENTS_MAX => self.metas.push(node),
            Tag::TIME if self.times.len() < STATEMENTS_MAX => self.times.push(node),
            _ => {}
        }
        if tag != Tag::SCRIPT && self.items.len() < STATEMENTS_MAX {
            if tree.attribute(node, AttributeName::Itemprop).is_some() {
                self.items.push(node);
            }
            if matches!(tag, Tag::A | Tag::LINK) && has_word(tree, node, AttributeName::Rel, "author") {
                self.authors.push(node);
            }
        }
    }

    /// Whether this `<meta>` is a refresh.
    pub(crate) fn is_refresh(&self, tree: &DomTree, node: NodeId) -> bool {
        tree.attribute(node, AttributeName::HttpEquiv)
            .is_some_and(|name| name.trim().eq_ignore_ascii_case("refresh"))
    }

    /// Reads the statements. `agent` is our robots token.
    pub(crate) fn read(&self, tree: &DomTree, agent: &str) -> Facts {
        let mut facts = Facts {
            title: self.title.map(|node| field(&inner_text(tree, node))).unwrap_or_default(),
            language: self.html.and_then(|node| declared_language(tree, node)),
            ..Facts::default()
        };
        let mut ranked = Ranked::default();
        for &meta in &self.metas {
            ranked.read_meta(tree, meta, agent, &mut facts);
        }
        for &script in &self.json_ld {
            let found = json_ld::read(&inner_text(tree, script));
            ranked.author.offer(2, found.author.map(|author| field(&author)).filter(|text| !text.is_empty()));
            ranked.published.offer(1, found.published.as_deref().and_then(parse_date));
            ranked.modified.offer(1, found.modified.as_deref().and_then(parse_date));
        }
        for &item in &self.items {
            ranked.read_item(tree, item);
        }
        for &author in &self.authors {
            ranked.author.offer(4, Some(field(&inner_text(tree, author))).filter(|text| !text.is_empty()));
        }
        for &time in &self.times {
            ranked.read_time(tree, time);
        }
        facts.description = ranked.description.value.unwrap_or_default();
        facts.author = ranked.author.value;
        facts.published = ranked.published.value;
        facts.modified = ranked.modified.value;
        facts
    }
}

/// The best statement so far; a smaller rank is better.
struct Best<T> {
    rank: u8,
    value: Option<T>,
}

impl<T> Default for Best<T> {
    fn default() -> Best<T> {
        Best { rank: u8::MAX, value: None }
    }
}

impl<T> Best<T> {
    fn offer(&mut self, rank: u8, value: Option<T>) {
        if value.is_some() && rank < self.rank {
            self.rank = rank;
            self.value = value;
        }
    }
}

#[derive(Default)]
struct Ranked {
    description: Best<String>,
    author: Best<String>,
    published: Best<Timestamp>,
    modified: Best<Timestamp>,
}

impl Ranked {
    fn read_meta(&mut self, tree: &DomTree, node: NodeId, agent: &str, facts: &mut Facts) {
        let Some(content) = tree.attribute(node, AttributeName::Content) else { return };
        let names = [AttributeName::Name, AttributeName::Property].map(|name| tree.attribute(node, name));
        if let Some(name) = names[0] {
            facts.robots = facts.robots.stricter(robots_meta::from_meta(name, content, agent));
        }
        for name in names.into_iter().flatten() {
            self.read_statement(&name.trim().to_ascii_lowercase(), content);
        }
        let pragma = tree.attribute(node, AttributeName::HttpEquiv);
        if pragma.is_some_and(|name| name.eq_ignore_ascii_case("content-language")) {
            facts.language = facts.language.take().or_else(|| primary_subtag(content));
        }
    }

    fn read_statement(&mut self, name: &str, content: &str) {
        let text = || Some(field(content)).filter(|text| !text.is_empty());
        match name {
            "description" => self.description.offer(0, text()),
            "og:description" => self.description.offer(1, text()),
            "twitter:description" | "dc.description" | "dcterms.description" => {
                self.description.offer(2, text())
            }
            "author" | "article:author_name" => self.author.offer(0, text().filter(|text| !is_url(text))),
            "article:author" | "og:article:author" | "dc.creator" | "dcterms.creator" | "citation_author"
            | "parsely-author" | "sailthru.author" | "byl" => {
                self.author.offer(1, text().filter(|text| !is_url(text)));
            }
            "article:published_time" | "og:article:published_time" => {
                self.published.offer(0, parse_date(content))
            }
            "datepublished"
            | "dc.date.issued"
            | "dcterms.issued"
            | "dcterms.created"
            | "citation_publication_date"
            | "parsely-pub-date"
            | "sailthru.date"
            | "pubdate"
            | "publishdate"
            | "publish-date"
            | "publish_date"
            | "og:published_time"
            | "citation_date"
            | "article.published"
            | "dc.date.created" => {
                self.published.offer(2, parse_date(content));
            }
            "dc.date" | "dcterms.date" | "date" => self.published.offer(4, parse_date(content)),
            "article:modified_time" | "og:article:modified_time" | "og:updated_time" => {
                self.modified.offer(0, parse_date(content));
            }
            "datemodified" | "dcterms.modified" | "dc.date.modified" | "last-modified" | "lastmod"
            | "revised" | "article.updated" => self.modified.offer(2, parse_date(content)),
            _ => {}
        }
    }

    fn read_item(&mut self, tree: &DomTree, node: NodeId) {
        let Some(names) = tree.attribute(node, AttributeName::Itemprop) else { return };
        for name in names.split_ascii_whitespace() {
            if name.eq_ignore_ascii_case("datePublished") {
                self.published.offer(3, item_date(tree, node));
            } else if name.eq_ignore_ascii_case("dateModified") {
                self.modified.offer(3, item_date(tree, node));
            } else if name.eq_ignore_ascii_case("author") {
                let text = tree
                    .attribute(node, AttributeName::Content)
                    .map_or_else(|| inner_text(tree, node), str::to_owned);
                self.author.offer(3, Some(field(&text)).filter(|text| !text.is_empty() && text.len() < 200));
            }
        }
    }

    fn read_time(&mut self, tree: &DomTree, node: NodeId) {
        let Some(datetime) = tree.attribute(node, AttributeName::Datetime) else { return };
        let class = tree.attribute(node, AttributeName::Class).unwrap_or_default().to_ascii_lowercase();
        if class.contains("updated") || class.contains("modified") {
            self.modified.offer(5, parse_date(datetime));
        } else {
            self.published.offer(5, parse_date(datetime));
        }
    }
}

fn item_date(tree: &DomTree, node: NodeId) -> Option<Timestamp> {
    tree.attribute(node, AttributeName::Content)
        .or_else(|| tree.attribute(node, AttributeName::Datetime))
        .and_then(parse_date)
        .or_else(|| parse_date(&collapse(&inner_text(tree, node))))
}

/// All text below a node, as it stands.
pub(crate) fn inner_text(tree: &DomTree, node: NodeId) -> String {
    tree.descendants(node).map(|(inner, _)| tree.text(inner)).collect()
}

/// A field: white space collapsed, length bounded.
fn field(text: &str) -> String {
    collapse(cut(text, FIELD_BYTES_MAX))
}

fn is_url(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
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
