//! Looking labels up in the order of fingerprints, as a sorted table asks for them.

use std::ops::Range;

use bytes::Bytes;
use reprise_fingerprint::Fingerprint;
use reprise_sys::FileMap;

/// Walks through the labels as they lie in memory, beside a sorted list of fingerprints: one merge.
pub struct LabelCursor<'l> {
    stretches: &'l [(u64, Bytes)],
    /// The stretch at hand.
    labels: &'l [[u8; 20]],
    first_row: u64,
    at: usize,
    /// What was passed does not stay in memory.
    passed: Option<&'l FileMap>,
}

/// Labels that are passed one by one before larger steps are taken.
const SHORT_WALK: usize = 16;

impl<'l> LabelCursor<'l> {
    pub(super) fn new(stretches: &'l [(u64, Bytes)]) -> LabelCursor<'l> {
        LabelCursor {
            stretches,
            labels: &[],
            first_row: 0,
            at: 0,
            passed: None,
        }
    }

    pub(super) fn giving_back(self, passed: Option<&'l FileMap>) -> LabelCursor<'l> {
        LabelCursor { passed, ..self }
    }

    /// A cursor that has passed all labels before this fingerprint, without a look at most of them.
    pub(super) fn before(
        stretches: &'l [(u64, Bytes)],
        fingerprint: &Fingerprint,
    ) -> LabelCursor<'l> {
        let is_before = |label: &[u8; 20]| label < fingerprint.as_bytes();
        // What is searched for may begin at the end of the stretch before.
        let start = stretches
            .partition_point(|(_, bytes)| bytes.first_chunk().is_some_and(is_before))
            .saturating_sub(1);
        let mut cursor = LabelCursor::new(&stretches[start..]);
        cursor.label();
        cursor.at = cursor.labels.partition_point(is_before);
        cursor
    }

    /// The rows with this fingerprint, of either level. Fingerprints asked for must rise.
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

    /// Passes all labels before a fingerprint; returns the row of the next one.
    fn pass(&mut self, fingerprint: &Fingerprint) -> u64 {
        let prefix = fingerprint.prefix();
        // Eight bytes decide nearly always.
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
                None => far(rest, is_before),
            };
            break;
        }
        self.first_row + self.at as u64
    }

    /// The label at hand, in the next stretch if this one is done.
    fn label(&mut self) -> Option<&'l [u8; 20]> {
        while self.at == self.labels.len() {
            if let Some(passed) = self.passed {
                passed.release(self.labels.as_flattened());
            }
            let ((first_row, bytes), rest) = self.stretches.split_first()?;
            self.stretches = rest;
            (self.first_row, self.labels, self.at) = (*first_row, bytes.as_chunks().0, 0);
        }
        self.labels.get(self.at)
    }
}

/// How many labels come before: by steps that double, then by halving the last one.
fn far(labels: &[[u8; 20]], is_before: impl Fn(&[u8; 20]) -> bool) -> usize {
    let mut step = SHORT_WALK;
    while labels.get(step).is_some_and(&is_before) {
        step *= 2;
    }
    let (start, end) = (step / 2, labels.len().min(step));
    start + labels[start..end].partition_point(is_before)
}
