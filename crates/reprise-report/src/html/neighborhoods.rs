//! The section "Where copying clusters".

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::html::histogram::{Words, histogram_plot};
use crate::html::parts::{and_more, bar, empty};
use crate::html::text;
use crate::numbers::{choose, count, counted, percent};
use crate::results::{Badness, Neighborhood, NeighborhoodShares};

/// The most levels of the tree. A hostile URL can have thousands of directories.
const DEPTH_MAX: usize = 8;

/// The most neighbourhoods at the top level.
const ROOTS_MAX: usize = 50;

/// The most neighbourhoods directly below another one.
const CHILDREN_MAX: usize = 20;

/// The number of neighbourhoods at the top level that are unfolded, and therefore printed.
const OPEN: usize = 3;

/// Renders the body of the section.
pub(crate) fn neighborhoods(shares: &NeighborhoodShares, badness: Badness) -> Markup {
    if shares.total == 0 {
        return empty("No neighbourhood was found: no page has a URL and enough chunks to count.");
    }
    let words = Words {
        noun: "neighbourhood",
        value: "badness",
    };
    let tree = Tree::of(&shares.top, shares.threshold);
    html! {
        p { (introduction(shares, badness)) }
        h3 { "How bad neighbourhoods are" }
        @if shares.histogram.iter().any(|&number| number > 0) {
            (histogram_plot(&shares.histogram, shares.threshold, &words))
        } @else {
            (empty("The distribution is not known."))
        }
        h3 { "The worst neighbourhoods" }
        @if tree.roots.is_empty() {
            (empty("No neighbourhood has a copied chunk."))
        } @else {
            (tree.level(&tree.roots, "", 0))
        }
    }
}

fn introduction(shares: &NeighborhoodShares, badness: Badness) -> String {
    let how = match badness {
        Badness::Pooled => {
            "the number of its copied chunks divided by the number of all its chunks"
        }
        Badness::Mean => "the mean share of its pages",
    };
    format!(
        "A neighbourhood is all pages below one URL prefix. Its badness is {how}. Over {}, the mean is {} and the \
         standard deviation {}. {} {} a badness above the threshold of {}.",
        counted(shares.total, "neighbourhood"),
        percent(shares.mean),
        percent(shares.stddev),
        counted(shares.bad, "neighbourhood"),
        choose(shares.bad, "has", "have"),
        percent(shares.threshold),
    )
}

/// A tree of neighbourhoods. The parent of a neighbourhood is the one with the longest prefix that its own prefix
/// begins with. The indices refer to `nodes`.
struct Tree<'a> {
    nodes: &'a [Neighborhood],
    /// The neighbourhoods without a parent, in the order of `nodes`.
    roots: Vec<usize>,
    /// The neighbourhoods directly below each one, in the order of `nodes`.
    children: Vec<Vec<usize>>,
    /// Neighbourhoods with a higher badness are bad.
    threshold: f64,
}

impl<'a> Tree<'a> {
    /// Builds the tree. If two neighbourhoods have the same prefix, the first one is used.
    fn of(nodes: &'a [Neighborhood], threshold: f64) -> Tree<'a> {
        let mut by_prefix: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, node) in nodes.iter().enumerate() {
            by_prefix.entry(&node.prefix).or_insert(index);
        }
        let mut tree = Tree {
            nodes,
            roots: Vec::new(),
            children: vec![Vec::new(); nodes.len()],
            threshold,
        };
        for (index, node) in nodes.iter().enumerate() {
            if by_prefix[node.prefix.as_str()] != index {
                continue;
            }
            match parent(&node.prefix, &by_prefix) {
                Some(parent) => tree.children[parent].push(index),
                None => tree.roots.push(index),
            }
        }
        tree
    }

    /// Renders neighbourhoods with the same parent, whose prefix is `parent`.
    fn level(&self, siblings: &[usize], parent: &str, depth: usize) -> Markup {
        let shown = if depth == 0 { ROOTS_MAX } else { CHILDREN_MAX };
        // Below the top level, the path to the worst neighbourhood is unfolded.
        let open = if depth == 0 { OPEN } else { 1 };
        html! {
            ul.tree {
                @for (place, &index) in siblings.iter().take(shown).enumerate() {
                    li { (self.branch(index, parent, depth, place < open)) }
                }
            }
            (and_more(siblings.len() as u64, shown, "neighbourhood"))
        }
    }

    fn branch(&self, index: usize, parent: &str, depth: usize, is_open: bool) -> Markup {
        let (node, children) = (&self.nodes[index], &self.children[index]);
        html! {
            @if children.is_empty() {
                div.row { (self.row(node, parent)) }
            } @else {
                details open[is_open] {
                    summary.row { (self.row(node, parent)) }
                    @if depth + 1 < DEPTH_MAX {
                        (self.level(children, &node.prefix, depth + 1))
                    } @else {
                        (and_more(children.len() as u64, 0, "neighbourhood"))
                    }
                }
            }
        }
    }

    fn row(&self, node: &Neighborhood, parent: &str) -> Markup {
        // The indentation already shows the prefix of the parent.
        let name = match node.prefix.strip_prefix(parent) {
            Some(rest) if !rest.is_empty() => rest,
            _ => &node.prefix,
        };
        let is_bad = node.badness > self.threshold;
        html! {
            span.name title=(text::line(&node.prefix)) { (text::url(name)) }
            span.badness.hot[is_bad] { (bar(node.badness, is_bad)) (percent(node.badness)) }
            span.facts {
                (counted(node.pages, "page")) " \u{b7} "
                (count(node.matched)) " of " (counted(node.chunks, "chunk"))
            }
        }
    }
}

/// Returns the index of the longest known prefix, with a slash at its end, that `prefix` begins with.
fn parent(prefix: &str, by_prefix: &BTreeMap<&str, usize>) -> Option<usize> {
    let mut rest = prefix.strip_suffix('/').unwrap_or(prefix);
    while let Some(slash) = rest.rfind('/') {
        if let Some(&index) = by_prefix.get(&prefix[..=slash]) {
            return Some(index);
        }
        rest = &rest[..slash];
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Tree;
    use crate::results::Neighborhood;

    #[test]
    fn neighborhoods_nest_by_prefix() {
        let nodes = [
            "a/x/y/", "b/", "a/", "a/x/y/z/", "", "/", "a/x/", "a/xy/", "b/", "//",
        ]
        .map(|prefix| Neighborhood {
            prefix: prefix.to_owned(),
            depth: 1,
            pages: 1,
            badness: 0.5,
            matched: 1,
            chunks: 2,
        });
        let tree = Tree::of(&nodes, 0.1);
        assert_eq!(tree.roots, [1, 2, 4, 5]);
        // The second `b/` is left out.
        let expected: [&[usize]; 10] = [&[3], &[], &[6, 7], &[], &[], &[9], &[0], &[], &[], &[]];
        assert_eq!(tree.children, expected);
    }
}
