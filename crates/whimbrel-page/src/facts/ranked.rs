//! Which of several statements about a page counts: those made for machines (Open Graph, JSON-LD, Dublin Core) beat
//! those in the text (microdata, RDFa, `rel=author`, `<time>`); of equals the first. Only reads; collects nothing.

use super::json_ld::Found;
use super::{Facts, has_word, inner_text};
use crate::dates::parse_date;
use crate::text_buffer::{collapse, cut};
use crate::tree::{AttributeName, DomTree, NodeId};
use whimbrel_types::Timestamp;

/// A visible author of more bytes is a paragraph, not a name.
const NAME_BYTES_MAX: usize = 200;
/// So many nodes of a microdata item are searched for its name.
const ITEM_NODES_MAX: usize = 64;

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

/// The best statements so far.
#[derive(Default)]
pub(super) struct Ranked {
    title: Best<String>,
    description: Best<String>,
    author: Best<String>,
    published: Best<Timestamp>,
    modified: Best<Timestamp>,
    field_bytes_max: usize,
    fields_cut: u32,
}

impl Ranked {
    pub(super) fn new(field_bytes_max: usize) -> Ranked {
        Ranked { field_bytes_max, ..Ranked::default() }
    }

    pub(super) fn read_title(&mut self, text: &str) {
        let text = self.field(text);
        self.title.offer(0, text);
    }

    pub(super) fn read_meta(&mut self, tree: &DomTree, node: NodeId) {
        let Some(content) = tree.attribute(node, AttributeName::Content) else { return };
        for attribute in [AttributeName::Name, AttributeName::Property] {
            // RDFa allows several names in one attribute.
            for name in tree.attribute(node, attribute).unwrap_or_default().split_ascii_whitespace() {
                self.read_statement(&name.to_ascii_lowercase(), content);
            }
        }
    }

    pub(super) fn read_json_ld(&mut self, found: Found) {
        let author = found.author.and_then(|author| self.field(&author));
        self.author.offer(2, author);
        self.published.offer(1, found.published.as_deref().and_then(parse_date));
        self.modified.offer(1, found.modified.as_deref().and_then(parse_date));
    }

    /// Microdata and RDFa: the property's name, without a vocabulary's prefix.
    pub(super) fn read_item(&mut self, tree: &DomTree, node: NodeId) {
        for attribute in [AttributeName::Itemprop, AttributeName::Property] {
            for name in tree.attribute(node, attribute).unwrap_or_default().split_ascii_whitespace() {
                let name = name.rsplit([':', '/', '#']).next().unwrap_or(name);
                if name.eq_ignore_ascii_case("datePublished") {
                    self.published.offer(3, item_date(tree, node));
                } else if name.eq_ignore_ascii_case("dateModified") {
                    self.modified.offer(3, item_date(tree, node));
                } else if name.eq_ignore_ascii_case("author") || name.eq_ignore_ascii_case("creator") {
                    let text = self.name(&item_name(tree, node));
                    self.author.offer(3, text);
                }
            }
        }
    }

    /// `<a rel=author>`: its words.
    pub(super) fn read_author_link(&mut self, tree: &DomTree, node: NodeId) {
        let text = self.name(&inner_text(tree, node, NAME_BYTES_MAX));
        self.author.offer(4, text);
    }

    pub(super) fn read_time(&mut self, tree: &DomTree, node: NodeId) {
        let Some(datetime) = tree.attribute(node, AttributeName::Datetime) else { return };
        let class = tree.attribute(node, AttributeName::Class).unwrap_or_default().to_ascii_lowercase();
        if class.contains("updated") || class.contains("modified") {
            self.modified.offer(6, parse_date(datetime));
        } else if class.contains("publish") || class.contains("posted") || class.contains("entry-date") {
            self.published.offer(5, parse_date(datetime));
        } else {
            self.published.offer(6, parse_date(datetime));
        }
    }

