//! The statistics of many simulated runs.

/// The numbers of attempts that the runs of a simulation took until the signature changed.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Trials {
    /// The number of runs.
    pub runs: usize,
    /// The number of runs in which the signature changed. The other runs tried everything, and all
    /// their attempts count.
    pub succeeded: usize,
    /// The mean number of attempts.
    pub mean: f64,
    /// The standard deviation of the number of attempts.
    pub stddev: f64,
    /// The number of attempts that half of the runs do not exceed.
    pub median: u64,
    /// The smallest number of attempts.
    pub min: u64,
    /// The largest number of attempts.
    pub max: u64,
}

impl Trials {
    /// Computes the statistics of runs with these numbers of attempts. Returns `None` if there are
    /// no runs.
    pub(crate) fn of(mut attempts: Vec<u64>, succeeded: usize) -> Option<Self> {
        attempts.sort_unstable();
        let runs = attempts.len();
        let (&min, &max) = (attempts.first()?, attempts.last()?);
        let mean = attempts.iter().map(|&count| count as f64).sum::<f64>() / runs as f64;
        let squares = attempts.iter().map(|&count| (count as f64 - mean).powi(2));
        let stddev = (squares.sum::<f64>() / runs.saturating_sub(1).max(1) as f64).sqrt();
        Some(Self {
            runs,
            succeeded,
            mean,
            stddev,
            median: attempts[(runs - 1) / 2],
            min,
            max,
        })
    }
}
