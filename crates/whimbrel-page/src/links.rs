//! From found elements to links: resolves, collects anchor text, weighs. Links to a place on the same page are
//! dropped; what is no http URL goes to the rejected ones with its reason. The base is that of the first
//! `<base href>` with a usable URL (HTML standard §4.2.3), also for links before it.

use crate::link_attributes::{distance, position, rel, visibility};
use crate::refresh::parse_refresh;
use crate::srcset;
use crate::text_buffer::{TextBuffer, collapse, cut};
use crate::tree::{AttributeName, DomTree, NodeId};
use crate::visit::{FoundLink, Visit};
use encoding_rs::Encoding;
use whimbrel_types::{CanonicalUrl, Link, LinkKind, LinkRel, RejectReason};
use whimbrel_url::ParsedUrl;

/// Longest rejected reference that is kept.
const REJECTED_BYTES_MAX: usize = 200;

/// Resolves references against one page.
pub(crate) struct Resolver<'a> {
    page: &'a CanonicalUrl,
    base: Option<ParsedUrl>,
    /// The page declares a base of its own: a mere fragment leads there.
    elsewhere: bool,
    encoding: &'static Encoding,
}

impl<'a> Resolver<'a> {
    /// `base` is the reference of the page's `<base>`, if it has one.
    pub(crate) fn new(
        page: &'a CanonicalUrl,
        base: Option<&str>,
        encoding: &'static Encoding,
    ) -> Resolver<'a> {
        let page_url = ParsedUrl::parse(page.as_str());
        let declared = base.and_then(|href| declared_base(page_url.as_ref()?, href));
        let elsewhere = declared.as_ref().is_some_and(|base| base.href() != page.as_str());
        Resolver { page, base: declared.or(page_url), elsewhere, encoding: encoding.output_encoding() }
    }

    /// Whether a reference leads to a place on the page itself. An empty one is the page, and stays.
    fn is_same_page(&self, href: &str) -> bool {
        !self.elsewhere && href.trim_start().starts_with('#')
    }

    /// Browsers encode the query of a link in the page's own charset.
    pub(crate) fn resolve(&self, reference: &str) -> Result<CanonicalUrl, RejectReason> {
        let base = self.base.as_ref().ok_or(RejectReason::Malformed)?;
        whimbrel_url::resolve_in(base, reference, self.encoding)
    }
}

/// The base that a `<base href>` declares. `data:` and `javascript:` are none (HTML standard §4.2.3).
fn declared_base(page: &ParsedUrl, href: &str) -> Option<ParsedUrl> {
    page.join(href).filter(|url| !matches!(url.scheme(), "data" | "javascript"))
}

/// Links and what could not become one.
#[derive(Default)]
pub(crate) struct Resolved {
    pub(crate) links: Vec<Link>,
    pub(crate) rejected: Vec<(String, RejectReason)>,
    /// Rejected references beyond the limit.
    pub(crate) rejected_cut: u32,
    /// Links with too many words.
    pub(crate) text_cut: u32,
}

/// Limits of the list and where the main content is.
pub(crate) struct LinkContext<'a> {
    pub(crate) resolver: &'a Resolver<'a>,
    /// Whether a container is main content, by number.
    pub(crate) is_main: &'a [bool],
    pub(crate) rejected_max: usize,
    pub(crate) embedded_max: usize,
    /// Longest words of a link.
    pub(crate) text_bytes_max: usize,
}

/// The anchors and areas.
pub(crate) fn anchors(visit: &Visit<'_>, context: &LinkContext<'_>) -> Resolved {
    let mut resolved = Resolved { links: Vec::with_capacity(visit.links.len()), ..Resolved::default() };
    let words = visit.text.words();
    for found in &visit.links {
        let href = visit.tree.attribute(found.node, AttributeName::Href).unwrap_or_default();
        if context.resolver.is_same_page(href) {
            continue;
        }
        match context.resolver.resolve(href) {
            Ok(target) => {
                let rel_value = visit.tree.attribute(found.node, AttributeName::Rel);
                let distance = distance(context.resolver.page, &target);
                let text = resolved.words(anchor_text(visit, found), context.text_bytes_max);
                resolved.links.push(Link {
                    target,
                    text,
                    kind: found.kind,
                    rel: rel_value.map(rel).unwrap_or_default(),
                    visibility: visibility(found.bold, found.italic),
                    position: position(found.first_word, words),
                    distance,
                    in_navigation: !is_main(context, found.container),
                });
            }
            Err(reason) => resolved.reject(href, reason, context.rejected_max),
        }
    }
    resolved
}

