//! Finds the main content of a page, without the parts that all pages of a site share.
//!
//! The method is that of Arc90's Readability, the origin of the reader views of browsers:
//!
//! 1. *Leave out* elements that are not content by their tag, role or name: navigation, asides, form
//!    fields, elements named `sidebar`.
//! 2. *Score* each paragraph by its length and commas. The elements around it get a share of the score
//!    that decreases with the distance. So the element that contains most of the paragraphs gets the most.
//!    Its tag and names change the score, and the share of links in its text reduces it.
//! 3. *Choose* the best element, or the element that contains several good ones.
//! 4. *Join* siblings of the chosen element that score well too, or are paragraphs.
//! 5. *Clean* the result: remove lists of links, and boxes with more fields or links than text.
//!
//! The mean precision, recall and F1 of words (`cargo test -p reprise-convert --test it main_content --
//! --nocapture` prints them, and fails if F1 decreases):
//!
//! | pages | all text | main content |
//! |---|---|---|
//! | 181 news pages | 0.53, 1.00, 0.66 | 0.92, 0.99, 0.95 |
//! | 130 test pages of Readability | 0.75, 1.00, 0.82 | 0.97, 0.96, 0.96 |
//!
//! If the result is too short, the steps are repeated without the names of step 1. If it is still too
//! short, the page has no article, and all of it is content.

use crate::html::elements::NodeKind;
use crate::html::tree::{Node, Tree};

/// The fewest characters of a plausible result.
const LENGTH_MIN: u32 = 250;

/// Returns true for each node of the main content. A node that is not part of it excludes all nodes
/// below.
pub(super) fn choose(tree: &Tree) -> Vec<bool> {
    for with_names in [true, false] {
        let dropped = drop_unlikely(tree, with_names);
        let page = Scorer::new(tree, dropped);
        if let Some(kept) = page.choose() {
            return kept;
        }
    }
    // Everything except elements that are never content.
    let mut kept = drop_unlikely(tree, false);
    for is_dropped in &mut kept {
        *is_dropped = !*is_dropped;
    }
    kept
}

/// Marks the nodes to leave out (step 1).
fn drop_unlikely(tree: &Tree, with_names: bool) -> Vec<bool> {
    let mut dropped = vec![false; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        let is_named = node.hints.is_unlikely
            && !matches!(
                node.kind,
                NodeKind::Body
                    | NodeKind::A
                    | NodeKind::Article
                    | NodeKind::Main
                    | NodeKind::Heading
            );
        dropped[index] = node.hints.is_hidden
            || matches!(
                node.kind,
                NodeKind::Nav
                    | NodeKind::Aside
                    | NodeKind::Footer
                    | NodeKind::Input
                    | NodeKind::Nothing
                    | NodeKind::Head
            )
            || (with_names && is_named);
    }
    dropped
}

/// Sums over all nodes up to one. The sums of a subtree are a difference of two of them.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    length: u32,
    link_length: u32,
    commas: u32,
    paragraphs: u32,
    items: u32,
    inputs: u32,
    images: u32,
}

struct Scorer<'t> {
    tree: &'t Tree,
    dropped: Vec<bool>,
    sums: Vec<Sums>,
}

impl<'t> Scorer<'t> {
    fn new(tree: &'t Tree, dropped: Vec<bool>) -> Scorer<'t> {
        let mut sums = vec![Sums::default(); tree.nodes.len() + 1];
        let (mut sum, mut dropped_to, mut link_to) = (Sums::default(), 0, 0);
        for (index, node) in tree.nodes.iter().enumerate() {
            if dropped[index] {
                dropped_to = dropped_to.max(node.end as usize);
            }
            if node.kind == NodeKind::A {
                link_to = link_to.max(node.end as usize);
            }
            if index >= dropped_to {
                match node.kind {
                    NodeKind::Text => add_text(&mut sum, tree.text(node), index < link_to),
                    NodeKind::P => sum.paragraphs += 1,
                    NodeKind::Item => sum.items += 1,
                    NodeKind::Image => sum.images += 1,
                    _ => {}
                }
            }
            // Fields are left out, but their number helps to recognise boxes.
            sum.inputs += u32::from(node.kind == NodeKind::Input);
            sums[index + 1] = sum;
        }
        Scorer {
            tree,
            dropped,
            sums,
        }
    }

    fn node(&self, index: usize) -> &'t Node {
        &self.tree.nodes[index]
    }

    fn sum(&self, index: usize) -> Sums {
        let (from, to) = (self.sums[index], self.sums[self.node(index).end as usize]);
        Sums {
            length: to.length - from.length,
            link_length: to.link_length - from.link_length,
            commas: to.commas - from.commas,
            paragraphs: to.paragraphs - from.paragraphs,
            items: to.items - from.items,
            inputs: to.inputs - from.inputs,
            images: to.images - from.images,
        }
    }

