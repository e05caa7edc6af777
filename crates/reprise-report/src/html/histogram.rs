//! How a value from 0 to 1 is distributed: bars, and a line for what has been passed so far.

use maud::{Markup, html};

use crate::html::plot::{
    TOP, decade_label, decades, last_decade, plot, px, threshold_line, x_at, x_tick, y_at, y_tick,
};
use crate::numbers::{count, counted, ratio, share, unit};

/// What is plotted, in words.
pub(crate) struct Words<'a> {
    /// The things: `page`.
    pub(crate) noun: &'a str,
    /// Their value: `contains`.
    pub(crate) value: &'a str,
}

/// One bar, and what it stands for.
struct Bar {
    from: f64,
    to: f64,
    number: u64,
    /// All things up to its right edge.
    so_far: u64,
}

/// The plot of a histogram that is not all zeros, with a key.
pub(crate) fn histogram_plot(bins: &[u64], threshold: f64, words: &Words<'_>) -> Markup {
    let Words { noun, value } = words;
    let bars = bars(bins);
    let total = bars.last().map_or(0, |bar| bar.so_far);
    let last = last_decade(bins.iter().copied().max().unwrap_or(1));
    let is_inside = threshold > 0.0 && threshold < 1.0;
    let drawing = html! {
        (axes(last))
        @for bar in &bars { (draw(bar, threshold, last, &title(bar, total, words))) }
        polyline.cdf points=(cdf(&bars, total)) {}
        @if is_inside { (threshold_line(threshold, &format!("threshold {}", ratio(threshold)))) }
    };
    html! {
        figure {
            (plot(
                &format!("Distribution of {value} over {noun}s"),
                &format!("{value} \u{2192}"),
                &format!("\u{2191} {noun}s"),
                &drawing,
            ))
            figcaption {
                span.key { span.swatch.hot {} (noun) "s above the threshold" }
                span.key { span.swatch {} "the others" }
                span.key { span.swatch.thin {} "share of " (noun) "s up to here (right scale)" }
                span.key { "Bars are on a logarithmic scale." }
                @if threshold >= 1.0 {
                    span.key { "The threshold is " (format!("{threshold:.2}")) ": nothing can lie above it." }
                }
            }
        }
    }
}

fn bars(bins: &[u64]) -> Vec<Bar> {
    let mut so_far: u64 = 0;
    let steps = bins.len() as f64;
    let mut bars = Vec::with_capacity(bins.len());
    for (index, &number) in bins.iter().enumerate() {
        so_far = so_far.saturating_add(number);
        bars.push(Bar {
            from: index as f64 / steps,
            to: (index + 1) as f64 / steps,
            number,
            so_far,
        });
    }
    bars
}

fn axes(last: u32) -> Markup {
    html! {
        (y_tick(0.0, "0"))
        // The 1 would stand on the 0.
        @for decade in decades(last).filter(|&decade| decade > 0 || last < 4) {
            (y_tick(height(10_f64.powf(f64::from(decade)), last), &decade_label(decade)))
        }
        @for (position, label) in [(0.0, "0%"), (0.5, "50%"), (1.0, "100%")] {
            text.tick x=(px(x_at(1.0) + 8.0)) y=(px(y_at(position) + 4.0)) { (label) }
        }
        @for step in 0..=5_u8 {
            (x_tick(f64::from(step) / 5.0, &format!("{:.1}", f64::from(step) / 5.0)))
        }
    }
}

/// A bar, in two colours where the threshold cuts it; the whole column answers to the mouse.
fn draw(bar: &Bar, threshold: f64, last: u32, title: &str) -> Markup {
    let top = height(bar.number as f64, last);
    let cut = threshold.clamp(bar.from, bar.to);
    let column = (x_at(bar.from), x_at(bar.to) - x_at(bar.from));
    html! {
        g.column {
            rect.hit x=(px(column.0)) y=(px(TOP)) width=(px(column.1)) height=(px(y_at(0.0) - TOP)) {}
            (rectangle(bar.from, cut, top, "cold"))
            (rectangle(cut, bar.to, top, "hot"))
            title { (title) }
        }
    }
}

fn rectangle(from: f64, to: f64, top: f64, class: &str) -> Markup {
    // A gap between bars, half of it at either side.
    let gap = 1.0;
    let (x, width) = (x_at(from) + gap, x_at(to) - x_at(from) - 2.0 * gap);
    html! {
        @if width > 0.0 && top > 0.0 {
            rect class=(class) x=(px(x)) y=(px(y_at(top))) width=(px(width)) height=(px(y_at(0.0) - y_at(top))) {}
        }
    }
}

/// How high a number stands: logarithmic, since nearly everything lies in the first bar, but
/// with a place for 0.
fn height(number: f64, last: u32) -> f64 {
    ((1.0 + number).log10() / (1.0 + 10_f64.powf(f64::from(last))).log10()).min(1.0)
}

fn cdf(bars: &[Bar], total: u64) -> String {
    let point = |x: f64, y: f64| format!("{},{}", px(x_at(x)), px(y_at(y)));
    let mut points = vec![point(0.0, 0.0)];
    for bar in bars {
        let share = unit(bar.so_far as f64 / total.max(1) as f64);
        points.push(point(bar.to, share));
    }
    points.join(" ")
}

fn title(bar: &Bar, total: u64, words: &Words<'_>) -> String {
    let Words { noun, value } = words;
    let Bar {
        from,
        to,
        number,
        so_far,
    } = bar;
    format!(
        "{} with a {value} from {from:.2} to {to:.2}; {} of all ({}) up to here",
        counted(*number, noun),
        share(*so_far, total),
        count(*so_far),
    )
}
