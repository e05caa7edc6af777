//! A segment on disk, read table by table.

use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::manifest::SegmentSummary;
use crate::schema::{Chunks, Fingerprints, Pages, Problems, Sketches, Sources, Table, Urls};
use crate::table::{TableReader, Texts};

/// A segment on disk.
#[derive(Clone, Debug)]
pub struct Segment<'c> {
    path: PathBuf,
    summary: &'c SegmentSummary,
}

impl<'c> Segment<'c> {
    pub(crate) fn new(path: PathBuf, summary: &'c SegmentSummary) -> Segment<'c> {
        Segment { path, summary }
    }

    /// Returns the directory of the segment.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the segment's entry in the manifest.
    pub fn summary(&self) -> &'c SegmentSummary {
        self.summary
    }

    /// Returns the path of the file of table `T`.
    pub fn file<T: Table>(&self) -> PathBuf {
        self.file_named(T::TABLE)
    }

    pub(crate) fn file_named(&self, table: &str) -> PathBuf {
        self.path.join(format!("{table}.parquet"))
    }

    fn open<T: Table>(&self) -> Result<TableReader<T>, StoreError> {
        let path = self.file::<T>();
        match self.summary.files.get(T::TABLE) {
            Some(listed) => TableReader::open_listed(&path, listed),
            None => Err(StoreError::damaged(&path, "the manifest does not list it")),
        }
    }

    fn open_optional<T: Table>(&self) -> Result<Option<TableReader<T>>, StoreError> {
        let is_listed = self.summary.files.contains_key(T::TABLE);
        is_listed.then(|| self.open()).transpose()
    }

    /// Opens the table of source files.
    pub fn sources(&self) -> Result<TableReader<Sources>, StoreError> {
        self.open()
    }

    /// Returns the names of all source files, by row.
    pub fn source_names(&self) -> Result<Texts, StoreError> {
        let table = self.sources()?;
        let mut names = Texts::default();
        for group in 0..table.groups() {
            names.extend(table.read(group, Sources::NAME)?);
        }
        Ok(names)
    }

    /// Returns the names of the source files that are not broken.
    pub fn names_of_read_sources(&self) -> Result<Texts, StoreError> {
        let table = self.sources()?;
        let mut read = Texts::default();
        for group in 0..table.groups() {
            let formats = table.read(group, Sources::FORMAT)?;
            let names = table.read(group, Sources::NAME)?;
            let is_read = |row: &usize| formats[*row] != *b"broken";
            let rows = (0..names.len()).filter(is_read);
            read.extend(rows.map(|row| names.text(row)).collect());
        }
        Ok(read)
    }

    /// Opens the table of pages.
    pub fn pages(&self) -> Result<TableReader<Pages>, StoreError> {
        self.open()
    }

    /// Opens the table of distinct fingerprints, which is sorted.
    pub fn fingerprints(&self) -> Result<TableReader<Fingerprints>, StoreError> {
        self.open()
    }

    /// Opens the table of chunks, in page order.
    pub fn chunks(&self) -> Result<TableReader<Chunks>, StoreError> {
        self.open()
    }

    /// Opens the table of shingles, if the corpus has shingles.
    pub fn shingles(&self) -> Result<Option<TableReader<Sketches>>, StoreError> {
        self.open_optional()
    }

    /// Opens the table of problems.
    pub fn problems(&self) -> Result<TableReader<Problems>, StoreError> {
        self.open()
    }

    /// Opens the index of URLs. Older segments do not have one.
    pub fn urls(&self) -> Result<Option<TableReader<Urls>>, StoreError> {
        self.open_optional()
    }
}
