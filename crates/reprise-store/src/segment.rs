//! A segment on disk, read table by table.

use std::path::{Path, PathBuf};

use parquet::data_type::ByteArray;

use crate::error::StoreError;
use crate::manifest::SegmentSummary;
use crate::schema::Table;
use crate::schema::{CHUNKS, FINGERPRINTS, PAGES, PROBLEMS, SHINGLES, SOURCES};
use crate::table::TableReader;

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

    /// Its directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the manifest says of it.
    pub fn summary(&self) -> &'c SegmentSummary {
        self.summary
    }

    /// The file of a table.
    pub fn file(&self, table: &Table) -> PathBuf {
        self.path.join(format!("{}.parquet", table.name))
    }

    fn open(&self, table: &'static Table) -> Result<TableReader, StoreError> {
        let path = self.file(table);
        match self.summary.files.get(table.name) {
            Some(named) => TableReader::open_named(&path, table, named),
            None => Err(StoreError::damaged(&path, "the manifest does not name it")),
        }
    }

    /// The files it holds.
    pub fn sources(&self) -> Result<TableReader, StoreError> {
        self.open(&SOURCES)
    }

    /// The names of these files, by number.
    pub fn source_names(&self) -> Result<Vec<ByteArray>, StoreError> {
        let table = self.sources()?;
        let mut names = Vec::new();
        for group in 0..table.groups() {
            names.extend(table.texts(group, "name")?);
        }
        Ok(names)
    }

    /// The names of these files, without those of which nothing could be read.
    pub fn names_of_read_sources(&self) -> Result<Vec<ByteArray>, StoreError> {
        let table = self.sources()?;
        let mut names = Vec::new();
        for group in 0..table.groups() {
            let formats = table.texts(group, "format")?;
            let all = table.texts(group, "name")?.into_iter().zip(formats);
            let read = all.filter(|(_, format)| format.data() != b"broken");
            names.extend(read.map(|(name, _)| name));
        }
        Ok(names)
    }

    /// Its pages.
    pub fn pages(&self) -> Result<TableReader, StoreError> {
        self.open(&PAGES)
    }

    /// Its distinct fingerprints, sorted.
    pub fn fingerprints(&self) -> Result<TableReader, StoreError> {
        self.open(&FINGERPRINTS)
    }

    /// Its chunks, in page order.
    pub fn chunks(&self) -> Result<TableReader, StoreError> {
        self.open(&CHUNKS)
    }

    /// The shingles of its pages, if the corpus has any.
    pub fn shingles(&self) -> Result<Option<TableReader>, StoreError> {
        (self.summary.files.contains_key(SHINGLES.name))
            .then(|| self.open(&SHINGLES))
            .transpose()
    }

    /// What was skipped or damaged.
    pub fn problems(&self) -> Result<TableReader, StoreError> {
        self.open(&PROBLEMS)
    }
}
