//! The references of a page as a browser resolves them (HTML standard §2.4.2, "encoding-parse a URL"): absolute,
//! with fragment, not brought to normal form, and those to the page itself among them. For tools that compare what
//! is on a page; the crawler takes the links of [`crate::Parsed`]. Never judges whether a reference is wanted.

use crate::link_attributes::rel;
use crate::tree::AttributeName;
use crate::visit::Visit;
use crate::{ParseLimits, Parsed};
use whimbrel_types::{CanonicalUrl, LinkKind, LinkRel};
use whimbrel_url::ParsedUrl;

/// One reference that leads to an http or https URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The URL.
    pub url: String,
    /// The element: an anchor, an area or a frame.
    pub kind: LinkKind,
    /// What the author says about following it.
    pub rel: LinkRel,
}

/// The anchors and areas of a page that was parsed from `page`, in order, then its frames.
#[must_use]
pub fn references(parsed: &Parsed, page: &CanonicalUrl, limits: &ParseLimits) -> Vec<Reference> {
    let tree = &parsed.tree;
    let visit = Visit::walk(tree, limits);
    let Some(page) = ParsedUrl::parse(page.as_str()) else { return Vec::new() };
    let is_web = |url: &ParsedUrl| matches!(url.scheme(), "http" | "https");
    let declared = visit.facts.base.and_then(|node| tree.attribute(node, AttributeName::Href));
    let base = declared.and_then(|href| page.join(href)).filter(is_web).unwrap_or(page);
    let anchors = visit.links.iter().map(|found| (found.node, found.kind, AttributeName::Href));
    let frames = visit.embedded.iter().filter(|(_, kind, _)| *kind == LinkKind::Frame);
    let frames = frames.map(|(node, kind, _)| (*node, *kind, AttributeName::Src));
    anchors
        .chain(frames)
        .filter_map(|(node, kind, attribute)| {
            let reference = tree.attribute(node, attribute)?;
            let url = base.join_encoded(reference, parsed.encoding).filter(is_web)?;
            let rel = tree.attribute(node, AttributeName::Rel).map(rel).unwrap_or_default();
            Some(Reference { url: url.href().to_owned(), kind, rel })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ParseInput, parse};

    fn urls(html: &str) -> Vec<String> {
        let url = whimbrel_url::normalize("http://e.com/d/p.html").unwrap();
        let input = ParseInput {
            url: &url,
            content_type: Some("text/html; charset=windows-1252"),
            body: html.as_bytes(),
            x_robots_tag: &[],
            agent: "whimbrel",
        };
        let limits = ParseLimits { embedded_links: true, ..ParseLimits::default() };
        let parsed = parse(&input, &limits);
        references(&parsed, &url, &limits).into_iter().map(|found| found.url).collect()
    }

    #[test]
    fn references_stay_as_a_browser_has_them() {
        let html =
            "<a href='#top'>1</a><a href='%7ex?%2f'>2</a><a href='mailto:x'>3</a><iframe src=f></iframe>";
        let expected = ["http://e.com/d/p.html#top", "http://e.com/d/%7ex?%2f", "http://e.com/d/f"];
        assert_eq!(urls(html), expected);
    }

    #[test]
    fn a_base_counts_for_all_and_queries_have_the_pages_charset() {
        assert_eq!(urls("<a href=y?\u{2020}>1</a><base href=/x/>"), ["http://e.com/x/y?%E2%80%A0"]);
        assert_eq!(urls("<base href='javascript:1'><a href=y>1</a>"), ["http://e.com/d/y"]);
    }
}
