//! Blind discovery: what occurs more often in a corpus than anything should by itself?
//!
//! In reading order:
//!
//! - [`DiscoverConfig`]: chunks or files, how they are counted, from how many on they count as copied.
//! - [`StopRules`]: which chunks are never labelled: without visible text, too short, or listed.
//! - [`discover()`]: counts over all segments at once, writes the labels, returns a [`Discovery`].
//! - [`label()`]: labels from named pages instead, which is called informed discovery.
//! - [`occurrences`]: where given fingerprints are, on different sites: the evidence.
//! - [`category()`]: a guess at what a chunk is for, with its reason.
//!
//! Discovery is not distributive: a chunk may be rare in every segment and frequent in the corpus. So
//! the sorted fingerprints of all segments are merged, a range of them at a time, as large as memory
//! allows; what is over the threshold is then looked up in the chunks for its sites and its first page.

mod category;
mod chunks;
mod config;
mod discovery;
mod files;
mod informed;
mod occurrences;
mod stop;

pub use category::{Category, category};
pub use config::{CountBy, DiscoverConfig, Threshold};
pub use discovery::{Discovery, TopObject, discover};
pub use informed::{Labeled, label};
pub use occurrences::{Occurrence, occurrences};
pub use stop::{StopCounts, StopReason, StopRules};
