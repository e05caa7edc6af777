//! The options of detection.

use std::str::FromStr;

use reprise_chunk::StopRules;
use reprise_report::results::Badness;

use crate::defaults;

/// From which share on a page is a target, or a neighbourhood bad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShareThreshold {
    /// Shares above this value, from 0 to 1.
    Fixed(f64),
    /// Shares more than one standard deviation above the mean.
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
    /// From which share on a page is a target.
    pub page_threshold: ShareThreshold,
    /// From which badness on a neighbourhood is bad.
    pub neighborhood_threshold: ShareThreshold,
    /// How badness is computed.
    pub badness: Badness,
    /// The chunks that do not count. `None` uses the least length that the labels were made with.
    pub stop: Option<StopRules>,
    /// The number of directory levels that are neighbourhoods; 1 is hosts only. `None` is all levels.
    pub depth: Option<usize>,
    /// Pages with fewer chunks do not count.
    pub min_chunks: u64,
    /// Neighbourhoods with fewer pages are left out.
    pub min_pages: u64,
    /// True to leave out pages on the sites that the labels come from.
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
