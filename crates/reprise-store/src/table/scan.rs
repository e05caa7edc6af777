//! Reads columns some rows at a time. The rows are still in the processor's cache when they are used, and
//! only one page of each column is in memory.

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

/// Reads a column of one row group.
pub(crate) struct ColumnScan<T: DataType> {
    reader: ColumnReaderImpl<T>,
    column: Column,
    /// The number of rows to skip before the next read.
    passed: usize,
}

impl<T: DataType> ColumnScan<T> {
    /// Opens a column at the first row of a row group.
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

    /// Skips `rows` rows. The file is not read before the next call of [`ColumnScan::read_onto`].
    pub(crate) fn pass(&mut self, rows: usize) {
        self.passed += rows;
    }

    /// Appends the next `rows` values.
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

/// Reads the fingerprints of one row group directly from the plain bytes of its pages.
pub(crate) struct FingerprintScan {
    pages: Box<dyn PageReader>,
    /// The remaining bytes of the current page.
    page: Bytes,
}

impl FingerprintScan {
    /// Opens the fingerprints at the first row of a row group.
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

    /// Skips `rows` rows. Does not read pages that are skipped completely.
    pub(crate) fn pass(&mut self, table: &TableFile, rows: usize) -> Result<(), StoreError> {
        let mut left = rows;
        while left > 0 {
            let next = self.with_pages(table, |pages| pages.peek_next_page())?;
            let page_rows = next.and_then(|page| page.num_rows.or(page.num_levels));
            let Some(page_rows) = page_rows else {
                return Err(table.damaged("it is not valid Parquet"));
            };
            if page_rows > left {
                self.load(table)?;
                let bytes = (left * FINGERPRINT_BYTES).min(self.page.len());
                self.page.advance(bytes);
                return Ok(());
            }
            self.with_pages(table, |pages| pages.skip_next_page())?;
            left -= page_rows;
        }
        Ok(())
    }

    /// Calls `read` with the reader of pages, and converts its errors and panics.
    fn with_pages<T>(
        &mut self,
        table: &TableFile,
        read: impl FnOnce(&mut Box<dyn PageReader>) -> parquet::errors::Result<T>,
    ) -> Result<T, StoreError> {
        guarded(&table.path, || {
            read(&mut self.pages).map_err(StoreError::reading_table(&table.path))
        })
    }

    /// Reads the next page. Returns false after the last page.
    fn load(&mut self, table: &TableFile) -> Result<bool, StoreError> {
        let Some(page) = self.with_pages(table, |pages| pages.get_next_page())? else {
            return Ok(false);
        };
        self.page = plain_values(&page, FINGERPRINT_BYTES, &table.path)?.clone();
        Ok(true)
    }

    /// Appends at most `most` fingerprints to `values`, and returns their number: 0 at the end of the group.
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
            // Releases the buffer for the next page.
            self.page = Bytes::new();
        }
        Ok(read)
    }
}

/// Reads the integers of a column of all row groups, some rows at a time.
pub struct IntScan<'t> {
    table: &'t TableFile,
    column: Column,
    next_group: usize,
    /// The current row group, and the number of its remaining rows.
    group: Option<(ColumnScan<Int64Type>, usize)>,
    values: Vec<i64>,
}

/// The most rows that are read at once.
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

    /// Returns the next values, or `None` at the end.
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
