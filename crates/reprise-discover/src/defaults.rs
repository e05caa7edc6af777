//! The default values of [`DiscoverOptions`](crate::DiscoverOptions) and of labelling.

use reprise_chunk::Level;
use reprise_report::results::CountBy;

use crate::options::Threshold;

/// The level of the labels: chunks or files.
pub const LEVEL: Level = Level::Chunk;
/// The count that is compared with the threshold.
pub const COUNT: CountBy = CountBy::Occurrences;
/// The threshold above which an object is labelled.
pub const THRESHOLD: Threshold = Threshold::Auto;
/// The fewest characters of a chunk that discovery labels.
pub const MIN_LENGTH: u64 = 0;
/// The fewest characters of a chunk that [`label()`](crate::label()) makes a label of. Shorter chunks say
/// little about the origin of a page. For phishing pages, 25 is a good value.
pub const LABEL_MIN_LENGTH: u64 = 100;
/// The number of most frequent objects in the result.
pub const TOP: usize = 20;
