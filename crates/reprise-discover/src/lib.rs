//! Finds content that occurs too often in a corpus, and makes labels of it or of named pages.
//!
//! In reading order:
//!
//! - [`DiscoverOptions`]: chunks or files, how they are counted, and the threshold; [`defaults`] has the
//!   default values.
//! - [`discover()`]: counts over all segments at once and writes labels (blind discovery).
//! - [`label()`]: makes labels of all content of named pages (informed discovery).
//! - [`occurrences`]: finds pages that have given fingerprints, on different sites.
//! - [`category()`]: guesses what a chunk is for.
//!
//! A chunk may be rare in every segment and frequent in the corpus, so segments cannot be counted one
//! by one. The sorted fingerprints of all segments are merged, a range at a time that fits in memory.
//! The chunks of each candidate are then scanned for its sites and its first page.

mod category;
mod chunks;
pub mod defaults;
mod discovery;
mod files;
mod informed;
mod occurrences;
mod options;

pub use category::{Category, category};
pub use discovery::discover;
pub use informed::{Labeled, label};
pub use occurrences::{Occurrence, occurrences};
pub use options::{DiscoverOptions, ParseThresholdError, Threshold};
