//! Receives html5ever's tree operations and writes them into the arena. Comments, doctypes and processing
//! instructions get a handle but no node. Interior mutability only because the `TreeSink` trait asks for `&self`.
//! Invariant: a node is linked to at most one parent; every insertion of a linked node detaches it first.

use super::{AttributeName, DomTree, Node, NodeId, StoredAttribute, Tag};
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName, local_name, ns};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::RefCell;

/// A node as the tree builder holds it; carries its name so that no look-up borrows the arena.
#[derive(Clone, Debug)]
pub(super) struct Handle {
    id: NodeId,
    namespace: Namespace,
    local: LocalName,
    integration_point: bool,
}

/// The name of a handle's element.
#[derive(Debug)]
pub(super) struct HandleName<'a>(&'a Handle);

impl ElemName for HandleName<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.namespace
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

/// The arena while it grows, with what only the build needs.
pub(super) struct ArenaSink {
    state: RefCell<State>,
}

struct State {
    tree: DomTree,
    tags: FxHashMap<LocalName, Tag>,
    foreign_tags: FxHashMap<LocalName, Tag>,
    /// Depth of each node, by number; follows insertions, not later moves of whole subtrees.
    depths: Vec<u16>,
    /// Depth of the element inserted last.
    depth: u16,
    work: usize,
}

impl ArenaSink {
    /// Room for a page of `source_bytes`.
    pub(super) fn with_capacity(source_bytes: usize) -> ArenaSink {
        let mut tree = DomTree::default();
        tree.nodes.reserve(source_bytes / 20);
        tree.text.reserve(source_bytes / 2);
        let state = State {
            tree,
            tags: FxHashMap::default(),
            foreign_tags: FxHashMap::default(),
            depths: vec![0],
            depth: 0,
            work: 0,
        };
        ArenaSink { state: RefCell::new(state) }
    }

    /// Nodes made and moved so far: what the build has cost.
    pub(super) fn work(&self) -> usize {
        self.state.borrow().work
    }

    /// Depth of the element inserted last.
    pub(super) fn depth(&self) -> u16 {
        self.state.borrow().depth
    }

    /// An element was closed: insertions go on at its parent's depth.
    fn closed(&self, handle: &Handle) {
        let mut state = self.state.borrow_mut();
        if let Some(depth) = state.depths.get(handle.id.index()) {
            state.depth = depth.saturating_sub(1);
        }
    }
}

impl TreeSink for ArenaSink {
    type Handle = Handle;
    type Output = DomTree;
    type ElemName<'a> = HandleName<'a>;

    fn finish(self) -> DomTree {
        self.state.into_inner().tree
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle { id: NodeId::ROOT, namespace: ns!(), local: local_name!(""), integration_point: false }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> HandleName<'a> {
        HandleName(target)
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let mut state = self.state.borrow_mut();
        let tag = state.tag(&name);
        let start = state.tree.attributes.len() as u32;
        for attribute in &attributes {
            state.keep(attribute);
        }
        let length = state.tree.attributes.len() as u32 - start;
        let id = state.push(tag, start, length);
        Handle {
            id,
            namespace: name.ns,
            local: name.local,
            integration_point: flags.mathml_annotation_xml_integration_point,
        }
    }

