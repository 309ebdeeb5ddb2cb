//! Entries out of the tokens of a sitemap or feed. Structure is taken as it should have been: an entry ends where the
//! next begins, a part where another does, and what lies inside foreign elements is not the entry's own. A file that
//! declares entities made of entities is an attack and is refused whole, though none would be expanded.
//! Never builds a tree and never recurses. Invariant: at most one entry and one part are open at a time.

use super::draft::Draft;
use super::entity::push_decoded;
use super::location::{Relative, cleaned, locate};
use super::problem::{ProblemKind, Problems};
use super::token::{Token, Tokens, attribute};
use super::vocabulary::{Part, Role, Vocabulary};
use super::{Sitemap, SitemapKind};
use crate::parse_url::{ParsedUrl, parse_url};
use std::borrow::Cow;

/// Bytes that are kept of a part's text: more than any URL that is accepted.
const PART_BYTES_MAX: usize = 16 << 10;

/// How far into a file XML may begin.
const PREAMBLE_BYTES_MAX: usize = 64 << 10;

/// Where XML begins: at the first bracket if nothing stands before it, else at the first thing that no other text has.
pub(super) fn beginning(document: &str) -> Option<usize> {
    let blank = |c: char| c.is_whitespace() || c.is_control() || c == '\u{FEFF}';
    let start = document.len() - document.trim_start_matches(blank).len();
    if document[start..].starts_with('<') {
        return Some(start);
    }
    let head = &document[..document.floor_char_boundary(PREAMBLE_BYTES_MAX)];
    ["<?xml", "<urlset", "<sitemapindex", "<rss", "<rdf:RDF", "<feed"]
        .iter()
        .filter_map(|root| head.find(root))
        .min()
}

/// Reads the XML that begins at `start`.
pub(super) fn read<'a>(
    document: &'a str,
    start: usize,
    base: Option<&'a ParsedUrl>,
    entries_max: usize,
    problems: &'a mut Problems,
) -> Sitemap {
    let before = document[..start].trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
    if !before.is_empty() {
        problems.at(0, ProblemKind::TextBeforeXml, before);
    }
    let mut reader = Reader {
        vocabulary: Vocabulary::default(),
        base: base.map(Cow::Borrowed),
        entries_max,
        found: Sitemap::default(),
        problems,
        entry: None,
        open: None,
        foreign: None,
        at: start,
        wrappers: 0,
        rooted: false,
        stopped: false,
    };
    let mut tokens = Tokens::new(&document[start..]);
    while !reader.stopped {
        reader.at = start + tokens.offset();
        let Some(token) = tokens.next() else { break };
        // Behind the root a document type is text that somebody forgot to escape.
        match tokens.doctype().filter(|_| !reader.rooted) {
            Some(doctype) if doctype.nests_entities => {
                reader.problems.at(reader.at, ProblemKind::EntityBomb, doctype.name);
                break;
            }
            Some(doctype) if doctype.name.eq_ignore_ascii_case("html") => break,
            _ => {}
        }
        reader.take(token);
    }
    reader.end(tokens.cut_off());
    reader.found
}

struct Reader<'a> {
    vocabulary: Vocabulary<'a>,
    /// What relative locations are resolved against.
    base: Option<Cow<'a, ParsedUrl>>,
    entries_max: usize,
    found: Sitemap,
    problems: &'a mut Problems,
    entry: Option<Draft>,
    open: Option<OpenPart>,
    foreign: Option<Foreign<'a>>,
    /// Where the token at hand begins.
    at: usize,
    /// Entry elements around the text of a location.
    wrappers: usize,
    /// An element was seen.
    rooted: bool,
    /// Nothing more is read.
    stopped: bool,
}

/// A part while its text is gathered.
struct OpenPart {
    part: Part,
    text: String,
    at: usize,
    /// It lies in a foreign element.
    foreign: bool,
}

