//! Stop chunks: common and meaningless, so neither labelled nor counted.

use reprise_fingerprint::Fingerprint;

/// Which chunks are stop chunks.
#[derive(Clone, Debug, Default)]
pub struct StopRules {
    /// Chunks with fewer characters.
    pub min_length: u64,
    /// The analyst's own list, sorted. Fingerprints come sorted too, so a merge finds them exactly;
    /// a filter in front of it, as the papers have, would save nothing.
    list: Vec<Fingerprint>,
}

/// Why a chunk is a stop chunk; the first that holds counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// It shows no text.
    NoText,
    /// It has fewer characters than asked for.
    Short,
    /// It is on the list.
    Listed,
}

/// How many distinct objects are stop chunks, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StopCounts {
    /// Without visible text.
    pub no_text: u64,
    /// Too short.
    pub short: u64,
    /// On the list.
    pub listed: u64,
}

impl StopRules {
    /// Rules with this least length and this list.
    pub fn new(min_length: u64, mut list: Vec<Fingerprint>) -> StopRules {
        list.sort_unstable();
        list.dedup();
        StopRules { min_length, list }
    }

    /// How many fingerprints are on the list.
    pub fn listed(&self) -> usize {
        self.list.len()
    }

    /// Is this a stop chunk, and why?
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
    /// All of them.
    pub fn total(&self) -> u64 {
        self.no_text + self.short + self.listed
    }

    pub(crate) fn count(&mut self, reason: StopReason) {
        match reason {
            StopReason::NoText => self.no_text += 1,
            StopReason::Short => self.short += 1,
            StopReason::Listed => self.listed += 1,
        }
    }

    pub(crate) fn add(&mut self, other: StopCounts) {
        self.no_text += other.no_text;
        self.short += other.short;
        self.listed += other.listed;
    }
}
