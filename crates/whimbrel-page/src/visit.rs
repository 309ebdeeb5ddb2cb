//! The one walk over the tree. It writes the visible text, notes blocks and the elements around them, links, headings
//! and what the page says about itself; the passes behind it (`main_text`, `links`, `facts`) read only these notes.
//! Iterative, so depth costs no stack. Never decides what is main content.
//!
//! Invariants: containers are in document order, a parent before its children; blocks are in order and do not
//! overlap; block `b` is in container `blocks[b].container` directly.

mod element;

use crate::facts::RawFacts;
use crate::hints::Hints;
use crate::limits::ParseLimits;
use crate::text_buffer::TextBuffer;
use crate::tree::{DomTree, NodeId, Tag};
use std::ops::Range;
use whimbrel_types::LinkKind;

/// One paragraph, list item, cell or line of text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The innermost block-level element it is in.
    pub(crate) container: u32,
    /// Bytes of it that are link text.
    pub(crate) link_bytes: u32,
    /// Marks of running text: commas, full stops and their like in other scripts.
    pub(crate) punctuation: u32,
    /// A further cell of the row that the previous block is in.
    pub(crate) same_row: bool,
    /// Begins as copyright notices do.
    pub(crate) copyright: bool,
}

impl Block {
    pub(crate) fn len(&self) -> u32 {
        self.end - self.start
    }

    /// Whether it reads like a sentence rather than a label.
    pub(crate) fn is_prose(&self) -> bool {
        self.len() >= 60 && self.punctuation > 0 && self.link_bytes * 3 < self.len() && !self.copyright
    }

    /// Whether it is a link, give or take a bullet.
    pub(crate) fn is_pure_link(&self) -> bool {
        self.link_bytes * 5 > self.len() * 4
    }
}

/// A block-level element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Container {
    pub(crate) tag: Tag,
    pub(crate) hints: Hints,
    /// Number of the container around it; its own for the outermost.
    pub(crate) parent: u32,
    /// First container that is not inside it.
    pub(crate) end_container: u32,
}

/// A link as found, not yet resolved.
#[derive(Clone, Debug)]
pub(crate) struct FoundLink {
    pub(crate) node: NodeId,
    pub(crate) kind: LinkKind,
    pub(crate) container: u32,
    /// Range of its text, in the hidden buffer when `hidden`.
    pub(crate) text: Range<usize>,
    pub(crate) hidden: bool,
    pub(crate) first_word: u32,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    /// `alt` texts inside: the image, and where in its text it stands.
    pub(crate) images: Vec<(NodeId, usize)>,
}

/// Everything one walk notes.
pub(crate) struct Visit<'t> {
    pub(crate) tree: &'t DomTree,
    pub(crate) text: TextBuffer,
    /// Text of hidden elements, kept only as anchor text.
    pub(crate) hidden_text: TextBuffer,
    pub(crate) blocks: Vec<Block>,
    pub(crate) containers: Vec<Container>,
    pub(crate) links: Vec<FoundLink>,
    /// Frames, images, `link` elements: elements that lead elsewhere without being anchors.
    pub(crate) embedded: Vec<(NodeId, LinkKind, u32)>,
    pub(crate) headings: Vec<(u8, Range<usize>)>,
    /// Headings left out because there were too many.
    pub(crate) headings_cut: u32,
    pub(crate) facts: RawFacts,
    pub(crate) structure_hash: u64,
    /// Links left out because there were too many.
    pub(crate) links_cut: u32,
    /// Embedded references left out because there were too many.
    pub(crate) embedded_cut: u32,
    /// Text was left out because there was too much.
    pub(crate) text_cut: bool,
    links_max: usize,
    headings_max: usize,
    text_bytes_max: usize,
    container: u32,
    suppressed: u32,
    preformatted: u32,
    bold: u32,
    italic: u32,
    anchor: Option<usize>,
    anchor_counts: bool,
    heading: Option<(u8, usize)>,
    block_start: Option<usize>,
    link_bytes: u32,
    row_has_text: bool,
    new_cell: bool,
    /// Elements whose attributes hide them, innermost last.
    hiding: Vec<NodeId>,
    /// Captions in `span` elements, which styles set apart from the line around them.
    captions: Vec<NodeId>,
}

