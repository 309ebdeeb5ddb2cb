//! The page as a compact arena: all nodes in one vector, all text in one string, all kept attribute values in
//! another. Built once by `tree::build`, then only read; text and structure passes walk it by number.
//! Never holds comments, doctypes or attributes that no pass asks for, and holds every character once.
//!
//! Cost: 32 bytes per node (element or text), 12 bytes per kept attribute, plus the characters themselves.
//! On documentation sites that is about 2 bytes per byte of HTML (`examples/parse_speed` prints it).
//! Invariant: the root is node 0, a parent's number may be larger than its child's (foster parenting), but the
//! links always form a tree, because every insertion detaches first.

mod attribute;
pub(crate) mod build;
mod sink;

pub use crate::tag::Tag;
pub use attribute::AttributeName;

/// Number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The document itself.
    pub const ROOT: NodeId = NodeId(0);
    pub(crate) const NONE: NodeId = NodeId(u32::MAX);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// As an option: `None` for the absent node.
    pub(crate) fn some(self) -> Option<NodeId> {
        (self != NodeId::NONE).then_some(self)
    }
}

/// One node. `start` and `length` are a range of the text for text nodes, of the attributes for elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) parent: NodeId,
    pub(crate) first_child: NodeId,
    pub(crate) last_child: NodeId,
    pub(crate) previous: NodeId,
    pub(crate) next: NodeId,
    pub(crate) start: u32,
    pub(crate) length: u32,
    pub(crate) tag: Tag,
}

/// A kept attribute: its value is `values[start..start + length]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredAttribute {
    pub(crate) start: u32,
    pub(crate) length: u32,
    pub(crate) name: AttributeName,
}

/// A parsed page.
#[derive(Clone, Debug)]
pub struct DomTree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) text: String,
    pub(crate) attributes: Vec<StoredAttribute>,
    pub(crate) values: String,
    /// Names of the tags without a fixed number, by number.
    pub(crate) names: Vec<Box<str>>,
    /// The tag of `svg`, where the page has one.
    pub(crate) svg: Option<Tag>,
}

impl Default for DomTree {
    /// Only a root.
    fn default() -> DomTree {
        let root = Node {
            parent: NodeId::NONE,
            first_child: NodeId::NONE,
            last_child: NodeId::NONE,
            previous: NodeId::NONE,
            next: NodeId::NONE,
            start: 0,
            length: 0,
            tag: Tag::DOCUMENT,
        };
        DomTree {
            nodes: vec![root],
            text: String::new(),
            attributes: Vec::new(),
            values: String::new(),
            names: Vec::new(),
            svg: None,
        }
    }
}

impl DomTree {
    /// How many nodes there are, the root and detached ones included.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes this tree takes in memory, spare capacity apart.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
            + self.attributes.len() * size_of::<StoredAttribute>()
            + self.text.len()
            + self.values.len()
            + self.names.iter().map(|name| name.len() + size_of::<Box<str>>()).sum::<usize>()
    }

    /// The element's tag; `Tag::TEXT` for text.
    #[must_use]
    pub fn tag(&self, node: NodeId) -> Tag {
        self.nodes[node.index()].tag
    }

    /// The name of a tag of this tree.
    #[must_use]
    pub fn name(&self, tag: Tag) -> &str {
        tag.known_name()
            .or_else(|| self.names.get(usize::from(tag.0) - Tag::KNOWN_COUNT).map(|name| &**name))
            .unwrap_or("")
    }

    /// A hash of the tag's name that is the same in every tree.
    pub(crate) fn name_hash(&self, tag: Tag) -> u64 {
        tag.known_hash().unwrap_or_else(|| crate::tag::hash_name(self.name(tag)))
    }

    /// Whether the tag is the `svg` element.
    pub(crate) fn is_svg(&self, tag: Tag) -> bool {
        self.svg == Some(tag)
    }

    /// The node it is in.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].parent.some()
    }

    /// Its first child.
    #[must_use]
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].first_child.some()
    }

    /// The node after it under the same parent.
    #[must_use]
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].next.some()
    }

    /// Its children in order.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(node), |child| self.next_sibling(*child))
    }

    /// It and everything below it in document order, each with its depth below `node`.
    pub fn descendants(&self, node: NodeId) -> impl Iterator<Item = (NodeId, u32)> {
        let mut next = Some((node, 0));
        std::iter::from_fn(move || {
            let (current, depth) = next?;
            next = self.after(current, depth, node);
            Some((current, depth))
        })
    }

    /// How many elements are around it.
    #[must_use]
    pub fn depth(&self, node: NodeId) -> u32 {
        std::iter::successors(self.parent(node), |up| self.parent(*up)).count() as u32
    }

    /// The characters of a text node, nothing for elements.
    #[must_use]
    pub fn text(&self, node: NodeId) -> &str {
        let node = &self.nodes[node.index()];
        if node.tag != Tag::TEXT {
            return "";
        }
        &self.text[node.start as usize..(node.start + node.length) as usize]
    }

    /// Value of a kept attribute.
    #[must_use]
    pub fn attribute(&self, node: NodeId, name: AttributeName) -> Option<&str> {
        self.stored_attributes(node)
            .iter()
            .find(|stored| stored.name == name)
            .map(|stored| self.value(stored))
    }

    pub(crate) fn stored_attributes(&self, node: NodeId) -> &[StoredAttribute] {
        let node = &self.nodes[node.index()];
        if node.tag == Tag::TEXT {
            return &[];
        }
        &self.attributes[node.start as usize..(node.start + node.length) as usize]
    }

    pub(crate) fn value(&self, stored: &StoredAttribute) -> &str {
        &self.values[stored.start as usize..(stored.start + stored.length) as usize]
    }

    /// The node after `node` in document order within `root`, and its depth.
    fn after(&self, node: NodeId, depth: u32, root: NodeId) -> Option<(NodeId, u32)> {
        if let Some(child) = self.first_child(node) {
            return Some((child, depth + 1));
        }
        let (mut node, mut depth) = (node, depth);
        while node != root {
            if let Some(next) = self.next_sibling(node) {
                return Some((next, depth));
            }
            node = self.parent(node)?;
            depth -= 1;
        }
        None
    }
}

#[cfg(test)]
mod tests;