    fn create_comment(&self, _text: StrTendril) -> Handle {
        Handle { id: NodeId::NONE, namespace: ns!(), local: local_name!(""), integration_point: false }
    }

    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> Handle {
        self.create_comment(data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        let mut state = self.state.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => state.insert(parent.id, child.id, NodeId::NONE),
            NodeOrText::AppendText(text) => state.insert_text(parent.id, &text, NodeId::NONE),
        }
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let has_parent = self.state.borrow().tree.parent(element.id).is_some();
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn pop(&self, node: &Handle) {
        self.closed(node);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        // Contents are kept as children: no pass looks inside a template.
        target.clone()
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.id == y.id && x.id != NodeId::NONE
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, new_node: NodeOrText<Handle>) {
        let mut state = self.state.borrow_mut();
        let Some(parent) = state.tree.parent(sibling.id) else { return };
        match new_node {
            NodeOrText::AppendNode(node) => state.insert(parent, node.id, sibling.id),
            NodeOrText::AppendText(text) => state.insert_text(parent, &text, sibling.id),
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        self.state.borrow_mut().add_missing(target.id, &attributes);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.state.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut state = self.state.borrow_mut();
        while let Some(child) = state.tree.first_child(node.id) {
            state.insert(new_parent.id, child, NodeId::NONE);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        handle.integration_point
    }

    fn allow_declarative_shadow_roots(&self, _intended_parent: &Handle) -> bool {
        false
    }
}

impl State {
    fn tag(&mut self, name: &QualName) -> Tag {
        let html = name.ns == ns!(html);
        let table = if html { &mut self.tags } else { &mut self.foreign_tags };
        if let Some(tag) = table.get(&name.local) {
            return *tag;
        }
        // A link in a drawing leads somewhere as any other does.
        let linking = name.ns == ns!(svg) && name.local == local_name!("a");
        let tag = (html || linking).then(|| Tag::known(&name.local)).flatten().unwrap_or_else(|| {
            // Numbers end before they overflow; all further names share the last one.
            let number = (Tag::KNOWN_COUNT + self.tree.names.len()).min(usize::from(u16::MAX));
            if number < usize::from(u16::MAX) {
                self.tree.names.push((&*name.local).into());
            }
            Tag(number as u16)
        });
        if name.ns == ns!(svg) && name.local == local_name!("svg") {
            self.tree.svg = Some(tag);
        }
        table.insert(name.local.clone(), tag);
        tag
    }

    fn keep(&mut self, attribute: &Attribute) {
        let Some(name) = AttributeName::of(&attribute.name.local) else { return };
        let start = self.tree.values.len() as u32;
        self.tree.values.push_str(&attribute.value);
        self.tree.attributes.push(StoredAttribute { start, length: attribute.value.len() as u32, name });
    }

    fn push(&mut self, tag: Tag, start: u32, length: u32) -> NodeId {
        let id = NodeId(self.tree.nodes.len() as u32);
        self.tree.nodes.push(Node {
            parent: NodeId::NONE,
            first_child: NodeId::NONE,
            last_child: NodeId::NONE,
            previous: NodeId::NONE,
            next: NodeId::NONE,
            start,
            length,
            tag,
        });
        self.depths.push(0);
        self.work += 1;
        id
    }

    /// Puts `child` under `parent` before `before`, or last when there is no `before`.
    fn insert(&mut self, parent: NodeId, child: NodeId, before: NodeId) {
        if parent == NodeId::NONE || child == NodeId::NONE {
            return;
        }
        if self.tree.nodes[child.index()].parent != NodeId::NONE {
            self.detach(child);
        }
        let depth = self.depths[parent.index()].saturating_add(1);
        self.depths[child.index()] = depth;
        self.depth = depth;
        let nodes = &mut self.tree.nodes;
        let previous = if before == NodeId::NONE {
            nodes[parent.index()].last_child
        } else {
            nodes[before.index()].previous
        };
        let node = &mut nodes[child.index()];
        node.parent = parent;
        node.previous = previous;
        node.next = before;
        if previous == NodeId::NONE {
            nodes[parent.index()].first_child = child;
        } else {
            nodes[previous.index()].next = child;
        }
        if before == NodeId::NONE {
            nodes[parent.index()].last_child = child;
        } else {
            nodes[before.index()].previous = child;
        }
    }

    fn insert_text(&mut self, parent: NodeId, text: &str, before: NodeId) {
        if parent == NodeId::NONE {
            return;
        }
        let nodes = &self.tree.nodes;
        let previous = if before == NodeId::NONE {
            nodes[parent.index()].last_child
        } else {
            nodes[before.index()].previous
        };
        let start = self.tree.text.len() as u32;
        self.tree.text.push_str(text);
        if let Some(last) = previous.some() {
            let node = &mut self.tree.nodes[last.index()];
            // Text that continues the node written last grows it; anything else becomes a neighbour.
            if node.tag == Tag::TEXT && node.start + node.length == start {
                node.length += text.len() as u32;
                return;
            }
        }
        let depth = self.depth;
        let child = self.push(Tag::TEXT, start, text.len() as u32);
        self.insert(parent, child, before);
        self.depth = depth;
    }

    fn detach(&mut self, id: NodeId) {
        if id == NodeId::NONE {
            return;
        }
        self.work += 1;
        let nodes = &mut self.tree.nodes;
        let Node { parent, previous, next, .. } = nodes[id.index()];
        if parent == NodeId::NONE {
            return;
        }
        if previous == NodeId::NONE {
            nodes[parent.index()].first_child = next;
        } else {
            nodes[previous.index()].next = next;
        }
        if next == NodeId::NONE {
            nodes[parent.index()].last_child = previous;
        } else {
            nodes[next.index()].previous = previous;
        }
        let node = &mut nodes[id.index()];
        node.parent = NodeId::NONE;
        node.previous = NodeId::NONE;
        node.next = NodeId::NONE;
    }

    /// A second `<html>` or `<body>` tag adds what the first lacks: all its attributes move to the end together.
    fn add_missing(&mut self, id: NodeId, attributes: &[Attribute]) {
        if id == NodeId::NONE {
            return;
        }
        let node = self.tree.nodes[id.index()];
        let old = node.start as usize..(node.start + node.length) as usize;
        let start = self.tree.attributes.len();
        self.tree.attributes.extend_from_within(old);
        for attribute in attributes {
            let name = AttributeName::of(&attribute.name.local);
            if self.tree.attributes[start..].iter().all(|stored| Some(stored.name) != name) {
                self.keep(attribute);
            }
        }
        self.work += 1 + attributes.len();
        let node = &mut self.tree.nodes[id.index()];
        node.start = start as u32;
        node.length = (self.tree.attributes.len() - start) as u32;
    }
}
