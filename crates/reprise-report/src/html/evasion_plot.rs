//! The medians and quartiles of edits: a group of rows for each kind of edit, and in it a row for each method.

use maud::{Markup, html};

use crate::html::axis::Decades;
use crate::html::evasion::{by_edit, edits};
use crate::html::plot::{decade_label, px};
use crate::html::text;
use crate::numbers::counted;
use crate::results::{EvasionRow, Quartiles};

const WIDTH: f64 = 640.0;
/// The left end of the axis; the names of methods are to its left.
const LEFT: f64 = 132.0;

/// The right end of the axis.
const RIGHT: f64 = 546.0;

/// The middle of the column for "never".
const NEVER: f64 = 608.0;

const TOP: f64 = 44.0;
const BOTTOM: f64 = 34.0;

/// The height of a row.
const ROW: f64 = 19.0;

/// The height of the heading of a group.
const HEAD: f64 = 36.0;

/// Draws the rows, of which there must be at least one.
pub(crate) fn evasion_plot(rows: &[EvasionRow]) -> Markup {
    let groups: Vec<&[EvasionRow]> = by_edit(rows).collect();
    let height = TOP + groups.len() as f64 * HEAD + rows.len() as f64 * ROW + BOTTOM;
    let most = rows.iter().flat_map(quartiles).flatten().max();
    let axis = Decades::new(1, most.unwrap_or(1));
    let (top, floor) = (px(TOP), px(height - BOTTOM));
    html! {
        svg.plot.evasion viewBox={"0 0 " (px(WIDTH)) " " (px(height))} role="img"
            aria-label="Edits until a copy is no longer found, by kind of edit and method"
        {
            text.axis x=(px(LEFT)) y="14" { "edits until the copy is no longer found \u{2192}" }
            @for (decade, position) in axis.ticks() {
                @let x = px(x_at(position));
                line.grid x1=(x) x2=(x) y1=(top) y2=(floor) {}
                @for y in [TOP - 8.0, height - BOTTOM + 18.0] {
                    text.tick.middle x=(x) y=(px(y)) { (decade_label(decade)) }
                }
            }
            line.grid x1=(px(NEVER)) x2=(px(NEVER)) y1=(top) y2=(floor) {}
            @for y in [TOP - 8.0, height - BOTTOM + 18.0] {
                text.tick.middle x=(px(NEVER)) y=(px(y)) { "never" }
            }
            @for (group, y) in groups.iter().zip(tops(&groups)) {
                text.group x="0" y=(px(y + HEAD - 14.0)) { (text::line(&group[0].meaning)) }
                @for (row, place) in group.iter().zip(0_u32..) {
                    (drawn(row, y + HEAD + (f64::from(place) + 0.5) * ROW, &axis))
                }
            }
        }
    }
}

/// Returns the top of each group.
fn tops(groups: &[&[EvasionRow]]) -> impl Iterator<Item = f64> {
    groups.iter().scan(TOP, |next, group| {
        let top = *next;
        *next += HEAD + group.len() as f64 * ROW;
        Some(top)
    })
}

fn x_at(position: f64) -> f64 {
    LEFT + position * (RIGHT - LEFT)
}

fn quartiles(row: &EvasionRow) -> [Option<u64>; 3] {
    let Quartiles {
        first,
        median,
        third,
    } = row.edits;
    [first, median, third]
}

fn drawn(row: &EvasionRow, y: f64, axis: &Decades) -> Markup {
    let at = |edits: Option<u64>| edits.map_or(NEVER, |edits| x_at(axis.at(edits)));
    let [first, median, third] = quartiles(row).map(at);
    let label =
        html! { text.end x=(px(LEFT - 10.0)) y=(px(y + 4.0)) { (text::line(&row.method)) } };
    if row.documents == 0 {
        return html! {
            (label)
            text.none x=(px(LEFT + 8.0)) y=(px(y + 4.0)) { "no suitable page" }
        };
    }
    let (above, y) = (px(y - ROW / 2.0), px(y));
    html! {
        g.method {
            rect.hit x="0" width=(px(WIDTH)) y=(above) height=(px(ROW)) {}
            (label)
            line.range x1=(px(first)) x2=(px(third)) y1=(y) y2=(y) {}
            circle.dot.hot[row.edits.median.is_some()].hollow[row.edits.median.is_none()] cx=(px(median)) cy=(y) r="4.5" {}
            title { (title(row)) }
        }
    }
}

fn title(row: &EvasionRow) -> String {
    let [first, median, third] = quartiles(row).map(edits);
    format!(
        "{}, {}: median {median}, quartiles {first} and {third}; never for {} of {}",
        text::line(&row.method),
        text::line(&row.meaning),
        row.never,
        counted(row.documents, "page"),
    )
}
