//! The number of objects by a count, drawn as dots on two logarithmic axes.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::html::plot::{
    decade_label, decades, last_decade, plot, px, threshold_line, x_at, x_tick, y_at, y_tick,
};
use crate::numbers::{compact, count, counted};

/// The size of the squares in which all dots are merged into one. In a large corpus, thousands of high counts
/// have one object each, and their dots would cover each other.
const CELL: f64 = 2.0;

/// The data and words of a plot.
pub(crate) struct LogDots<'a> {
    /// Counts, and the number of objects with each count.
    pub(crate) pairs: &'a [(u64, u64)],
    /// The noun for an object, such as `chunk`.
    pub(crate) object: &'a str,
    /// The noun for what is counted, such as `site`.
    pub(crate) measure: &'a str,
    /// Dots with a higher count are highlighted.
    pub(crate) hot_above: u64,
    /// The position of a vertical line, and its label.
    pub(crate) line: (f64, String),
    /// The title of the vertical axis.
    pub(crate) y_title: String,
}

/// A dot that stands for `counts` counts from `first` to `last`.
#[derive(Debug, PartialEq)]
struct Dot {
    x: f64,
    y: f64,
    first: u64,
    last: u64,
    counts: u64,
    objects: u64,
}

/// Returns true if there is at least one dot.
pub(crate) fn has_dots(pairs: &[(u64, u64)]) -> bool {
    pairs
        .iter()
        .any(|&(count, objects)| count > 0 && objects > 0)
}

/// Draws the pairs, of which at least one must be a dot.
pub(crate) fn log_dots_plot(data: &LogDots<'_>) -> Markup {
    let LogDots {
        object, measure, ..
    } = data;
    let counts = data.pairs.iter().map(|&(count, _)| count);
    let objects = data.pairs.iter().map(|&(_, objects)| objects);
    let x_last = last_decade(counts.max().unwrap_or(1).max(data.line.0 as u64));
    let y_last = last_decade(objects.max().unwrap_or(1));
    let line = log(data.line.0, x_last);

    let drawing = html! {
        @for decade in decades(y_last) {
            (y_tick(f64::from(decade) / f64::from(y_last), &decade_label(decade)))
        }
        @for decade in decades(x_last) {
            (x_tick(f64::from(decade) / f64::from(x_last), &decade_label(decade)))
        }
        @for dot in dots(data.pairs, x_last, y_last) {
            circle.dot.hot[dot.last > data.hot_above] cx=(px(dot.x)) cy=(px(dot.y)) r="3.5" {
                title { (title(&dot, object, measure)) }
            }
        }
        @if line > 0.0 { (threshold_line(line, &data.line.1)) }
    };
    plot(
        &format!("The number of {object}s by their number of {measure}s"),
        &format!("{measure}s per {object} \u{2192}"),
        &format!("\u{2191} {}", data.y_title),
        &drawing,
    )
}

fn dots(pairs: &[(u64, u64)], x_last: u32, y_last: u32) -> Vec<Dot> {
    let mut cells: BTreeMap<(u64, u64), Dot> = BTreeMap::new();
    for &(count, objects) in pairs {
        if count == 0 || objects == 0 {
            continue;
        }
        let x = x_at(log(count as f64, x_last));
        let y = y_at(log(objects as f64, y_last));
        let cell = ((x / CELL) as u64, (y / CELL) as u64);
        let dot = cells.entry(cell).or_insert(Dot {
            x,
            y,
            first: count,
            last: count,
            counts: 0,
            objects: 0,
        });
        dot.last = count;
        dot.counts += 1;
        dot.objects = dot.objects.saturating_add(objects);
    }
    cells.into_values().collect()
}

fn title(dot: &Dot, object: &str, measure: &str) -> String {
    let objects = counted(dot.objects, object);
    if dot.counts == 1 {
        format!("{objects} with {}", counted(dot.first, measure))
    } else {
        let (first, last) = (count(dot.first), count(dot.last));
        format!(
            "{objects} with {first} to {last} {measure}s ({} different numbers)",
            compact(dot.counts)
        )
    }
}

/// Returns the position of a number on an axis from 1 to `10^last`.
fn log(number: f64, last: u32) -> f64 {
    (number.max(1.0).log10() / f64::from(last)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::{dots, title};

    #[test]
    fn dots_in_the_same_place_are_merged() {
        let far = dots(&[(1, 10), (10, 1)], 1, 1);
        assert_eq!(far.len(), 2);
        assert_eq!(title(&far[1], "chunk", "site"), "1 chunk with 10 sites");

        let near = dots(&[(10_000, 1), (10_001, 1)], 5, 1);
        assert_eq!(near.len(), 1);
        assert_eq!(
            title(&near[0], "chunk", "site"),
            "2 chunks with 10,000 to 10,001 sites (2 different numbers)"
        );
        assert!(dots(&[(0, 5), (5, 0)], 1, 1).is_empty());
    }
}
