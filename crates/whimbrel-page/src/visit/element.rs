//! What the walk does at the beginning and the end of each element.

use super::{FoundLink, Visit};
use crate::hints::{self, Hints};
use crate::tree::{AttributeName, NodeId, Tag};
use whimbrel_types::LinkKind;

impl Visit<'_> {
    /// At a node; says whether to look inside.
    pub(super) fn enter(&mut self, node: NodeId) -> bool {
        let tag = self.tree.tag(node);
        if tag == Tag::TEXT {
            let tree = self.tree;
            self.write(tree.text(node));
            return false;
        }
        self.hash(self.tree.name_hash(tag));
        if tag.is_block() || matches!(tag, Tag::TD | Tag::TH) {
            self.enter_block(node, tag);
        } else if tag == Tag::SPAN && hints::is_caption(self.tree, node) {
            self.captions.push(node);
            self.enter_block(node, tag);
        } else if !self.tree.stored_attributes(node).is_empty() && hints::is_hidden(self.tree, node) {
            self.hiding.push(node);
            self.suppressed += 1;
        }
        if tag.is_invisible() || self.tree.is_svg(tag) {
            self.suppressed += 1;
        }
        match tag {
            Tag::B | Tag::STRONG => {
                self.bold += 1;
                self.mark_anchor();
            }
            Tag::I | Tag::EM => {
                self.italic += 1;
                self.mark_anchor();
            }
            Tag::A => self.enter_anchor(node),
            Tag::AREA => self.enter_area(node),
            Tag::PRE | Tag::LISTING | Tag::XMP | Tag::PLAINTEXT => self.preformatted += 1,
            Tag::BR => self.buffer_line_end(),
            Tag::IMG => self.enter_image(node),
            Tag::SOURCE | Tag::VIDEO | Tag::AUDIO | Tag::TRACK | Tag::INPUT | Tag::EMBED | Tag::OBJECT => {
                self.embed(node, LinkKind::Image);
            }
            Tag::FRAME | Tag::IFRAME => self.embed(node, LinkKind::Frame),
            Tag::LINK | Tag::META | Tag::BASE | Tag::TITLE | Tag::HTML | Tag::TIME | Tag::SCRIPT => {
                return self.head_fact(node, tag);
            }
            Tag::TEMPLATE | Tag::STYLE | Tag::SELECT | Tag::DATALIST | Tag::TEXTAREA => return false,
            _ => {}
        }
        let tree = self.tree;
        if !tree.stored_attributes(node).is_empty() {
            self.facts.see_element(tree, node, tag);
        }
        true
    }

    /// Behind a node and all that is in it.
    pub(super) fn leave(&mut self, node: NodeId) {
        let tag = self.tree.tag(node);
        if tag == Tag::TEXT {
            return;
        }
        self.hash(1);
        match tag {
            Tag::B | Tag::STRONG => self.bold -= 1,
            Tag::I | Tag::EM => self.italic -= 1,
            Tag::A => self.leave_anchor(node),
            Tag::PRE | Tag::LISTING | Tag::XMP | Tag::PLAINTEXT => self.preformatted -= 1,
            Tag::INPUT | Tag::BUTTON | Tag::IMG => self.text.space(),
            _ => {}
        }
        if tag.is_block() || matches!(tag, Tag::TD | Tag::TH) {
            self.leave_block(tag);
        } else if self.captions.last() == Some(&node) {
            self.captions.pop();
            self.leave_block(tag);
        }
        if tag.is_invisible() || self.tree.is_svg(tag) {
            self.suppressed -= 1;
        }
        if self.hiding.last() == Some(&node) {
            self.hiding.pop();
            self.suppressed -= 1;
        }
    }

    fn enter_block(&mut self, node: NodeId, tag: Tag) {
        self.end_block();
        let hints = hints::of(self.tree, node, tag);
        self.open_container(tag, hints);
        if hints.has(Hints::HIDDEN) {
            self.hiding.push(node);
            self.suppressed += 1;
        }
        match tag {
            Tag::TR => self.row_has_text = false,
            Tag::TD | Tag::TH => self.new_cell = true,
            _ => {}
        }
        if let Some(level) = tag.heading_level()
            && self.suppressed == 0
        {
            self.heading = Some((level, self.text.next_start()));
        }
    }

    fn leave_block(&mut self, tag: Tag) {
        self.end_block();
        if tag.heading_level().is_some()
            && let Some((level, start)) = self.heading.take()
            && start < self.text.len()
        {
            if self.headings.len() < self.headings_max {
                self.headings.push((level, start..self.text.len()));
            } else {
                self.headings_cut += 1;
            }
        }
        self.close_container();
    }

    fn enter_anchor(&mut self, node: NodeId) {
        let Some(href) = self.tree.attribute(node, AttributeName::Href) else { return };
        self.end_anchor();
        // A link to a place on the same page is not navigation.
        self.anchor_counts = !href.trim_start().starts_with('#');
        let hidden = self.suppressed > 0;
        let buffer = if hidden { &self.hidden_text } else { &self.text };
        let start = buffer.len();
        self.add_link(FoundLink {
            node,
            kind: LinkKind::Anchor,
            container: self.container,
            text: start..start,
            hidden,
            first_word: self.text.next_word(),
            bold: self.bold > 0,
            italic: self.italic > 0,
            images: Vec::new(),
        });
    }

    fn leave_anchor(&mut self, node: NodeId) {
        if self.anchor.is_some_and(|anchor| self.links[anchor].node == node) {
            self.end_anchor();
        }
    }

    fn end_anchor(&mut self) {
        let Some(anchor) = self.anchor.take() else { return };
        let link = &mut self.links[anchor];
        let buffer = if link.hidden { &mut self.hidden_text } else { &mut self.text };
        // The block around may have been trimmed since the link began.
        link.text = link.text.start.min(buffer.len())..buffer.len();
        if link.hidden {
            buffer.end_block();
        }
    }

    fn enter_area(&mut self, node: NodeId) {
        if self.tree.attribute(node, AttributeName::Href).is_none() {
            return;
        }
        let outer = self.anchor.take();
        let start = self.text.len();
        self.add_link(FoundLink {
            node,
            kind: LinkKind::Area,
            container: self.container,
            text: start..start,
            hidden: false,
            first_word: self.text.next_word(),
            bold: false,
            italic: false,
            images: vec![(node, start)],
        });
        self.anchor = outer;
    }

    fn add_link(&mut self, link: FoundLink) {
        if self.links.len() >= self.links_max {
            self.links_cut = self.links_cut.saturating_add(1);
            return;
        }
        self.anchor = Some(self.links.len());
        self.links.push(link);
    }

    /// Bold or italic inside an anchor counts for it as well as around it.
    fn mark_anchor(&mut self) {
        if let Some(anchor) = self.anchor {
            self.links[anchor].bold |= self.bold > 0;
            self.links[anchor].italic |= self.italic > 0;
        }
    }

    fn enter_image(&mut self, node: NodeId) {
        self.text.space();
        self.embed(node, LinkKind::Image);
        if let Some(anchor) = self.anchor
            && self.tree.attribute(node, AttributeName::Alt).is_some()
        {
            let link = &mut self.links[anchor];
            let buffer = if link.hidden { &self.hidden_text } else { &self.text };
            link.images.push((node, buffer.len()));
        }
    }

    fn embed(&mut self, node: NodeId, kind: LinkKind) {
        if self.embedded.len() < self.links_max {
            self.embedded.push((node, kind, self.container));
        } else {
            self.embedded_cut = self.embedded_cut.saturating_add(1);
        }
    }

    fn buffer_line_end(&mut self) {
        if self.suppressed > 0 {
            self.hidden_text.space();
        } else {
            self.text.line_end();
        }
    }

    /// Elements that speak about the page. Their text is never shown.
    fn head_fact(&mut self, node: NodeId, tag: Tag) -> bool {
        if tag == Tag::LINK {
            self.embed(node, LinkKind::Head);
        }
        if tag == Tag::META && self.facts.is_refresh(self.tree, node) {
            self.embed(node, LinkKind::Refresh);
        }
        self.facts.see_element(self.tree, node, tag);
        matches!(tag, Tag::HTML | Tag::TIME)
    }

    /// Order-dependent mix of the tag tree.
    fn hash(&mut self, value: u64) {
        self.structure_hash =
            (self.structure_hash.rotate_left(5) ^ value).wrapping_mul(0x517C_C1B7_2722_0A95);
    }
}
