//! The numbers of unique pages, exact and near duplicates during a crawl, drawn as curves as in the paper.

use std::iter;

use maud::{Markup, html};

use crate::html::axis::Linear;
use crate::html::parts::{caption, empty};
use crate::html::plot::{TOP, plot, px, threshold_line, x_at, x_tick, y_at, y_tick};
use crate::numbers::{compact, count, counted};
use crate::results::{CrawlEnd, CrawlEndReason};

/// The least distance between two points of a curve.
const POINT_GAP: f64 = 1.0;

/// The least distance between two points with a tooltip.
const COLUMN_GAP: f64 = 5.0;

/// The classes and names of the curves.
const CURVES: [(&str, &str); 3] = [
    ("curve unique", "unique pages"),
    ("curve exact", "exact duplicates"),
    ("curve near", "near duplicates"),
];

/// The numbers after the first `pages` pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Point {
    pages: u64,
    /// Unique pages, exact and near duplicates, in the order of [`CURVES`].
    numbers: [u64; 3],
}

/// The three curves.
pub(crate) struct Curves(Vec<Point>);

impl Curves {
    /// Creates the curves through these points. Points that are not after the one before them are left out.
    pub(crate) fn of(growth: &[[u64; 4]]) -> Curves {
        let mut points: Vec<Point> = Vec::with_capacity(growth.len());
        for &[pages, unique, exact, near] in growth {
            if pages > points.last().map_or(0, |point| point.pages) {
                points.push(Point {
                    pages,
                    numbers: [unique, exact, near],
                });
            }
        }
        Curves(points)
    }

    /// Returns the number of all pages.
    pub(crate) fn pages(&self) -> u64 {
        self.0.last().map_or(0, |point| point.pages)
    }

    /// Returns the number of pages after which `part / whole` of the unique pages had been fetched; `None` if
    /// there are no unique pages.
    pub(crate) fn reached(&self, part: u128, whole: u128) -> Option<u64> {
        let unique = |point: &Point| u128::from(point.numbers[0]);
        let all = self.0.last().map(unique).filter(|&all| all > 0)?;
        let point = (self.0.iter()).find(|point| unique(point) * whole >= all * part);
        point.map(|point| point.pages)
    }

    fn highest(&self) -> u64 {
        let numbers = self.0.iter().flat_map(|point| point.numbers);
        numbers.max().unwrap_or(0)
    }
}

/// Renders the plot, or says why it is missing.
pub(crate) fn growth(curves: &Curves, stopped: Option<&CrawlEnd>) -> Markup {
    if curves.0.is_empty() {
        return empty("No page has text, so there is nothing to plot.");
    }
    html! {
        figure {
            (drawing(curves, stopped))
            (caption(
                &CURVES,
                "Each line shows how many pages of a kind (vertical axis) were among the first pages of the crawl \
                 (horizontal axis). If the line of unique pages becomes flat, the crawl finds no more new content.",
            ))
        }
    }
}

fn drawing(curves: &Curves, stopped: Option<&CrawlEnd>) -> Markup {
    let (x, y) = (axis(curves.pages()), axis(curves.highest()));
    let at_x = |point: &Point| x_at(x.at(point.pages as f64));
    let stopped = stopped.filter(|stopped| stopped.reason == CrawlEndReason::NothingNew);
    let drawing = html! {
        @for tick in y.ticks() { (y_tick(y.at(tick as f64), &tick_label(tick))) }
        @for tick in x.ticks() { (x_tick(x.at(tick as f64), &tick_label(tick))) }
        @if let Some(stopped) = stopped { (window(curves.pages(), stopped, &x)) }
        @for (index, (class, _)) in CURVES.iter().enumerate() {
            polyline class=(class) points=(line(&curves.0, index, &x, &y)) {}
        }
        @if stopped.is_some() { (threshold_line(x.at(curves.pages() as f64), "the stop rule")) }
        (columns(&thinned(&curves.0, COLUMN_GAP, at_x), at_x, &y))
    };
    plot(
        "The numbers of unique pages, exact and near duplicates during the crawl",
        "pages with text, in the order of the crawl \u{2192}",
        "\u{2191} pages of each kind",
        &drawing,
    )
}

fn axis(most: u64) -> Linear {
    Linear::up_to(u32::try_from(most).unwrap_or(u32::MAX))
}

fn tick_label(tick: u64) -> String {
    if tick < 10_000 {
        count(tick)
    } else {
        compact(tick)
    }
}

