//! The pages, neighbourhoods and sites with labelled content.

use std::fmt;
use std::str::FromStr;

use crate::results::Timestamp;

/// The definition of the badness of a neighbourhood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Badness {
    /// The mean of their shares: a small page counts as much as a large one.
    #[default]
    Mean,
    /// All their labelled chunks divided by all their chunks.
    Pooled,
}

impl Badness {
    /// Returns the name used in flags and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Badness::Mean => "mean",
            Badness::Pooled => "pooled",
        }
    }
}

impl fmt::Display for Badness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error for an unknown badness.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown badness {found:?}, use mean or pooled")]
pub struct ParseBadnessError {
    found: String,
}

impl FromStr for Badness {
    type Err = ParseBadnessError;

    fn from_str(text: &str) -> Result<Badness, ParseBadnessError> {
        match text {
            "mean" => Ok(Badness::Mean),
            "pooled" => Ok(Badness::Pooled),
            _ => Err(ParseBadnessError {
                found: text.to_owned(),
            }),
        }
    }
}

/// The result of detection: where labels were found.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Detection {
    /// The number of rows of the labels.
    pub labels: u64,
    /// The definition of badness that was used.
    pub badness: Badness,
    /// The numbers of labelled chunks and files.
    pub matched: MatchedCounts,
    /// The pages.
    pub pages: PageShares,
    /// The neighbourhoods.
    pub neighborhoods: NeighborhoodShares,
    /// The pairs of sites with most chunks in common, at most [`SITE_PAIRS_MAX`].
    pub sites: Vec<SitePair>,
    /// The number of pairs of sites.
    pub site_pairs: u64,
    /// The number of pairs of sites that have chunks of each other.
    pub rings: u64,
    /// Sentences that say why nothing was found; empty if something was.
    pub notes: Vec<String>,
}

/// The most pairs of sites in a [`Detection`]. The table of sites has all pairs.
pub const SITE_PAIRS_MAX: usize = 1000;

/// The numbers of labelled chunks and files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MatchedCounts {
    /// The number of labelled chunks. Repeats count.
    pub chunks: u64,
    /// The number of labelled files.
    pub files: u64,
    /// The number of labels that were found at least once.
    pub labels_seen: u64,
}

/// The shares of all pages.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PageShares {
    /// The number of pages.
    pub total: u64,
    /// The number of pages with enough chunks to count.
    pub counted: u64,
    /// The number of pages left out because they are on the labels' own sites.
    pub own: u64,
    /// The number of pages with a labelled chunk.
    pub matched: u64,
    /// The mean share.
    pub mean: f64,
    /// The standard deviation of the shares.
    pub stddev: f64,
    /// The threshold. Pages with a higher share are targets.
    pub threshold: f64,
    /// The number of targets.
    pub targets: u64,
    /// The number of pages by share, in 20 equal steps from 0 to 1. The last step includes 1.
    pub histogram: Vec<u64>,
    /// The pages with the highest shares.
    pub top: Vec<PageShare>,
}

/// A page that holds labelled content.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PageShare {
    /// The URL.
    pub url: String,
    /// The share of its counted chunks that are labelled; `None` if it has too few chunks.
    pub contains: Option<f64>,
    /// The number of labelled chunks.
    pub matched: u64,
    /// The number of counted chunks.
    pub chunks: u64,
    /// A page of the other site that most labelled chunks come from.
    pub source_url: Option<String>,
    /// That site.
    pub source_site: Option<String>,
    /// The fetch time.
    pub fetched: Option<Timestamp>,
    /// The fetch time of the source page.
    pub source_fetched: Option<Timestamp>,
    /// The side that was fetched first.
    pub older: Option<Older>,
}

/// The side of a match that was fetched first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Older {
    /// The page that the label comes from.
    Source,
    /// The page that was found.
    Copy,
}

impl Older {
    /// Compares the fetch times of both sides. Returns `None` if one is unknown or both are equal.
    pub fn of(copy: Option<i64>, source: Option<i64>) -> Option<Older> {
        match copy?.cmp(&source?) {
            std::cmp::Ordering::Less => Some(Older::Copy),
            std::cmp::Ordering::Greater => Some(Older::Source),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// The badness of all neighbourhoods.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NeighborhoodShares {
    /// The number of neighbourhoods.
    pub total: u64,
    /// The mean badness.
    pub mean: f64,
    /// The standard deviation of the badness.
    pub stddev: f64,
    /// The threshold. Neighbourhoods with a higher badness are bad.
    pub threshold: f64,
    /// The number of bad neighbourhoods.
    pub bad: u64,
    /// The number of neighbourhoods by badness, in 20 equal steps from 0 to 1. The last step includes 1.
    pub histogram: Vec<u64>,
    /// The worst neighbourhoods, worst first.
    pub top: Vec<Neighborhood>,
}

/// The pages below a URL prefix.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Neighborhood {
    /// The prefix, from the host on.
    pub prefix: String,
    /// The number of directory levels; 1 is a whole host.
    pub depth: u64,
    /// The number of pages.
    pub pages: u64,
    /// The badness, from 0 to 1.
    pub badness: f64,
    /// The number of labelled chunks.
    pub matched: u64,
    /// The number of counted chunks.
    pub chunks: u64,
}

/// A site that has chunks of another site.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SitePair {
    /// The site that has the chunks.
    pub copier: String,
    /// The site that the labels come from.
    pub source: String,
    /// The number of chunks.
    pub chunks: u64,
    /// The number of pages of the copier with one or more of them.
    pub pages: u64,
}
