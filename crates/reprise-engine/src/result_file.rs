//! Files that results are written to.

use std::path::{Path, PathBuf};

use reprise_store::Format;

use crate::error::Error;

/// A file for the rows of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultFile {
    /// The file.
    pub path: PathBuf,
    /// The format of its rows.
    pub format: Format,
}

impl ResultFile {
    /// Chooses the format by the extension: `.parquet`, `.jsonl` or `.csv`. A name without an extension
    /// is Parquet; other extensions are an error.
    pub fn new(path: impl Into<PathBuf>) -> Result<ResultFile, Error> {
        let path = path.into();
        let format = Format::of_path(&path)?;
        Ok(ResultFile { path, format })
    }

    /// Returns a Parquet file.
    pub(crate) fn parquet(path: &Path) -> ResultFile {
        ResultFile {
            path: path.to_owned(),
            format: Format::Parquet,
        }
    }
}
