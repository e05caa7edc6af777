//! Reads rows of integers from several columns of a table.

use crate::error::StoreError;
use crate::schema::{ColumnOf, Table};
use crate::table::{IntScan, TableReader};

/// Reads integer columns of a table row by row, with some rows in memory.
pub(super) struct Rows<'t, const COLUMNS: usize> {
    scans: [IntScan<'t>; COLUMNS],
    /// The rows in memory, column by column.
    values: [Vec<i64>; COLUMNS],
    at: usize,
}

impl<'t, const COLUMNS: usize> Rows<'t, COLUMNS> {
    pub(super) fn new<T: Table>(
        table: &'t TableReader<T>,
        columns: [ColumnOf<T, i64>; COLUMNS],
    ) -> Self {
        Rows {
            scans: columns.map(|column| table.scan_ints(column)),
            values: columns.map(|_| Vec::new()),
            at: 0,
        }
    }

    /// Returns the next row, or `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<[i64; COLUMNS]>, StoreError> {
        if self.at >= self.values[0].len() {
            self.at = 0;
            for (scan, values) in self.scans.iter_mut().zip(&mut self.values) {
                values.clear();
                // All columns of a row group have the same length, so these batches have too.
                values.extend_from_slice(scan.next_rows()?.unwrap_or_default());
            }
        }
        if self.values.iter().any(|values| self.at >= values.len()) {
            return Ok(None);
        }
        let row = std::array::from_fn(|column| self.values[column][self.at]);
        self.at += 1;
        Ok(Some(row))
    }
}
