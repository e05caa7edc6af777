//! The fingerprints of all segments as one sorted list.

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
/// A block of the lowest rows of all segments is taken at once, small enough for the processor's
/// cache, and put in order by the prefix of the fingerprints: several times quicker than asking a heap
/// for each row. The few rows with one prefix are then compared in full.
pub struct Merged {
    segments: Vec<SortedRows>,
    /// Rows to take of each segment for a block.
    step: usize,
    /// The rows of the block, in order.
    block: Vec<BlockRow>,
    /// Those before are done.
    at: usize,
    columns: Columns,
    sorter: Sorter,
}

/// The columns of a group as they are read, before they are rows.
#[derive(Default)]
struct Columns {
    fingerprints: Vec<Fingerprint>,
    chars: Vec<i64>,
    occurrences: Vec<i64>,
    pages: Vec<i64>,
    sites: Vec<i64>,
}

/// A row of a block: the prefix of its fingerprint, its segment, and its place among the rows that
/// are in memory there.
#[derive(Clone, Copy)]
struct BlockRow {
    prefix: u64,
    segment: u32,
    row: u32,
}

/// One row of a segment.
struct SegmentRow {
    fingerprint: Fingerprint,
    is_visible: bool,
    chars: u32,
    pages: u32,
    sites: u32,
    occurrences: u64,
}

/// Rows of a block, about.
const BLOCK_ROWS: usize = 1 << 12;

impl Merged {
    /// The fingerprints of a corpus with a prefix in this range.
    pub fn new(corpus: &Corpus, prefixes: RangeInclusive<u64>) -> Result<Merged, StoreError> {
        let segments = corpus
            .segments()
            .map(|segment| {
                Ok(SortedRows {
                    table: segment.fingerprints()?,
                    prefixes: prefixes.clone(),
                    next_group: 0,
                    first_rank: 0,
                    at: 0,
                    rows: Vec::new(),
                })
            })
            .collect::<Result<Vec<SortedRows>, StoreError>>()?;
        Ok(Merged {
            step: (BLOCK_ROWS / segments.len().max(1)).max(16),
            segments,
            block: Vec::new(),
            at: 0,
            columns: Columns::default(),
            sorter: Sorter::default(),
        })
    }

    /// The next fingerprint, into `row`; false when there is none.
    pub fn next_into(&mut self, row: &mut MergedRow) -> Result<bool, StoreError> {
        if self.at == self.block.len() && !self.load()? {
            return Ok(false);
        }
        let mut next = self.block[self.at];
        let mut found = &self.segments[next.segment as usize];
        let first = &found.rows[next.row as usize];
        row.fingerprint = first.fingerprint;
        row.chars = u64::from(first.chars);
        row.is_visible = first.is_visible;
        (row.occurrences, row.pages, row.sites) = (0, 0, 0);
        row.parts.clear();
        loop {
            let counts = &found.rows[next.row as usize];
            row.occurrences += counts.occurrences;
            row.pages += u64::from(counts.pages);
            row.sites += u64::from(counts.sites);
            row.parts.push((next.segment, found.first_rank + next.row));
            self.at += 1;
            match self.block.get(self.at) {
                Some(&other) if other.prefix == next.prefix => next = other,
                _ => return Ok(true),
            }
            found = &self.segments[next.segment as usize];
            if found.rows[next.row as usize].fingerprint != row.fingerprint {
                return Ok(true);
            }
        }
    }

    /// Loads the next block: all rows below a prefix. False when there are no more.
    fn load(&mut self) -> Result<bool, StoreError> {
        self.block.clear();
        self.at = 0;
        let mut step = self.step;
        loop {
            let mut end: Option<u64> = None;
            for segment in &mut self.segments {
                if let Some(prefix) = segment.prefix_ahead(step, &mut self.columns)? {
                    end = Some(end.map_or(prefix, |end| end.min(prefix)));
                }
            }
            for (number, segment) in (0..).zip(&mut self.segments) {
                segment.take_below(end, number, &mut self.block);
            }
            if !self.block.is_empty() {
                break;
            }
            if end.is_none() {
                return Ok(false);
            }
            // More rows than a step with one prefix: no hash does that, but a file may.
            step *= 2;
        }
        self.sorter.sort(&mut self.block);
        let fingerprint =
            |row: &BlockRow| self.segments[row.segment as usize].rows[row.row as usize].fingerprint;
        for same in self.block.chunk_by_mut(|a, b| a.prefix == b.prefix) {
            // One prefix is nearly always one fingerprint, and then the segments are in order.
            let first = fingerprint(&same[0]);
            if same[1..].iter().any(|row| fingerprint(row) != first) {
                same.sort_by_key(fingerprint);
            }
        }
        Ok(true)
    }
}

