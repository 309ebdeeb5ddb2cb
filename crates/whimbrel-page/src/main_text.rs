//! Says which block-level elements are main content and which are navigation. Works on the walk's notes only, in
//! three steps: drop what the page itself marks as navigation; find the element whose paragraphs carry the text
//! (each paragraph votes for the elements around it, by length and punctuation); clean link lists and boxes out of
//! it. Pages that are lists or reference tables rather than articles keep everything that is not marked.
//!
//! Invariant: when the page has visible text, something is selected.

mod phrases;
mod preamble;
mod score;
mod sections;
mod stats;

use crate::hints::Hints;
use crate::tree::Tag;
use crate::visit::{Block, Visit};
use stats::Stats;

/// A marked element with more than this share of the page's text is not dropped: the mark must be wrong.
const MARKED_SHARE_MAX: f32 = 0.5;
/// With most of the page's sentences it may be smaller, but not a mere footer on a page of links.
const MARKED_PROSE_SHARE_MIN: f32 = 0.2;
/// An element that is named as main content counts as such with at least this share of the page's sentences.
const MAIN_SHARE_MIN: f32 = 0.1;

/// An article with more than this share of its text in lone links is a list; its lists stay.
const LIST_SHARE_MIN: f32 = 0.4;
/// A box with more than this share of its text in lone links is no part of an article.
const BOX_LINK_SHARE_MAX: f32 = 0.5;
/// Unless it is more than one part in so many of it.
const BOX_PARTS_MIN: u32 = 4;

/// For each container, whether it is main content. `title` is the page's own.
pub(crate) fn select(visit: &Visit<'_>, title: &str) -> Vec<bool> {
    let count = visit.containers.len();
    let everything = Stats::of(visit, &vec![false; count]);
    if count == 0 || everything.bytes(0) == 0 {
        return vec![true; count];
    }
    let dropped = drop_marked(visit, &everything);
    let live = Stats::of(visit, &dropped);
    if live.bytes(0) == 0 {
        return vec![true; count];
    }
    let choice = score::choose(visit, &live);
    let mut is_main = vec![false; count];
    let roots = std::iter::once(choice.root).chain(choice.parts);
    for root in roots {
        for number in root..visit.containers[root].end_container as usize {
            is_main[number] = !dropped[number];
        }
        if choice.is_article {
            clean(visit, &live, root, &mut is_main);
            sections::remove(visit, &live, root, &mut is_main);
        }
    }
    if choice.is_article {
        preamble::remove(visit, title, choice.root, &mut is_main);
    }
    if selected_bytes(visit, &is_main) == 0 {
        return dropped.iter().map(|dropped| !dropped).collect();
    }
    is_main
}

fn selected_bytes(visit: &Visit<'_>, is_main: &[bool]) -> u32 {
    visit.blocks.iter().filter(|block| is_main[block.container as usize]).map(Block::len).sum()
}

/// What the page marks as navigation, comments or hidden by element, role, class or id.
fn drop_marked(visit: &Visit<'_>, stats: &Stats) -> Vec<bool> {
    let holds_main = holders_of_main(visit, stats);
    let mut dropped = vec![false; visit.containers.len()];
    for (number, container) in visit.containers.iter().enumerate() {
        if dropped[container.parent as usize] {
            dropped[number] = true;
            continue;
        }
        if matches!(container.tag, Tag::BODY | Tag::HTML | Tag::DOCUMENT | Tag::MAIN) {
            continue;
        }
        let hints = container.hints;
        let marked = hints.has(Hints::CHROME) || hints.has(Hints::UNLIKELY) || hints.has(Hints::COMMENTS);
        let contradicted = holds_main[number]
            || stats.share(number) > MARKED_SHARE_MAX
            || (stats.prose_share(number) > MARKED_SHARE_MAX
                && stats.share(number) > MARKED_PROSE_SHARE_MIN
                && !hints.has(Hints::COMMENTS)
                && !hints.has(Hints::CHROME));
        dropped[number] = marked && !contradicted && !is_paragraph(container.tag);
    }
    dropped
}

/// Containers around (or marked as) what the author calls the main content, where that has sentences in it.
fn holders_of_main(visit: &Visit<'_>, stats: &Stats) -> Vec<bool> {
    let mut holds = vec![false; visit.containers.len()];
    for (number, container) in visit.containers.iter().enumerate().rev() {
        let named = container.hints.has(Hints::BODY) || container.hints.has(Hints::MAIN);
        if named && stats.prose_share(number) > MAIN_SHARE_MIN {
            holds[number] = true;
        }
        if holds[number] {
            holds[container.parent as usize] = true;
        }
    }
    holds
}

/// Elements that hold running text themselves; a class on them is about looks.
fn is_paragraph(tag: Tag) -> bool {
    matches!(tag, Tag::PRE | Tag::TD | Tag::TH | Tag::TR | Tag::TBODY | Tag::DD | Tag::DT | Tag::BLOCKQUOTE)
}

/// Takes link lists and boxes of short links out of the chosen element.
fn clean(visit: &Visit<'_>, live: &Stats, root: usize, is_main: &mut [bool]) {
    if live.pure_link_share(root) > LIST_SHARE_MIN {
        return;
    }
    let end = visit.containers[root].end_container as usize;
    let mut number = root + 1;
    while number < end {
        let container = &visit.containers[number];
        let boxlike = matches!(
            container.tag,
            Tag::DIV | Tag::UL | Tag::OL | Tag::SECTION | Tag::TABLE | Tag::FORM | Tag::DL | Tag::FIELDSET
        );
        if boxlike
            && live.pure_link_share(number) > BOX_LINK_SHARE_MAX
            && live.bytes(number) * BOX_PARTS_MIN < live.bytes(root)
        {
            let inner_end = container.end_container as usize;
            is_main[number..inner_end].fill(false);
            number = inner_end;
        } else {
            number += 1;
        }
    }
}

#[cfg(test)]
mod tests;
