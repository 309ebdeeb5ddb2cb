//! Finds the elements that hold the page's running text.

use super::stats::Stats;
use crate::hints::Hints;
use crate::tree::Tag;
use crate::visit::Visit;

/// Fewer bytes of sentences are no article.
const ARTICLE_PROSE_BYTES_MIN: u32 = 250;
/// An article holds at least one part in so many of the plain text around it.
const ARTICLE_PLAIN_PARTS_MAX: u32 = 3;

/// An element named as the article's body is believed with this share of the page's sentences.
const NAMED_SHARE_MIN: f32 = 0.4;
/// Going up a level must add at least this share of sentences, and at most this share of link text.
const ADDED_PROSE_SHARE_MIN: f32 = 0.6;
const ADDED_LINK_SHARE_MAX: f32 = 0.25;

/// Sections with less link text than this are text.
const SECTION_LINK_SHARE_MAX: f32 = 0.3;
/// Sections beside the chosen one count when they hold at least one part in so many of its text.
const SECTION_PARTS_MAX: u32 = 10;

/// Headings of a table are looked for so far into it.
const HEADING_CONTAINERS_MAX: usize = 16;

/// What was found.
pub(super) struct Choice {
    /// The container that holds the main text.
    pub(super) root: usize,
    /// Further parts of it, in order: some sites cut the body in two around an advertisement.
    pub(super) parts: Vec<usize>,
    /// One running text, rather than a list or reference page.
    pub(super) is_article: bool,
}

/// The element with the running text; on pages without one the main part, or everything.
pub(super) fn choose(visit: &Visit<'_>, live: &Stats) -> Choice {
    let body = visit.containers.iter().enumerate().filter(|(_, container)| container.hints.has(Hints::BODY));
    let body = body.map(|(number, _)| number).max_by_key(|number| live.prose_bytes(*number));
    // The author's own word, when it covers a fair part of the sentences.
    let named = body.filter(|body| live.prose_share(*body) > NAMED_SHARE_MIN);
    let root =
        named.unwrap_or_else(|| climb(visit, live, whole_table(visit, live, best_by_votes(visit, live))));
    let root = whole_document(visit, live, root);
    let scope = scope(visit, live, root);
    let too_little = live.prose_bytes(root) < ARTICLE_PROSE_BYTES_MIN
        || live.plain_bytes(root) * ARTICLE_PLAIN_PARTS_MAX < live.plain_bytes(scope);
    if too_little && scope != root {
        return Choice { root: scope, parts: Vec::new(), is_article: false };
    }
    let parts = named.map(|body| other_parts(visit, live, body)).unwrap_or_default();
    Choice { root, parts, is_article: true }
}

/// Elements named as the article's body beside `body`, no further away than their parents' parent.
fn other_parts(visit: &Visit<'_>, live: &Stats, body: usize) -> Vec<usize> {
    let above = |number: usize| {
        let parent = visit.containers[number].parent as usize;
        // Beside an article stands another article.
        let inside_one = visit.containers[parent].tag == Tag::ARTICLE;
        [parent, if inside_one { parent } else { visit.containers[parent].parent as usize }]
    };
    let range = body..visit.containers[body].end_container as usize;
    let mut parts: Vec<usize> = Vec::new();
    for (number, container) in visit.containers.iter().enumerate() {
        let outside = !range.contains(&number) && container.end_container as usize <= range.start
            || number >= range.end;
        let nested = parts.last().is_some_and(|last| number < visit.containers[*last].end_container as usize);
        if container.hints.has(Hints::BODY)
            && container.tag == visit.containers[body].tag
            && container.tag != Tag::ARTICLE
            && outside
            && !nested
            && live.prose_bytes(number) > 0
            && above(number).iter().any(|up| *up != 0 && above(body).contains(up))
        {
            parts.push(number);
        }
    }
    parts
}

fn best_by_votes(visit: &Visit<'_>, live: &Stats) -> usize {
    let scores = scores(visit, live);
    let mut best = 0;
    for (number, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = number;
        }
    }
    best
}

/// A column of a table of text stands for the table: only in a table that serves as layout is it alone the text.
fn whole_table(visit: &Visit<'_>, live: &Stats, best: usize) -> usize {
    if !matches!(visit.containers[best].tag, Tag::TD | Tag::TH | Tag::TABLE) {
        return best;
    }
    let mut at = best;
    while at != 0 && visit.containers[at].tag != Tag::TABLE {
        at = visit.containers[at].parent as usize;
    }
    if at == 0 {
        return best;
    }
    if has_headings(visit, at) {
        // A table of data is part of the text around it.
        let table = at;
        while at != 0 && live.plain_bytes(at) * 20 < live.plain_bytes(table) * 21 {
            at = visit.containers[at].parent as usize;
        }
        return at;
    }
    let others = live.plain_bytes(at) - live.plain_bytes(best);
    if others * 3 > live.plain_bytes(best) { at } else { best }
}

/// Whether a table names its columns or rows, as tables of data do and tables for layout do not.
fn has_headings(visit: &Visit<'_>, table: usize) -> bool {
    let inside = &visit.containers[table + 1..visit.containers[table].end_container as usize];
    inside
        .iter()
        .take(HEADING_CONTAINERS_MAX)
        .any(|inner| matches!(inner.tag, Tag::THEAD | Tag::TH | Tag::CAPTION))
}

