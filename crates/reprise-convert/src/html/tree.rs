//! Builds the tree of a page, as a list of nodes in document order.

use reprise_text::tokens::{Attributes, Syntax, TokenKind, Tokens, decode};

use crate::converter::Work;
use crate::error::ConvertError;
use crate::html::attributes::Hints;
use crate::html::elements::{NodeKind, is_metadata, is_void};

/// The most nodes of a page, to bound memory.
const NODES_MAX: usize = 1 << 20;
/// The most bytes of a title.
const TITLE_BYTES_MAX: usize = 4096;

/// The tree of a page. The descendants of a node follow it, up to its `end`.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) title: Option<String>,
    text: String,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    pub(super) is_preformatted: bool,
    pub(super) hints: Hints,
    pub(super) parent: u32,
    pub(super) end: u32,
    /// The span of a text node in [`Tree::text`].
    text: (u32, u32),
}

impl Tree {
    /// Builds the tree of a page. Evaluates classes, ids and roles if `with_names` is true.
    pub(super) fn of(
        page: &str,
        is_xml: bool,
        with_names: bool,
        work: &mut Work<'_>,
    ) -> Result<Tree, ConvertError> {
        let mut builder = Builder::new(is_xml, with_names, work.limits.depth_max as usize);
        let syntax = if is_xml {
            Syntax::Xml
        } else {
            Syntax::ScriptedHtml
        };
        for token in Tokens::new(page, syntax) {
            work.clock.tick()?;
            builder.take(token.kind);
        }
        work.is_cut |= builder.is_cut;
        Ok(builder.finish())
    }

    pub(super) fn text(&self, node: &Node) -> &str {
        &self.text[node.text.0 as usize..node.text.1 as usize]
    }
}

/// An open element.
struct Open {
    node: u32,
    kind: NodeKind,
    /// The first eight bytes of the name.
    name: [u8; 8],
}

#[expect(clippy::struct_excessive_bools, reason = "the flags are independent")]
struct Builder {
    tree: Tree,
    open: Vec<Open>,
    is_xml: bool,
    with_names: bool,
    depth_max: usize,
    /// The evidence of the current tag.
    hints: Hints,
    /// The number of open elements that show nothing.
    hidden: u32,
    /// The number of open elements that keep line ends.
    preformatted: u32,
    is_title: bool,
    is_cut: bool,
}

impl Builder {
    fn new(is_xml: bool, with_names: bool, depth_max: usize) -> Builder {
        Builder {
            tree: Tree {
                nodes: Vec::new(),
                title: None,
                text: String::new(),
            },
            open: Vec::new(),
            is_xml,
            with_names,
            depth_max,
            hints: Hints::default(),
            hidden: 0,
            preformatted: 0,
            is_title: false,
            is_cut: false,
        }
    }

    fn take(&mut self, token: TokenKind<'_>) {
        match token {
            TokenKind::Start(tag) => {
                self.learn(tag.attributes());
                self.start(&self.local(tag.name()), tag.is_self_closing());
            }
            TokenKind::End(tag) => self.end(&self.local(tag.name())),
            TokenKind::Text(text) => self.text(&decode(text)),
            TokenKind::RawText { element, text } if element.has_references() => {
                self.text(&decode(text));
            }
            TokenKind::RawText { text, .. } | TokenKind::CData(text) => self.text(text),
            TokenKind::Comment | TokenKind::Unfinished => {}
        }
    }

    /// Returns a name in lower case. Removes the prefix of an XML name, as in `<html:p>`.
    fn local(&self, name: &str) -> Vec<u8> {
        let local = name.rsplit(':').next().filter(|_| self.is_xml);
        local.unwrap_or(name).to_ascii_lowercase().into_bytes()
    }

    fn learn(&mut self, attributes: Attributes<'_>) {
        self.hints = Hints::default();
        for attribute in attributes {
            let name = attribute.name.to_ascii_lowercase();
            self.hints
                .learn(&name, &attribute.decoded(), self.with_names);
        }
    }

