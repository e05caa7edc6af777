//! A row group of a label file. It is kept column by column, because most of its rows are never used.

use reprise_chunk::{Label, ParseLevelError};
use reprise_fingerprint::Fingerprint;

use super::Labels;
use crate::error::StoreError;
use crate::schema::LabelRows;
use crate::table::{TableReader, Texts};

/// The columns of a row group.
pub(super) struct LabelGroup {
    fingerprints: Vec<Fingerprint>,
    levels: Texts,
    names: Texts,
    urls: Texts,
    sites: Texts,
    chars: Vec<i64>,
    /// Occurrences, pages and sites.
    counts: [Vec<Option<i64>>; 3],
    fetched: Vec<Option<i64>>,
}

impl LabelGroup {
    pub(super) fn read(
        table: &TableReader<LabelRows>,
        group: usize,
    ) -> Result<LabelGroup, StoreError> {
        Ok(LabelGroup {
            fingerprints: table.read(group, LabelRows::FINGERPRINT)?,
            levels: table.read(group, LabelRows::LEVEL)?,
            names: table.read(group, LabelRows::NAME)?,
            urls: table.read(group, LabelRows::URL)?,
            sites: table.read(group, LabelRows::SITE)?,
            chars: table.read(group, LabelRows::CHARS)?,
            counts: [
                table.read(group, LabelRows::OCCURRENCES)?,
                table.read(group, LabelRows::PAGES)?,
                table.read(group, LabelRows::SITES)?,
            ],
            fetched: table.read(group, LabelRows::FETCHED)?,
        })
    }

    pub(super) fn len(&self) -> usize {
        self.fingerprints.len()
    }

    /// Returns the label in a row.
    pub(super) fn row(&self, row: usize, labels: &Labels) -> Result<Label, StoreError> {
        let counts = [0, 1, 2].map(|count| self.counts[count][row]);
        let level = self.levels.to_str(row).parse();
        Ok(Label {
            fingerprint: self.fingerprints[row],
            level: level.map_err(|error: ParseLevelError| {
                StoreError::damaged(labels.path(), error.to_string())
            })?,
            chars: self.chars[row] as u64,
            counts: counts[0].map(|_| counts.map(|count| count.unwrap_or(0) as u64)),
            name: self.names.to_str(row).into(),
            url: self.urls.to_str(row).into(),
            site: self.sites.to_str(row).into(),
            fetched: self.fetched[row],
        })
    }
}