/// Frames, images, `link` elements and refreshes, and how many were too many.
pub(crate) fn embedded(visit: &Visit<'_>, context: &LinkContext<'_>) -> (Vec<Link>, u32) {
    let mut links = Vec::new();
    let mut beyond = visit.embedded_cut;
    for &(node, kind, container) in &visit.embedded {
        let alt = visit.tree.attribute(node, AttributeName::Alt).unwrap_or_default();
        // Only the first of several candidates carries the words.
        let mut text = collapse(cut(alt, context.text_bytes_max));
        for reference in references(visit.tree, node, kind) {
            if context.resolver.is_same_page(reference) || reference.trim().is_empty() {
                continue;
            }
            let Ok(target) = context.resolver.resolve(reference) else { continue };
            if links.len() >= context.embedded_max {
                beyond = beyond.saturating_add(1);
                continue;
            }
            let distance = distance(context.resolver.page, &target);
            links.push(Link {
                target,
                text: std::mem::take(&mut text),
                kind,
                rel: LinkRel::default(),
                visibility: 1,
                position: 3,
                distance,
                in_navigation: !is_main(context, container),
            });
        }
    }
    (links, beyond)
}

impl Resolved {
    /// The words of a link, within bounds.
    fn words(&mut self, text: String, bytes_max: usize) -> String {
        if text.len() <= bytes_max {
            return text;
        }
        self.text_cut = self.text_cut.saturating_add(1);
        cut(&text, bytes_max).to_owned()
    }

    fn reject(&mut self, href: &str, reason: RejectReason, rejected_max: usize) {
        if self.rejected.len() < rejected_max {
            self.rejected.push((cut(href, REJECTED_BYTES_MAX).to_owned(), reason));
        } else {
            self.rejected_cut = self.rejected_cut.saturating_add(1);
        }
    }
}

fn is_main(context: &LinkContext<'_>, container: u32) -> bool {
    context.is_main.get(container as usize).copied().unwrap_or(false)
}

/// The references that an element holds. Styles, icons and the like are no pages.
fn references(tree: &DomTree, node: NodeId, kind: LinkKind) -> Vec<&str> {
    let attribute = |name| tree.attribute(node, name);
    match kind {
        LinkKind::Head => {
            let rel = attribute(AttributeName::Rel).unwrap_or_default();
            let leads_to_page = rel.split_ascii_whitespace().any(|word| {
                [
                    "next",
                    "prev",
                    "previous",
                    "alternate",
                    "first",
                    "last",
                    "up",
                    "start",
                    "contents",
                    "index",
                    "help",
                    "author",
                    "search",
                    "license",
                    "amphtml",
                    "shortlink",
                ]
                .iter()
                .any(|wanted| word.eq_ignore_ascii_case(wanted))
            });
            let is_style = rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("stylesheet"));
            attribute(AttributeName::Href).filter(|_| leads_to_page && !is_style).into_iter().collect()
        }
        LinkKind::Refresh => attribute(AttributeName::Content)
            .and_then(parse_refresh)
            .and_then(|refresh| refresh.url)
            .into_iter()
            .collect(),
        LinkKind::Image => {
            let set = attribute(AttributeName::Srcset).map(srcset::candidates).unwrap_or_default();
            let others = [AttributeName::Data, AttributeName::Poster].into_iter().filter_map(attribute);
            attribute(AttributeName::Src).into_iter().chain(others).chain(set).collect()
        }
        _ => attribute(AttributeName::Src).into_iter().collect(),
    }
}

/// The words of a link: its text with the `alt` of images where they stand.
fn anchor_text(visit: &Visit<'_>, found: &FoundLink) -> String {
    let buffer = if found.hidden { &visit.hidden_text } else { &visit.text };
    let whole = buffer.as_str();
    let end = found.text.end.min(whole.len());
    let mut start = found.text.start.min(end);
    let mut text = TextBuffer::with_capacity(end - start);
    for &(image, at) in &found.images {
        let at = at.clamp(start, end);
        text.push(whole.get(start..at).unwrap_or_default());
        text.space();
        text.push(visit.tree.attribute(image, AttributeName::Alt).unwrap_or_default());
        text.space();
        start = at;
    }
    text.push(whole.get(start..end).unwrap_or_default());
    text.into_string()
}

#[cfg(test)]
mod tests;
