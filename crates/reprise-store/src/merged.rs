//! Merges the sorted fingerprints of all segments into one sorted list.

mod sorted_rows;
mod sorter;

use std::ops::RangeInclusive;

use reprise_fingerprint::Fingerprint;

use crate::corpus::CorpusReader;
use crate::error::StoreError;
use sorted_rows::{Rows, SortedRows};
use sorter::Sorter;

/// The range of [`Fingerprint::prefix`] that contains all fingerprints.
pub const ALL_PREFIXES: RangeInclusive<u64> = 0..=u64::MAX;

/// Merges the sorted fingerprints of all segments, with a few rows of each segment in memory.
///
/// The merge takes a block of the lowest rows of all segments at once, small enough for the processor's
/// cache, and sorts it by the prefixes of the fingerprints. This is several times as fast as a heap with
/// one entry per segment. Only the few rows with equal prefixes are compared in full.
pub struct Merged<'c> {
    segments: Vec<SortedRows<'c>>,
    /// The number of rows of each segment that a block takes, approximately.
    step: usize,
    counted: Counted,
    block: Block,
    sorter: Sorter,
}

/// The count that a merge adds up for each fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The chunks with the fingerprint.
    Occurrences,
    /// The pages with it.
    Pages,
    /// The sites with it in each segment, added up. A site in several segments counts several times, so
    /// the sum is exact only if a single segment has the fingerprint.
    Sites,
}

/// A fingerprint with its rows in the segments. Values are read only when a method asks for them.
#[derive(Clone, Copy)]
pub struct MergedRow<'m> {
    segments: &'m [SortedRows<'m>],
    rows: &'m [BlockRow],
    count: u64,
}

/// The lowest rows of all segments, in order.
#[derive(Default)]
struct Block {
    rows: Vec<BlockRow>,
    /// The first row of each fingerprint, and the end of the last fingerprint's rows.
    starts: Vec<u32>,
    /// The rows whose prefix equals that of the row before.
    repeats: Vec<u32>,
    /// The sum of the counts of all rows before each row, and of all rows. The count of a fingerprint is
    /// the difference of two sums.
    sums: Vec<u64>,
    /// The index in `starts` of the next fingerprint.
    at: usize,
}

/// A row of a block: the prefix of its fingerprint, its segment, and its index among the segment's rows in
/// memory.
#[derive(Clone, Copy, Default)]
struct BlockRow {
    prefix: u64,
    segment: u32,
    row: u32,
}

/// The approximate number of rows of a block.
const BLOCK_ROWS: usize = 1 << 12;

/// The most files that stay open, far below the limit of a process.
const OPEN_FILES_MAX: usize = 64;
/// The memory of an open file: a Parquet page of each column, and buffers for the next ones.
const OPEN_FILE_BYTES: usize = 512 << 10;
/// The memory of a row, including unused capacity of its vectors.
const ROW_BYTES: usize = 128;

