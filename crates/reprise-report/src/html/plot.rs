//! The area that a plot is drawn in.
//!
//! Plots are SVG made by hand: each value can be hovered without a script, and the colours are
//! the style sheet's, so that they follow light, dark and paper. A plotting crate gives neither.

use maud::{Markup, html};

use crate::numbers;

pub(crate) const WIDTH: f64 = 640.0;
pub(crate) const HEIGHT: f64 = 316.0;
pub(crate) const LEFT: f64 = 58.0;
pub(crate) const RIGHT: f64 = 58.0;
pub(crate) const TOP: f64 = 50.0;
pub(crate) const BOTTOM: f64 = 52.0;

/// Most labels that fit along an axis.
const TICKS_MAX: u32 = 7;

/// Where a position from 0 (left) to 1 (right) is drawn.
pub(crate) fn x_at(position: f64) -> f64 {
    LEFT + position * (WIDTH - LEFT - RIGHT)
}

/// Where a position from 0 (bottom) to 1 (top) is drawn.
pub(crate) fn y_at(position: f64) -> f64 {
    HEIGHT - BOTTOM - position * (HEIGHT - TOP - BOTTOM)
}

/// A coordinate, to a tenth.
pub(crate) fn px(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The powers of ten that are labelled on an axis that ends at `10^last`.
pub(crate) fn decades(last: u32) -> impl Iterator<Item = u32> {
    (0..=last).step_by(last.div_ceil(TICKS_MAX - 1).max(1) as usize)
}

/// The smallest power of ten that is not below any of these, and at least 10.
pub(crate) fn last_decade(number: u64) -> u32 {
    let floor = number.max(1).ilog10();
    let is_exact = 10_u64.pow(floor) == number;
    (floor + u32::from(!is_exact)).max(1)
}

/// 1, 10, 100, 1,000, 10k and so on.
pub(crate) fn decade_label(decade: u32) -> String {
    match 10_u64.checked_pow(decade) {
        Some(number) if decade <= 3 => numbers::count(number),
        Some(number) => numbers::compact(number),
        // The end of an axis for numbers near the largest there is.
        None => "100E".to_owned(),
    }
}

/// A whole plot: its name for those who cannot see it, titles of its axes, what is drawn.
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

/// A label below the plot.
pub(crate) fn x_tick(position: f64, label: &str) -> Markup {
    html! {
        text.tick.middle x=(px(x_at(position))) y=(px(y_at(0.0) + 20.0)) { (label) }
    }
}

/// A line across the plot, and its label at the left.
pub(crate) fn y_tick(position: f64, label: &str) -> Markup {
    let y = px(y_at(position));
    html! {
        line.grid x1=(px(x_at(0.0))) x2=(px(x_at(1.0))) y1=(y) y2=(y) {}
        text.tick.end x=(px(x_at(0.0) - 8.0)) y=(px(y_at(position) + 4.0)) { (label) }
    }
}

/// The dashed line at a threshold, with its label on the side that has room.
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
    fn axes() {
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
