//! The options of detection.

use std::str::FromStr;

use reprise_chunk::StopRules;
use reprise_report::results::Badness;

use crate::defaults;

/// The share above which a page is a target, or a neighbourhood is bad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShareThreshold {
    /// A share from 0 to 1.
    Fixed(f64),
    /// The mean share plus one standard deviation.
    Auto,
}

/// The error for a threshold that is neither a share nor `auto`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is neither a number from 0 to 1 nor auto")]
pub struct ParseShareThresholdError {
    found: String,
}

impl FromStr for ShareThreshold {
    type Err = ParseShareThresholdError;

    fn from_str(text: &str) -> Result<ShareThreshold, ParseShareThresholdError> {
        if text == "auto" {
            return Ok(ShareThreshold::Auto);
        }
        match text.parse() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(ShareThreshold::Fixed(share)),
            _ => Err(ParseShareThresholdError {
                found: text.to_owned(),
            }),
        }
    }
}

/// The options of [`detect()`](crate::detect()).
#[derive(Clone, Debug)]
pub struct DetectOptions {
    /// The share above which a page is a target.
    pub page_threshold: ShareThreshold,
    /// The badness above which a neighbourhood is bad.
    pub neighborhood_threshold: ShareThreshold,
    /// The formula of badness.
    pub badness: Badness,
    /// The chunks that do not count. `None` uses the minimum length in the header of the labels.
    pub stop: Option<StopRules>,
    /// The number of directory levels of neighbourhoods. 1 means hosts only, `None` means all levels.
    pub depth: Option<usize>,
    /// The fewest chunks of a page that counts.
    pub min_chunks: u64,
    /// The fewest pages of a neighbourhood in the result.
    pub min_pages: u64,
    /// True to exclude pages on the sites that the labels come from.
    pub elsewhere: bool,
    /// The number of worst pages and neighbourhoods in the result.
    pub top: usize,
}

impl Default for DetectOptions {
    fn default() -> DetectOptions {
        DetectOptions {
            page_threshold: defaults::PAGE_THRESHOLD,
            neighborhood_threshold: defaults::NEIGHBORHOOD_THRESHOLD,
            badness: defaults::BADNESS,
            stop: None,
            depth: None,
            min_chunks: defaults::MIN_CHUNKS,
            min_pages: defaults::MIN_PAGES,
            elsewhere: false,
            top: defaults::TOP,
        }
    }
}
