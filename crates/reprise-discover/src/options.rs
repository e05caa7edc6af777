//! The options of discovery.

use std::str::FromStr;

use reprise_chunk::{Level, StopRules};
use reprise_report::results::CountBy;

use crate::defaults;

/// The threshold above which an object is labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threshold {
    /// A fixed count. Objects with a higher count are labelled.
    Number(u64),
    /// A count that grows with the corpus; see [`Threshold::number`].
    Auto,
}

impl Threshold {
    /// Returns the threshold for a corpus with `objects` objects.
    ///
    /// The papers used 10^5 for the 40.5 * 10^9 chunks of their crawl, and 10^3 for its 2.86 * 10^9 files.
    /// `Auto` keeps these proportions, but is at least 2. If sites are counted, it is 1 for any corpus,
    /// because content on two sites is copied.
    pub fn number(self, level: Level, count: CountBy, objects: u64) -> u64 {
        let (per, of) = match level {
            Level::Chunk => (1e5, 40.5e9),
            Level::File => (1e3, 2.86e9),
        };
        match self {
            Threshold::Number(number) => number,
            Threshold::Auto if count == CountBy::Sites => 1,
            Threshold::Auto => ((objects as f64 * per / of).ceil() as u64).max(2),
        }
    }
}

/// The error for a threshold that is neither a number nor `auto`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is neither a whole number nor auto")]
pub struct ParseThresholdError {
    found: String,
}

impl FromStr for Threshold {
    type Err = ParseThresholdError;

    fn from_str(text: &str) -> Result<Threshold, ParseThresholdError> {
        if text == "auto" {
            return Ok(Threshold::Auto);
        }
        let number = text.parse().map(Threshold::Number);
        number.map_err(|_| ParseThresholdError {
            found: text.to_owned(),
        })
    }
}

/// The options of [`discover()`](crate::discover()).
#[derive(Clone, Debug)]
pub struct DiscoverOptions {
    /// The level of the labels: chunks or files.
    pub level: Level,
    /// The count that is compared with the threshold.
    pub count: CountBy,
    /// The threshold above which an object is labelled.
    pub threshold: Threshold,
    /// The chunks that are never labelled.
    pub stop: StopRules,
    /// The number of most frequent objects in the result.
    pub top: usize,
}

impl Default for DiscoverOptions {
    fn default() -> DiscoverOptions {
        DiscoverOptions {
            level: defaults::LEVEL,
            count: defaults::COUNT,
            threshold: defaults::THRESHOLD,
            stop: StopRules::new(defaults::MIN_LENGTH, Vec::new()),
            top: defaults::TOP,
        }
    }
}
