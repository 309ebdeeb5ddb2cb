//! The duplicate-link report and the URL organizer's views of a page's links (thesis, appendices III and I).
//! Plain data for people and for JSON; decides nothing. Invariant: first appearance keeps its place everywhere.

use crate::normalize::{normalize, resolve};
use crate::parse_url::ParsedUrl;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::cmp::Reverse;
use whimbrel_types::{CanonicalUrl, Link, RejectReason};

/// A link as it stands in a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExtractedLink {
    /// The reference.
    pub href: String,
    /// The anchor's words.
    pub text: String,
}

impl From<&Link> for ExtractedLink {
    fn from(link: &Link) -> Self {
        ExtractedLink { href: link.target.as_str().to_owned(), text: link.text.clone() }
    }
}

/// Links of one page that lead to one URL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DuplicateGroup {
    /// Where they lead.
    pub url: CanonicalUrl,
    /// Their different anchor texts, in order.
    pub texts: Vec<String>,
    /// How many there are, at least two.
    pub count: usize,
}

/// Duplicates, and what is left without them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LinkReport {
    /// URLs that several links share.
    pub groups: Vec<DuplicateGroup>,
    /// Every URL once.
    pub unique: Vec<CanonicalUrl>,
}

/// A reference and its canonical form, or why it has none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NormalizedLink {
    /// As it stands in the page.
    pub href: String,
    /// Its canonical form.
    pub url: Option<CanonicalUrl>,
    /// Why there is none.
    pub rejected: Option<RejectReason>,
}

/// A URL with the number of links in its own page, where that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OrderedLink {
    /// The URL.
    pub url: CanonicalUrl,
    /// Links in it.
    pub embedded_links: usize,
}

/// The four views of a page's links.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LinkViews {
    /// As they stand in the page.
    pub extracted: Vec<ExtractedLink>,
    /// Each with its canonical form.
    pub normalized: Vec<NormalizedLink>,
    /// Which lead to the same URL.
    pub duplicates: LinkReport,
    /// Every URL once, those with most embedded links first.
    pub ordered: Vec<OrderedLink>,
}

/// The report for links that are canonical already.
#[must_use]
pub fn duplicate_links(links: &[Link]) -> LinkReport {
    report(links.iter().map(|link| (&link.target, link.text.as_str())))
}

/// All views of a page's links. `base` resolves relative references; `embedded_links` tells how many links a URL's
/// own page holds, 0 when it was not visited.
pub fn views(
    extracted: Vec<ExtractedLink>,
    base: Option<&ParsedUrl>,
    embedded_links: impl Fn(&CanonicalUrl) -> usize,
) -> LinkViews {
    let normalized: Vec<NormalizedLink> =
        extracted.iter().map(|link| normalized_link(&link.href, base)).collect();
    let pairs = normalized.iter().zip(&extracted);
    let duplicates =
        report(pairs.filter_map(|(link, found)| Some((link.url.as_ref()?, found.text.as_str()))));
    let mut ordered: Vec<OrderedLink> = duplicates
        .unique
        .iter()
        .map(|url| OrderedLink { embedded_links: embedded_links(url), url: url.clone() })
        .collect();
    ordered.sort_by_key(|link| Reverse(link.embedded_links));
    LinkViews { extracted, normalized, duplicates, ordered }
}

fn normalized_link(href: &str, base: Option<&ParsedUrl>) -> NormalizedLink {
    let result = base.map_or_else(|| normalize(href), |base| resolve(base, href));
    let (url, rejected) = match result {
        Ok(url) => (Some(url), None),
        Err(reason) => (None, Some(reason)),
    };
    NormalizedLink { href: href.to_owned(), url, rejected }
}

fn report<'a>(links: impl Iterator<Item = (&'a CanonicalUrl, &'a str)>) -> LinkReport {
    let mut groups: Vec<DuplicateGroup> = Vec::new();
    let mut places: FxHashMap<&CanonicalUrl, usize> = FxHashMap::default();
    for (url, text) in links {
        let place = *places.entry(url).or_insert_with(|| {
            groups.push(DuplicateGroup { url: url.clone(), texts: Vec::new(), count: 0 });
            groups.len() - 1
        });
        let group = &mut groups[place];
        group.count += 1;
        if !group.texts.iter().any(|known| known == text) {
            group.texts.push(text.to_owned());
        }
    }
    let unique = groups.iter().map(|group| group.url.clone()).collect();
    groups.retain(|group| group.count > 1);
    LinkReport { groups, unique }
}

#[cfg(test)]
mod tests;