impl<'c> Merged<'c> {
    /// Merges the fingerprints of a corpus whose prefix is in `prefixes`. Takes about `memory_bytes`.
    ///
    /// If there are too many segments to keep all files open, or too little memory for their Parquet
    /// pages, each file is closed after some rows and opened again when more rows are needed.
    pub fn new(
        corpus: &'c CorpusReader,
        prefixes: RangeInclusive<u64>,
        counted: Counted,
        memory_bytes: usize,
    ) -> Merged<'c> {
        let count = corpus.manifest().segments.len().max(1);
        let stay_open = count <= OPEN_FILES_MAX.min(memory_bytes / OPEN_FILE_BYTES);
        let rows_at_once = (!stay_open).then_some(memory_bytes / ROW_BYTES / count);
        let segments = corpus
            .segments()
            .map(|segment| SortedRows::new(segment, prefixes.clone(), rows_at_once))
            .collect();
        Merged {
            segments,
            step: (BLOCK_ROWS / count).max(16),
            counted,
            block: Block::default(),
            sorter: Sorter::default(),
        }
    }

    /// Returns the next fingerprint, or `None` at the end.
    #[inline]
    pub fn next_row(&mut self) -> Result<Option<MergedRow<'_>>, StoreError> {
        if self.block.at + 1 >= self.block.starts.len() && !self.load()? {
            return Ok(None);
        }
        let block = &mut self.block;
        let [start, end] = [block.at, block.at + 1].map(|at| block.starts[at] as usize);
        block.at += 1;
        Ok(Some(MergedRow {
            segments: &self.segments,
            rows: &block.rows[start..end],
            count: block.sums[end] - block.sums[start],
        }))
    }

    /// Loads the next block: all rows below some prefix. Returns false at the end.
    fn load(&mut self) -> Result<bool, StoreError> {
        let block = &mut self.block;
        block.rows.clear();
        let (mut low, mut high) = (u64::MAX, 0);
        let mut step = self.step;
        while block.rows.is_empty() {
            let mut end: Option<u64> = None;
            for segment in &mut self.segments {
                if let Some(prefix) = segment.prefix_ahead(step)? {
                    end = Some(end.map_or(prefix, |end| end.min(prefix)));
                }
            }
            for (number, segment) in (0..).zip(&mut self.segments) {
                let (first, taken) = segment.take_below(end);
                if let (Some(lowest), Some(highest)) = (taken.first(), taken.last()) {
                    low = low.min(lowest.prefix());
                    high = high.max(highest.prefix());
                }
                let row = |(fingerprint, row): (&Fingerprint, u32)| BlockRow {
                    prefix: fingerprint.prefix(),
                    segment: number,
                    row,
                };
                block.rows.extend(taken.iter().zip(first..).map(row));
            }
            if block.rows.is_empty() && end.is_none() {
                return Ok(false);
            }
            // A block without rows means that more than `step` rows have the same prefix. A hash does not
            // do this, but a file may contain it.
            step *= 2;
        }
        self.sorter.sort(&mut block.rows, low, high);
        block.group_rows(&self.segments);
        match self.counted {
            Counted::Occurrences => block.add_up(&self.segments, |rows| &rows.occurrences),
            Counted::Pages => block.add_up(&self.segments, |rows| &rows.pages),
            Counted::Sites => block.add_up(&self.segments, |rows| &rows.sites),
        }
        Ok(true)
    }
}

impl Block {
    /// Finds the rows of each fingerprint.
    ///
    /// Whether a row repeats the prefix before it is random. The code has no branches on it, because the
    /// processor would often predict them wrong.
    fn group_rows(&mut self, segments: &[SortedRows<'_>]) {
        self.at = 0;
        // The loop overwrites all values.
        self.starts.resize(self.rows.len() + 1, 0);
        self.repeats.resize(self.rows.len(), 0);
        let (mut starts, mut repeats) = (0, 0);
        let mut before = !self.rows[0].prefix;
        for (at, row) in (0..).zip(&self.rows) {
            let is_repeat = row.prefix == before;
            self.starts[starts] = at;
            starts += usize::from(!is_repeat);
            self.repeats[repeats] = at;
            repeats += usize::from(is_repeat);
            before = row.prefix;
        }
        self.starts[starts] = self.rows.len() as u32;
        self.starts.truncate(starts + 1);
        // A reference, because copying 20 bytes costs more than comparing 12 of them.
        let fingerprint =
            |row: &BlockRow| &segments[row.segment as usize].rows().fingerprints[row.row as usize];
        // Rows with equal prefixes nearly always have equal fingerprints, and are then already grouped.
        let are_same = self.repeats[..repeats].iter().all(|&at| {
            let [a, b] = [at - 1, at].map(|at| fingerprint(&self.rows[at as usize]));
            a == b
        });
        if !are_same {
            for same in self.rows.chunk_by_mut(|a, b| a.prefix == b.prefix) {
                same.sort_by_key(|row| *fingerprint(row));
            }
            let rows = self
                .rows
                .chunk_by(|a, b| fingerprint(a) == fingerprint(b))
                .map(<[BlockRow]>::len);
            self.starts.clear();
            self.starts.push(0);
            self.starts.extend(rows.scan(0, |end, rows| {
                *end += rows as u32;
                Some(*end)
            }));
        }
    }
}

impl Block {
    /// Computes `sums` from a column.
    fn add_up(&mut self, segments: &[SortedRows<'_>], column: impl Fn(&Rows) -> &[i64]) {
        let mut sum = 0;
        self.sums.clear();
        self.sums.push(0);
        self.sums.extend(self.rows.iter().map(|row| {
            let count = column(segments[row.segment as usize].rows())[row.row as usize];
            sum += count as u64;
            sum
        }));
    }
}

impl MergedRow<'_> {
    /// Returns the count that was chosen for the merge, added up over the segments.
    #[inline]
    pub fn count(&self) -> u64 {
        self.count
    }

