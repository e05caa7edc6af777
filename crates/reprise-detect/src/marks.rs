//! Which chunks of a segment are labelled: one merge of two sorted lists.

use std::cmp::Ordering;

use bytes::Bytes;
use reprise_discover::StopRules;
use reprise_fingerprint::Fingerprint;
use reprise_store::{Labels, Segment, StoreError};

use crate::sources::LabelSources;

/// Neither labelled nor a stop chunk.
const PLAIN: u32 = u32::MAX;
/// A stop chunk.
const STOP: u32 = u32::MAX - 1;

/// A label that a segment has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeenLabel {
    /// Its first row in the labels.
    pub(crate) row: u64,
    /// Number of the site it comes from.
    pub(crate) site: u32,
}

/// What a chunk is.
#[derive(Clone, Copy)]
pub(crate) enum Mark {
    Plain,
    Stop,
    Label(SeenLabel),
}

/// What each rank of a segment is.
pub(crate) struct Marks {
    by_rank: Vec<u32>,
    seen: Vec<SeenLabel>,
}

impl Marks {
    /// What the chunks with these ranks are. Many at a time: each look goes to another place in
    /// memory, and the processor waits for several of them at once.
    pub(crate) fn of(&self, ranks: &[i64]) -> Vec<Mark> {
        let marks: Vec<u32> = ranks
            .iter()
            .map(|&rank| self.by_rank[rank as usize])
            .collect();
        marks
            .into_iter()
            .map(|mark| match mark {
                PLAIN => Mark::Plain,
                STOP => Mark::Stop,
                index => Mark::Label(self.seen[index as usize]),
            })
            .collect()
    }

    /// Merges the labels with the fingerprints of a segment.
    pub(crate) fn merge(
        segment: &Segment<'_>,
        labels: &Labels,
        stop: &StopRules,
        sources: &LabelSources,
    ) -> Result<Marks, StoreError> {
        let table = segment.fingerprints()?;
        let mut cursor = LabelCursor {
            sources,
            stretches: labels.stretches(),
            stretch: 0,
            at: 0,
        };
        let mut marks = Marks {
            by_rank: Vec::with_capacity(table.rows() as usize),
            seen: Vec::new(),
        };
        for group in 0..table.groups() {
            let fingerprints = table.fingerprints(group, "fingerprint")?;
            let chars = table.ints(group, "chars")?;
            let visible = table.bools(group, "visible")?;
            for (at, fingerprint) in fingerprints.iter().enumerate() {
                let is_stop = stop
                    .reason(fingerprint, chars[at] as u64, visible[at])
                    .is_some();
                let mark = if is_stop {
                    STOP
                } else if let Some(row) = cursor.find(fingerprint) {
                    marks.seen.push(SeenLabel {
                        row,
                        site: sources.of(row).site,
                    });
                    marks.seen.len() as u32 - 1
                } else {
                    PLAIN
                };
                marks.by_rank.push(mark);
            }
        }
        Ok(marks)
    }
}

/// Walks through the labels as they lie in memory.
struct LabelCursor<'l> {
    sources: &'l LabelSources,
    stretches: &'l [(u64, Bytes)],
    stretch: usize,
    at: usize,
}

impl LabelCursor<'_> {
    /// The first row of a chunk with this fingerprint. Fingerprints asked for must rise.
    fn find(&mut self, fingerprint: &Fingerprint) -> Option<u64> {
        while let Some((first_row, bytes)) = self.stretches.get(self.stretch) {
            let (labels, _) = bytes.as_chunks::<20>();
            while let Some(label) = labels.get(self.at) {
                let label = Fingerprint::from_bytes(*label);
                // Eight bytes decide nearly always.
                match (label.prefix().cmp(&fingerprint.prefix()))
                    .then_with(|| label.cmp(fingerprint))
                {
                    Ordering::Greater => return None,
                    Ordering::Less => self.at += 1,
                    Ordering::Equal => {
                        let row = first_row + self.at as u64;
                        if self.sources.is_chunk(row) {
                            return Some(row);
                        }
                        self.at += 1;
                    }
                }
            }
            self.stretch += 1;
            self.at = 0;
        }
        None
    }
}
