//! The section "Where copying clusters".

use maud::{Markup, html};

use crate::data::{Neighborhood, NeighborhoodResults};
use crate::html::histogram::{Words, histogram_plot};
use crate::html::numbers::{choose, count, counted, ratio};
use crate::html::parts::{and_more, bar, empty};
use crate::html::text;

/// A hostile URL can have thousands of directories: the tree is cut here, and says so.
const DEPTH_MAX: usize = 8;

/// Most neighbourhoods at the top level, and below any one.
const ROOTS_MAX: usize = 50;
const CHILDREN_MAX: usize = 20;

/// So many of the worst are open at first, and so on paper.
const OPEN: usize = 3;

/// The body of the section. `badness` is how it was computed: `mean` or `pooled`.
pub(crate) fn neighborhoods(results: &NeighborhoodResults, badness: &str) -> Markup {
    if results.total == 0 {
        return empty("There is no neighbourhood: no page has both a URL and a chunk that counts.");
    }
    let words = Words {
        noun: "neighbourhood",
        value: "badness",
    };
    html! {
        p { (introduction(results, badness)) }
        h3 { "How bad neighbourhoods are" }
        @if results.histogram.iter().any(|&number| number > 0) {
            (histogram_plot(&results.histogram, results.threshold, &words))
        } @else {
            (empty("No distribution was given."))
        }
        h3 { "The worst" }
        @if results.tree.is_empty() {
            (empty("None: no neighbourhood has a chunk that is a label."))
        } @else {
            (level(&results.tree, "", 0))
        }
    }
}

fn introduction(results: &NeighborhoodResults, badness: &str) -> String {
    let how = match badness {
        "pooled" => "all its matched chunks among all its chunks",
        _ => "the mean of its pages' contains",
    };
    format!(
        "A neighbourhood is all pages below one URL prefix; its badness is {how}. \
         Over {} the mean is {} and the standard deviation {}; the threshold is {}. {} {} above it.",
        counted(results.total, "neighbourhood"),
        ratio(results.mean),
        ratio(results.stddev),
        ratio(results.threshold),
        count(results.bad),
        choose(results.bad, "lies", "lie"),
    )
}

/// Neighbourhoods beside each other, below `parent`.
fn level(nodes: &[Neighborhood], parent: &str, depth: usize) -> Markup {
    let shown = if depth == 0 { ROOTS_MAX } else { CHILDREN_MAX };
    // Open the worst, and below them the way down to the worst of each.
    let open = if depth == 0 { OPEN } else { 1 };
    html! {
        ul.tree {
            @for (index, node) in nodes.iter().take(shown).enumerate() {
                li { (branch(node, parent, depth, index < open)) }
            }
        }
        (and_more(nodes.len().saturating_sub(shown), "neighbourhood"))
    }
}

fn branch(node: &Neighborhood, parent: &str, depth: usize, is_open: bool) -> Markup {
    html! {
        @if node.children.is_empty() {
            div.row { (row(node, parent)) }
        } @else {
            details open[is_open] {
                summary.row { (row(node, parent)) }
                @if depth + 1 < DEPTH_MAX {
                    (level(&node.children, &node.prefix, depth + 1))
                } @else {
                    (and_more(node.children.len(), "neighbourhood"))
                }
            }
        }
    }
}

fn row(node: &Neighborhood, parent: &str) -> Markup {
    // What the indentation says already is not repeated.
    let name = match node.prefix.strip_prefix(parent) {
        Some(rest) if !rest.is_empty() => rest,
        _ => &node.prefix,
    };
    html! {
        span.name title=(text::line(&node.prefix)) { (text::url(name)) }
        span.badness.hot[node.is_bad] { (bar(node.badness, node.is_bad)) (ratio(node.badness)) }
        span.facts {
            (counted(node.pages, "page")) " \u{b7} "
            (count(node.matched)) " of " (counted(node.chunks, "chunk"))
        }
    }
}
