//! The number of sources of sampled pages, drawn as discs as in the paper.

use std::cmp::Reverse;

use maud::{Markup, html};

use crate::html::axis::Linear;
use crate::html::parts::{and_more, caption, empty};
use crate::html::per_document::MANY;
use crate::html::plot::{plot, px, x_at, x_tick, y_at, y_tick};
use crate::numbers::{counted, percent, unit};
use crate::results::{CoverPoint, PhraseFindings};

/// The radius of the largest disc.
const RADIUS_MAX: f64 = 13.0;

/// The radius of the smallest disc; a smaller one would be hard to see.
const RADIUS_MIN: f64 = 1.6;

/// The most discs; those with most pages are drawn.
const DISCS_MAX: usize = 2_000;

/// Renders the plot, or says why it is missing.
pub(crate) fn covers(findings: &PhraseFindings) -> Markup {
    let mut points: Vec<&CoverPoint> = findings
        .covers
        .iter()
        .filter(|point| point.pages > 0)
        .collect();
    if points.is_empty() {
        return empty(&format!(
            "No page has {MANY} or more popular shingles, so no sources were looked for."
        ));
    }
    // Small discs are drawn on top of large ones.
    points.sort_by_key(|point| Reverse(point.pages));
    let all = points.len() as u64;
    points.truncate(DISCS_MAX);
    let largest = format!(
        "pages; the largest disc stands for {}",
        counted(points[0].pages, "page")
    );
    html! {
        figure {
            (drawing(&points))
            (caption(
                &[("disc", &largest), ("hot disc", "the part of their shingles that is on other sites")],
                "Each disc stands for sampled pages with the same number of popular shingles (horizontal axis) and of \
                 sources (vertical axis). Sources are other pages that together have these shingles. The content of a low \
                 disc comes from few pages. A disc high up and far to the right stands for pages that are stitched together \
                 from many. If the inner disc fills the outer one, all shingles are on other sites. If there is no inner \
                 disc, they are only on the page\u{2019}s own site.",
            ))
        }
        (and_more(all, DISCS_MAX, "smaller disc"))
    }
}

fn drawing(points: &[&CoverPoint]) -> Markup {
    let least = points.iter().map(|point| point.popular).min().unwrap_or(0);
    let most = points.iter().map(|point| point.sources).max().unwrap_or(1);
    let pages = points.iter().map(|point| point.pages).max().unwrap_or(1);
    let (x, y) = (Linear::shingles(least.into()), Linear::up_to(most));
    let largest = largest_radius(&x, &y);
    let discs = html! {
        @for tick in y.ticks() { (y_tick(y.at(tick as f64), &tick.to_string())) }
        @for tick in x.ticks() { (x_tick(x.at(tick as f64), &tick.to_string())) }
        @for point in points {
            (disc(
                point,
                (x_at(x.at(point.popular.into())), y_at(y.at(point.sources.into()))),
                (largest * (point.pages as f64 / pages as f64).sqrt()).max(RADIUS_MIN),
            ))
        }
    };
    plot(
        "The number of sources of pages by their number of popular shingles",
        "popular shingles of a page, of 84 \u{2192}",
        "\u{2191} sources of a page",
        &discs,
    )
}

/// Returns a radius with which neighbouring discs overlap only a little.
fn largest_radius(x: &Linear, y: &Linear) -> f64 {
    let across = x_at(x.one()) - x_at(0.0);
    let up = y_at(0.0) - y_at(y.one());
    (0.85 * (across * up).sqrt()).clamp(5.0, RADIUS_MAX)
}

fn disc(point: &CoverPoint, (x, y): (f64, f64), radius: f64) -> Markup {
    // The areas of both discs have the ratio of the two numbers.
    let inner = radius * unit(point.foreign_share).sqrt();
    html! {
        g.disc {
            circle.outer cx=(px(x)) cy=(px(y)) r=(px(radius)) {}
            @if inner > 0.0 { circle.inner cx=(px(x)) cy=(px(y)) r=(px(inner)) {} }
            title { (title(point)) }
        }
    }
}

fn title(point: &CoverPoint) -> String {
    format!(
        "{} with {} and {}; {} of the shingles are on other sites",
        counted(point.pages, "page"),
        counted(point.popular.into(), "popular shingle"),
        counted(point.sources.into(), "source"),
        percent(point.foreign_share),
    )
}
