//! Looks up labels in ascending order of their fingerprints.

use std::ops::Range;

use bytes::Bytes;
use reprise_fingerprint::Fingerprint;
use reprise_sys::FileMap;

/// Walks through the labels of a file in parallel with a sorted list of fingerprints.
pub struct LabelCursor<'l> {
    /// The runs of fingerprints after the current one, each with the row of its first fingerprint.
    runs: &'l [(u64, Bytes)],
    /// The current run.
    labels: &'l [[u8; 20]],
    /// The row of the first label of the current run.
    first_row: u64,
    /// The index of the next label in the current run.
    at: usize,
    /// The memory map whose passed labels are released.
    to_release: Option<&'l FileMap>,
}

/// The number of labels that a search passes one by one before it takes larger steps.
const SHORT_WALK: usize = 16;

impl<'l> LabelCursor<'l> {
    pub(super) fn new(runs: &'l [(u64, Bytes)]) -> LabelCursor<'l> {
        LabelCursor {
            runs,
            labels: &[],
            first_row: 0,
            at: 0,
            to_release: None,
        }
    }

    /// Releases the memory of passed labels, if there is a map.
    pub(super) fn releasing(self, to_release: Option<&'l FileMap>) -> LabelCursor<'l> {
        LabelCursor { to_release, ..self }
    }

    /// Creates a cursor before `fingerprint`, by binary search.
    pub(super) fn before(runs: &'l [(u64, Bytes)], fingerprint: &Fingerprint) -> LabelCursor<'l> {
        let is_before = |label: &[u8; 20]| label < fingerprint.as_bytes();
        // The first row with the fingerprint may be at the end of the run before.
        let start = runs
            .partition_point(|(_, bytes)| bytes.first_chunk().is_some_and(is_before))
            .saturating_sub(1);
        let mut cursor = LabelCursor::new(&runs[start..]);
        cursor.label();
        cursor.at = cursor.labels.partition_point(is_before);
        cursor
    }

    /// Returns the rows with this fingerprint, of either level. Calls must come in ascending order of
    /// fingerprints.
    pub fn find(&mut self, fingerprint: &Fingerprint) -> Range<u64> {
        let start = self.pass(fingerprint);
        while self
            .label()
            .is_some_and(|label| label == fingerprint.as_bytes())
        {
            self.at += 1;
        }
        start..self.first_row + self.at as u64
    }

    /// Passes all labels before `fingerprint`, and returns the row of the next label.
    fn pass(&mut self, fingerprint: &Fingerprint) -> u64 {
        let prefix = fingerprint.prefix();
        // The first eight bytes nearly always decide.
        let is_before = |label: &[u8; 20]| {
            let label = Fingerprint::from_bytes(*label);
            let other = label.prefix();
            other < prefix || (other == prefix && label < *fingerprint)
        };
        while let Some(last) = self.label().and_then(|_| self.labels.last()) {
            if is_before(last) {
                self.at = self.labels.len();
                continue;
            }
            let rest = &self.labels[self.at..];
            let near = rest.iter().take(SHORT_WALK);
            self.at += match near.into_iter().position(|label| !is_before(label)) {
                Some(walked) => walked,
                None => count_before(rest, is_before),
            };
            break;
        }
        self.first_row + self.at as u64
    }

    /// Returns the next label. Goes to the next run if the current one is used up.
    fn label(&mut self) -> Option<&'l [u8; 20]> {
        while self.at == self.labels.len() {
            if let Some(map) = self.to_release {
                map.release(self.labels.as_flattened());
            }
            let ((first_row, bytes), rest) = self.runs.split_first()?;
            self.runs = rest;
            (self.first_row, self.labels, self.at) = (*first_row, bytes.as_chunks().0, 0);
        }
        self.labels.get(self.at)
    }
}

/// Counts the labels for which `is_before` is true, with doubling steps and then a binary search. The first
/// [`SHORT_WALK`] labels must be among them.
fn count_before(labels: &[[u8; 20]], is_before: impl Fn(&[u8; 20]) -> bool) -> usize {
    let mut step = SHORT_WALK;
    while labels.get(step).is_some_and(&is_before) {
        step *= 2;
    }
    let (start, end) = (step / 2, labels.len().min(step));
    start + labels[start..end].partition_point(is_before)
}
