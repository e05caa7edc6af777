//! From how many other pages a page can be put together: discs, as in the paper.

use std::cmp::Reverse;

use maud::{Markup, html};

use crate::data::{CoverPoint, PhraseFindings};
use crate::html::axis::Linear;
use crate::html::numbers::{counted, percent, unit};
use crate::html::parts::{and_more, caption, empty};
use crate::html::per_document::MANY;
use crate::html::plot::{plot, px, x_at, x_tick, y_at, y_tick};

/// Radius of the largest disc, and of the smallest that can be seen.
const RADIUS_MAX: f64 = 13.0;
const RADIUS_MIN: f64 = 1.6;

/// Most discs that are drawn: those with most pages.
const DISCS_MAX: usize = 2_000;

/// The plot, or why there is none.
pub(crate) fn covers(findings: &PhraseFindings) -> Markup {
    let mut points: Vec<&CoverPoint> = findings
        .covers
        .iter()
        .filter(|point| point.pages > 0)
        .collect();
    if points.is_empty() {
        return empty(&format!(
            "No page shares {MANY} or more popular shingles with others, so none was looked at."
        ));
    }
    // The small ones on top of the large ones.
    points.sort_by_key(|point| Reverse(point.pages));
    let hidden = points.len().saturating_sub(DISCS_MAX);
    points.truncate(DISCS_MAX);
    html! {
        figure {
            (drawing(&points))
            (caption(
                &[("disc", &format!("pages: the largest disc is {}", counted(points[0].pages, "page"))), ("hot disc", "what pages of other sites have of them")],
                "Each disc is the sampled pages that have so many popular shingles (to the right) and need so many other \
                 pages, the donors, to have all of them (upwards). A low disc can be put together from few pages; one \
                 far to the right and high is stitched together from many. Where the inner disc covers the outer one, \
                 all shingles are found on other sites; where it is missing, on the page\u{2019}s own site only.",
            ))
        }
        (and_more(hidden, "smaller disc"))
    }
}

fn drawing(points: &[&CoverPoint]) -> Markup {
    let least = points.iter().map(|point| point.popular).min().unwrap_or(0);
    let most = points.iter().map(|point| point.donors).max().unwrap_or(1);
    let pages = points.iter().map(|point| point.pages).max().unwrap_or(1);
    let (x, y) = (Linear::shingles(least.into()), Linear::up_to(most));
    let largest = largest_radius(&x, &y);
    let discs = html! {
        @for tick in y.ticks() { (y_tick(y.at(tick as f64), &tick.to_string())) }
        @for tick in x.ticks() { (x_tick(x.at(tick as f64), &tick.to_string())) }
        @for point in points {
            (disc(
                point,
                (x_at(x.at(point.popular.into())), y_at(y.at(point.donors.into()))),
                (largest * (point.pages as f64 / pages as f64).sqrt()).max(RADIUS_MIN),
            ))
        }
    };
    plot(
        "How many donors pages with popular shingles need",
        "popular shingles of a page, of 84 \u{2192}",
        "\u{2191} donors: other pages that have them all",
        &discs,
    )
}

/// Neighbours may overlap a little, not more.
fn largest_radius(x: &Linear, y: &Linear) -> f64 {
    let across = x_at(x.one()) - x_at(0.0);
    let up = y_at(0.0) - y_at(y.one());
    (0.85 * (across * up).sqrt()).clamp(5.0, RADIUS_MAX)
}

fn disc(point: &CoverPoint, (x, y): (f64, f64), radius: f64) -> Markup {
    // Areas are compared, not radii.
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
        "{} with {} and {}; {} of these are on other sites",
        counted(point.pages, "page"),
        counted(point.popular.into(), "popular shingle"),
        counted(point.donors.into(), "donor"),
        percent(point.foreign_share),
    )
}
