//! The results of stages: the types that `--json` prints, files keep and a report shows.

mod lab;

pub use lab::{
    Confusion, Evasion, EvasionMethod, EvasionRow, FalsePositive, HashComparison, HashProjection,
    HashThreshold, Quartiles, UnusedPages,
};
