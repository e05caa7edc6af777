//! Merges label files.

use std::path::Path;

use reprise_chunk::Label;

use super::{Labels, LabelsWriter, Origin};
use crate::error::StoreError;

/// Merges label files into one, and returns its number of rows. Holds one row group of each file in memory.
///
/// All files must have the same hash function and chunk form. The result has the smallest of their minimum
/// lengths. If one of the files was made by informed discovery, the result counts as informed.
pub fn merge_labels(files: &[Labels], path: &Path) -> Result<u64, StoreError> {
    let Some(first) = files.first() else {
        return Ok(0);
    };
    let mut header = first.header().clone();
    let settings = first.settings()?;
    for labels in files {
        labels.verify()?;
        labels.check_settings(settings)?;
        let found = labels.header();
        header.min_length = header.min_length.min(found.min_length);
        if found.origin == Origin::Informed {
            header.origin = Origin::Informed;
        }
    }
    let mut writer = LabelsWriter::create(path, &header)?;
    let mut streams: Vec<RowStream<'_>> = files.iter().map(RowStream::new).collect();
    let mut written: Option<Label> = None;
    loop {
        let mut least: Option<usize> = None;
        for index in 0..streams.len() {
            streams[index].load()?;
            let Some(row) = streams[index].head() else {
                continue;
            };
            let is_less = least
                .and_then(|least| streams[least].head())
                .is_none_or(|other| row.order(other).is_lt());
            if is_less {
                least = Some(index);
            }
        }
        let Some(row) = least.and_then(|least| streams[least].rows.pop()) else {
            return writer.finish();
        };
        if written.as_ref() != Some(&row) {
            writer.push(row.clone())?;
            written = Some(row);
        }
    }
}

/// Reads the rows of a file in order.
struct RowStream<'l> {
    labels: &'l Labels,
    next_group: usize,
    /// The remaining rows of the current group, in reverse order.
    rows: Vec<Label>,
}

impl<'l> RowStream<'l> {
    fn new(labels: &'l Labels) -> RowStream<'l> {
        RowStream {
            labels,
            next_group: 0,
            rows: Vec::new(),
        }
    }

    /// Reads the next group if the current one is used up.
    fn load(&mut self) -> Result<(), StoreError> {
        while self.rows.is_empty() && self.next_group < self.labels.table().groups() {
            self.rows = self.labels.read_group(self.next_group)?;
            self.rows.reverse();
            self.next_group += 1;
        }
        Ok(())
    }

    /// Returns the next row.
    fn head(&self) -> Option<&Label> {
        self.rows.last()
    }
}
