//! Shares from 0 to 1: their mean, their spread, their histogram.

use std::collections::BTreeMap;

use crate::config::Limit;

/// Bins of a histogram of shares; the last one includes 1.
pub const HISTOGRAM_BINS: usize = 20;

/// Mean and standard deviation of all shares, and how many are over the limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// How many there are.
    pub count: u64,
    /// Their mean; 0 where there are none.
    pub mean: f64,
    /// Their standard deviation, of the whole and not of a sample.
    pub stddev: f64,
    /// The limit that was fixed, or mean + stddev.
    pub threshold: f64,
    /// How many are over it.
    pub over: u64,
    /// How many fall into each twentieth.
    pub histogram: Vec<u64>,
}

/// Collects shares. Equal ones are kept once: most pages and neighbourhoods share few values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shares {
    /// By the bits of the share, which order as the shares do since none is negative.
    counts: BTreeMap<u64, u64>,
}

impl Shares {
    pub(crate) fn add(&mut self, share: f64) {
        *self.counts.entry(share.to_bits()).or_default() += 1;
    }

    /// What they come to. Sums are taken in the order of the shares, so that they do not depend on
    /// the order in which pages came.
    pub(crate) fn spread(&self, limit: Limit) -> Spread {
        let values = || {
            self.counts
                .iter()
                .map(|(&bits, &count)| (f64::from_bits(bits), count))
        };
        let count: u64 = self.counts.values().sum();
        let number = (count as f64).max(1.0);
        let mean = sum(values().map(|(share, count)| share * count as f64)) / number;
        let squares = sum(values().map(|(share, count)| (share - mean).powi(2) * count as f64));
        let stddev = (squares / number).sqrt();
        let threshold = match limit {
            Limit::Fixed(share) => share,
            Limit::Auto => mean + stddev,
        };
        let mut histogram = vec![0; HISTOGRAM_BINS];
        for (share, count) in values() {
            let bin = (share * HISTOGRAM_BINS as f64) as usize;
            histogram[bin.min(HISTOGRAM_BINS - 1)] += count;
        }
        Spread {
            count,
            mean,
            stddev,
            threshold,
            over: values()
                .filter(|&(share, _)| share > threshold)
                .map(|(_, count)| count)
                .sum(),
            histogram,
        }
    }
}

/// A sum that keeps what rounding would lose (Neumaier): a host may have millions of pages.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, value: f64) {
        let next = self.sum + value;
        self.lost += if self.sum.abs() >= value.abs() {
            (self.sum - next) + value
        } else {
            (value - next) + self.sum
        };
        self.sum = next;
    }

    pub(crate) fn total(self) -> f64 {
        self.sum + self.lost
    }
}

fn sum(values: impl Iterator<Item = f64>) -> f64 {
    let mut sum = Sum::default();
    values.for_each(|value| sum.add(value));
    sum.total()
}

#[cfg(test)]
mod tests {
    use super::{Limit, Shares};

    #[test]
    fn mean_deviation_threshold() {
        let mut shares = Shares::default();
        for share in [0.0, 0.0, 0.0, 1.0] {
            shares.add(share);
        }
        let spread = shares.spread(Limit::Auto);
        assert_eq!((spread.count, spread.mean, spread.over), (4, 0.25, 1));
        assert!((spread.stddev - 0.1875f64.sqrt()).abs() < 1e-15);
        assert_eq!((spread.histogram[0], spread.histogram[19]), (3, 1));
        assert_eq!(shares.spread(Limit::Fixed(1.0)).over, 0);
        let none = Shares::default().spread(Limit::Auto);
        assert_eq!((none.count, none.mean, none.threshold), (0, 0.0, 0.0));
    }
}
