//! The default values of [`Near`](crate::Near).

use crate::options::Keep;

/// Shingles: the least Jaccard similarity of near-copies. Chosen on labelled data: docs/near.md has the
/// table.
pub const SIMILARITY: f64 = 0.65;
/// Fuzzy hashes: the least score of near-copies, the paper's threshold.
pub const SCORE: u8 = 90;
/// I-Match: the least share of the smaller text's phrases that the other text has. High enough to
/// exclude chance, and low enough for a payload in four times as much noise.
pub const SHARED: f64 = 0.2;
/// The page of a cluster that is kept.
pub const KEEP: Keep = Keep::First;
/// A phrase is popular from this number of documents on, as in the paper.
pub const MIN_DOCUMENTS: u32 = 5;
/// The number of most popular phrases in a result.
pub const TOP_PHRASES: usize = 20;
/// Pages with fewer popular shingles are not sampled for their sources, as in the paper.
pub const SAMPLE_POPULAR_MIN: u8 = 30;
