//! The default values of [`Near`](crate::Near).

use crate::options::Keep;

/// The lowest Jaccard similarity of near-copies by shingles. Chosen on labelled data; see the table in
/// docs/near.md.
pub const SIMILARITY: f64 = 0.65;
/// The lowest score of near-copies by fuzzy hashes: the paper's threshold.
pub const SCORE: u8 = 90;
/// The lowest share of the smaller text's phrases that the other text has, for near-copies by I-Match. It is
/// high enough to exclude chance, and low enough for a payload in four times as much noise.
pub const SHARED: f64 = 0.2;
/// The page of a cluster that is kept.
pub const KEEP: Keep = Keep::First;
/// The fewest documents of a popular phrase, as in the paper.
pub const MIN_DOCUMENTS: u32 = 5;
/// The number of most popular phrases in a result.
pub const TOP_PHRASES: usize = 20;
/// The fewest popular shingles of a page in a sample, as in the paper.
pub const SAMPLE_POPULAR_MIN: u8 = 30;