/// Draws the range of pages that the stop rule examined.
fn window(pages: u64, stopped: &CrawlEnd, x: &Linear) -> Markup {
    let from = x_at(x.at(pages.saturating_sub(stopped.window.unwrap_or(0)) as f64));
    let width = x_at(x.at(pages as f64)) - from;
    html! {
        rect.window x=(px(from)) y=(px(TOP)) width=(px(width)) height=(px(y_at(0.0) - TOP)) {}
    }
}

/// Returns the points of a curve, which begins at zero.
fn line(points: &[Point], index: usize, x: &Linear, y: &Linear) -> String {
    let start = Point {
        pages: 0,
        numbers: [0; 3],
    };
    let at_x = |point: &Point| x_at(x.at(point.pages as f64));
    let points = thinned(points, POINT_GAP, at_x);
    let places = iter::once(&start).chain(&points).map(|point| {
        let height = y_at(y.at(point.numbers[index] as f64));
        format!("{},{}", px(at_x(point)), px(height))
    });
    places.collect::<Vec<_>>().join(" ")
}

/// Draws the tooltips, one for each point. The area of each reaches halfway to the next point.
fn columns(points: &[Point], at_x: impl Fn(&Point) -> f64, y: &Linear) -> Markup {
    let halfway = |a: &Point, b: &Point| f64::midpoint(at_x(a), at_x(b));
    html! {
        @for (index, point) in points.iter().enumerate() {
            @let middle = at_x(point);
            @let from = if index == 0 { x_at(0.0) } else { halfway(&points[index - 1], point) };
            @let to = points.get(index + 1).map_or(middle + COLUMN_GAP, |next| halfway(point, next));
            g.moment {
                rect.hit x=(px(from)) y=(px(TOP)) width=(px(to - from)) height=(px(y_at(0.0) - TOP)) {}
                line.at x1=(px(middle)) x2=(px(middle)) y1=(px(TOP)) y2=(px(y_at(0.0))) {}
                @for number in point.numbers {
                    circle.at cx=(px(middle)) cy=(px(y_at(y.at(number as f64)))) r="3.5" {}
                }
                title { (title(point)) }
            }
        }
    }
}

/// Returns the last point of each interval of the length `gap`.
fn thinned(points: &[Point], gap: f64, at_x: impl Fn(&Point) -> f64) -> Vec<Point> {
    let cell = |point: &Point| (at_x(point) / gap) as u64;
    let mut kept: Vec<Point> = Vec::new();
    for point in points {
        match kept.last_mut() {
            Some(last) if cell(last) == cell(point) => *last = *point,
            _ => kept.push(*point),
        }
    }
    kept
}

fn title(point: &Point) -> String {
    let [unique, exact, near] = point.numbers;
    format!(
        "after {}: {} unique, {}, {}",
        counted(point.pages, "page"),
        count(unique),
        counted(exact, "exact duplicate"),
        counted(near, "near duplicate"),
    )
}

#[cfg(test)]
mod tests {
    use super::{Curves, thinned, title};

    #[test]
    fn points_must_ascend() {
        let curves = Curves::of(&[[0, 0, 0, 0], [2, 1, 1, 0], [2, 9, 9, 9], [1, 9, 9, 9]]);
        assert_eq!(curves.0.len(), 1);
        assert_eq!((curves.pages(), curves.highest()), (2, 1));
    }

    #[test]
    fn parts_of_the_unique_pages_are_found() {
        let largest = u64::MAX;
        let curves = Curves::of(&[[1, 1, 0, 0], [9, largest, 0, 0], [largest, largest, 0, 0]]);
        assert_eq!(curves.reached(1, 2), Some(9));
        assert_eq!(curves.reached(1, 1), Some(9));
        assert_eq!(Curves::of(&[[1, 0, 1, 0]]).reached(1, 2), None);
    }

    #[test]
    fn the_last_point_of_an_interval_is_kept() {
        let curves = Curves::of(&[[1, 1, 0, 0], [2, 2, 0, 0], [10, 2, 1, 7]]);
        let kept = thinned(&curves.0, 5.0, |point| point.pages as f64);
        assert_eq!(kept, curves.0[1..]);
        assert_eq!(
            title(&kept[1]),
            "after 10 pages: 2 unique, 1 exact duplicate, 7 near duplicates"
        );
    }
}