    fn start(&mut self, name: &[u8], is_self_closing: bool) {
        let kind = NodeKind::of(name);
        if !is_metadata(name)
            && self
                .open
                .last()
                .is_some_and(|open| open.kind == NodeKind::Head)
        {
            self.close_to(self.open.len() - 1);
        }
        self.end_implied(kind);
        self.is_title = name == b"title" && self.tree.title.is_none();
        if self.is_title && !self.is_xml {
            // The first title of an HTML page counts even if it is empty.
            self.tree.title = Some(String::new());
        }
        if let Some(node) = self.push(kind) {
            let has_content = !(is_void(name) || is_self_closing && self.is_xml);
            if has_content {
                let hides = self.hides(node);
                // Deeper elements become siblings, which loses only the places where they end. For a
                // hidden element the end matters.
                if self.open.len() >= self.depth_max && (self.hidden > 0 || !hides) {
                    return;
                }
                self.hidden += u32::from(hides);
                self.preformatted += u32::from(kind == NodeKind::Pre);
                let mut short = [0; 8];
                let length = name.len().min(8);
                short[..length].copy_from_slice(&name[..length]);
                self.open.push(Open {
                    node,
                    kind,
                    name: short,
                });
            }
        }
    }

    fn hides(&self, node: u32) -> bool {
        let node = &self.tree.nodes[node as usize];
        node.hints.is_hidden || matches!(node.kind, NodeKind::Nothing | NodeKind::Head)
    }

    /// Ends elements whose end tags may be omitted before `next`.
    fn end_implied(&mut self, next: NodeKind) {
        let mut found = None;
        for (index, open) in self.open.iter().enumerate().rev() {
            if open.kind.ends_before(next) {
                found = Some(index);
            }
            if open.kind.is_wall(next) {
                break;
            }
        }
        if let Some(index) = found {
            self.close_to(index);
        }
    }

    fn end(&mut self, name: &[u8]) {
        self.is_title = false;
        let kind = NodeKind::of(name);
        let mut short = [0; 8];
        let length = name.len().min(8);
        short[..length].copy_from_slice(&name[..length]);
        let is_of_table = matches!(
            kind,
            NodeKind::Table | NodeKind::Row | NodeKind::Cell | NodeKind::Body
        );
        for index in (0..self.open.len()).rev() {
            let open = &self.open[index];
            if open.name == short {
                self.close_to(index);
                return;
            }
            // A stray end tag in a cell does not end elements around the table.
            if matches!(open.kind, NodeKind::Cell | NodeKind::Table) && !is_of_table {
                break;
            }
        }
        if matches!(kind, NodeKind::P | NodeKind::Br) {
            // Browsers make an empty element of such an end tag.
            self.hints = Hints::default();
            self.push(kind);
        }
    }

    fn text(&mut self, text: &str) {
        if self.is_title {
            let title = self.tree.title.get_or_insert_default();
            if title.len() < TITLE_BYTES_MAX {
                title.push_str(text);
            }
        }
        if self.hidden > 0 {
            return;
        }
        let start = self.tree.text.len() as u32;
        self.hints = Hints::default();
        if let Some(node) = self.push(NodeKind::Text) {
            self.tree.text.push_str(text);
            let end = self.tree.text.len() as u32;
            self.tree.nodes[node as usize].text = (start, end);
        }
    }

    fn push(&mut self, kind: NodeKind) -> Option<u32> {
        if self.tree.nodes.len() >= NODES_MAX {
            self.is_cut = true;
            return None;
        }
        let index = self.tree.nodes.len() as u32;
        self.tree.nodes.push(Node {
            kind,
            is_preformatted: self.preformatted > 0,
            hints: self.hints,
            parent: self.open.last().map_or(index, |open| open.node),
            end: index + 1,
            text: (0, 0),
        });
        Some(index)
    }

    /// Ends the open elements from `index` on.
    fn close_to(&mut self, index: usize) {
        let end = self.tree.nodes.len() as u32;
        for open in self.open.drain(index..).rev().collect::<Vec<_>>() {
            self.hidden -= u32::from(self.hides(open.node));
            self.preformatted -= u32::from(open.kind == NodeKind::Pre);
            self.tree.nodes[open.node as usize].end = end;
        }
    }

    fn finish(mut self) -> Tree {
        self.close_to(0);
        self.tree
    }
}