    #[inline]
    fn rows_of(&self, row: BlockRow) -> (&Rows, usize) {
        (self.segments[row.segment as usize].rows(), row.row as usize)
    }

    /// Returns the fingerprint.
    #[inline]
    pub fn fingerprint(&self) -> &Fingerprint {
        let (rows, at) = self.rows_of(self.rows[0]);
        &rows.fingerprints[at]
    }

    /// Returns the number of characters of the chunk's normal form.
    #[inline]
    pub fn chars(&self) -> u64 {
        let (rows, at) = self.rows_of(self.rows[0]);
        rows.chars[at] as u64
    }

    /// Returns true if the chunk has visible text.
    #[inline]
    pub fn is_visible(&self) -> bool {
        let (rows, at) = self.rows_of(self.rows[0]);
        rows.visible[at]
    }

    /// Returns occurrences, pages and sites, added up over the segments. The number of sites is exact only
    /// if a single segment has the fingerprint.
    pub fn counts(&self) -> [u64; 3] {
        self.rows.iter().fold([0; 3], |sums, &row| {
            let (rows, at) = self.rows_of(row);
            let counts = [rows.occurrences[at], rows.pages[at], rows.sites[at]];
            std::array::from_fn(|count| sums[count] + counts[count] as u64)
        })
    }

    /// Returns the index of each segment that has the fingerprint, and its rank in that segment.
    #[inline]
    pub fn parts(&self) -> impl ExactSizeIterator<Item = (u32, u32)> {
        let part = |row: &BlockRow| {
            let segment = &self.segments[row.segment as usize];
            (row.segment, segment.rank(row.row))
        };
        self.rows.iter().map(part)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use reprise_fingerprint::Fingerprint;

    use super::{ALL_PREFIXES, Counted, Merged, RangeInclusive};
    use crate::schema::Fingerprints;
    use crate::{
        ChunkRow, CorpusReader, CorpusWriter, NewFingerprint, PageBatch, PageRow,
        RequestedSettings, SegmentBuilder, SegmentFacts,
    };

    /// Returns one of many fingerprints with the same prefix. A hash does not produce these, but the merge
    /// must handle them.
    fn fingerprint(prefix: u8, rest: u8) -> Fingerprint {
        let mut bytes = [0; 20];
        (bytes[0], bytes[19]) = (prefix, rest);
        Fingerprint::from_bytes(bytes)
    }

    /// Returns a batch of one page with these chunks.
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

    fn merged(
        corpus: &CorpusReader,
        prefixes: RangeInclusive<u64>,
        memory_bytes: usize,
    ) -> Vec<(Fingerprint, u64, usize)> {
        let mut merged = Merged::new(corpus, prefixes, Counted::Occurrences, memory_bytes);
        let mut rows = Vec::new();
        while let Some(row) = merged.next_row().unwrap() {
            let known = corpus.segments().collect::<Vec<_>>();
            for (segment, rank) in row.parts() {
                let table = known[segment as usize].fingerprints().unwrap();
                let found = table.read(0, Fingerprints::FINGERPRINT).unwrap();
                assert_eq!(found[rank as usize], *row.fingerprint());
            }
            rows.push((*row.fingerprint(), row.count(), row.parts().len()));
        }
        rows
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn a_merge_equals_a_sorted_count(
            segments in proptest::collection::vec(
                proptest::collection::vec((0u8..6, 0u8..30), 1..120),
                1..6,
            ),
            ends in (0u8..6, 0u8..6),
        ) {
            let directory = tempfile::tempdir().unwrap();
            let mut writer = CorpusWriter::open(directory.path(), RequestedSettings::default()).unwrap();
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
            let corpus = CorpusReader::open(directory.path()).unwrap();
            let expected: Vec<_> = expected.into_iter().map(|(found, (chunks, parts))| (found, chunks, parts)).collect();
            // With the most memory, files stay open. Otherwise they are closed between reads.
            for memory in [usize::MAX, 1 << 14, 0] {
                prop_assert_eq!(&merged(&corpus, ALL_PREFIXES, memory), &expected);
            }
            let range = u64::from(ends.0) << 56..=u64::from(ends.1) << 56;
            let inside: Vec<_> = expected.into_iter().filter(|(found, _, _)| range.contains(&found.prefix())).collect();
            for memory in [usize::MAX, 1 << 14, 0] {
                prop_assert_eq!(&merged(&corpus, range.clone(), memory), &inside);
            }
        }
    }
}
