//! The number of pages with each number of popular shingles from 0 to 84, drawn as bars.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::html::axis::SHINGLES;
use crate::html::parts::{caption, empty};
use crate::html::plot::{
    TOP, decade_label, decades, last_decade, plot, px, x_at, x_tick, y_at, y_tick,
};
use crate::numbers::{counted, share};
use crate::results::PopularPhrases;

/// The number of popular shingles from which on a page is worth a look. The plots below this one begin here.
pub(crate) const MANY: u8 = 30;

/// Renders the plot, or says why it is missing.
pub(crate) fn per_document(popular: &PopularPhrases) -> Markup {
    let mut bars: BTreeMap<u8, u64> = BTreeMap::new();
    for &(shingles, documents) in &popular.per_document {
        let bar = bars.entry(shingles.min(SHINGLES as u8)).or_default();
        *bar = bar.saturating_add(documents);
    }
    let total = bars
        .values()
        .fold(0, |total: u64, &bar| total.saturating_add(bar));
    if total == 0 {
        return empty("No page has a phrase, so there is nothing to plot.");
    }
    let last = last_decade(bars.values().copied().max().unwrap_or(1));
    let drawing = html! {
        (y_tick(0.0, "0"))
        // On a long scale, the label 1 would cover the label 0.
        @for decade in decades(last).filter(|&decade| decade > 0 || last < 4) {
            (y_tick(height(10_f64.powf(f64::from(decade)), last), &decade_label(decade)))
        }
        @for tick in (0..=70).step_by(10).chain([SHINGLES as u8]) {
            (x_tick(f64::midpoint(left(tick), left(tick + 1)), &tick.to_string()))
        }
        @for (&popular, &documents) in &bars {
            (bar(popular, height(documents as f64, last), &title(popular, documents, total)))
        }
    };
    let many: u64 = (bars.range(MANY..)).fold(0, |many, (_, &bar)| many.saturating_add(bar));
    let (many_key, few_key) = (
        format!("{MANY} or more ({} of the pages)", share(many, total)),
        "fewer".to_owned(),
    );
    html! {
        figure {
            (plot(
                "The number of pages by their number of popular shingles",
                "popular shingles of a page, of 84 \u{2192}",
                "\u{2191} pages",
                &drawing,
            ))
            (caption(
                &[("hot", &many_key), ("", &few_key)],
                "Each bar shows how many pages (vertical axis, logarithmic) have a certain number of popular shingles \
                 (horizontal axis). Original pages have few and are at the left. A hill at the right stands for pages that \
                 consist of copied parts or of a template.",
            ))
        }
    }
}

/// Returns the position of the left edge of a column.
fn left(popular: u8) -> f64 {
    f64::from(popular) / (SHINGLES + 1.0)
}

/// Draws a bar. The title is shown when the mouse is anywhere in its column.
fn bar(popular: u8, top: f64, title: &str) -> Markup {
    let (from, to) = (x_at(left(popular)), x_at(left(popular + 1)));
    let class = if popular >= MANY { "hot" } else { "cold" };
    html! {
        g.column {
            rect.hit x=(px(from)) y=(px(TOP)) width=(px(to - from)) height=(px(y_at(0.0) - TOP)) {}
            rect class=(class) x=(px(from + 0.6)) y=(px(y_at(top))) width=(px(to - from - 1.2))
                height=(px(y_at(0.0) - y_at(top))) {}
            title { (title) }
        }
    }
}

/// Returns a position on a logarithmic scale that begins at 0.
fn height(number: f64, last: u32) -> f64 {
    ((1.0 + number).log10() / (1.0 + 10_f64.powf(f64::from(last))).log10()).min(1.0)
}

fn title(popular: u8, documents: u64, total: u64) -> String {
    format!(
        "{} with {} ({} of all)",
        counted(documents, "page"),
        counted(popular.into(), "popular shingle"),
        share(documents, total),
    )
}
