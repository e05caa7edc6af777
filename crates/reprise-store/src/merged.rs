//! The fingerprints of all segments as one sorted list.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

use reprise_fingerprint::Fingerprint;

use crate::corpus::Corpus;
use crate::error::StoreError;
use crate::table::TableReader;

/// All fingerprints there are, by their [`Fingerprint::prefix`].
pub const ALL_PREFIXES: RangeInclusive<u64> = 0..=u64::MAX;

/// A fingerprint with its counts over all segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedRow {
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// Characters of its normal form.
    pub chars: u64,
    /// Whether it has visible text.
    pub is_visible: bool,
    /// Chunks with it.
    pub occurrences: u64,
    /// Pages with it.
    pub pages: u64,
    /// Sites with it, added up over the segments: right where only one segment has it.
    pub sites: u64,
    /// The segments that have it, by their index, and its rank there.
    pub parts: Vec<(u32, u32)>,
}

/// One merge of the sorted segments, a group of rows of each in memory at a time.
pub struct Merged {
    segments: Vec<SortedRows>,
    heads: BinaryHeap<Reverse<(Fingerprint, usize)>>,
}

impl Merged {
    /// The fingerprints of a corpus with a prefix in this range.
    pub fn new(corpus: &Corpus, prefixes: RangeInclusive<u64>) -> Result<Merged, StoreError> {
        let mut merged = Merged {
            segments: Vec::new(),
            heads: BinaryHeap::new(),
        };
        for (index, segment) in corpus.segments().enumerate() {
            merged.segments.push(SortedRows {
                table: segment.fingerprints()?,
                prefixes: prefixes.clone(),
                next_group: 0,
                first_rank: 0,
                at: 0,
                rows: Rows::default(),
            });
            merged.step(index)?;
        }
        Ok(merged)
    }

    /// Notes what stands first in a segment now.
    fn step(&mut self, index: usize) -> Result<(), StoreError> {
        if let Some(fingerprint) = self.segments[index].head()? {
            self.heads.push(Reverse((fingerprint, index)));
        }
        Ok(())
    }

    /// The next fingerprint, into `row`; false when there is none.
    pub fn next_into(&mut self, row: &mut MergedRow) -> Result<bool, StoreError> {
        row.parts.clear();
        while let Some(&Reverse((fingerprint, index))) = self.heads.peek() {
            if !row.parts.is_empty() && fingerprint != row.fingerprint {
                break;
            }
            self.heads.pop();
            let segment = &mut self.segments[index];
            let (at, rows) = (segment.at, &segment.rows);
            if row.parts.is_empty() {
                row.fingerprint = fingerprint;
                row.chars = rows.chars[at] as u64;
                row.is_visible = rows.visible[at];
                (row.occurrences, row.pages, row.sites) = (0, 0, 0);
            }
            row.occurrences += rows.occurrences[at] as u64;
            row.pages += rows.pages[at] as u64;
            row.sites += rows.sites[at] as u64;
            row.parts
                .push((index as u32, (segment.first_rank + at) as u32));
            segment.at += 1;
            self.step(index)?;
        }
        Ok(!row.parts.is_empty())
    }
}

impl Default for MergedRow {
    fn default() -> Self {
        MergedRow {
            fingerprint: Fingerprint::default(),
            chars: 0,
            is_visible: false,
            occurrences: 0,
            pages: 0,
            sites: 0,
            parts: Vec::new(),
        }
    }
}

/// The rows of one segment, a group in memory at a time.
struct SortedRows {
    table: TableReader,
    prefixes: RangeInclusive<u64>,
    next_group: usize,
    /// Rank of the group's first row.
    first_rank: usize,
    at: usize,
    rows: Rows,
}

#[derive(Default)]
struct Rows {
    fingerprints: Vec<Fingerprint>,
    chars: Vec<i64>,
    visible: Vec<bool>,
    occurrences: Vec<i64>,
    pages: Vec<i64>,
    sites: Vec<i64>,
}

impl SortedRows {
    /// The fingerprint at hand, if there is one in the range.
    fn head(&mut self) -> Result<Option<Fingerprint>, StoreError> {
        loop {
            if let Some(&fingerprint) = self.rows.fingerprints.get(self.at) {
                let is_in = fingerprint.prefix() <= *self.prefixes.end();
                return Ok(is_in.then_some(fingerprint));
            }
            if self.next_group >= self.table.groups() {
                return Ok(None);
            }
            self.first_rank += self.rows.fingerprints.len();
            let group = self.next_group;
            self.next_group += 1;
            self.rows = self.read(group)?;
            let start = *self.prefixes.start();
            self.at = self
                .rows
                .fingerprints
                .partition_point(|fingerprint| fingerprint.prefix() < start);
        }
    }

    fn read(&self, group: usize) -> Result<Rows, StoreError> {
        let fingerprints = self.table.fingerprints(group, "fingerprint")?;
        let start = *self.prefixes.start();
        if fingerprints
            .last()
            .is_some_and(|last| last.prefix() < start)
        {
            // None of it is asked for; the ranks go on all the same.
            return Ok(Rows {
                fingerprints,
                ..Rows::default()
            });
        }
        Ok(Rows {
            fingerprints,
            chars: self.table.ints(group, "chars")?,
            visible: self.table.bools(group, "visible")?,
            occurrences: self.table.ints(group, "occurrences")?,
            pages: self.table.ints(group, "pages")?,
            sites: self.table.ints(group, "sites")?,
        })
    }
}
