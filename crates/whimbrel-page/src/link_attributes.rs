//! The three attributes of a link by which it is weighed ("Effective Web Page Crawler", §5.3): how it is set, where
//! on the page it stands, how far it leads. Pure functions of what the parser saw.

use whimbrel_types::{CanonicalUrl, LinkRel};

/// 1 plain, 2 bold or italic, 3 both. Headings do not count: their weight is the font's, not the author's hand.
#[must_use]
pub fn visibility(bold: bool, italic: bool) -> u8 {
    1 + u8::from(bold) + u8::from(italic)
}

/// 3 when the link's first word is in the first third of the page's words, 2 in the middle, 1 in the last.
#[must_use]
pub fn position(first_word_offset: u32, page_words: u32) -> u8 {
    let (offset, words) = (u64::from(first_word_offset), u64::from(page_words));
    if offset * 3 < words || words == 0 {
        3
    } else if offset * 3 < words * 2 {
        2
    } else {
        1
    }
}

/// 1 within a host name, 5 to another. Ports and schemes do not matter.
#[must_use]
pub fn distance(source: &CanonicalUrl, target: &CanonicalUrl) -> u8 {
    if source.host().eq_ignore_ascii_case(target.host()) { 1 } else { 5 }
}

/// What the words of a `rel` attribute say about following.
#[must_use]
pub fn rel(value: &str) -> LinkRel {
    let mut rel = LinkRel::default();
    for word in value.split_ascii_whitespace() {
        rel.nofollow |= word.eq_ignore_ascii_case("nofollow");
        rel.ugc |= word.eq_ignore_ascii_case("ugc");
        rel.sponsored |= word.eq_ignore_ascii_case("sponsored");
    }
    rel
}
