//! All text of a page without any choice between content and navigation, for comparison with other parsers.

use crate::text_buffer::TextBuffer;
use crate::tree::{DomTree, NodeId, Tag};

/// Everything that is not in an element whose content is never text for a reader. Hidden elements are kept: what
/// a style hides is not decided here.
pub(crate) fn text_of(tree: &DomTree) -> String {
    let mut text = TextBuffer::with_capacity(tree.text.len());
    let mut skip_below = None;
    for (node, depth) in tree.descendants(NodeId::ROOT) {
        if skip_below.is_some_and(|limit| depth > limit) {
            continue;
        }
        skip_below = None;
        let tag = tree.tag(node);
        if is_never_text(tag) {
            skip_below = Some(depth);
        } else if tag == Tag::TEXT {
            text.push(tree.text(node));
        } else if tag.is_block() || matches!(tag, Tag::TD | Tag::TH | Tag::BR) {
            text.space();
        }
    }
    text.into_string()
}

fn is_never_text(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::SCRIPT
            | Tag::STYLE
            | Tag::TEMPLATE
            | Tag::TITLE
            | Tag::NOSCRIPT
            | Tag::IFRAME
            | Tag::NOFRAMES
            | Tag::NOEMBED
            | Tag::TEXTAREA
            | Tag::SELECT
    )
}
