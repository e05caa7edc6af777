//! The fingerprints of all segments as one sorted list.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::ops::RangeInclusive;

use reprise_fingerprint::Fingerprint;

use crate::corpus::Corpus;
use crate::error::StoreError;
use crate::table::TableReader;

/// All fingerprints there are, by their [`Fingerprint::prefix`].
pub const ALL_PREFIXES: RangeInclusive<u64> = 0..=u64::MAX;

/// A fingerprint with its counts over all segments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
///
/// Segments are ordered by the prefix of what stands first in each: a number, quick to compare. The
/// few rows with one prefix are then put in the order of their whole fingerprints.
pub struct Merged {
    segments: Vec<SortedRows>,
    heads: BinaryHeap<Reverse<(u64, u32)>>,
    /// The rows with the prefix at hand, last first.
    same_prefix: Vec<(Fingerprint, u32, RowCounts)>,
}

/// One row of a segment.
#[derive(Clone, Copy)]
struct RowCounts {
    rank: u32,
    is_visible: bool,
    chars: u64,
    occurrences: u64,
    pages: u64,
    sites: u64,
}

impl Merged {
    /// The fingerprints of a corpus with a prefix in this range.
    pub fn new(corpus: &Corpus, prefixes: RangeInclusive<u64>) -> Result<Merged, StoreError> {
        let mut merged = Merged {
            segments: Vec::new(),
            heads: BinaryHeap::new(),
            same_prefix: Vec::new(),
        };
        for (index, segment) in corpus.segments().enumerate() {
            let mut rows = SortedRows {
                table: segment.fingerprints()?,
                prefixes: prefixes.clone(),
                next_group: 0,
                first_rank: 0,
                at: 0,
                rows: Rows::default(),
            };
            if let Some(fingerprint) = rows.head()? {
                merged
                    .heads
                    .push(Reverse((fingerprint.prefix(), index as u32)));
            }
            merged.segments.push(rows);
        }
        Ok(merged)
    }

    /// The next fingerprint, into `row`; false when there is none.
    pub fn next_into(&mut self, row: &mut MergedRow) -> Result<bool, StoreError> {
        row.parts.clear();
        if self.same_prefix.is_empty() && self.take_prefix(row)? {
            return Ok(true);
        }
        let Some(&(fingerprint, _, first)) = self.same_prefix.last() else {
            return Ok(false);
        };
        row.fingerprint = fingerprint;
        row.chars = first.chars;
        row.is_visible = first.is_visible;
        (row.occurrences, row.pages, row.sites) = (0, 0, 0);
        while let Some((_, segment, found)) = self
            .same_prefix
            .pop_if(|(other, _, _)| *other == fingerprint)
        {
            row.occurrences += found.occurrences;
            row.pages += found.pages;
            row.sites += found.sites;
            row.parts.push((segment, found.rank));
        }
        Ok(true)
    }

    /// Takes what stands first, if it has this prefix.
    fn take_head(
        &mut self,
        prefix: u64,
    ) -> Result<Option<(Fingerprint, u32, RowCounts)>, StoreError> {
        let Some(mut head) = self.heads.peek_mut() else {
            return Ok(None);
        };
        let Reverse((found, index)) = *head;
        if found != prefix {
            return Ok(None);
        }
        let segment = &mut self.segments[index as usize];
        let (fingerprint, counts) = (segment.fingerprint(), segment.take());
        match segment.head()? {
            Some(next) => *head = Reverse((next.prefix(), index)),
            None => {
                PeekMut::pop(head);
            }
        }
        Ok(Some((fingerprint, index, counts)))
    }

    /// Takes all rows with the lowest prefix. Mostly there is one: then it is in `row`, and that is true.
    fn take_prefix(&mut self, row: &mut MergedRow) -> Result<bool, StoreError> {
        let Some(&Reverse((prefix, _))) = self.heads.peek() else {
            return Ok(false);
        };
        while let Some((fingerprint, index, counts)) = self.take_head(prefix)? {
            let is_last = self.heads.peek().is_none_or(|next| next.0.0 != prefix);
            if is_last && self.same_prefix.is_empty() {
                row.fingerprint = fingerprint;
                row.chars = counts.chars;
                row.is_visible = counts.is_visible;
                row.occurrences = counts.occurrences;
                row.pages = counts.pages;
                row.sites = counts.sites;
                row.parts.push((index, counts.rank));
                return Ok(true);
            }
            self.same_prefix.push((fingerprint, index, counts));
        }
        self.same_prefix
            .sort_unstable_by_key(|&(fingerprint, index, _)| Reverse((fingerprint, index)));
        Ok(false)
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
    /// The fingerprint at hand, which [`SortedRows::head`] has found.
    fn fingerprint(&self) -> Fingerprint {
        self.rows.fingerprints[self.at]
    }

    /// Takes the row at hand.
    fn take(&mut self) -> RowCounts {
        let (at, rows) = (self.at, &self.rows);
        self.at += 1;
        RowCounts {
            rank: (self.first_rank + at) as u32,
            is_visible: rows.visible[at],
            chars: rows.chars[at] as u64,
            occurrences: rows.occurrences[at] as u64,
            pages: rows.pages[at] as u64,
            sites: rows.sites[at] as u64,
        }
    }

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
