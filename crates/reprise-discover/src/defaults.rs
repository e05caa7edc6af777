//! The default values of [`DiscoverOptions`](crate::DiscoverOptions) and of labelling.

use reprise_chunk::Level;
use reprise_report::results::CountBy;

use crate::options::Threshold;

/// What is labelled.
pub const LEVEL: Level = Level::Chunk;
/// What is counted.
pub const COUNT: CountBy = CountBy::Occurrences;
/// From which count on an object is labelled.
pub const THRESHOLD: Threshold = Threshold::Auto;
/// The least characters of a chunk that discovery labels.
pub const MIN_LENGTH: u64 = 0;
/// The least characters of a chunk that [`label()`](crate::label()) makes a label of. Shorter chunks say
/// little; 25 suits phishing pages.
pub const LABEL_MIN_LENGTH: u64 = 100;
/// The number of most frequent objects that are described.
pub const TOP: usize = 20;
