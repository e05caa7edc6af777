//! Computes the mean, the standard deviation and the histogram of shares from 0 to 1.

use std::collections::BTreeMap;

use crate::options::ShareThreshold;

/// The number of steps of a histogram of shares. The last step includes 1.
pub const HISTOGRAM_BINS: usize = 20;

/// The distribution of shares.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spread {
    /// The number of shares.
    pub(crate) count: u64,
    /// The mean, or 0 without shares.
    pub(crate) mean: f64,
    /// The standard deviation of the population.
    pub(crate) stddev: f64,
    /// The fixed threshold, or mean + standard deviation.
    pub(crate) threshold: f64,
    /// The number of shares above the threshold.
    pub(crate) over: u64,
    /// The number of shares in each step of the histogram.
    pub(crate) histogram: Vec<u64>,
}

/// Collects shares, and stores each distinct value once. Shares have few distinct values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shares {
    /// The count of each share, by its bits. Bits of non-negative numbers compare like the numbers.
    counts: BTreeMap<u64, u64>,
}

impl Shares {
    pub(crate) fn add(&mut self, share: f64) {
        *self.counts.entry(share.to_bits()).or_default() += 1;
    }

    /// Computes the distribution. The shares are summed in ascending order, so that the result does not
    /// depend on the order of the pages.
    pub(crate) fn spread(&self, threshold: ShareThreshold) -> Spread {
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
        let threshold = match threshold {
            ShareThreshold::Fixed(share) => share,
            ShareThreshold::Auto => mean + stddev,
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

/// A sum that compensates rounding errors (Neumaier's algorithm). A host may have millions of pages.
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
    use super::{ShareThreshold, Shares};

    #[test]
    fn the_spread_of_a_few_shares_is_right() {
        let mut shares = Shares::default();
        for share in [0.0, 0.0, 0.0, 1.0] {
            shares.add(share);
        }
        let spread = shares.spread(ShareThreshold::Auto);
        assert_eq!((spread.count, spread.mean, spread.over), (4, 0.25, 1));
        assert!((spread.stddev - 0.1875f64.sqrt()).abs() < 1e-15);
        assert_eq!((spread.histogram[0], spread.histogram[19]), (3, 1));
        assert_eq!(shares.spread(ShareThreshold::Fixed(1.0)).over, 0);
        let none = Shares::default().spread(ShareThreshold::Auto);
        assert_eq!((none.count, none.mean, none.threshold), (0, 0.0, 0.0));
    }
}
