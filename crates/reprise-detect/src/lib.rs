//! Detection: which pages and neighbourhoods hold what is labelled, how much of it, and from whom?
//!
//! In reading order:
//!
//! - [`DetectConfig`]: what counts, and from which share on.
//! - `marks`: one merge of the labels with the sorted fingerprints of a segment tells which of its
//!   chunks are labelled and which are stop chunks.
//! - `pages`: one scan of the segment's chunks then gives each page its share,
//!   contains(L, f) = labelled chunks of f / chunks of f, stop chunks left out of both.
//! - [`prefixes`]: the neighbourhoods a URL lies in: every directory, the host first.
//! - `neighborhoods`: the pages sorted by URL; one pass over them closes every neighbourhood at every
//!   level when its last page has gone by.
//! - [`detect()`]: all of it, into [`Detection`] and three tables.

mod config;
mod detection;
mod marks;
mod neighborhoods;
mod pages;
mod prefix;
mod share;
mod sorted_runs;
mod sources;

pub use config::{Badness, DetectConfig, Limit};
pub use detection::{Detection, MatchedCounts, NeighborhoodSummary, PageSummary, detect};
pub use neighborhoods::Neighborhood;
pub use pages::{PageResult, SitePair};
pub use prefix::prefixes;
pub use share::{HISTOGRAM_BINS, Spread};