impl<'t> Visit<'t> {
    /// Walks the whole tree.
    pub(crate) fn walk(tree: &'t DomTree, limits: &ParseLimits) -> Visit<'t> {
        let mut visit = Visit::new(tree, limits);
        let mut node = NodeId::ROOT;
        'walk: loop {
            if visit.enter(node)
                && let Some(child) = tree.first_child(node)
            {
                node = child;
                continue;
            }
            loop {
                visit.leave(node);
                if let Some(next) = tree.next_sibling(node) {
                    node = next;
                    break;
                }
                match tree.parent(node) {
                    Some(parent) => node = parent,
                    None => break 'walk,
                }
            }
        }
        visit
    }

    fn new(tree: &'t DomTree, limits: &ParseLimits) -> Visit<'t> {
        let ParseLimits { links_max, headings_max, text_bytes_max, .. } = *limits;
        Visit {
            tree,
            text: TextBuffer::with_capacity(tree.text.len().min(text_bytes_max)),
            hidden_text: TextBuffer::with_capacity(0),
            blocks: Vec::with_capacity(tree.node_count() / 8),
            containers: Vec::with_capacity(tree.node_count() / 8),
            links: Vec::new(),
            embedded: Vec::new(),
            headings: Vec::new(),
            headings_cut: 0,
            facts: RawFacts::new(limits),
            structure_hash: 0,
            links_cut: 0,
            embedded_cut: 0,
            text_cut: false,
            links_max,
            headings_max,
            text_bytes_max,
            container: 0,
            suppressed: 0,
            preformatted: 0,
            bold: 0,
            italic: 0,
            anchor: None,
            anchor_counts: false,
            heading: None,
            block_start: None,
            link_bytes: 0,
            row_has_text: false,
            new_cell: false,
            hiding: Vec::new(),
            captions: Vec::new(),
        }
    }

    /// Writes a text node.
    fn write(&mut self, text: &str) {
        if self.suppressed > 0 {
            if self.anchor.is_some() && self.hidden_text.len() < self.text_bytes_max {
                self.hidden_text.push(text);
            }
            return;
        }
        // A line end or a space may come before it.
        if self.text.len() + 1 + text.len() > self.text_bytes_max {
            self.text_cut = true;
            return;
        }
        let start = self.text.next_start();
        let fresh = self.text.is_fresh();
        let before = self.text.len();
        if self.preformatted > 0 {
            self.text.push_preformatted(text);
        } else {
            self.text.push(text);
        }
        let written = self.text.len() - before;
        if written == 0 {
            return;
        }
        if fresh {
            self.block_start = Some(start);
        }
        if self.anchor.is_some() && self.anchor_counts {
            self.link_bytes += written as u32;
        }
    }

    /// Ends the block being written, if any.
    fn end_block(&mut self) {
        self.text.end_block();
        let Some(start) = self.block_start.take() else { return };
        let (start, end) = (start as u32, self.text.len() as u32);
        let link_bytes = std::mem::take(&mut self.link_bytes).min(end - start);
        let text = &self.text.as_str().as_bytes()[start as usize..end as usize];
        let punctuation = count_punctuation(text);
        let copyright = is_copyright(text);
        let same_row = self.row_has_text && self.new_cell;
        self.new_cell = false;
        self.row_has_text = true;
        self.blocks.push(Block {
            start,
            end,
            container: self.container,
            link_bytes,
            punctuation,
            same_row,
            copyright,
        });
    }

    fn open_container(&mut self, tag: Tag, hints: Hints) {
        let number = self.containers.len() as u32;
        let parent = if number == 0 { 0 } else { self.container };
        self.containers.push(Container { tag, hints, parent, end_container: number + 1 });
        self.container = number;
    }

    fn close_container(&mut self) {
        let containers = self.containers.len() as u32;
        let container = &mut self.containers[self.container as usize];
        container.end_container = containers;
        self.container = container.parent;
    }
}

fn is_copyright(text: &[u8]) -> bool {
    text.starts_with("©".as_bytes())
        || text.get(..9).is_some_and(|start| start.eq_ignore_ascii_case(b"copyright"))
}

/// Commas and ends of sentences, also of CJK text.
fn count_punctuation(text: &[u8]) -> u32 {
    let mut count = 0;
    for (at, byte) in text.iter().enumerate() {
        count += match byte {
            b',' | b';' => 1,
            b'.' | b'!' | b'?'
                if text.get(at + 1).is_none_or(|next| matches!(next, b' ' | b'\n' | b'"' | b')')) =>
            {
                1
            }
            0xE3 if matches!(text.get(at + 1..at + 3), Some([0x80, 0x81 | 0x82])) => 1,
            0xEF if matches!(text.get(at + 1..at + 3), Some([0xBC, 0x8C])) => 1,
            0xD8 if text.get(at + 1) == Some(&0x8C) => 1,
            _ => 0,
        };
    }
    count
}