/// Sorts the rows of a block by prefix; equal ones stay in the order of their segments.
///
/// Prefixes of hashes are spread evenly, so a prefix tells nearly where its row belongs: each row is
/// put there, and the few that are a place or two off are moved.
#[derive(Default)]
struct Sorter {
    /// Where the rows of each bucket begin.
    starts: Vec<u32>,
    sorted: Vec<BlockRow>,
}

/// A bucket with more rows than this is not what a hash gives.
const BUCKET_ROWS: u32 = 64;

impl Sorter {
    fn sort(&mut self, rows: &mut Vec<BlockRow>) {
        let prefixes = || rows.iter().map(|row| row.prefix);
        let (Some(low), Some(high)) = (prefixes().min(), prefixes().max()) else {
            return;
        };
        // About as many buckets as rows.
        let buckets = rows.len().next_power_of_two();
        let width = u64::BITS - (high - low).leading_zeros();
        let shift = width.saturating_sub(buckets.trailing_zeros());
        let bucket = |row: &BlockRow| ((row.prefix - low) >> shift) as usize;
        self.starts.clear();
        self.starts.resize(buckets, 0);
        for row in &*rows {
            self.starts[bucket(row)] += 1;
        }
        if self.starts.iter().any(|&count| count > BUCKET_ROWS) {
            rows.sort_by_key(|row| row.prefix);
            return;
        }
        let mut start = 0;
        for count in &mut self.starts {
            start += std::mem::replace(count, start);
        }
        // All of it is written over.
        self.sorted.resize(rows.len(), rows[0]);
        for row in &*rows {
            let place = &mut self.starts[bucket(row)];
            self.sorted[*place as usize] = *row;
            *place += 1;
        }
        for at in 1..self.sorted.len() {
            let row = self.sorted[at];
            let mut to = at;
            while to > 0 && self.sorted[to - 1].prefix > row.prefix {
                self.sorted[to] = self.sorted[to - 1];
                to -= 1;
            }
            self.sorted[to] = row;
        }
        std::mem::swap(rows, &mut self.sorted);
    }
}

/// The rows of one segment with a prefix in the range, some in memory at a time.
struct SortedRows {
    table: TableReader,
    prefixes: RangeInclusive<u64>,
    next_group: usize,
    /// Rank of the first row in memory.
    first_rank: u32,
    /// Rows in memory before this one are done.
    at: usize,
    rows: Vec<SegmentRow>,
}

impl SortedRows {
    /// The prefix of the row so many rows ahead; none if there are not so many.
    fn prefix_ahead(
        &mut self,
        step: usize,
        columns: &mut Columns,
    ) -> Result<Option<u64>, StoreError> {
        while self.rows.len() - self.at <= step && self.next_group < self.table.groups() {
            self.rows.drain(..self.at);
            self.first_rank += self.at as u32;
            self.at = 0;
            self.read_group(columns)?;
        }
        let ahead = self.rows.get(self.at + step);
        Ok(ahead.map(|row| row.fingerprint.prefix()))
    }

    /// Takes the rows below a prefix, or all that are left.
    fn take_below(&mut self, end: Option<u64>, number: u32, block: &mut Vec<BlockRow>) {
        for row in &self.rows[self.at..] {
            let prefix = row.fingerprint.prefix();
            if end.is_some_and(|end| prefix >= end) {
                break;
            }
            block.push(BlockRow {
                prefix,
                segment: number,
                row: self.at as u32,
            });
            self.at += 1;
        }
    }

