//! A group of labels as the file has it: rows are made of it one by one, for most are never asked for.

use parquet::data_type::ByteArray;
use reprise_fingerprint::Fingerprint;

use super::{LabelRow, Labels};
use crate::error::StoreError;
use crate::table::TableReader;

/// The columns of a group.
pub(super) struct LabelGroup {
    fingerprints: Vec<Fingerprint>,
    levels: Vec<ByteArray>,
    names: Vec<ByteArray>,
    urls: Vec<ByteArray>,
    sites: Vec<ByteArray>,
    chars: Vec<i64>,
    /// Occurrences, pages and sites.
    counts: [Vec<Option<i64>>; 3],
    fetched: Vec<Option<i64>>,
}

impl LabelGroup {
    pub(super) fn read(table: &TableReader, group: usize) -> Result<LabelGroup, StoreError> {
        Ok(LabelGroup {
            fingerprints: table.fingerprints(group, "fingerprint")?,
            levels: table.texts(group, "level")?,
            names: table.texts(group, "name")?,
            urls: table.texts(group, "url")?,
            sites: table.texts(group, "site")?,
            chars: table.ints(group, "chars")?,
            counts: [
                table.optional_ints(group, "occurrences")?,
                table.optional_ints(group, "pages")?,
                table.optional_ints(group, "sites")?,
            ],
            fetched: table.optional_ints(group, "fetched")?,
        })
    }

    pub(super) fn len(&self) -> usize {
        self.fingerprints.len()
    }

    /// One of its rows.
    pub(super) fn row(&self, row: usize, labels: &Labels) -> Result<LabelRow, StoreError> {
        let counts = [0, 1, 2].map(|count| self.counts[count][row]);
        let level = text(&self.levels[row]).parse();
        Ok(LabelRow {
            fingerprint: self.fingerprints[row],
            level: level.map_err(|detail: String| StoreError::damaged(labels.path(), detail))?,
            chars: self.chars[row] as u64,
            counts: counts[0].map(|_| counts.map(|count| count.unwrap_or(0) as u64)),
            name: text(&self.names[row]),
            url: text(&self.urls[row]),
            site: text(&self.sites[row]),
            fetched: self.fetched[row],
        })
    }
}

fn text(bytes: &ByteArray) -> String {
    String::from_utf8_lossy(bytes.data()).into_owned()
}
