//! Reads columns some rows at a time: what was read is still in the processor's cache when it is used,
//! and of each column only a page is held.

use bytes::{Buf, Bytes};
use parquet::column::page::PageReader;
use parquet::column::reader::{ColumnReaderImpl, get_typed_column_reader};
use parquet::data_type::{DataType, Int64Type};
use parquet::file::reader::FileReader;
use reprise_fingerprint::Fingerprint;

use super::FINGERPRINT_BYTES;
use super::checked_pages::column_reader;
use super::read::{TableFile, guarded, plain_values};
use crate::error::StoreError;
use crate::schema::Column;

/// A column of one group.
pub(crate) struct ColumnScan<T: DataType> {
    reader: ColumnReaderImpl<T>,
    column: Column,
    /// Rows that were passed since the last read.
    passed: usize,
}

impl<T: DataType> ColumnScan<T> {
    /// A column of a group, from its first row on.
    pub(crate) fn open(
        table: &TableFile,
        group: usize,
        column: Column,
    ) -> Result<ColumnScan<T>, StoreError> {
        guarded(&table.path, || {
            let wrap = StoreError::reading_table(&table.path);
            let group = table.reader.get_row_group(group).map_err(&wrap)?;
            let index = table.required_index(column)?;
            let reader = column_reader(group.as_ref(), index).map_err(&wrap)?;
            Ok(ColumnScan {
                reader: get_typed_column_reader(reader),
                column,
                passed: 0,
            })
        })
    }

    /// Passes rows without a look at them: nothing is read before a value is wanted.
    pub(crate) fn pass(&mut self, rows: usize) {
        self.passed += rows;
    }

    /// Appends the next values.
    pub(crate) fn read_onto(
        &mut self,
        table: &TableFile,
        rows: usize,
        values: &mut Vec<T::T>,
    ) -> Result<(), StoreError> {
        guarded(&table.path, || {
            let wrap = StoreError::reading_table(&table.path);
            let passed = std::mem::take(&mut self.passed);
            if passed > 0 {
                let skipped = self.reader.skip_records(passed).map_err(&wrap)?;
                table.check_rows(self.column.name, skipped, passed)?;
            }
            let read = self.reader.read_records(rows, None, None, values);
            let (read, _, _) = read.map_err(&wrap)?;
            table.check_rows(self.column.name, read, rows)
        })
    }
}

/// The fingerprints of one group, which lie in the file as they are.
pub(crate) struct FingerprintScan {
    pages: Box<dyn PageReader>,
    /// What is left of the page at hand.
    page: Bytes,
}

impl FingerprintScan {
    /// The fingerprints of a group, from its first row on.
    pub(crate) fn open(
        table: &TableFile,
        group: usize,
        column: Column,
    ) -> Result<FingerprintScan, StoreError> {
        guarded(&table.path, || {
            let wrap = StoreError::reading_table(&table.path);
            let group = table.reader.get_row_group(group).map_err(&wrap)?;
            let index = table.required_index(column)?;
            Ok(FingerprintScan {
                pages: group.get_column_page_reader(index).map_err(&wrap)?,
                page: Bytes::new(),
            })
        })
    }

    /// Passes rows; whole pages of them are not even read.
    pub(crate) fn pass(&mut self, table: &TableFile, rows: usize) -> Result<(), StoreError> {
        let mut left = rows;
        while left > 0 {
            let next = self.ask(table, |pages| pages.peek_next_page())?;
            let page_rows = next.and_then(|page| page.num_rows.or(page.num_levels));
            let Some(page_rows) = page_rows else {
                return Err(table.damaged("it makes no sense inside"));
            };
            if page_rows > left {
                self.load(table)?;
                let bytes = (left * FINGERPRINT_BYTES).min(self.page.len());
                self.page.advance(bytes);
                return Ok(());
            }
            self.ask(table, |pages| pages.skip_next_page())?;
            left -= page_rows;
        }
        Ok(())
    }

    /// Asks for something of the next page.
    fn ask<T>(
        &mut self,
        table: &TableFile,
        question: impl FnOnce(&mut Box<dyn PageReader>) -> parquet::errors::Result<T>,
    ) -> Result<T, StoreError> {
        guarded(&table.path, || {
            question(&mut self.pages).map_err(StoreError::reading_table(&table.path))
        })
    }

    /// Reads the next page; false when there is none.
    fn load(&mut self, table: &TableFile) -> Result<bool, StoreError> {
        let Some(page) = self.ask(table, |pages| pages.get_next_page())? else {
            return Ok(false);
        };
        self.page = plain_values(&page, FINGERPRINT_BYTES, &table.path)?.clone();
        Ok(true)
    }

    /// Appends the next fingerprints, at most so many; none when the group has no more.
    pub(crate) fn read_onto(
        &mut self,
        table: &TableFile,
        most: usize,
        values: &mut Vec<Fingerprint>,
    ) -> Result<usize, StoreError> {
        while self.page.is_empty() {
            if !self.load(table)? {
                return Ok(0);
            }
        }
        let (plain, _) = self.page.as_chunks::<FINGERPRINT_BYTES>();
        let plain = &plain[..plain.len().min(most)];
        values.extend(plain.iter().map(|bytes| Fingerprint::from_bytes(*bytes)));
        let read = plain.len();
        self.page.advance(read * FINGERPRINT_BYTES);
        if self.page.is_empty() {
            // Its memory serves the next page.
            self.page = Bytes::new();
        }
        Ok(read)
    }
}

/// The integers of a column over all groups, some rows at a time.
pub struct IntScan<'t> {
    table: &'t TableFile,
    column: Column,
    next_group: usize,
    /// The group at hand, and how many of its rows are left.
    group: Option<(ColumnScan<Int64Type>, usize)>,
    values: Vec<i64>,
}

/// Rows that are read at once.
const SCAN_ROWS: usize = 1 << 12;

impl<'t> IntScan<'t> {
    pub(super) fn new(table: &'t TableFile, column: Column) -> IntScan<'t> {
        IntScan {
            table,
            column,
            next_group: 0,
            group: None,
            values: Vec::new(),
        }
    }

    /// The next values; none when there are no more.
    pub fn next_rows(&mut self) -> Result<Option<&[i64]>, StoreError> {
        while self.group.as_ref().is_none_or(|(_, left)| *left == 0) {
            if self.next_group == self.table.groups() {
                return Ok(None);
            }
            let scan = ColumnScan::open(self.table, self.next_group, self.column)?;
            self.group = Some((scan, self.table.group_rows(self.next_group)));
            self.next_group += 1;
        }
        self.values.clear();
        if let Some((scan, left)) = &mut self.group {
            let rows = SCAN_ROWS.min(*left);
            scan.read_onto(self.table, rows, &mut self.values)?;
            *left -= rows;
        }
        Ok(Some(&self.values))
    }
}
