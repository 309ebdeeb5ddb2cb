//! Which elements mean what, in sitemaps, RSS and Atom. Names are told apart without regard to case; a prefix counts
//! by what it is bound to, and no prefix always counts: wrong and missing namespaces are common. Elements of other
//! vocabularies (`image:loc`, `video:content_loc`, `atom:link` in RSS) never name a page.

use super::SitemapKind;
use super::token::pairs;

/// Prefixes that are remembered; a file needs a handful.
const PREFIXES_MAX: usize = 64;

/// What an element means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The root, or what holds the entries.
    Root(SitemapKind),
    /// `url`, `sitemap`, `item`, `entry`.
    Entry,
    /// A part of an entry that is kept.
    Part(Part),
    /// Anything else.
    Other,
}

/// Parts of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Where the page is.
    Location,
    /// An identifier that may be its URL.
    Identifier,
    /// A date, with its rank: of several, the lowest says best when the page was last modified.
    Date(u8),
    /// `changefreq`
    ChangeFrequency,
    /// `priority`
    Priority,
}

/// What is known of the names in one file.
#[derive(Default)]
pub(super) struct Vocabulary<'a> {
    kind: SitemapKind,
    root_prefix: &'a str,
    prefixes: Vec<(&'a str, Namespace)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Namespace {
    Sitemap,
    Rss,
    Atom,
    DublinCore,
    Other,
}

impl<'a> Vocabulary<'a> {
    pub(super) fn kind(&self) -> SitemapKind {
        self.kind
    }

    /// The file is of this kind.
    pub(super) fn settle(&mut self, kind: SitemapKind, root: &'a str) {
        self.kind = kind;
        self.root_prefix = split(root).0;
    }

    /// Notes which prefixes a tag declares.
    pub(super) fn declare(&mut self, attributes: &'a str) {
        if !attributes.contains("xmlns:") {
            return;
        }
        for (name, value) in pairs(attributes) {
            let Some(prefix) = name.strip_prefix("xmlns:") else { continue };
            if self.prefixes.len() == PREFIXES_MAX {
                return;
            }
            if !self.prefixes.iter().any(|(known, _)| *known == prefix) {
                self.prefixes.push((prefix, namespace(value)));
            }
        }
    }

    /// What an element of this name means here.
    pub(super) fn role(&self, name: &str) -> Role {
        let (prefix, local) = split(name);
        let mut lower = [0_u8; 16];
        let Some(lower) = lower.get_mut(..local.len()) else { return Role::Other };
        lower.copy_from_slice(local.as_bytes());
        lower.make_ascii_lowercase();
        match self.kind {
            SitemapKind::Unknown => root(lower),
            SitemapKind::Urlset | SitemapKind::Index => {
                if self.is_own(prefix, Namespace::Sitemap) {
                    sitemap(lower)
                } else {
                    Role::Other
                }
            }
            SitemapKind::Rss if self.is_own(prefix, Namespace::Rss) => rss(lower),
            SitemapKind::Atom if self.is_own(prefix, Namespace::Atom) => atom(lower),
            _ => self.date_of_others(prefix, lower),
        }
    }

    fn is_own(&self, prefix: &str, own: Namespace) -> bool {
        prefix.is_empty() || prefix == self.root_prefix || self.bound(prefix) == Some(own)
    }

    fn bound(&self, prefix: &str) -> Option<Namespace> {
        self.prefixes.iter().find(|(known, _)| *known == prefix).map(|(_, namespace)| *namespace)
    }

    /// Feeds often date their entries in the words of Dublin Core or, in RSS, of Atom.
    fn date_of_others(&self, prefix: &str, local: &[u8]) -> Role {
        let namespace = self.bound(prefix);
        let dublin_core = namespace == Some(Namespace::DublinCore) || (namespace.is_none() && prefix == "dc");
        match local {
            b"modified" if dublin_core => Role::Part(Part::Date(1)),
            b"date" if dublin_core => Role::Part(Part::Date(2)),
            b"updated" if namespace == Some(Namespace::Atom) => Role::Part(Part::Date(0)),
            _ => Role::Other,
        }
    }
}

/// Prefix and local name.
fn split(name: &str) -> (&str, &str) {
    name.split_once(':').unwrap_or(("", name))
}

fn namespace(uri: &str) -> Namespace {
    let uri = uri.trim();
    if uri.contains("/schemas/sitemap/0.") {
        Namespace::Sitemap
    } else if uri.contains("purl.org/rss/")
        || uri.contains("netscape.com/rdf/simple/")
        || uri.contains("userland.com/rss")
    {
        Namespace::Rss
    } else if uri.contains("www.w3.org/2005/Atom") || uri.contains("purl.org/atom/ns") {
        Namespace::Atom
    } else if uri.contains("purl.org/dc/") {
        Namespace::DublinCore
    } else {
        Namespace::Other
    }
}

/// A file without its root still tells by its first entry what it is.
fn root(local: &[u8]) -> Role {
    match local {
        b"urlset" | b"url" => Role::Root(SitemapKind::Urlset),
        b"sitemapindex" | b"sitemap" => Role::Root(SitemapKind::Index),
        b"rss" | b"rdf" | b"channel" | b"item" => Role::Root(SitemapKind::Rss),
        b"feed" | b"entry" => Role::Root(SitemapKind::Atom),
        _ => Role::Other,
    }
}

fn sitemap(local: &[u8]) -> Role {
    match local {
        b"url" | b"sitemap" => Role::Entry,
        b"loc" => Role::Part(Part::Location),
        b"lastmod" => Role::Part(Part::Date(0)),
        b"changefreq" => Role::Part(Part::ChangeFrequency),
        b"priority" => Role::Part(Part::Priority),
        b"urlset" | b"sitemapindex" => root(local),
        _ => Role::Other,
    }
}

fn rss(local: &[u8]) -> Role {
    match local {
        b"item" => Role::Entry,
        b"link" => Role::Part(Part::Location),
        b"guid" => Role::Part(Part::Identifier),
        b"pubdate" => Role::Part(Part::Date(2)),
        b"rss" | b"rdf" | b"channel" => root(local),
        _ => Role::Other,
    }
}

fn atom(local: &[u8]) -> Role {
    match local {
        b"entry" => Role::Entry,
        b"link" => Role::Part(Part::Location),
        b"id" => Role::Part(Part::Identifier),
        b"updated" => Role::Part(Part::Date(0)),
        b"modified" => Role::Part(Part::Date(1)),
        b"published" => Role::Part(Part::Date(2)),
        b"issued" => Role::Part(Part::Date(3)),
        b"created" => Role::Part(Part::Date(4)),
        b"feed" => root(local),
        _ => Role::Other,
    }
}
