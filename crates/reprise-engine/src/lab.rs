//! Experiments on the pages of a corpus.
//!
//! - [`Corpus::evade`] counts the edits until each method no longer finds a copy.
//! - [`Corpus::compare_hashes`] counts how often a locality-sensitive hash takes different pages for copies.
//!
//! Both draw pages by a seed and read them again from their archives.

mod compare;
mod evade;
mod sample;

use reprise_imatch::SignerError;
use reprise_lab::nilsimsa::SCORE_MAX;
use reprise_report::results::{Evasion, HashComparison};
use reprise_store::{Progress, StoreError};

pub use reprise_lab::{CompareOptions, EditKind, EvadeOptions, MethodKind};
pub use sample::PAGE_BYTES_MAX;

use crate::corpus::Corpus;
use crate::error::Error;

impl Corpus {
    /// Counts the edits until each method no longer finds a copy.
    pub fn evade(&self, options: &EvadeOptions, progress: &dyn Progress) -> Result<Evasion, Error> {
        let threads = self.resources.threads();
        let found =
            (self.resources).install(|| evade::evade(&self.reader, options, threads, progress));
        Ok(found??)
    }

    /// Compares the pages of a sample with each other, by cryptographic hashes and by Nilsimsa.
    pub fn compare_hashes(
        &self,
        options: &CompareOptions,
        progress: &dyn Progress,
    ) -> Result<HashComparison, Error> {
        let threads = self.resources.threads();
        let found =
            (self.resources).install(|| compare::compare(&self.reader, options, threads, progress));
        Ok(found??)
    }
}

/// The error of an experiment.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// The corpus cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The lexicon and the contexts do not belong together.
    #[error(transparent)]
    Signer(#[from] SignerError),
    /// The corpus has no page with a chunk.
    #[error("the corpus has no page with text; index pages first")]
    NoPages,
    /// No page can be read: the archives were deleted, moved or changed.
    #[error(
        "none of {pages} pages can be read again: {reason}; the archives must be where they were when they were indexed"
    )]
    Unreadable {
        /// The number of pages that were tried.
        pages: u64,
        /// The reason for the first page.
        reason: String,
    },
    /// Pages can be read, but none of them can be used.
    #[error(
        "none of {pages} pages can be used: {without_text} have no words or no text format, {too_large} are larger than {} kB",
        PAGE_BYTES_MAX / 1000
    )]
    Unusable {
        /// The number of pages that were tried.
        pages: u64,
        /// The number of pages without words.
        without_text: u64,
        /// The number of pages that are too large.
        too_large: u64,
    },
    /// Fewer than two pages have a chunk to compare.
    #[error(
        "fewer than two pages have a chunk of {chars_min} characters, so no pair can be compared; use a smaller minimum"
    )]
    TooFewPages {
        /// The fewest characters of a chunk that is compared.
        chars_min: usize,
    },
    /// Only pages on different sites are compared, and there is only one site.
    #[error("all pages with chunks are on one site, so no pair of sites can be compared")]
    OneSite,
    /// The threshold is not a Nilsimsa score.
    #[error("the threshold {found} is not a Nilsimsa score; use -{SCORE_MAX} to {SCORE_MAX}")]
    Threshold {
        /// The threshold.
        found: i32,
    },
    /// An option is too small.
    #[error("{option} must be at least {least}")]
    TooSmall {
        /// The name of the option, as in [`EvadeOptions`] and [`CompareOptions`].
        option: &'static str,
        /// The smallest valid value.
        least: usize,
    },
}

impl LabError {
    /// Returns true if the caller can fix the error with another corpus or other options.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Store(error) => error.is_usage(),
            _ => true,
        }
    }
}

/// Refuses an option below `least`.
fn check_least(option: &'static str, found: usize, least: usize) -> Result<(), LabError> {
    if found < least {
        return Err(LabError::TooSmall { option, least });
    }
    Ok(())
}
