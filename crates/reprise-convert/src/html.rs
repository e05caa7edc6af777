//! HTML.
//!
//! The [`tokens`](reprise_text::tokens) of a page become a small [`tree`]. It shows where hidden elements
//! and paragraphs end, but does not repair misplaced tags as browsers do. [`main_content`] selects parts
//! of the tree.

mod attributes;
mod elements;
mod main_content;
mod tree;

use crate::converter::Work;
use crate::error::ConvertError;
use crate::html::elements::NodeKind;
use crate::html::tree::Tree;

/// Writes the visible text of a page. Returns its title.
pub(crate) fn convert(
    page: &str,
    is_xml: bool,
    is_main_only: bool,
    work: &mut Work<'_>,
) -> Result<Option<String>, ConvertError> {
    let tree = Tree::of(page, is_xml, is_main_only, work)?;
    let kept = if is_main_only {
        main_content::choose(&tree)
    } else {
        vec![true; tree.nodes.len()]
    };
    write(&tree, &kept, work)?;
    Ok(tree.title)
}

/// Writes the nodes that are kept. A node that is not kept is left out with all nodes below it.
fn write(tree: &Tree, kept: &[bool], work: &mut Work<'_>) -> Result<(), ConvertError> {
    let mut open: Vec<(usize, NodeKind)> = Vec::new();
    let mut at = 0;
    while at < tree.nodes.len() && !work.out.is_full() {
        work.clock.tick()?;
        while let Some(&(end, kind)) = open.last()
            && end <= at
        {
            edge(kind, false, work);
            open.pop();
        }
        let node = &tree.nodes[at];
        if !kept[at] {
            // A part that is left out still separates its neighbours.
            edge(node.kind, false, work);
            at = node.end as usize;
            continue;
        }
        if node.kind == NodeKind::Text {
            let text = tree.text(node);
            if node.is_preformatted {
                work.out.push_lines(text);
            } else {
                work.out.push(text);
            }
        } else {
            edge(node.kind, true, work);
            open.push((node.end as usize, node.kind));
        }
        at += 1;
    }
    if open.iter().any(|&(_, kind)| kind.is_block()) {
        work.out.paragraph();
    }
    Ok(())
}

/// Writes the effect of the start or the end of an element.
fn edge(kind: NodeKind, is_start: bool, work: &mut Work<'_>) {
    match kind {
        NodeKind::Br if is_start => work.out.line(),
        NodeKind::Br | NodeKind::Text | NodeKind::Inline | NodeKind::A => {}
        NodeKind::Cell => work.out.tab(),
        kind if kind.is_block() => work.out.paragraph(),
        _ => work.out.push(" "),
    }
}
