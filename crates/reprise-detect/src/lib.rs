//! Finds labelled content in a corpus: how much of each page, neighbourhood and site it is, and where it
//! comes from.
//!
//! In reading order:
//!
//! - [`DetectOptions`]: the thresholds, and which pages and neighbourhoods count; [`defaults`] has the
//!   default values.
//! - [`detect()`]: compares a corpus with labels.
//! - [`prefixes`]: the neighbourhoods of a URL.
//!
//! ```text
//! labels + fingerprints --SegmentLabels--> labelled ranks --scan of chunks--> share of each page
//! pages sorted by URL --Pass--> every neighbourhood at every level
//! ```
//!
//! Labels and fingerprints are both sorted, so one merge finds the labelled ranks of a segment and no
//! hash table is needed.

pub mod defaults;
mod detection;
mod neighborhoods;
mod options;
mod pages;
mod prefix;
mod segment_labels;
mod share;
mod sorted_runs;
mod sources;

pub use detection::{TABLES, detect};
pub use options::{DetectOptions, ParseShareThresholdError, ShareThreshold};
pub use prefix::prefixes;
pub use share::HISTOGRAM_BINS;
