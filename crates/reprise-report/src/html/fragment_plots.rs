//! The fragmentation of campaigns with and without contexts, drawn as dots on logarithmic axes as in the paper.

use std::collections::BTreeMap;

use maud::{Markup, html};
use reprise_imatch::attack::{Fragments, NoiseKind};

use crate::html::axis::Decades;
use crate::html::plot::{decade_label, plot, px, x_at, x_tick, y_at, y_tick};
use crate::numbers::{counted, percent};

/// The number of powers of ten on the axis of shares, which begins at one campaign in a thousand.
const SHARE_DECADES: f64 = 3.0;

/// Draws the number of fragments without contexts (horizontal) and the reduction rate (vertical).
pub(crate) fn reduction_plot(rows: &[Fragments]) -> Markup {
    // Campaigns with the same numbers are one dot.
    let mut dots: BTreeMap<(bool, usize, usize), u64> = BTreeMap::new();
    for row in rows {
        for &(before, after) in &row.reductions {
            *dots.entry((is_words(row), before, after)).or_default() += 1;
        }
    }
    let most = dots.keys().map(|dot| dot.1).max().unwrap_or(1) as u64;
    let (x, y) = (Decades::new(1, most), Decades::new(1, most));
    let drawing = html! {
        @for (decade, position) in y.ticks() { (y_tick(position, &decade_label(decade))) }
        @for (decade, position) in x.ticks() { (x_tick(position, &decade_label(decade))) }
        @for (&(is_words, before, after), &campaigns) in &dots {
            circle.dot.hot[is_words] cx=(px(x_at(x.at(before as u64)))) cy=(px(y_at(rate_at(&y, before, after)))) r="3.5" {
                title {
                    (counted(campaigns, "campaign")) ": " (counted(before as u64, "fragment")) " without contexts, "
                    (after) " with contexts"
                }
            }
        }
    };
    plot(
        "The reduction rate of campaigns by their number of fragments without contexts",
        "fragments without contexts \u{2192}",
        "\u{2191} reduction rate",
        &drawing,
    )
}

/// Draws the reduction rates (horizontal) and the share of campaigns with each (vertical).
pub(crate) fn rates_plot(rows: &[Fragments]) -> Markup {
    let mut bars: BTreeMap<(bool, u64), (f64, u64)> = BTreeMap::new();
    for row in rows {
        for &(rate, share) in &row.rates {
            // Rates below 2 are multiples of 0.2, higher ones are whole numbers.
            let bar = bars
                .entry((is_words(row), (rate * 5.0).round() as u64))
                .or_default();
            bar.0 += share;
            bar.1 += 1;
        }
    }
    let kinds = |is_words: bool| {
        rows.iter()
            .filter(|row| self::is_words(row) == is_words)
            .count()
    };
    let most = bars
        .keys()
        .map(|&(_, fifths)| fifths / 5)
        .max()
        .unwrap_or(1);
    let x = Decades::new(1, most);
    let y = |share: f64| (1.0 + share.max(1e-9).log10() / SHARE_DECADES).max(0.0);
    let drawing = html! {
        @for (label, share) in [("0.1%", 0.001), ("1%", 0.01), ("10%", 0.1), ("100%", 1.0)] { (y_tick(y(share), label)) }
        @for (decade, position) in x.ticks() { (x_tick(position, &decade_label(decade))) }
        @for (&(is_words, fifths), &(sum, _)) in &bars {
            @let share = sum / kinds(is_words).max(1) as f64;
            @let rate = fifths as f64 / 5.0;
            circle.dot.hot[is_words] cx=(px(x_at(x.at_float(rate)))) cy=(px(y_at(y(share)))) r="3.5" {
                title { (percent(share)) " of campaigns with a reduction rate of " (px(rate)) }
            }
        }
    };
    plot(
        "The share of campaigns by their reduction rate",
        "reduction rate \u{2192}",
        "\u{2191} share of campaigns",
        &drawing,
    )
}

fn is_words(row: &Fragments) -> bool {
    row.noise == NoiseKind::Words
}

fn rate_at(y: &Decades, before: usize, after: usize) -> f64 {
    y.at_float(before as f64 / after.max(1) as f64)
}
