//! What to discover, and from how many copies on.

use std::fmt;
use std::str::FromStr;

use reprise_store::Level;

use crate::stop::StopRules;

/// What is counted of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountBy {
    /// How often it occurs.
    Occurrences,
    /// On how many pages.
    Pages,
    /// On how many sites: a template is on many pages of one site, a copy on several sites.
    Sites,
}

impl CountBy {
    /// As flags and JSON have it.
    pub fn as_str(self) -> &'static str {
        match self {
            CountBy::Occurrences => "occurrences",
            CountBy::Pages => "pages",
            CountBy::Sites => "sites",
        }
    }

    /// One of what is counted.
    pub fn noun(self) -> &'static str {
        match self {
            CountBy::Occurrences => "occurrence",
            CountBy::Pages => "page",
            CountBy::Sites => "site",
        }
    }

    /// Which of occurrences, pages, sites it is.
    pub(crate) fn of(self, counts: [u64; 3]) -> u64 {
        counts[self as usize]
    }
}

impl fmt::Display for CountBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for CountBy {
    type Err = String;

    fn from_str(text: &str) -> Result<CountBy, String> {
        [CountBy::Occurrences, CountBy::Pages, CountBy::Sites]
            .into_iter()
            .find(|count| count.as_str() == text)
            .ok_or_else(|| format!("{text:?} is none of occurrences, pages, sites"))
    }
}

/// An object with a higher count is labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threshold {
    /// This one.
    Number(u64),
    /// One that grows with the corpus, see [`Threshold::number`].
    Auto,
}

impl Threshold {
    /// The threshold for a corpus with so many objects.
    ///
    /// The papers took 10^5 for the 40.5 * 10^9 chunks of their crawl, and 10^3 for its 2.86 * 10^9
    /// files. `Auto` keeps these proportions, and in a small corpus asks for more than two occurrences
    /// or pages. Of sites it asks for more than one, in a corpus of any size: what is on two sites was
    /// copied.
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

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Threshold, String> {
        if text == "auto" {
            return Ok(Threshold::Auto);
        }
        text.parse()
            .map(Threshold::Number)
            .map_err(|_| format!("{text:?} is neither a whole number nor auto"))
    }
}

/// How to discover.
#[derive(Clone, Debug)]
pub struct DiscoverConfig {
    /// Chunks or files.
    pub level: Level,
    /// What is counted.
    pub count: CountBy,
    /// From which count on an object is labelled.
    pub threshold: Threshold,
    /// What is never labelled.
    pub stop: StopRules,
    /// How many of the most frequent objects to tell in full.
    pub top: usize,
    /// Bound of memory.
    pub memory_bytes: usize,
}
