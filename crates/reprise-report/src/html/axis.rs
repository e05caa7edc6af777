//! Scales: where a number lies along an axis, and which numbers are written at it.

use crate::html::plot::last_decade;
use crate::numbers::unit;

/// Shingles of a document: no page can have more popular ones.
pub(crate) const SHINGLES: f64 = 84.0;

/// Most labels along an axis.
const TICKS_MAX: u32 = 6;

/// Room before the first number of shingles, as a part of the axis: discs there do not reach its labels.
const BEFORE: f64 = 0.03;

/// Equal steps from one number to another.
pub(crate) struct Linear {
    from: f64,
    to: f64,
    step: f64,
    /// Where the first number stands.
    start: f64,
}

impl Linear {
    /// Numbers of shingles, from a ten that is not above `least` to all there can be.
    pub(crate) fn shingles(least: f64) -> Linear {
        let from = (within_shingles(least) / 10.0).floor() * 10.0;
        Linear {
            // Something must lie between the ends.
            from: from.min(70.0),
            to: SHINGLES,
            step: 10.0,
            start: BEFORE,
        }
    }

    /// From 0 to a round number that is not below `most`.
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

    /// From 0 to 1 along the axis.
    pub(crate) fn at(&self, number: f64) -> f64 {
        self.start + (1.0 - self.start) * unit((number - self.from) / (self.to - self.from))
    }

    /// How much of the axis one whole number takes.
    pub(crate) fn one(&self) -> f64 {
        (1.0 - self.start) / (self.to - self.from)
    }

    /// The numbers that are written at the axis. Its end is one of them, and keeps others away.
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

/// Room below the first power of ten, as a part of the axis: what stands there is not on the floor.
const BELOW: f64 = 0.06;

/// Powers of ten.
pub(crate) struct Decades {
    first: u32,
    last: u32,
}

impl Decades {
    /// From a power of ten that is not above `least` to one that is not below `most`.
    pub(crate) fn new(least: u64, most: u64) -> Decades {
        let first = least.max(1).ilog10();
        Decades {
            first,
            last: last_decade(most).max(first + 1),
        }
    }

    /// From 0 to 1 along the axis.
    pub(crate) fn at(&self, number: u64) -> f64 {
        self.at_float(number as f64)
    }

    /// The same for what is no whole number.
    pub(crate) fn at_float(&self, number: f64) -> f64 {
        self.place(number.max(1.0).log10())
    }

    /// The powers of ten that are written at the axis, and where each stands.
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

/// A number of shingles as it can be: not a number is 0.
pub(crate) fn within_shingles(number: f64) -> f64 {
    unit(number / SHINGLES) * SHINGLES
}

#[cfg(test)]
mod tests {
    use super::{Decades, Linear};

    #[test]
    fn whole_numbers() {
        assert_eq!(Linear::up_to(0).ticks(), [0, 1]);
        assert_eq!(Linear::up_to(5).ticks(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(Linear::up_to(23).ticks(), [0, 5, 10, 15, 20, 25]);
        assert_eq!(Linear::up_to(60).ticks(), [0, 10, 20, 30, 40, 50, 60]);
        assert!(Linear::up_to(u32::MAX).ticks().len() < 9);
    }

    #[test]
    fn shingles() {
        assert_eq!(Linear::shingles(38.0).ticks(), [30, 40, 50, 60, 70, 84]);
        assert_eq!(Linear::shingles(84.0).ticks(), [70, 84]);
        assert_eq!(Linear::shingles(f64::NAN).ticks()[0], 0);
    }

    #[test]
    fn powers_of_ten() {
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
