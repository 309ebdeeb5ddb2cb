//! Takes the headline and the lines around it (date, byline, section) off the beginning of an article: the title
//! has a field of its own, and so have author and date. Stops at the first sentence. Never touches a page whose
//! first heading says something else than its title.

use super::phrases;
use super::sections::direct_blocks;
use crate::tree::Tag;
use crate::visit::{Block, Visit};

/// Longer lines are no bylines.
const LINE_BYTES_MAX: u32 = 100;
/// Longer headings are no headlines.
const HEADLINE_BYTES_MAX: u32 = 500;
/// A headline has at least this share of its words in the title.
const TITLE_SHARE_MIN: f32 = 0.7;
/// More blocks than these before the first sentence are no preamble.
const BLOCKS_MAX: usize = 20;

/// Unmarks the preamble of the article in `root`.
pub(super) fn remove(visit: &Visit<'_>, title: &str, root: usize, is_main: &mut [bool]) {
    let end = visit.containers[root].end_container as usize;
    let inside = |block: &&Block| (root..end).contains(&(block.container as usize));
    let main: Vec<&Block> = visit
        .blocks
        .iter()
        .filter(inside)
        .filter(|block| is_main[block.container as usize])
        .take(BLOCKS_MAX + 1)
        .collect();
    let Some(first_sentence) =
        main.iter().position(|block| block.is_prose() && !is_headline(visit, title, block))
    else {
        return;
    };
    let direct = direct_blocks(visit);
    let before = &main[..first_sentence];
    let headline = before.iter().position(|block| is_headline(visit, title, block));
    for (place, block) in before.iter().enumerate() {
        let number = block.container as usize;
        let tag = visit.containers[number].tag;
        let text = &visit.text.as_str()[block.start as usize..block.end as usize];
        let part = match headline {
            Some(headline) if place <= headline => true,
            _ => is_date_or_byline(text),
        };
        let short = Some(place) == headline || (block.len() <= LINE_BYTES_MAX && is_line(tag));
        if part && short && direct[number] == 1 {
            is_main[number] = false;
        }
    }
}

fn is_line(tag: Tag) -> bool {
    !matches!(tag, Tag::PRE | Tag::TD | Tag::TH | Tag::DT | Tag::DD | Tag::BLOCKQUOTE)
}

/// A main heading whose words are those of the title.
fn is_headline(visit: &Visit<'_>, title: &str, block: &Block) -> bool {
    let level = visit.containers[block.container as usize].tag.heading_level();
    if level.is_none_or(|level| level > 2) || block.len() > HEADLINE_BYTES_MAX {
        return false;
    }
    let title = title.to_lowercase();
    let text = &visit.text.as_str()[block.start as usize..block.end as usize];
    let (mut words, mut known) = (0, 0);
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        words += 1;
        known += u32::from(title.contains(&word.to_lowercase()));
    }
    words > 0 && known as f32 >= TITLE_SHARE_MIN * words as f32
}

/// A line with a year, another number and little else, or one that begins as bylines do.
fn is_date_or_byline(text: &str) -> bool {
    let numbers = || text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let is_year = |digits: &str| digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
    let has_date = numbers().any(is_year) && numbers().count() > 1;
    let words = text.split_whitespace().count();
    (has_date && words <= 12) || (words <= 10 && phrases::begins_byline(text))
}