    /// Returns the elements around a node, the nearest first.
    fn ancestors(&self, index: usize) -> impl Iterator<Item = usize> {
        let parent = |at: &usize| {
            let parent = self.node(*at).parent as usize;
            (parent != *at).then_some(parent)
        };
        std::iter::successors(parent(&index), parent)
    }

    /// Returns the children of a node that are not left out.
    fn children(&self, index: usize) -> impl Iterator<Item = usize> {
        let end = self.node(index).end as usize;
        let mut at = index + 1;
        std::iter::from_fn(move || {
            let child = at;
            (child < end).then(|| {
                at = self.node(child).end as usize;
                child
            })
        })
        .filter(|&child| !self.dropped[child])
    }

    fn choose(mut self) -> Option<Vec<bool>> {
        let scores = self.scores();
        let top = self.top(&scores)?;
        let chosen = self.with_siblings(top, &scores);
        for &part in &chosen {
            self.clean(part);
        }
        let mut kept = vec![false; self.tree.nodes.len()];
        let mut length = 0;
        for &part in &chosen {
            let end = self.node(part).end as usize;
            kept[part..end].fill(true);
        }
        // Keep the elements around the chosen ones, so that the tree stays connected.
        let first = chosen.first().copied()?;
        for around in self.ancestors(first).collect::<Vec<_>>() {
            kept[around] = true;
        }
        for (is_kept, is_dropped) in kept.iter_mut().zip(&self.dropped) {
            *is_kept &= !is_dropped;
        }
        let cleaned = Scorer::new(self.tree, self.dropped);
        for &part in &chosen {
            length += cleaned.sum(part).length;
        }
        (length >= LENGTH_MIN).then_some(kept)
    }

    /// Returns the score of each element (step 2).
    fn scores(&self) -> Vec<f32> {
        let mut scores = vec![0.0_f32; self.tree.nodes.len()];
        let mut at = 0;
        while at < self.tree.nodes.len() {
            let node = self.node(at);
            if self.dropped[at] {
                at = node.end as usize;
                continue;
            }
            if self.is_paragraph(at) {
                let sum = self.sum(at);
                if sum.length >= 25 {
                    let score = 1.0 + sum.commas as f32 + (sum.length as f32 / 100.0).min(3.0);
                    for (level, around) in self.ancestors(at).take(5).enumerate() {
                        let share = match level {
                            0 => 1.0,
                            1 => 0.5,
                            level => 1.0 / (3.0 * level as f32),
                        };
                        if scores[around] == 0.0 {
                            scores[around] = initial(self.node(around));
                        }
                        scores[around] += score * share;
                    }
                }
            }
            at += 1;
        }
        for (index, score) in scores.iter_mut().enumerate() {
            *score *= 1.0 - density(self.sum(index));
        }
        scores
    }

    /// Returns true for paragraphs, and for elements with text and without blocks, which act as paragraphs.
    fn is_paragraph(&self, index: usize) -> bool {
        match self.node(index).kind {
            NodeKind::P | NodeKind::Pre => true,
            NodeKind::Cell
            | NodeKind::Div
            | NodeKind::Section
            | NodeKind::Quote
            | NodeKind::Article
            | NodeKind::Item => {
                let mut has_text = false;
                for child in self.children(index) {
                    let kind = self.node(child).kind;
                    if kind.is_block() && kind != NodeKind::Br {
                        return false;
                    }
                    has_text |= kind != NodeKind::Image;
                }
                has_text
            }
            _ => false,
        }
    }

    /// Returns the best element (step 3).
    fn top(&self, scores: &[f32]) -> Option<usize> {
        let is_candidate = |index: &usize| self.node(*index).kind != NodeKind::Text;
        let best = (0..scores.len())
            .filter(is_candidate)
            .max_by(|a, b| scores[*a].total_cmp(&scores[*b]).then(b.cmp(a)))?;
        if scores[best] <= 0.0 {
            return None;
        }
        let good: Vec<usize> = (0..scores.len())
            .filter(|&index| scores[index] >= 0.75 * scores[best])
            .filter(|&index| !self.ancestors(index).any(|around| around == best))
            .collect();
        // An element that contains the best one and at least three other good ones is the article.
        let mut top = best;
        for around in self.ancestors(best) {
            let end = self.node(around).end as usize;
            let held = good.iter().filter(|&&index| index > around && index < end);
            if self.node(around).kind != NodeKind::Body && held.count() > 3 {
                top = around;
                break;
            }
        }
        // An element around the best one may contain a part that the best one lacks.
        let mut last = scores[top];
        for around in self.ancestors(top).collect::<Vec<_>>() {
            if self.node(around).kind == NodeKind::Body || scores[around] < last / 3.0 {
                break;
            }
            if scores[around] > last {
                top = around;
                break;
            }
            last = scores[around];
        }
        // An only child has no siblings to join, but its parent may have some.
        for around in self.ancestors(top).collect::<Vec<_>>() {
            let shown = self
                .children(around)
                .filter(|&child| self.sum(child).length > 0);
            if self.node(around).kind == NodeKind::Body || shown.count() > 1 {
                break;
            }
            top = around;
        }
        Some(top)
    }

