//! The distribution of a value from 0 to 1: a histogram with the cumulative distribution as a line.

use maud::{Markup, html};

use crate::html::plot::{
    TOP, decade_label, decades, last_decade, plot, px, threshold_line, x_at, x_tick, y_at, y_tick,
};
use crate::numbers::{count, counted, percent, share, unit};

/// The words of a plot.
pub(crate) struct Words<'a> {
    /// The noun for what is counted, such as `page`.
    pub(crate) noun: &'a str,
    /// The name of the value, such as `share`.
    pub(crate) value: &'a str,
}

/// A bar of the histogram.
struct Bar {
    from: f64,
    to: f64,
    number: u64,
    /// The sum of the numbers up to this bar.
    so_far: u64,
}

/// Draws a histogram in which at least one number is not 0, with a caption.
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
        @if is_inside { (threshold_line(threshold, &format!("threshold {}", percent(threshold)))) }
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
                span.key { span.swatch {} "other " (noun) "s" }
                span.key { span.swatch.thin {} (noun) "s with this value or a lower one (right scale)" }
                span.key { "The scale of the bars is logarithmic." }
                @if threshold >= 1.0 {
                    span.key { "No " (noun) " can exceed the threshold of " (percent_above(threshold)) "." }
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
        // On a long scale, the label 1 would cover the label 0.
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

/// Draws a bar, in two colours if the threshold is inside it. The title is shown when the mouse is anywhere
/// in its column.
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
    // Half of the gap between two bars.
    let gap = 1.0;
    let (x, width) = (x_at(from) + gap, x_at(to) - x_at(from) - 2.0 * gap);
    html! {
        @if width > 0.0 && top > 0.0 {
            rect class=(class) x=(px(x)) y=(px(y_at(top))) width=(px(width)) height=(px(y_at(0.0) - y_at(top))) {}
        }
    }
}

/// Returns a position on a logarithmic scale that begins at 0. On a linear scale only the first bar would be
/// visible, because it usually has almost all pages.
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

/// Formats a threshold that may be above 1.
fn percent_above(threshold: f64) -> String {
    format!("{:.0}%", threshold * 100.0)
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
        "{} with a {value} from {} to {}; {} of all ({}) have at most that",
        counted(*number, noun),
        percent(*from),
        percent(*to),
        share(*so_far, total),
        count(*so_far),
    )
}
