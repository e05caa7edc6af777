//! Two pages side by side.

use std::ops::Range;

use reprise_fingerprint::Fingerprint;

use crate::results::Timestamp;

/// The common content of two pages.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Explanation {
    /// The URL of the page.
    pub page: String,
    /// The URL of the other page.
    pub with: String,
    /// The number of chunks of the page.
    pub page_chunks: u64,
    /// The number of these that the other page has.
    pub page_shared: u64,
    /// The number of chunks of the other page.
    pub with_chunks: u64,
    /// The number of these that the page has.
    pub with_shared: u64,
    /// The fetch time of the page.
    pub page_fetched: Option<Timestamp>,
    /// The fetch time of the other page.
    pub with_fetched: Option<Timestamp>,
    /// The chunks that both have.
    pub matches: Vec<Match>,
    /// The phrases that both have.
    pub phrases: SharedPhrases,
    /// The text of the page.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub page_text: String,
    /// The text of the other page.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub with_text: String,
}

/// The phrases that two pages share.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SharedPhrases {
    /// The number of distinct phrases of the page.
    pub page: u32,
    /// The number of distinct phrases of the other page.
    pub with: u32,
    /// The number of phrases of both.
    pub shared: u32,
    /// The Jaccard similarity.
    pub similarity: f64,
    /// The share of the page's phrases that the other page has.
    pub containment: f64,
    /// Runs of words outside the shared chunks that both pages have.
    pub matches: Vec<Match>,
}

/// A span of each text with the same content.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Match {
    /// Bytes of the page's text.
    pub left: Range<usize>,
    /// Bytes of the other page's text.
    pub right: Range<usize>,
    /// The name of the content. Matches with the same content have the same name.
    pub fingerprint: MatchName,
}

/// The name of the content of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchName {
    /// The fingerprint of a chunk.
    Chunk(Fingerprint),
    /// The number of a run of words.
    Phrases(usize),
}

impl std::fmt::Display for MatchName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MatchName::Chunk(fingerprint) => fingerprint.fmt(f),
            MatchName::Phrases(number) => write!(f, "phrases {number}"),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for MatchName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
