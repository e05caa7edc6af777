//! The result of a crawl.
//!
//! `reprise crawl --json` prints a [`CrawlSummary`], and the crawl writes it to `summary.json` beside its archives.
//! docs/json.md describes the keys. Reading accepts the files of all versions: a missing key is zero or an empty list,
//! unknown keys are ignored, and `problems` may be a map of counts by kind.

use std::path::PathBuf;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// The figures of a crawl, over all runs in the same directory.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default))]
pub struct CrawlSummary {
    /// The URLs that the crawl began at, as given.
    pub seeds: Vec<String>,
    /// The number of pages with text: the sum of `unique`, `exact`, `near` and `trap_pages`.
    pub pages: u64,
    /// The number of responses in the archives, including those of earlier runs.
    pub fetched: u64,
    /// Pages whose text is unlike that of every earlier page.
    pub unique: u64,
    /// Pages with the same text as an earlier page.
    pub exact: u64,
    /// Pages with nearly the same text as an earlier page.
    pub near: u64,
    /// Pages of URL patterns that continue without new content (see `suspects`).
    pub trap_pages: u64,
    /// Responses that were redirects.
    pub redirects: u64,
    /// Responses that were errors, or whose body was refused.
    pub errors: u64,
    /// Responses that have no plain text.
    pub not_text: u64,
    /// Pages that were requested again and had not changed.
    pub unchanged: u64,
    /// URLs that were never requested because the URL itself is a crawler trap.
    pub traps: u64,
    /// URLs that were never requested for other reasons.
    pub refused: CrawlRefused,
    /// The kinds of problems, with their counts.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "reading::problems"))]
    pub problems: Vec<CrawlProblem>,
    /// The growth curves: `[pages, unique, exact, near]`, ascending, at most 2,000 points.
    pub growth: Vec<[u64; 4]>,
    /// The number of duplicates by cause. A crawl writes a row for every cause.
    pub causes: Vec<CrawlCause>,
    /// The number of pages by the program that made them, most pages first.
    pub generators: Vec<CrawlGenerator>,
    /// URL patterns that seem to be endless and without new content.
    pub suspects: Vec<CrawlSuspect>,
    /// The reason why the crawl ended before it had fetched every URL; `None` if no URL was left.
    pub stopped: Option<CrawlEnd>,
    /// URLs that were found and not fetched.
    pub left: u64,
    /// The paths of the archives.
    pub archives: Vec<PathBuf>,
    /// Responses that earlier runs had fetched.
    pub resumed: u64,
    /// The size of all responses as sent, in bytes.
    pub bytes: u64,
    /// The wall time of the last run, in seconds.
    pub seconds: f64,
    /// The duplicates, in the order of arrival. They are not part of the JSON object: `duplicates.jsonl` has a line
    /// for each. A crawl fills in all of them; a report needs only a few examples of each cause.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub duplicates: Vec<CrawlDuplicate>,
}

/// The numbers of URLs that were never requested, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default))]
pub struct CrawlRefused {
    /// URLs that robots.txt forbids, or whose robots.txt could not be fetched.
    pub robots: u64,
    /// URLs outside the scope.
    pub scope: u64,
    /// URLs of hosts that have only private addresses.
    pub address: u64,
}

/// One kind of problem, with its count and first example.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default))]
pub struct CrawlProblem {
    /// The name of the kind, such as `timeout` or `http_404`.
    pub kind: String,
    /// The number of occurrences.
    pub count: u64,
    /// The URL of the first occurrence.
    pub url: String,
    /// Details of the first occurrence; may be empty.
    pub detail: String,
}

/// The number of duplicates with one cause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default))]
pub struct CrawlCause {
    /// The name of the cause, such as `session`.
    pub cause: String,
    /// Exact duplicates.
    pub exact: u64,
    /// Near duplicates.
    pub near: u64,
}

/// The number of pages made by one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default))]
pub struct CrawlGenerator {
    /// The name and main version that the pages state; empty for pages that state none.
    pub generator: String,
    /// Pages with text.
    pub pages: u64,
    /// Of these, unique pages.
    pub unique: u64,
    /// Of these, exact duplicates.
    pub exact: u64,
    /// Of these, near duplicates.
    pub near: u64,
}

/// A URL pattern that seems to be endless and without new content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default))]
pub struct CrawlSuspect {
    /// The pattern, such as `example.com/calendar?month=N&year=N`.
    pub pattern: String,
    /// Pages of this pattern that were fetched.
    pub fetched: u64,
    /// Of these, pages with new content.
    pub new: u64,
}

/// Why a crawl ended before it had fetched every URL, with the figures of its stop rule.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default))]
pub struct CrawlEnd {
    /// The reason.
    pub reason: CrawlEndReason,
    /// The number of latest pages that the stop rule examined. Only for [`CrawlEndReason::NothingNew`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub window: Option<u64>,
    /// Of these, pages with new content. Only for [`CrawlEndReason::NothingNew`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub new: Option<u64>,
    /// The share of new content below which the crawl was to stop, from 0 to 1.
    pub bound: f64,
    /// The confidence that the stop rule required, from 0 to 1.
    pub confidence: f64,
}

/// Why a crawl ended before it had fetched every URL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum CrawlEndReason {
    /// Hardly any of the latest pages had new content: `nothing-new`.
    #[cfg_attr(feature = "serde", serde(alias = "nothing_new"))]
    NothingNew,
    /// The crawl reached its limit of pages: `pages`.
    Pages,
    /// The observer of the crawl asked it to stop: `asked`.
    Asked,
    /// A reason that this version does not know, by its name.
    #[cfg_attr(feature = "serde", serde(untagged))]
    Other(String),
}

impl Default for CrawlEndReason {
    fn default() -> CrawlEndReason {
        CrawlEndReason::Other(String::new())
    }
}

/// A page that is a duplicate of an earlier one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default))]
pub struct CrawlDuplicate {
    /// The URL of the later page.
    pub url: String,
    /// The URL of the earlier page.
    pub of: String,
    /// How similar the two texts are.
    pub kind: DuplicateKind,
    /// The score of their fuzzy hashes, from 0 to 100; 100 for exact duplicates.
    pub score: u8,
    /// The name of the cause, as in [`CrawlCause::cause`].
    pub cause: String,
}

/// How similar the texts of two pages are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum DuplicateKind {
    /// The same text.
    #[default]
    Exact,
    /// Nearly the same text.
    Near,
}

#[cfg(feature = "serde")]
mod reading {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer};

    use super::CrawlProblem;

    /// Reads a list of problems. Older versions wrote a map of counts by kind instead.
    pub(super) fn problems<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<CrawlProblem>, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Stored {
            List(Vec<CrawlProblem>),
            Counts(BTreeMap<String, u64>),
        }

        Ok(match Stored::deserialize(from)? {
            Stored::List(problems) => problems,
            Stored::Counts(counts) => counts
                .into_iter()
                .map(|(kind, count)| CrawlProblem {
                    kind,
                    count,
                    ..CrawlProblem::default()
                })
                .collect(),
        })
    }
}
