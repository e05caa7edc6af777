//! Finds phrases that many pages share, and the pages and sites that are made of such phrases.
//!
//! In reading order:
//!
//! - [`PhraseOptions`]: the rule for popular phrases.
//! - [`Phrases`]: the popular phrases of a corpus. Its methods find their words, the sources of a page, and
//!   stitched sites.
//!
//! ```text
//! shingles --without near-copies--> sort by position and value --> runs of >= 5 documents: popular
//! popular shingles of a page --> documents that have them --> greedy cover: sources
//! popular shingles per page --> mean and deviation by site --> stitched sites
//! ```

mod addresses;
mod analysis;
mod cover_sets;
mod options;
mod popular;
mod sites;

pub use analysis::Phrases;
pub use options::{PhraseOptions, SampleOptions};
pub use sites::{STITCHED_DEVIATION, STITCHED_FOREIGN, STITCHED_MEAN, STITCHED_PAGES};
