//! What came out of many runs.

/// How many attempts the runs of a simulation took until the signature changed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trials {
    /// Runs made.
    pub runs: usize,
    /// Runs in which the signature changed in the end. In the others everything was tried, and all
    /// attempts count.
    pub succeeded: usize,
    /// Mean number of attempts.
    pub mean: f64,
    /// Standard deviation of that number.
    pub deviation: f64,
    /// The luckiest run.
    pub min: u64,
    /// The number that half of the runs do not exceed.
    pub median: u64,
    /// The unluckiest run.
    pub max: u64,
}

impl Trials {
    /// Sums up runs; `None` if there are none.
    pub(crate) fn of(mut attempts: Vec<u64>, succeeded: usize) -> Option<Self> {
        attempts.sort_unstable();
        let runs = attempts.len();
        let (&min, &max) = (attempts.first()?, attempts.last()?);
        let mean = attempts.iter().map(|&count| count as f64).sum::<f64>() / runs as f64;
        let squares = attempts.iter().map(|&count| (count as f64 - mean).powi(2));
        let deviation = (squares.sum::<f64>() / runs.saturating_sub(1).max(1) as f64).sqrt();
        Some(Self {
            runs,
            succeeded,
            mean,
            deviation,
            min,
            median: attempts[(runs - 1) / 2],
            max,
        })
    }
}
