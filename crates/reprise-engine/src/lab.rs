//! Experiments on the pages of a corpus: how hard is it to evade each method, and how often does a
//! locality-sensitive hash take strangers for copies?
//!
//! - [`evade()`]: edits until a copy is no longer found.
//! - [`compare()`]: cryptographic hashes beside Nilsimsa.
//!
//! Either looks at pages that are drawn by a seed and read again from their archives.

mod compare;
mod evade;
mod sample;

use reprise_imatch::SignerError;
use reprise_store::StoreError;

pub use compare::{CompareSettings, Compared, FalsePositive, ThresholdRow, compare};
pub use evade::{EvadeSettings, Evasion, MethodRule, Terms, evade};
pub use sample::{PAGE_BYTES_MAX, Unused};

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// The corpus cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The lexicon and the contexts do not fit together.
    #[error(transparent)]
    Signer(#[from] SignerError),
    /// There is nothing to look at.
    #[error("the corpus has no page with text; index pages first (`reprise index`)")]
    NoPages,
    /// There are pages, but the archives that hold their text are gone, or changed.
    #[error(
        "none of {pages} pages can be read again: {reason}; the archives must be where they were when the corpus was made"
    )]
    Unreadable {
        /// How many were tried.
        pages: u64,
        /// Why the first could not be read.
        reason: String,
    },
    /// There are pages, and none of them can be used.
    #[error(
        "none of {pages} pages can be used: {without_text} have no words or no text format, {too_large} are larger than {} kB",
        PAGE_BYTES_MAX / 1000
    )]
    Unusable {
        /// How many were read.
        pages: u64,
        /// Those without words.
        without_text: u64,
        /// Those that are too large.
        too_large: u64,
    },
    /// Pages are compared with each other, and there is only one, or only one site.
    #[error("there is no pair of pages to compare: {reason}")]
    NoPairs {
        /// What is missing.
        reason: &'static str,
    },
    /// A threshold is not what it can be.
    #[error("{what}")]
    Setting {
        /// What is wrong.
        what: String,
    },
}

impl LabError {
    /// Is it about what the caller gave, and not about the machine?
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Store(error) => error.is_usage(),
            _ => true,
        }
    }
}