    pub(super) fn finish(self, facts: &mut Facts) {
        facts.title = self.title.value.unwrap_or_default();
        facts.description = self.description.value.unwrap_or_default();
        facts.author = self.author.value;
        facts.published = self.published.value;
        facts.modified = self.modified.value;
        facts.fields_cut = self.fields_cut;
    }

    fn read_statement(&mut self, name: &str, content: &str) {
        match name {
            "og:title" | "twitter:title" | "dc.title" | "dcterms.title" => {
                let text = self.field(content);
                self.title.offer(1, text);
            }
            "description" => self.offer_description(0, content),
            "og:description" => self.offer_description(1, content),
            "twitter:description" | "dc.description" | "dcterms.description" => {
                self.offer_description(2, content)
            }
            "author" | "article:author_name" => self.offer_author(0, content),
            "article:author" | "og:article:author" | "dc.creator" | "dcterms.creator" | "citation_author"
            | "parsely-author" | "sailthru.author" | "byl" | "dc.contributor" | "authors" => {
                self.offer_author(1, content);
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
            | "published_time"
            | "og:published_time"
            | "og:release_date"
            | "article:published"
            | "citation_date"
            | "citation_online_date"
            | "article.published"
            | "dc.date.created" => {
                self.published.offer(2, parse_date(content));
            }
            "dc.date" | "dcterms.date" | "date" => self.published.offer(4, parse_date(content)),
            "article:modified_time" | "og:article:modified_time" | "og:updated_time" => {
                self.modified.offer(0, parse_date(content));
            }
            "datemodified" | "dcterms.modified" | "dc.date.modified" | "last-modified" | "lastmod"
            | "revised" | "article.updated" | "modified_time" => self.modified.offer(2, parse_date(content)),
            _ => {}
        }
    }

    fn offer_description(&mut self, rank: u8, content: &str) {
        let text = self.field(content);
        self.description.offer(rank, text);
    }

    /// Some sites name a profile's address instead of a person.
    fn offer_author(&mut self, rank: u8, content: &str) {
        let text = self.field(content).filter(|text| !is_url(text));
        self.author.offer(rank, text);
    }

    /// A field: white space collapsed, length bounded, nothing when empty.
    fn field(&mut self, text: &str) -> Option<String> {
        if text.len() > self.field_bytes_max {
            self.fields_cut = self.fields_cut.saturating_add(1);
        }
        Some(collapse(cut(text, self.field_bytes_max))).filter(|text| !text.is_empty())
    }

    /// The words of a visible element, if they are few enough to be a name.
    fn name(&mut self, text: &str) -> Option<String> {
        self.field(text).filter(|text| text.len() < NAME_BYTES_MAX && !is_url(text))
    }
}

fn item_date(tree: &DomTree, node: NodeId) -> Option<Timestamp> {
    tree.attribute(node, AttributeName::Content)
        .or_else(|| tree.attribute(node, AttributeName::Datetime))
        .and_then(parse_date)
        .or_else(|| parse_date(&collapse(&inner_text(tree, node, NAME_BYTES_MAX))))
}

/// The name of a person item: its `name` property where it has one, else all its words.
fn item_name(tree: &DomTree, node: NodeId) -> String {
    if let Some(content) = tree.attribute(node, AttributeName::Content) {
        return content.to_owned();
    }
    let named = tree.descendants(node).take(ITEM_NODES_MAX).skip(1).find(|(inner, _)| {
        [AttributeName::Itemprop, AttributeName::Property]
            .iter()
            .any(|name| has_word(tree, *inner, *name, "name") || has_word(tree, *inner, *name, "schema:name"))
    });
    match named {
        Some((inner, _)) => {
            let content = tree.attribute(inner, AttributeName::Content);
            content.map_or_else(|| inner_text(tree, inner, NAME_BYTES_MAX), str::to_owned)
        }
        None => inner_text(tree, node, NAME_BYTES_MAX),
    }
}

fn is_url(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}
