//! Stop chunks: common chunks without meaning. They are neither labelled nor counted.

use reprise_fingerprint::Fingerprint;
use reprise_text::{Content, normalize};

use crate::settings::ChunkSettings;

/// Decides which chunks are stop chunks.
#[derive(Clone, Debug, Default)]
pub struct StopRules {
    /// The fewest characters of a chunk that counts.
    pub min_length: u64,
    /// The analyst's list, sorted. The papers suggest a Bloom filter for long lists. Here it would save
    /// nothing, because a binary search in the list is fast.
    list: Vec<Fingerprint>,
}

/// The reason why a chunk is a stop chunk. If several reasons apply, the first one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The chunk has no visible text.
    NoText,
    /// The chunk has fewer characters than [`StopRules::min_length`].
    Short,
    /// The chunk is on the analyst's list.
    Listed,
}

/// The number of distinct stop chunks, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StopCounts {
    /// The number of chunks without visible text.
    pub no_text: u64,
    /// The number of chunks that are too short.
    pub short: u64,
    /// The number of chunks on the analyst's list.
    pub listed: u64,
}

/// The error for a stop list that is not UTF-8.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stop list is not UTF-8 text")]
pub struct ParseStopListError;

impl StopRules {
    /// Creates rules from a minimum length and a list.
    pub fn new(min_length: u64, mut list: Vec<Fingerprint>) -> StopRules {
        list.sort_unstable();
        list.dedup();
        StopRules { min_length, list }
    }

    /// Creates rules from a minimum length and the content of a list file. A line of 40 hex digits is a
    /// fingerprint. Any other line is the text of a chunk.
    pub fn parse(
        min_length: u64,
        list: &[u8],
        settings: ChunkSettings,
    ) -> Result<StopRules, ParseStopListError> {
        let text = str::from_utf8(list).map_err(|_| ParseStopListError)?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let fingerprints = lines.map(|line| {
            line.parse().unwrap_or_else(|_| {
                let mut normal = String::new();
                normalize(Content::Html, settings.chunk, line, &mut normal);
                settings.hash.fingerprint(normal.as_bytes())
            })
        });
        Ok(StopRules::new(min_length, fingerprints.collect()))
    }

    /// Returns the number of fingerprints on the list.
    pub fn listed(&self) -> usize {
        self.list.len()
    }

    /// Returns the reason why a chunk is a stop chunk, or `None` if it is not one.
    pub fn reason(
        &self,
        fingerprint: &Fingerprint,
        chars: u64,
        is_visible: bool,
    ) -> Option<StopReason> {
        if !is_visible {
            Some(StopReason::NoText)
        } else if chars < self.min_length {
            Some(StopReason::Short)
        } else if self.list.binary_search(fingerprint).is_ok() {
            Some(StopReason::Listed)
        } else {
            None
        }
    }
}

impl StopCounts {
    /// Returns the number of stop chunks of all reasons.
    pub fn total(self) -> u64 {
        self.no_text + self.short + self.listed
    }

    /// Counts one more stop chunk.
    pub fn count(&mut self, reason: StopReason) {
        match reason {
            StopReason::NoText => self.no_text += 1,
            StopReason::Short => self.short += 1,
            StopReason::Listed => self.listed += 1,
        }
    }

    /// Adds other counts.
    pub fn add(&mut self, other: StopCounts) {
        self.no_text += other.no_text;
        self.short += other.short;
        self.listed += other.listed;
    }
}

#[cfg(test)]
mod tests {
    use super::{ParseStopListError, StopReason, StopRules};
    use crate::settings::ChunkSettings;

    #[test]
    fn a_list_may_contain_fingerprints_and_texts() {
        let settings = ChunkSettings::default();
        let text = settings
            .hash
            .fingerprint(b"<p>All rights  reserved".as_slice());
        let normal = settings.hash.fingerprint(b"<p>All rights reserved");
        let list = format!("{text}\n\n  <p>All rights   reserved \n");
        let rules = StopRules::parse(5, list.as_bytes(), settings).unwrap();
        assert_eq!(rules.listed(), 2);
        assert_eq!(rules.reason(&normal, 9, true), Some(StopReason::Listed));
        assert_eq!(rules.reason(&normal, 4, true), Some(StopReason::Short));
        assert_eq!(rules.reason(&normal, 9, false), Some(StopReason::NoText));
        let other = settings.hash.fingerprint(b"other");
        assert_eq!(rules.reason(&other, 5, true), None);
        let error = StopRules::parse(5, b"\xff", settings).unwrap_err();
        assert_eq!(error, ParseStopListError);
    }
}
