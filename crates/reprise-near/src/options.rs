//! The methods that find near-copies, and their options.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use reprise_imatch::{SignerError, Signing};
use reprise_report::results::{LinkKind, NearMethod};
use reprise_shingle::SHINGLES;
use reprise_store::{Progress, StoreError};

use crate::bands::Bands;
use crate::defaults;

/// A method that finds near-copies, with its parameters.
#[derive(Clone, Copy, Debug)]
pub enum Near<'s> {
    /// Finds pages that share phrases. The corpus must have shingles.
    Shingle {
        /// The rule that makes clusters.
        link: Link,
    },
    /// Finds documents whose plain texts have similar fuzzy hashes, such as one document in two formats.
    Fuzzy {
        /// The lowest score of near-copies, from 1 to 100.
        score: u8,
    },
    /// Finds documents with a common I-Match signature, such as campaigns with noise around their payload.
    Imatch {
        /// The lowest share of the smaller text's phrases that the other text has, from 0 to 1.
        shared: f64,
        /// The lexicons that sign the documents.
        signing: &'s Signing,
    },
    /// Finds pages with the same file, or with the same words if the corpus has shingles.
    Exact,
}

impl Default for Near<'_> {
    fn default() -> Self {
        Near::Shingle {
            link: Link::Verified {
                similarity: defaults::SIMILARITY,
            },
        }
    }
}

/// The rule that makes clusters of pages that share phrases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    /// All phrases of each page were compared with those of the representative.
    Verified {
        /// The lowest Jaccard similarity, from 0.1 to 1.
        similarity: f64,
    },
    /// Pages are linked by chains of pages that agree in some bands of shingles, without verification, as
    /// in the paper.
    Closure {
        /// The bands.
        bands: Bands,
    },
}

impl Near<'_> {
    /// Returns the method without its parameters.
    pub fn method(&self) -> NearMethod {
        match self {
            Near::Shingle { .. } => NearMethod::Shingle,
            Near::Fuzzy { .. } => NearMethod::Fuzzy,
            Near::Imatch { .. } => NearMethod::Imatch,
            Near::Exact => NearMethod::Exact,
        }
    }

    pub(crate) fn link_kind(&self) -> LinkKind {
        match self {
            Near::Shingle {
                link: Link::Closure { .. },
            } => LinkKind::Closure,
            _ => LinkKind::Verified,
        }
    }

    /// Fails if a parameter is out of range.
    pub fn validate(&self) -> Result<(), NearError> {
        match *self {
            Near::Shingle {
                link: Link::Verified { similarity },
            } => check_range("similarity", similarity, 0.1, 1.0),
            Near::Shingle {
                link: Link::Closure { bands },
            } => check_bands(bands),
            Near::Fuzzy { score } => check_range("score", f64::from(score), 1.0, 100.0),
            Near::Imatch { shared, .. } => check_range("shared", shared, 0.0, 1.0),
            Near::Exact => Ok(()),
        }
    }
}

fn check_range(parameter: &'static str, value: f64, min: f64, max: f64) -> Result<(), NearError> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    Err(NearError::OutOfRange {
        parameter,
        value,
        min,
        max,
    })
}

/// Fails if there are more bands than shingles. Candidates are found by one band or by pairs of bands, so
/// no more than two can be wanted.
fn check_bands(bands: Bands) -> Result<(), NearError> {
    let check =
        |parameter, value: usize, max: usize| check_range(parameter, value as f64, 1.0, max as f64);
    check("bands", bands.bands, SHINGLES)?;
    check("rows", bands.rows, SHINGLES / bands.bands)?;
    check("agreeing", bands.agreeing, bands.bands.min(2))
}

/// An error of [`near()`](crate::near()).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NearError {
    /// A parameter is out of range.
    #[error("{parameter} must be from {min} to {max}, not {value}")]
    OutOfRange {
        /// The parameter.
        parameter: &'static str,
        /// The value of the parameter.
        value: f64,
        /// The lowest allowed value.
        min: f64,
        /// The highest allowed value.
        max: f64,
    },
    /// The lexicons cannot sign documents.
    #[error(transparent)]
    Signer(#[from] SignerError),
    /// An error of the corpus or of a temporary file.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The resources of [`near()`](crate::near()), and the page of each cluster to keep.
#[derive(Clone, Copy)]
pub struct NearContext<'c> {
    /// The page of each cluster that is kept.
    pub keep: Keep,
    /// The memory limit.
    pub memory_bytes: usize,
    /// A directory for data that does not fit in memory.
    pub temporary: &'c Path,
    /// Receives the progress.
    pub progress: &'c dyn Progress,
}

/// The page of a cluster that is its representative and is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The first page in the corpus.
    First,
    /// The page with the most words.
    Longest,
    /// The page that was fetched first.
    Oldest,
    /// All pages are kept. The first page is the representative.
    None,
}

impl Keep {
    /// All variants.
    pub const ALL: [Keep; 4] = [Keep::First, Keep::Longest, Keep::Oldest, Keep::None];

    /// Returns the name used in flags.
    pub fn as_str(self) -> &'static str {
        match self {
            Keep::First => "first",
            Keep::Longest => "longest",
            Keep::Oldest => "oldest",
            Keep::None => "none",
        }
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error for an unknown name of [`Keep`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown page to keep {found:?}; use first, longest, oldest or none")]
pub struct ParseKeepError {
    found: String,
}

impl FromStr for Keep {
    type Err = ParseKeepError;

    fn from_str(text: &str) -> Result<Keep, ParseKeepError> {
        let mut all = Keep::ALL.into_iter();
        all.find(|keep| keep.as_str() == text)
            .ok_or_else(|| ParseKeepError {
                found: text.to_owned(),
            })
    }
}