    /// Reads the next group, and keeps what is in the range.
    fn read_group(&mut self, columns: &mut Columns) -> Result<(), StoreError> {
        let (table, group) = (&self.table, self.next_group);
        self.next_group += 1;
        table.fingerprints_into(group, "fingerprint", &mut columns.fingerprints)?;
        let below = |end: &dyn Fn(u64) -> bool| {
            (columns.fingerprints).partition_point(|found| end(found.prefix()))
        };
        let start = below(&|prefix| prefix < *self.prefixes.start());
        let end = below(&|prefix| prefix <= *self.prefixes.end());
        if end < columns.fingerprints.len() {
            self.next_group = table.groups();
        }
        if self.rows.is_empty() {
            // What comes before the range is not kept; the ranks go on all the same.
            self.first_rank += start as u32;
        }
        if start >= end {
            return Ok(());
        }
        let visible = table.bools(group, "visible")?;
        table.ints_into(group, "chars", &mut columns.chars)?;
        table.ints_into(group, "occurrences", &mut columns.occurrences)?;
        table.ints_into(group, "pages", &mut columns.pages)?;
        table.ints_into(group, "sites", &mut columns.sites)?;
        self.rows.extend((start..end).map(|at| SegmentRow {
            fingerprint: columns.fingerprints[at],
            is_visible: visible[at],
            chars: columns.chars[at] as u32,
            pages: columns.pages[at] as u32,
            sites: columns.sites[at] as u32,
            occurrences: columns.occurrences[at] as u64,
        }));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use reprise_fingerprint::Fingerprint;

    use super::{ALL_PREFIXES, BlockRow, Merged, MergedRow, RangeInclusive, Sorter};
    use crate::{
        ChunkRow, Corpus, CorpusWriter, NewFingerprint, PageBatch, PageRow, SegmentBuilder,
        SegmentFacts, Wanted,
    };

    /// Many of one prefix: what a hash does not do, but must be right all the same.
    fn fingerprint(prefix: u8, rest: u8) -> Fingerprint {
        let mut bytes = [0; 20];
        (bytes[0], bytes[19]) = (prefix, rest);
        Fingerprint::from_bytes(bytes)
    }

    /// A page with these chunks.
    fn page(fingerprints: &[(u8, u8)]) -> PageBatch {
        PageBatch {
            pages: vec![PageRow {
                chunks: fingerprints.len() as u32,
                ..PageRow::default()
            }],
            fingerprints: fingerprints
                .iter()
                .map(|&(prefix, rest)| NewFingerprint {
                    fingerprint: fingerprint(prefix, rest),
                    chars: 7,
                    is_visible: true,
                })
                .collect(),
            chunks: (0..fingerprints.len() as u32)
                .map(|fingerprint| ChunkRow {
                    fingerprint,
                    start: 0,
                    length: 1,
                })
                .collect(),
            problems: Vec::new(),
            shingles: Vec::new(),
        }
    }

    fn merged(corpus: &Corpus, prefixes: RangeInclusive<u64>) -> Vec<(Fingerprint, u64, usize)> {
        let mut merged = Merged::new(corpus, prefixes).unwrap();
        let (mut row, mut rows) = (MergedRow::default(), Vec::new());
        while merged.next_into(&mut row).unwrap() {
            let known = corpus.segments().collect::<Vec<_>>();
            for &(segment, rank) in &row.parts {
                let table = known[segment as usize].fingerprints().unwrap();
                let found = table.fingerprints(0, "fingerprint").unwrap();
                assert_eq!(found[rank as usize], row.fingerprint);
            }
            rows.push((row.fingerprint, row.occurrences, row.parts.len()));
        }
        rows
    }

    proptest! {
        #[test]
        fn a_block_is_sorted_and_stable(
            base in any::<u64>(),
            shift in 0u32..64,
            steps in proptest::collection::vec(any::<u64>(), 0..300),
        ) {
            let row = |(segment, step): (u32, &u64)| BlockRow {
                prefix: base.saturating_add(step >> shift),
                segment,
                row: 0,
            };
            let rows: Vec<BlockRow> = (0..).zip(&steps).map(row).collect();
            let mut expected = rows.clone();
            expected.sort_by_key(|row| row.prefix);
            let mut sorted = rows;
            Sorter::default().sort(&mut sorted);
            let keys = |rows: &[BlockRow]| -> Vec<(u64, u32)> {
                rows.iter().map(|row| (row.prefix, row.segment)).collect()
            };
            prop_assert_eq!(keys(&sorted), keys(&expected));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn a_merge_is_a_sorted_count(
            segments in proptest::collection::vec(
                proptest::collection::vec((0u8..6, 0u8..30), 1..120),
                1..6,
            ),
            ends in (0u8..6, 0u8..6),
        ) {
            let directory = tempfile::tempdir().unwrap();
            let mut writer = CorpusWriter::open(directory.path(), Wanted::default()).unwrap();
            let mut expected: BTreeMap<Fingerprint, (u64, usize)> = BTreeMap::new();
            for chunks in &segments {
                let mut builder = SegmentBuilder::new();
                builder.append(&page(chunks));
                writer.add_segment(&builder, SegmentFacts::default()).unwrap();
                let mut distinct = chunks.clone();
                distinct.sort_unstable();
                distinct.dedup();
                for &(prefix, rest) in chunks {
                    expected.entry(fingerprint(prefix, rest)).or_default().0 += 1;
                }
                for (prefix, rest) in distinct {
                    expected.entry(fingerprint(prefix, rest)).or_default().1 += 1;
                }
            }
            drop(writer);
            let corpus = Corpus::open(directory.path()).unwrap();
            let expected: Vec<_> = expected.into_iter().map(|(found, (chunks, parts))| (found, chunks, parts)).collect();
            prop_assert_eq!(&merged(&corpus, ALL_PREFIXES), &expected);
            let range = u64::from(ends.0) << 56..=u64::from(ends.1) << 56;
            let inside: Vec<_> = expected.into_iter().filter(|(found, _, _)| range.contains(&found.prefix())).collect();
            prop_assert_eq!(merged(&corpus, range), inside);
        }
    }
}