    /// Returns the best element and the siblings that belong to it (step 4).
    fn with_siblings(&self, top: usize, scores: &[f32]) -> Vec<usize> {
        let parent = self.node(top).parent as usize;
        if parent == top {
            return vec![top];
        }
        let threshold = (0.2 * scores[top]).max(10.0);
        self.children(parent)
            .filter(|&sibling| {
                let node = self.node(sibling);
                let sum = self.sum(sibling);
                let is_similar = node.kind == self.node(top).kind
                    && node.hints.weight == self.node(top).hints.weight;
                let bonus = if is_similar { 0.2 * scores[top] } else { 0.0 };
                let density = density(sum);
                sibling == top
                    || (scores[sibling] > 0.0 && scores[sibling] + bonus >= threshold)
                    || (node.kind == NodeKind::P
                        && ((sum.length > 80 && density < 0.25)
                            || (sum.length > 0 && density == 0.0 && self.is_sentence(sibling))))
            })
            .collect()
    }

    fn is_sentence(&self, index: usize) -> bool {
        let end = self.node(index).end as usize;
        let texts = self.tree.nodes[index..end].iter().rev();
        let last = texts
            .map(|node| self.tree.text(node).trim_end())
            .find(|text| !text.is_empty());
        last.is_some_and(|text| text.ends_with(['.', '!', '?', '\u{3002}', '"', '\u{201d}']))
    }

    /// Marks the nodes to leave out within a chosen element (step 5).
    fn clean(&mut self, part: usize) {
        let end = self.node(part).end as usize;
        let mut at = part + 1;
        while at < end {
            if !self.dropped[at] && self.is_clutter(at) {
                self.dropped[at] = true;
            }
            at = if self.dropped[at] {
                self.node(at).end as usize
            } else {
                at + 1
            };
        }
    }

    fn is_clutter(&self, index: usize) -> bool {
        let node = self.node(index);
        let is_list = match node.kind {
            NodeKind::Heading => return node.hints.weight < 0,
            NodeKind::List => true,
            NodeKind::Form
            | NodeKind::Table
            | NodeKind::Div
            | NodeKind::Section
            | NodeKind::Header
            | NodeKind::Block => false,
            _ => return false,
        };
        let sum = self.sum(index);
        if node.hints.weight < 0 {
            return true;
        }
        if sum.commas >= 10 {
            return false;
        }
        let density = density(sum);
        let limit = if node.hints.weight > 0 { 0.5 } else { 0.2 };
        (!is_list && sum.items > sum.paragraphs + 100)
            || sum.inputs * 3 > sum.paragraphs.max(1) + sum.length / 200
            || (!is_list && sum.length < 25 && node.kind == NodeKind::Form)
            || density > if is_list { 0.5 } else { limit }
    }
}

fn add_text(sum: &mut Sums, text: &str, is_link: bool) {
    let mut length = 0;
    for word in text.split_whitespace() {
        length += word.chars().count() as u32 + 1;
    }
    sum.length += length;
    sum.link_length += if is_link { length } else { 0 };
    sum.commas += text
        .matches([',', '\u{ff0c}', '\u{3001}', '\u{60c}'])
        .count() as u32;
}

/// Returns the share of links in the text.
fn density(sum: Sums) -> f32 {
    sum.link_length as f32 / sum.length.max(1) as f32
}

/// Returns the score that an element has by its tag and names.
fn initial(node: &Node) -> f32 {
    let by_tag = match node.kind {
        NodeKind::Article | NodeKind::Main => 15.0,
        NodeKind::Div => 5.0,
        NodeKind::Pre | NodeKind::Cell | NodeKind::Quote => 3.0,
        NodeKind::List | NodeKind::Item | NodeKind::Form => -3.0,
        NodeKind::Heading => -5.0,
        _ => 0.0,
    };
    by_tag + 25.0 * f32::from(node.hints.weight)
}
