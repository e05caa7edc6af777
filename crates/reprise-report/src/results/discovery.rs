//! Chunks and files that occur often in a corpus.

use std::fmt;
use std::str::FromStr;

use reprise_chunk::{Level, StopCounts};
use reprise_fingerprint::Fingerprint;

/// A way to count a chunk or file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum CountBy {
    /// The number of its occurrences.
    Occurrences,
    /// The number of pages that have it.
    Pages,
    /// The number of sites that have it. A template is on many pages of one site, a copy on several
    /// sites.
    Sites,
}

impl CountBy {
    /// Returns the name used in flags and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            CountBy::Occurrences => "occurrences",
            CountBy::Pages => "pages",
            CountBy::Sites => "sites",
        }
    }

    /// Returns the singular: `occurrence`, `page` or `site`.
    pub fn noun(self) -> &'static str {
        match self {
            CountBy::Occurrences => "occurrence",
            CountBy::Pages => "page",
            CountBy::Sites => "site",
        }
    }

    /// Chooses from the numbers of occurrences, pages and sites.
    pub fn of(self, counts: [u64; 3]) -> u64 {
        counts[self as usize]
    }
}

impl fmt::Display for CountBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error for an unknown way to count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown count {found:?}, use occurrences, pages or sites")]
pub struct ParseCountByError {
    found: String,
}

impl FromStr for CountBy {
    type Err = ParseCountByError;

    fn from_str(text: &str) -> Result<CountBy, ParseCountByError> {
        [CountBy::Occurrences, CountBy::Pages, CountBy::Sites]
            .into_iter()
            .find(|count| count.as_str() == text)
            .ok_or_else(|| ParseCountByError {
                found: text.to_owned(),
            })
    }
}

/// The result of discovery: chunks or files that occur often.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Discovery {
    /// The kind of objects: chunks or files.
    pub level: Level,
    /// The way in which objects were counted.
    pub count: CountBy,
    /// The threshold. Objects with a higher count are labelled.
    pub threshold: u64,
    /// True if the threshold was chosen from the size of the corpus.
    pub threshold_auto: bool,
    /// The number of objects. Repeats count.
    pub objects: u64,
    /// The number of distinct objects.
    pub distinct: u64,
    /// The number of distinct objects that were labelled.
    pub labeled: u64,
    /// The number of distinct stop chunks.
    pub stop: u64,
    /// The number of distinct stop chunks, by reason.
    pub stop_reasons: StopCounts,
    /// The highest count of an object that was not labelled, stop chunks excluded.
    pub nearest: u64,
    /// Counts, each with the number of distinct objects that have it; ascending. Stop chunks are included.
    pub frequency: Vec<(u64, u64)>,
    /// The labelled objects with the highest counts, highest first.
    pub top: Vec<TopObject>,
    /// Sentences that say why nothing was labelled; empty if something was.
    pub notes: Vec<String>,
}

/// An object that occurs often.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TopObject {
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// The number of its occurrences.
    pub occurrences: u64,
    /// The number of pages that have it.
    pub pages: u64,
    /// The number of sites that have it.
    pub sites: u64,
    /// The characters of a chunk's normal form, or the bytes of a file.
    pub chars: u64,
    /// Its likely category, in a word or two.
    pub category: String,
    /// The reason for this category.
    pub reason: String,
    /// Its text in one of the pages.
    pub text: String,
    /// The first of `urls`.
    pub url: Option<String>,
    /// Pages that have it, on different sites.
    pub urls: Vec<String>,
}
