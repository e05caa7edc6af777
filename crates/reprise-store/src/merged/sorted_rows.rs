//! Reads the fingerprints of one segment, with a few rows in memory.

use std::ops::RangeInclusive;

use parquet::data_type::{BoolType, Int64Type};
use reprise_fingerprint::Fingerprint;

use crate::error::StoreError;
use crate::schema::Fingerprints;
use crate::segment::Segment;
use crate::table::{ColumnScan, FingerprintScan, TableFile, TableReader};

/// The number of rows that are read at once. It is small enough for the rows of all segments to stay in
/// the processor's cache. Tests use fewer rows, so that they read several batches.
const BATCH_ROWS: usize = if cfg!(test) { 7 } else { 1 << 9 };

/// Reads the rows of one segment whose prefix is in a range.
pub(super) struct SortedRows<'c> {
    segment: Segment<'c>,
    prefixes: RangeInclusive<u64>,
    /// The number of rows to read before the file is closed, or `None` if it stays open.
    rows_at_once: Option<usize>,
    /// `None` before the first read, while the file is closed, and at the end.
    table: Option<TableReader<Fingerprints>>,
    /// The current group, and the number of its rows that were read.
    position: (usize, usize),
    /// The open columns of the current group. Boxed, so that the fields for each row are close together.
    group: Option<Box<Group>>,
    /// True if no more rows need to be read.
    is_read: bool,
    /// The rank of the first row in memory.
    first_rank: u32,
    /// The index in memory of the next row.
    at: usize,
    rows: Rows,
}

/// The rows in memory, column by column.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) fingerprints: Vec<Fingerprint>,
    pub(super) visible: Vec<bool>,
    pub(super) chars: Vec<i64>,
    pub(super) occurrences: Vec<i64>,
    pub(super) pages: Vec<i64>,
    pub(super) sites: Vec<i64>,
}

/// The open columns of a row group.
struct Group {
    fingerprints: FingerprintScan,
    visible: ColumnScan<BoolType>,
    chars: ColumnScan<Int64Type>,
    occurrences: ColumnScan<Int64Type>,
    pages: ColumnScan<Int64Type>,
    sites: ColumnScan<Int64Type>,
}

