//! The fingerprints of all segments as one sorted list.

mod sorted_rows;
mod sorter;

use std::ops::RangeInclusive;

use reprise_fingerprint::Fingerprint;

use crate::corpus::CorpusReader;
use crate::error::StoreError;
use sorted_rows::{Rows, SortedRows};
use sorter::Sorter;

/// All fingerprints there are, by their [`Fingerprint::prefix`].
pub const ALL_PREFIXES: RangeInclusive<u64> = 0..=u64::MAX;

/// One merge of the sorted segments, some rows of each in memory at a time.
///
/// A block of the lowest rows of all segments is taken at once, small enough for the processor's
/// cache, and put in order by the prefix of the fingerprints: several times quicker than asking a heap
/// for each row. The few rows with one prefix are then compared in full.
pub struct Merged<'c> {
    segments: Vec<SortedRows<'c>>,
    /// Rows to take of each segment for a block.
    step: usize,
    counted: Counted,
    block: Block,
    sorter: Sorter,
}

/// What a merge counts of every fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Chunks with it.
    Occurrences,
    /// Pages with it.
    Pages,
    /// Sites with it, added up over the segments: right where only one segment has it.
    Sites,
}

/// A fingerprint, with its rows in the segments. What is not asked for is not even looked at.
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
    /// Where the rows of each fingerprint begin, and where the last ones end.
    starts: Vec<u32>,
    /// Rows with the prefix of the row before.
    repeats: Vec<u32>,
    /// For each row, what those before it count together, and at last what all do: the count of a
    /// fingerprint is a difference, however many rows it has.
    sums: Vec<u64>,
    /// Fingerprints before this one are done.
    at: usize,
}

/// A row of a block: the prefix of its fingerprint, its segment, and its place among the rows that
/// are in memory there.
#[derive(Clone, Copy, Default)]
struct BlockRow {
    prefix: u64,
    segment: u32,
    row: u32,
}

/// Rows of a block, about.
const BLOCK_ROWS: usize = 1 << 12;

/// Files that stay open at most: far fewer than a process may have.
const OPEN_FILES_MAX: usize = 64;
/// What an open file takes of memory: a page of each column, and buffers for the next.
const OPEN_FILE_BYTES: usize = 512 << 10;
/// What a row takes of memory, in vectors that grow.
const ROW_BYTES: usize = 128;

impl<'c> Merged<'c> {
    /// The fingerprints of a corpus with a prefix in this range, within about so much memory.
    ///
    /// Where there are more segments than files may be open at a time, or than their pages fit in memory, some
    /// rows of each are read at once and its file is closed again until more are needed.
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

    /// The next fingerprint; none when there are no more.
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

    /// Loads the next block: all rows below a prefix. False when there are no more.
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
            // Needed for more rows than a step with one prefix: no hash does that, but a file may.
            step *= 2;
        }
        self.sorter.sort(&mut block.rows, low, high);
        block.cut(&self.segments);
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
    /// Whether a row repeats the one before is as good as random, so it is found out without branches:
    /// they would be guessed wrong all the time.
    fn cut(&mut self, segments: &[SortedRows<'_>]) {
        self.at = 0;
        // All of them are written over.
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
        // By reference: a copy of 20 bytes to compare 12 costs more than the comparison.
        let fingerprint =
            |row: &BlockRow| &segments[row.segment as usize].rows().fingerprints[row.row as usize];
        // One prefix is nearly always one fingerprint, and then the segments are in order.
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
    /// Adds up a column.
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
    /// The count that the merge was asked for, over all segments.
    #[inline]
    pub fn count(&self) -> u64 {
        self.count
    }

    #[inline]
    fn rows_of(&self, row: BlockRow) -> (&Rows, usize) {
        (self.segments[row.segment as usize].rows(), row.row as usize)
    }

    /// The fingerprint.
    #[inline]
    pub fn fingerprint(&self) -> &Fingerprint {
        let (rows, at) = self.rows_of(self.rows[0]);
        &rows.fingerprints[at]
    }

    /// Characters of its normal form.
    #[inline]
    pub fn chars(&self) -> u64 {
        let (rows, at) = self.rows_of(self.rows[0]);
        rows.chars[at] as u64
    }

    /// Whether it has visible text.
    #[inline]
    pub fn is_visible(&self) -> bool {
        let (rows, at) = self.rows_of(self.rows[0]);
        rows.visible[at]
    }

    /// Occurrences, pages and sites, added up over the segments: sites are right where only one has it.
    pub fn counts(&self) -> [u64; 3] {
        self.rows.iter().fold([0; 3], |sums, &row| {
            let (rows, at) = self.rows_of(row);
            let counts = [rows.occurrences[at], rows.pages[at], rows.sites[at]];
            std::array::from_fn(|count| sums[count] + counts[count] as u64)
        })
    }

    /// The segments that have it, by their index, and its rank there.
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
        fn a_merge_is_a_sorted_count(
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
            // Files stay open with the one, and are closed between reads with the others.
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
