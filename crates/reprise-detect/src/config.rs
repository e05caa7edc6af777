//! What counts in detection, and from which share on.

use std::fmt;
use std::str::FromStr;

use reprise_discover::StopRules;

/// From which share on a page or neighbourhood is a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// More than this, from 0 to 1.
    Fixed(f64),
    /// More than one standard deviation above the mean of all.
    Auto,
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Limit, String> {
        if text == "auto" {
            return Ok(Limit::Auto);
        }
        match text.parse() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(Limit::Fixed(share)),
            _ => Err(format!("{text:?} is neither a number from 0 to 1 nor auto")),
        }
    }
}

/// How the badness of a neighbourhood comes from its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Badness {
    /// The mean of their shares: a small page counts as much as a large one.
    Mean,
    /// All their labelled chunks by all their chunks.
    Pooled,
}

impl Badness {
    /// As flags and JSON have it.
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

impl FromStr for Badness {
    type Err = String;

    fn from_str(text: &str) -> Result<Badness, String> {
        match text {
            "mean" => Ok(Badness::Mean),
            "pooled" => Ok(Badness::Pooled),
            _ => Err(format!("{text:?} is neither mean nor pooled")),
        }
    }
}

/// How to detect.
#[derive(Clone, Debug)]
pub struct DetectConfig {
    /// From which share on a page is a target.
    pub page_limit: Limit,
    /// From which badness on a neighbourhood is bad.
    pub neighborhood_limit: Limit,
    /// How badness is computed.
    pub badness: Badness,
    /// What is counted nowhere.
    pub stop: StopRules,
    /// How many levels of directories are neighbourhoods; 1 is hosts alone.
    pub depth: Option<usize>,
    /// Pages with fewer chunks are in no mean.
    pub min_chunks: u64,
    /// Neighbourhoods with fewer pages are left out.
    pub min_pages: u64,
    /// Leave out pages on the sites that the labels come from.
    pub elsewhere: bool,
    /// How many of the worst pages and neighbourhoods to tell in full.
    pub top: usize,
    /// Bound of memory.
    pub memory_bytes: usize,
}