/// A section stands for the document it is a section of: goes up while there are sections of the same kind beside
/// it that hold text rather than links.
fn whole_document(visit: &Visit<'_>, live: &Stats, mut root: usize) -> usize {
    let mut at = root;
    while at != 0 {
        let parent = visit.containers[at].parent as usize;
        let mut sibling = parent + 1;
        let mut plain = 0;
        while sibling < visit.containers[parent].end_container as usize {
            if sibling != at && is_section_like(visit, live, at, sibling) {
                plain += live.plain_bytes(sibling);
            }
            sibling = visit.containers[sibling].end_container as usize;
        }
        if plain * SECTION_PARTS_MAX > live.plain_bytes(at) || is_subsection(visit, live, at, parent) {
            root = parent;
        }
        at = parent;
    }
    root
}

/// Whether two neighbours are sections of one document.
fn is_section_like(visit: &Visit<'_>, live: &Stats, section: usize, other: usize) -> bool {
    let (a, b) = (&visit.containers[section], &visit.containers[other]);
    let rank = first_heading(visit, section);
    a.tag == b.tag
        && a.tag != Tag::ARTICLE
        && rank.is_some()
        && rank == first_heading(visit, other)
        && live.link_share(other) < SECTION_LINK_SHARE_MAX
}

/// Whether `section` is a part of the section `parent`, by the ranks of their headings.
fn is_subsection(visit: &Visit<'_>, live: &Stats, section: usize, parent: usize) -> bool {
    let (Some(inner), Some(outer)) = (first_heading(visit, section), first_heading(visit, parent)) else {
        return false;
    };
    let added = live.bytes(parent) - live.bytes(section);
    let added_links = live.link_bytes(parent) - live.link_bytes(section);
    outer < inner
        && visit.containers[section].tag == visit.containers[parent].tag
        && (added_links as f32) < SECTION_LINK_SHARE_MAX * added as f32
}

/// Rank of the heading that a container begins with.
fn first_heading(visit: &Visit<'_>, number: usize) -> Option<u8> {
    let first = visit.containers.get(number + 1).filter(|inner| inner.parent as usize == number)?;
    first.tag.heading_level()
}

/// The main part of the page as marked: the one around `root`, else the largest, else the whole page.
fn scope(visit: &Visit<'_>, live: &Stats, root: usize) -> usize {
    let marked = |number: &usize| visit.containers[*number].hints.has(Hints::MAIN) && live.bytes(*number) > 0;
    let mut at = root;
    while at != 0 {
        if marked(&at) {
            return at;
        }
        at = visit.containers[at].parent as usize;
    }
    (0..visit.containers.len()).filter(marked).max_by_key(|number| live.bytes(*number)).unwrap_or(0)
}

/// Goes up while what is added reads like the text itself.
fn climb(visit: &Visit<'_>, live: &Stats, mut best: usize) -> usize {
    let mut at = best;
    while at != 0 {
        let parent = visit.containers[at].parent as usize;
        let added = live.bytes(parent) - live.bytes(best);
        let added_prose = live.prose_bytes(parent) - live.prose_bytes(best);
        if matches!(visit.containers[parent].tag, Tag::HTML | Tag::DOCUMENT) {
            break;
        }
        let added_links = live.link_bytes(parent) - live.link_bytes(best);
        let like = added == 0
            || (added_prose as f32 > ADDED_PROSE_SHARE_MIN * added as f32
                && (added_links as f32) < ADDED_LINK_SHARE_MAX * added as f32);
        if like {
            best = parent;
        }
        at = parent;
    }
    best
}

/// Each paragraph votes for the elements around it.
fn scores(visit: &Visit<'_>, live: &Stats) -> Vec<f32> {
    let mut scores = vec![0.0_f32; visit.containers.len()];
    for block in &visit.blocks {
        if block.len() < 25 || block.link_bytes * 2 > block.len() || live.bytes(block.container as usize) == 0
        {
            continue;
        }
        let vote = 1.0 + block.punctuation as f32 + (block.len() as f32 / 100.0).min(3.0);
        let mut share = 1.0;
        let mut at = block.container as usize;
        for level in 0..5 {
            while at != 0 && is_inner(visit.containers[at].tag) {
                at = visit.containers[at].parent as usize;
            }
            scores[at] += vote * share;
            if at == 0 {
                break;
            }
            at = visit.containers[at].parent as usize;
            share = match level {
                0 => 0.5,
                1 => 0.25,
                _ => share * 0.5,
            };
        }
    }
    for (number, score) in scores.iter_mut().enumerate() {
        let hints = visit.containers[number].hints;
        *score *= 1.0 - live.link_share(number);
        if hints.has(Hints::LIKELY) || hints.has(Hints::MAIN) || hints.has(Hints::BODY) {
            *score *= 1.2;
        }
        if live.bytes(number) == 0 || matches!(visit.containers[number].tag, Tag::HTML | Tag::DOCUMENT) {
            *score = 0.0;
        }
    }
    scores
}

/// Elements that are part of a text rather than a place for one.
fn is_inner(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::P
            | Tag::LI
            | Tag::UL
            | Tag::OL
            | Tag::DL
            | Tag::DT
            | Tag::DD
            | Tag::TR
            | Tag::TBODY
            | Tag::THEAD
            | Tag::TFOOT
            | Tag::BLOCKQUOTE
            | Tag::PRE
            | Tag::H1
            | Tag::H2
            | Tag::H3
            | Tag::H4
            | Tag::H5
            | Tag::H6
            | Tag::FIGURE
            | Tag::FIGCAPTION
            | Tag::CAPTION
    )
}
