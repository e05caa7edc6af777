//! Writes a label file with its checksums.

use std::path::Path;

use reprise_chunk::Label;

use super::{HEADER_KEY, LABEL_GROUP_ROWS, LabelsHeader, SEAL_KEY, Seal};
use crate::aside::Aside;
use crate::checksum;
use crate::error::StoreError;
use crate::schema::{LabelRows, Table};
use crate::table::{TableWriter, Values};

/// Writes a label file. The file appears under its name only when it is complete.
pub struct LabelsWriter {
    aside: Aside,
    table: TableWriter,
    header: String,
    rows: Vec<Label>,
    written: u64,
}

impl LabelsWriter {
    /// Creates a label file.
    pub fn create(path: &Path, header: &LabelsHeader) -> Result<LabelsWriter, StoreError> {
        let aside = Aside::of(path);
        let mut table = TableWriter::create(aside.path(), LabelRows::COLUMNS)?;
        let header = serde_json::to_string(header).expect("a header is plain data");
        table.note(HEADER_KEY, header.clone());
        Ok(LabelsWriter {
            header,
            aside,
            table,
            rows: Vec::new(),
            written: 0,
        })
    }

    /// Adds a label. Labels must come in the order of [`Label::order`].
    pub fn push(&mut self, row: Label) -> Result<(), StoreError> {
        self.rows.push(row);
        if self.rows.len() == LABEL_GROUP_ROWS {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<(), StoreError> {
        let rows = std::mem::take(&mut self.rows);
        self.written += rows.len() as u64;
        let count = |at: usize| {
            let counts = rows.iter().map(|row| Some(row.counts?[at] as i64));
            Values::OptionalInt(counts.collect())
        };
        self.table.write(&[
            Values::Fingerprint(rows.iter().map(|row| row.fingerprint).collect()),
            Values::texts(rows.iter().map(|row| row.level.as_str())),
            Values::Int(rows.iter().map(|row| row.chars as i64).collect()),
            count(0),
            count(1),
            count(2),
            Values::texts(rows.iter().map(|row| row.name.as_str())),
            Values::texts(rows.iter().map(|row| row.url.as_str())),
            Values::texts(rows.iter().map(|row| row.site.as_str())),
            Values::OptionalInt(rows.iter().map(|row| row.fetched).collect()),
        ])
    }

    /// Completes the file under its name, and returns its number of rows.
    pub fn finish(mut self) -> Result<u64, StoreError> {
        self.write_group()?;
        let (bytes, checksum) = self.table.sum()?;
        let seal = Seal {
            bytes,
            checksum,
            header: checksum::of_bytes(self.header.as_bytes()),
        };
        let seal = serde_json::to_string(&seal).expect("a seal is plain data");
        self.table.note(SEAL_KEY, seal);
        self.table.finish()?;
        self.aside.keep()?;
        Ok(self.written)
    }
}
