//! Scales: the positions of numbers along an axis, and its labels.

use crate::html::plot::last_decade;
use crate::numbers::unit;

/// The number of shingles of a document.
pub(crate) const SHINGLES: f64 = 84.0;

/// The most labels of an axis.
const TICKS_MAX: u32 = 6;

/// The free part at the start of an axis of shingles, so that discs at the first number do not cover labels.
const BEFORE: f64 = 0.03;

/// A linear scale.
pub(crate) struct Linear {
    from: f64,
    to: f64,
    step: f64,
    /// The position of the first number, from 0 to 1.
    start: f64,
}

impl Linear {
    /// Creates a scale for numbers of shingles, from the multiple of ten at or below `least` to [`SHINGLES`].
    pub(crate) fn shingles(least: f64) -> Linear {
        let from = (within_shingles(least) / 10.0).floor() * 10.0;
        Linear {
            // The scale must not be empty.
            from: from.min(70.0),
            to: SHINGLES,
            step: 10.0,
            start: BEFORE,
        }
    }

    /// Creates a scale from 0 to a round number that is at least `most`.
    pub(crate) fn up_to(most: u32) -> Linear {
        let (mut step, mut factors) = (1.0, [2.0, 2.5, 2.0].into_iter().cycle());
        while f64::from(most) > step * f64::from(TICKS_MAX) {
            step *= factors.next().unwrap_or(10.0);
        }
        let to = (f64::from(most.max(1)) / step).ceil() * step;
        Linear {
            from: 0.0,
            to,
            step,
            start: 0.0,
        }
    }

    /// Returns the position of a number, from 0 to 1.
    pub(crate) fn at(&self, number: f64) -> f64 {
        self.start + (1.0 - self.start) * unit((number - self.from) / (self.to - self.from))
    }

    /// Returns the distance between two consecutive whole numbers.
    pub(crate) fn one(&self) -> f64 {
        (1.0 - self.start) / (self.to - self.from)
    }

    /// Returns the numbers that are labels of the axis. The last number is always one of them; a number too
    /// close to it is not.
    pub(crate) fn ticks(&self) -> Vec<u64> {
        let mut ticks = Vec::new();
        let mut tick = self.from;
        while tick < self.to - self.step * 0.6 {
            ticks.push(tick as u64);
            tick += self.step;
        }
        ticks.push(self.to as u64);
        ticks
    }
}

/// The free part at the start of the axis, so that dots at the first power of ten are not on the other axis.
const BELOW: f64 = 0.06;

/// A logarithmic scale between powers of ten.
pub(crate) struct Decades {
    first: u32,
    last: u32,
}

impl Decades {
    /// Creates a scale from the power of ten at or below `least` to the one at or above `most`.
    pub(crate) fn new(least: u64, most: u64) -> Decades {
        let first = least.max(1).ilog10();
        Decades {
            first,
            last: last_decade(most).max(first + 1),
        }
    }

    /// Returns the position of a number, from 0 to 1.
    pub(crate) fn at(&self, number: u64) -> f64 {
        self.at_float(number as f64)
    }

    /// Returns the position of a number that may have a fraction.
    pub(crate) fn at_float(&self, number: f64) -> f64 {
        self.place(number.max(1.0).log10())
    }

    /// Returns the exponents of the powers of ten that are labels of the axis, and their positions.
    pub(crate) fn ticks(&self) -> impl Iterator<Item = (u32, f64)> {
        let step = (self.last - self.first).div_ceil(TICKS_MAX).max(1);
        let decades = (self.first..=self.last).step_by(step as usize);
        decades.map(|decade| (decade, self.place(f64::from(decade))))
    }

    fn place(&self, decade: f64) -> f64 {
        let part = (decade - f64::from(self.first)) / f64::from(self.last - self.first);
        unit(BELOW + (1.0 - BELOW) * part)
    }
}

/// Limits a number to the range from 0 to [`SHINGLES`]. NaN becomes 0.
pub(crate) fn within_shingles(number: f64) -> f64 {
    unit(number / SHINGLES) * SHINGLES
}

#[cfg(test)]
mod tests {
    use super::{Decades, Linear};

    #[test]
    fn linear_scales_have_round_labels() {
        assert_eq!(Linear::up_to(0).ticks(), [0, 1]);
        assert_eq!(Linear::up_to(5).ticks(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(Linear::up_to(23).ticks(), [0, 5, 10, 15, 20, 25]);
        assert_eq!(Linear::up_to(60).ticks(), [0, 10, 20, 30, 40, 50, 60]);
        assert!(Linear::up_to(u32::MAX).ticks().len() < 9);
    }

    #[test]
    fn scales_of_shingles_end_at_84() {
        assert_eq!(Linear::shingles(38.0).ticks(), [30, 40, 50, 60, 70, 84]);
        assert_eq!(Linear::shingles(84.0).ticks(), [70, 84]);
        assert_eq!(Linear::shingles(f64::NAN).ticks()[0], 0);
    }

    #[test]
    fn logarithmic_scales_have_powers_of_ten() {
        let axis = Decades::new(12, 4_000);
        assert_eq!(
            axis.ticks().map(|(decade, _)| decade).collect::<Vec<_>>(),
            [1, 2, 3, 4]
        );
        assert!(axis.at(10) > 0.0 && axis.at(10) < 0.1 && axis.at(10_000) > 1.0 - 1e-9);
        assert_eq!(Decades::new(u64::MAX, u64::MAX).ticks().count(), 2);
        assert_eq!(Decades::new(0, 0).ticks().count(), 2);
    }
}
