//! Takes out of a chosen article what announces itself as something else: sections under "You may also like",
//! lines such as "Read more: …" that are mostly a link, requests to subscribe. What is under a heading is judged
//! together with the heading, so a chapter called "Comments" in a manual stays.
//! Works on whole containers; never touches tables, preformatted text or definition lists.

use super::phrases;
use super::stats::Stats;
use crate::tree::Tag;
use crate::visit::{Block, Visit};

/// So much running text must stand before a section of other pages.
const PROSE_BEFORE_BYTES_MIN: u32 = 250;
/// Longer headings open nothing.
const OPENER_BYTES_MAX: u32 = 100;
/// Longer lines are text, whatever they begin with.
const LINE_BYTES_MAX: u32 = 250;
/// A section or line with more than this share of link text leads elsewhere.
const LINK_SHARE_MIN: f32 = 0.3;
/// A section without links that is shorter holds nothing.
const EMPTY_SECTION_BYTES_MAX: u32 = 200;

/// A section is followed over so many neighbors, so that a page of nothing but openers costs no more than its length.
const NEIGHBORS_MAX: usize = 200;

/// Unmarks sections and lines inside `root` that are no part of its text.
pub(super) fn remove(visit: &Visit<'_>, live: &Stats, root: usize, is_main: &mut [bool]) {
    let end = visit.containers[root].end_container as usize;
    let direct = direct_blocks(visit);
    let mut prose_before = 0;
    for block in &visit.blocks {
        let number = block.container as usize;
        if number <= root || number >= end || !is_main[number] {
            continue;
        }
        if block.is_prose() {
            prose_before += block.len();
        }
        if direct[number] != 1 || !may_stand_alone(visit.containers[number].tag) {
            continue;
        }
        let text = &visit.text.as_str()[block.start as usize..block.end as usize];
        if block.len() <= OPENER_BYTES_MAX
            && prose_before >= PROSE_BEFORE_BYTES_MIN
            && let Some(section) = extra_section(visit, live, root, block, text)
        {
            is_main[section].fill(false);
        } else if is_extra_line(block, text) {
            is_main[number] = false;
        }
    }
}

/// How many blocks each container holds directly.
pub(super) fn direct_blocks(visit: &Visit<'_>) -> Vec<u32> {
    let mut direct = vec![0; visit.containers.len()];
    for block in &visit.blocks {
        direct[block.container as usize] += 1;
    }
    direct
}

/// Parts of lists, tables and code are judged with what they are in.
fn may_stand_alone(tag: Tag) -> bool {
    tag.heading_level().is_some()
        || matches!(tag, Tag::P | Tag::DIV | Tag::SECTION | Tag::CENTER | Tag::SUMMARY)
}

fn is_extra_line(block: &Block, text: &str) -> bool {
    if block.len() > LINE_BYTES_MAX || block.link_bytes == 0 {
        return false;
    }
    let link_share = block.link_bytes as f32 / block.len() as f32;
    let announced = phrases::opens_other_pages(text) || phrases::may_open_extras(text);
    (announced && link_share > LINK_SHARE_MIN) || phrases::asks_reader(text)
}

/// The containers of the section that `opener` opens, if it opens one that is no part of the text.
fn extra_section(
    visit: &Visit<'_>,
    live: &Stats,
    root: usize,
    opener: &Block,
    text: &str,
) -> Option<std::ops::Range<usize>> {
    let certain = phrases::opens_other_pages(text);
    if !certain && !phrases::may_open_extras(text) {
        return None;
    }
    let number = opener.container as usize;
    let level = visit.containers[number].tag.heading_level();
    let section = section(visit, live, root, number, level);
    let parent = visit.containers[visit.containers[section.start].parent as usize];
    let nothing_below = section.end == visit.containers[section.start].end_container as usize;
    if level.is_some() && nothing_below && section.end < parent.end_container as usize {
        // Running text follows at once: the heading of a chapter.
        return None;
    }
    let sums = live.range(visit, section.clone());
    let leads_elsewhere = sums.link_bytes as f32 > LINK_SHARE_MIN * sums.bytes as f32;
    let has_form = visit.containers[section.clone()].iter().any(|inner| inner.tag == Tag::FORM);
    let is_empty = sums.prose_bytes == 0 && sums.bytes < EMPTY_SECTION_BYTES_MAX;
    let extra = match level {
        Some(_) => certain || leads_elsewhere || has_form || is_empty,
        None => leads_elsewhere || (certain && is_empty),
    };
    extra.then_some(section)
}

/// From the element around a heading up to the next heading of its rank, or to where running text goes on.
fn section(
    visit: &Visit<'_>,
    live: &Stats,
    root: usize,
    heading: usize,
    level: Option<u8>,
) -> std::ops::Range<usize> {
    let mut first = heading;
    loop {
        let parent = visit.containers[first].parent as usize;
        if parent <= root || live.bytes(parent) != live.bytes(first) {
            break;
        }
        first = parent;
    }
    let parent_end = visit.containers[visit.containers[first].parent as usize].end_container as usize;
    let mut at = visit.containers[first].end_container as usize;
    for _ in 0..NEIGHBORS_MAX {
        if at >= parent_end {
            break;
        }
        let container = &visit.containers[at];
        let plain_text = live.prose_bytes(at) * 2 > live.bytes(at) && live.link_share(at) < LINK_SHARE_MIN;
        let ends = match level {
            Some(level) => {
                container.tag.heading_level().is_some_and(|next| next <= level)
                    || (container.tag == Tag::P && plain_text)
            }
            None => plain_text || container.tag.heading_level().is_some(),
        };
        if ends {
            break;
        }
        at = container.end_container as usize;
    }
    first..at
}