/// An element of another vocabulary within an entry.
struct Foreign<'a> {
    name: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, token: Token<'a>) {
        match token {
            Token::Text(raw) => self.text(raw, true),
            Token::Cdata(text) => self.text(text, false),
            Token::Start { name, attributes, empty } => {
                self.vocabulary.declare(attributes);
                self.start(name, attributes, empty);
            }
            Token::End { name } => self.close(name),
        }
    }

    fn start(&mut self, name: &'a str, attributes: &'a str, empty: bool) {
        if self.vocabulary.kind() == SitemapKind::Unknown && !self.root(name, attributes) {
            return;
        }
        match self.vocabulary.role(name) {
            Role::Root(_) => {}
            Role::Entry => self.start_entry(name, attributes, empty),
            Role::Part(part) => self.start_part(part, attributes, empty),
            Role::Other if self.open.is_some() || self.entry.is_none() || empty => {}
            Role::Other => match &mut self.foreign {
                Some(foreign) if foreign.name == name => foreign.depth += 1,
                Some(_) => {}
                None => self.foreign = Some(Foreign { name, depth: 1 }),
            },
        }
    }

    /// Looks for the root; `false` where this is not it.
    fn root(&mut self, name: &'a str, attributes: &str) -> bool {
        let first = !std::mem::replace(&mut self.rooted, true);
        if name.eq_ignore_ascii_case("html") {
            self.stopped = true;
            return false;
        }
        match self.vocabulary.role(name) {
            Role::Root(kind) => {
                self.vocabulary.settle(kind, name);
                self.found.kind = kind;
                if first && self.vocabulary.role(name) == Role::Entry {
                    self.problems.at(self.at, ProblemKind::UnknownRoot, name);
                }
                if let Some(own) = attribute(attributes, "xml:base").map(decoded) {
                    let base = self.base.as_ref().map(|base| base.href().to_owned());
                    self.base = parse_url(&own, base.as_deref()).map(Cow::Owned).or(self.base.take());
                }
                true
            }
            _ => {
                if first {
                    self.problems.at(self.at, ProblemKind::UnknownRoot, name);
                }
                false
            }
        }
    }

    fn start_entry(&mut self, name: &str, attributes: &str, empty: bool) {
        let in_empty_location =
            self.open.as_ref().is_some_and(|open| open.part == Part::Location && open.text.trim().is_empty());
        if in_empty_location {
            self.wrappers += usize::from(!empty);
            return;
        }
        self.finish_entry();
        if self.found.entries.is_empty() && self.found.kind == SitemapKind::Urlset && is_sitemap(name) {
            self.found.kind = SitemapKind::Index;
        }
        let about = attribute(attributes, "rdf:about").map(decoded);
        self.entry = Some(Draft { at: self.at, identifier: about, ..Draft::default() });
        if empty {
            self.finish_entry();
        }
    }

    fn start_part(&mut self, part: Part, attributes: &str, empty: bool) {
        self.finish_part();
        let is_sitemap = matches!(self.found.kind, SitemapKind::Urlset | SitemapKind::Index);
        let foreign = self.foreign.is_some();
        if part == Part::Location && is_sitemap && !foreign && !empty {
            let several = self.entry.as_ref().is_some_and(|entry| entry.location.is_some());
            if several {
                self.problems.at(self.at, ProblemKind::SeveralLocations, "");
                self.finish_entry();
                self.entry = Some(Draft { at: self.at, ..Draft::default() });
            } else if self.entry.is_none() {
                self.problems.at(self.at, ProblemKind::MisplacedLocation, "");
                self.entry = Some(Draft { at: self.at, ..Draft::default() });
            }
        }
        let Some(entry) = &mut self.entry else { return };
        if part == Part::Location && !is_sitemap && !foreign {
            // Atom gives the URL in an attribute; other relations than "alternate" are other documents.
            let relation = attribute(attributes, "rel").unwrap_or_default();
            let is_page = relation.is_empty() || relation.eq_ignore_ascii_case("alternate");
            let href = attribute(attributes, "href").filter(|_| is_page).map(decoded);
            if entry.location.is_none() {
                entry.location = href.map(|href| based(&href, attribute(attributes, "xml:base")));
            }
            if !is_page {
                return;
            }
        }
        if !empty {
            self.open = Some(OpenPart { part, text: String::new(), at: self.at, foreign });
        }
    }

    fn close(&mut self, name: &str) {
        match self.vocabulary.role(name) {
            Role::Part(part) if self.open.as_ref().is_some_and(|open| open.part == part) => {
                self.finish_part()
            }
            Role::Entry if self.wrappers > 0 => self.wrappers -= 1,
            Role::Entry | Role::Root(_) => self.finish_entry(),
            _ => {
                if let Some(foreign) = self.foreign.as_mut().filter(|foreign| foreign.name == name) {
                    foreign.depth -= 1;
                    if foreign.depth == 0 {
                        self.end_foreign();
                    }
                }
            }
        }
    }

    /// What was read in a foreign element that was closed is its own.
    fn end_foreign(&mut self) {
        self.finish_part();
        self.foreign = None;
        if let Some(entry) = &mut self.entry {
            entry.torn = None;
        }
    }

    fn text(&mut self, raw: &str, references: bool) {
        let target = match (&mut self.open, &mut self.entry) {
            (Some(open), _) => &mut open.text,
            (None, Some(entry)) if self.foreign.is_none() && entry.location.is_none() => &mut entry.stray,
            _ => return,
        };
        if target.is_empty() && raw.trim().is_empty() {
            return;
        }
        let room = PART_BYTES_MAX.saturating_sub(target.len());
        let raw = &raw[..raw.floor_char_boundary(room)];
        if !references {
            target.push_str(raw);
            return;
        }
        let oddities = push_decoded(raw, target);
        if oddities.loose_ampersand {
            self.problems.at(self.at, ProblemKind::LooseAmpersand, raw);
        }
        if oddities.unknown_entity {
            self.problems.at(self.at, ProblemKind::UnknownEntity, raw);
        }
    }

    /// Puts the text of the open part where it belongs.
    fn finish_part(&mut self) {
        self.wrappers = 0;
        let (Some(open), Some(entry)) = (self.open.take(), &mut self.entry) else { return };
        if cleaned(&open.text).is_empty() {
            return;
        }
        match open.part {
            Part::Location if open.foreign => {
                entry.torn.get_or_insert(open.text);
            }
            _ if open.foreign => {}
            Part::Location => {
                entry.location.get_or_insert(open.text);
            }
            Part::Identifier => {
                entry.identifier.get_or_insert(open.text);
            }
            Part::Date(rank) => {
                if entry.date.as_ref().is_none_or(|(known, ..)| rank < *known) {
                    entry.date = Some((rank, open.text, open.at));
                }
            }
            Part::ChangeFrequency => entry.change_frequency = Some(open.text),
            Part::Priority => entry.priority = Some(open.text),
        }
    }

    /// Completes the open entry and lists it, if it names a page.
    fn finish_entry(&mut self) {
        self.finish_part();
        self.foreign = None;
        let Some(draft) = self.entry.take() else { return };
        let at = draft.at;
        let entry = draft.complete(self.found.kind, self.base.as_deref(), self.problems);
        match entry {
            Some(_) if self.found.entries.len() == self.entries_max => {
                self.problems.at(at, ProblemKind::TooManyEntries, "");
                self.found.truncated = true;
                self.stopped = true;
            }
            Some(entry) => self.found.entries.push(entry),
            None => {}
        }
    }

    /// What is open at the end was cut through, so it is dropped: nothing tells whether it is whole.
    fn end(&mut self, cut_off: bool) {
        if self.found.kind == SitemapKind::Unknown {
            self.problems.of_file(ProblemKind::NotASitemap, "");
        } else if !self.stopped && (self.entry.is_some() || cut_off) {
            self.problems.at(self.at, ProblemKind::EndsEarly, "");
        }
    }
}

fn is_sitemap(name: &str) -> bool {
    name.rsplit(':').next().is_some_and(|local| local.eq_ignore_ascii_case("sitemap"))
}

fn decoded(raw: &str) -> String {
    let mut text = String::new();
    push_decoded(&raw[..raw.floor_char_boundary(PART_BYTES_MAX)], &mut text);
    text
}

/// A reference in an element with a base of its own.
fn based(href: &str, base: Option<&str>) -> String {
    let base = base.and_then(|base| ParsedUrl::parse(&decoded(base)));
    base.and_then(|base| locate(href, Some(&base), Relative::Any).ok())
        .map_or_else(|| href.to_owned(), |located| located.loc)
}
