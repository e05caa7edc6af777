//! The area, the axes and the lines that all plots have in common.
//!
//! Plots are hand-written SVG instead of the output of a plotting crate. Each value has a tooltip that needs
//! no script, and the style sheet sets the colours for light and dark screens and for paper.

use maud::{Markup, html};

use crate::numbers;

pub(crate) const WIDTH: f64 = 640.0;
pub(crate) const HEIGHT: f64 = 316.0;
pub(crate) const LEFT: f64 = 58.0;
pub(crate) const RIGHT: f64 = 58.0;
pub(crate) const TOP: f64 = 50.0;
pub(crate) const BOTTOM: f64 = 52.0;

/// The most labels of an axis.
const TICKS_MAX: u32 = 7;

/// Converts a position from 0 (left) to 1 (right) to a coordinate.
pub(crate) fn x_at(position: f64) -> f64 {
    LEFT + position * (WIDTH - LEFT - RIGHT)
}

/// Converts a position from 0 (bottom) to 1 (top) to a coordinate.
pub(crate) fn y_at(position: f64) -> f64 {
    HEIGHT - BOTTOM - position * (HEIGHT - TOP - BOTTOM)
}

/// Formats a coordinate with at most one decimal.
pub(crate) fn px(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// Returns the exponents of the powers of ten that are labels of an axis from 1 to `10^last`.
pub(crate) fn decades(last: u32) -> impl Iterator<Item = u32> {
    (0..=last).step_by(last.div_ceil(TICKS_MAX - 1).max(1) as usize)
}

/// Returns the exponent of the smallest power of ten that is at least `number` and at least 10.
pub(crate) fn last_decade(number: u64) -> u32 {
    let floor = number.max(1).ilog10();
    let is_exact = 10_u64.pow(floor) == number;
    (floor + u32::from(!is_exact)).max(1)
}

/// Formats a power of ten: 1, 10, 100, 1,000, 10k and so on.
pub(crate) fn decade_label(decade: u32) -> String {
    match 10_u64.checked_pow(decade) {
        Some(number) if decade <= 3 => numbers::count(number),
        Some(number) => numbers::compact(number),
        // The end of the axis for numbers close to `u64::MAX`.
        None => "100E".to_owned(),
    }
}

/// Draws a plot with titles of its axes. Screen readers read `name`.
pub(crate) fn plot(name: &str, x_title: &str, y_title: &str, drawing: &Markup) -> Markup {
    let (left, right, floor) = (px(x_at(0.0)), px(x_at(1.0)), px(y_at(0.0)));
    html! {
        svg.plot viewBox={"0 0 " (px(WIDTH)) " " (px(HEIGHT))} role="img" aria-label=(name) {
            text.axis x=(left) y="16" { (y_title) }
            text.axis.end x=(right) y=(px(HEIGHT - 8.0)) { (x_title) }
            (drawing)
            line.floor x1=(left) x2=(right) y1=(floor) y2=(floor) {}
        }
    }
}

/// Draws a label of the horizontal axis.
pub(crate) fn x_tick(position: f64, label: &str) -> Markup {
    html! {
        text.tick.middle x=(px(x_at(position))) y=(px(y_at(0.0) + 20.0)) { (label) }
    }
}

/// Draws a horizontal grid line with its label.
pub(crate) fn y_tick(position: f64, label: &str) -> Markup {
    let y = px(y_at(position));
    html! {
        line.grid x1=(px(x_at(0.0))) x2=(px(x_at(1.0))) y1=(y) y2=(y) {}
        text.tick.end x=(px(x_at(0.0) - 8.0)) y=(px(y_at(position) + 4.0)) { (label) }
    }
}

/// Draws a dashed vertical line at a threshold. The label is on the side with more room.
pub(crate) fn threshold_line(position: f64, label: &str) -> Markup {
    let x = x_at(position);
    let is_right = position > 0.6;
    let label_x = if is_right { x - 6.0 } else { x + 6.0 };
    html! {
        line.threshold x1=(px(x)) x2=(px(x)) y1=(px(TOP - 22.0)) y2=(px(y_at(0.0))) {}
        text.threshold-label.end[is_right] x=(px(label_x)) y=(px(TOP - 12.0)) { (label) }
    }
}

#[cfg(test)]
mod tests {
    use super::{decades, last_decade, px};

    #[test]
    fn axes_end_at_powers_of_ten() {
        assert_eq!(last_decade(0), 1);
        assert_eq!(last_decade(10), 1);
        assert_eq!(last_decade(11), 2);
        assert_eq!(last_decade(u64::MAX), 20);
        assert_eq!(decades(3).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(decades(20).collect::<Vec<_>>(), [0, 4, 8, 12, 16, 20]);
        assert_eq!(px(12.04), "12");
        assert_eq!(px(12.06), "12.1");
    }
}