impl<'c> SortedRows<'c> {
    pub(super) fn new(
        segment: Segment<'c>,
        prefixes: RangeInclusive<u64>,
        rows_at_once: Option<usize>,
    ) -> SortedRows<'c> {
        SortedRows {
            segment,
            prefixes,
            rows_at_once,
            table: None,
            position: (0, 0),
            group: None,
            is_read: false,
            first_rank: 0,
            at: 0,
            rows: Rows::default(),
        }
    }

    /// Returns the rows in memory.
    #[inline]
    pub(super) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Returns the rank of a row in memory.
    #[inline]
    pub(super) fn rank(&self, row: u32) -> u32 {
        self.first_rank + row
    }

    /// Returns the prefix of the row `step` rows after the next one, or `None` if fewer rows are left.
    pub(super) fn prefix_ahead(&mut self, step: usize) -> Result<Option<u64>, StoreError> {
        if self.rows.len() - self.at <= step {
            self.rows.drop_front(self.at);
            self.first_rank += self.at as u32;
            self.at = 0;
            let rows = self.rows_at_once.map_or(step, |rows| rows.max(step));
            while self.rows.len() <= rows && self.read_batch()? {}
            if self.rows_at_once.is_some() || self.is_read {
                (self.group, self.table) = (None, None);
            }
        }
        let ahead = self.rows.fingerprints.get(self.at + step);
        Ok(ahead.map(|fingerprint| fingerprint.prefix()))
    }

    /// Takes the rows in memory with a prefix below `end`, or all of them. Returns the index of the first,
    /// and the fingerprints.
    pub(super) fn take_below(&mut self, end: Option<u64>) -> (u32, &[Fingerprint]) {
        let start = self.at;
        let left = &self.rows.fingerprints[start..];
        let taken = end.map_or(left.len(), |end| {
            left.partition_point(|fingerprint| fingerprint.prefix() < end)
        });
        self.at += taken;
        (start as u32, &left[..taken])
    }

    /// Reads the next batch of rows and keeps those in the range. Returns false at the end.
    fn read_batch(&mut self) -> Result<bool, StoreError> {
        if self.is_read {
            return Ok(false);
        }
        let table = match &mut self.table {
            Some(table) => table,
            none => none.insert(self.segment.fingerprints()?),
        };
        let table = table.file();
        let (number, at) = &mut self.position;
        let group = match &mut self.group {
            Some(group) => group,
            None if *number >= table.groups() => {
                self.is_read = true;
                return Ok(false);
            }
            none => none.insert(Box::new(Group::open(table, *number, *at)?)),
        };
        let rows = &mut self.rows;
        let before = rows.len();
        let read = (group.fingerprints).read_onto(table, BATCH_ROWS, &mut rows.fingerprints)?;
        if read == 0 {
            self.group = None;
            self.position = (*number + 1, 0);
            return Ok(true);
        }
        *at += read;
        let since_last = &rows.fingerprints[before.saturating_sub(1)..];
        if !since_last.is_sorted_by_key(|found| found.prefix()) {
            return Err(table.damaged("its fingerprints are not sorted"));
        }
        let new = &rows.fingerprints[before..];
        let below =
            |is_below: &dyn Fn(u64) -> bool| new.partition_point(|found| is_below(found.prefix()));
        let passed = below(&|prefix| prefix < *self.prefixes.start());
        let end = below(&|prefix| prefix <= *self.prefixes.end()).max(passed);
        rows.fingerprints.truncate(before + end);
        rows.fingerprints.drain(before..before + passed);
        if before == 0 {
            // Rows before the range are not kept, but they count for the ranks.
            self.first_rank += passed as u32;
        }
        group.pass(passed);
        if end > passed {
            group.read_onto(table, end - passed, rows)?;
        }
        if end < read {
            // The remaining rows are after the range.
            self.is_read = true;
        }
        Ok(true)
    }
}

impl Rows {
    fn len(&self) -> usize {
        self.fingerprints.len()
    }

    fn drop_front(&mut self, rows: usize) {
        self.fingerprints.drain(..rows);
        self.visible.drain(..rows);
        for column in [
            &mut self.chars,
            &mut self.occurrences,
            &mut self.pages,
            &mut self.sites,
        ] {
            column.drain(..rows);
        }
    }
}

impl Group {
    /// Opens the columns of a group, positioned at a row.
    fn open(table: &TableFile, group: usize, row: usize) -> Result<Group, StoreError> {
        let mut opened = Group {
            fingerprints: FingerprintScan::open(table, group, Fingerprints::FINGERPRINT.column)?,
            visible: ColumnScan::open(table, group, Fingerprints::VISIBLE.column)?,
            chars: ColumnScan::open(table, group, Fingerprints::CHARS.column)?,
            occurrences: ColumnScan::open(table, group, Fingerprints::OCCURRENCES.column)?,
            pages: ColumnScan::open(table, group, Fingerprints::PAGES.column)?,
            sites: ColumnScan::open(table, group, Fingerprints::SITES.column)?,
        };
        opened.fingerprints.pass(table, row)?;
        opened.pass(row);
        Ok(opened)
    }

    /// Skips `count` rows in all columns except the fingerprints.
    fn pass(&mut self, count: usize) {
        self.visible.pass(count);
        self.chars.pass(count);
        self.occurrences.pass(count);
        self.pages.pass(count);
        self.sites.pass(count);
    }

    /// Appends `count` rows in all columns except the fingerprints.
    fn read_onto(
        &mut self,
        table: &TableFile,
        count: usize,
        rows: &mut Rows,
    ) -> Result<(), StoreError> {
        (self.visible).read_onto(table, count, &mut rows.visible)?;
        (self.chars).read_onto(table, count, &mut rows.chars)?;
        (self.occurrences).read_onto(table, count, &mut rows.occurrences)?;
        (self.pages).read_onto(table, count, &mut rows.pages)?;
        (self.sites).read_onto(table, count, &mut rows.sites)
    }
}
