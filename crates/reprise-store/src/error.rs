//! What can go wrong with a corpus on disk.
//!
//! Each variant names the file. [`StoreError::is_usage`] tells the caller's mistakes from failures
//! on the way, so that a surface can choose its exit code.

use std::io;
use std::path::{Path, PathBuf};

/// An error of the corpus on disk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is nothing of this name.
    #[error("{}: no such directory", path.display())]
    Missing {
        /// The directory.
        path: PathBuf,
    },
    /// A file instead of the directory of a corpus.
    #[error("{} is a file, not a directory", path.display())]
    NotADirectory {
        /// The file.
        path: PathBuf,
    },
    /// The directory holds no corpus.
    #[error("{} is not a Reprise corpus: it has no manifest.json", path.display())]
    NotACorpus {
        /// The directory.
        path: PathBuf,
    },
    /// The directory is in use for something else, or has lost its manifest.
    #[error(
        "{} has a directory `segments` but no manifest.json: it is no corpus, or a damaged one; choose another directory",
        path.display()
    )]
    Foreign {
        /// The directory.
        path: PathBuf,
    },
    /// The corpus was written by a version that knows more.
    #[error(
        "the corpus {} has format {found}; this Reprise reads up to format {known}: use a newer Reprise",
        path.display()
    )]
    NewerFormat {
        /// The corpus.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format this version knows.
        known: u32,
    },
    /// Fingerprints made in another way cannot be compared with those already there.
    #[error(
        "the corpus {} was made with --{setting} {found}, not {wanted}: leave the flag out, or use another corpus",
        path.display()
    )]
    OtherSettings {
        /// The corpus.
        path: PathBuf,
        /// The flag.
        setting: &'static str,
        /// What the corpus was made with.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// Near-copies and phrases need shingles.
    #[error(
        "the corpus {} has no shingles: index its archives again into a new corpus with --shingles",
        path.display()
    )]
    NoShingles {
        /// The corpus.
        path: PathBuf,
    },
    /// The file holds no labels.
    #[error("{} holds no labels of Reprise: make them with `reprise label` or `reprise discover`", path.display())]
    NotLabels {
        /// The file.
        path: PathBuf,
    },
    /// Labels and corpus were made in different ways: nothing would match.
    #[error(
        "the labels {} were made with --{setting} {found}, what they are to go with was made with {wanted}: make them alike",
        path.display()
    )]
    OtherLabels {
        /// The labels.
        path: PathBuf,
        /// The flag.
        setting: &'static str,
        /// What the labels were made with.
        found: String,
        /// What the corpus was made with.
        wanted: String,
    },
    /// Another process is writing to the corpus.
    #[error("another process is writing to the corpus {}: wait for it to end", path.display())]
    Locked {
        /// The corpus.
        path: PathBuf,
    },
    /// A file is not what it was when it was written.
    #[error("{} is damaged: {detail}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The system refused to read or write.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The Parquet library refused to read or write.
    #[error("cannot {action} {}", path.display())]
    Parquet {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the library said.
        source: parquet::errors::ParquetError,
    },
}

impl StoreError {
    /// Is the caller asked to do something else, rather than told that something failed?
    pub fn is_usage(&self) -> bool {
        match self {
            StoreError::Missing { .. }
            | StoreError::NotADirectory { .. }
            | StoreError::NotACorpus { .. }
            | StoreError::Foreign { .. }
            | StoreError::NewerFormat { .. }
            | StoreError::OtherSettings { .. }
            | StoreError::NoShingles { .. }
            | StoreError::NotLabels { .. }
            | StoreError::OtherLabels { .. }
            | StoreError::Locked { .. }
            | StoreError::Damaged { .. } => true,
            StoreError::Io { action, .. } | StoreError::Parquet { action, .. } => *action == "read",
        }
    }

    /// The file that is damaged or gone, if there is one. What the system does not let be read may be all right.
    pub fn damaged_path(&self) -> Option<&Path> {
        match self {
            StoreError::Damaged { path, .. } => Some(path),
            StoreError::Parquet { action, path, .. } => (*action == "read").then_some(path),
            StoreError::Io {
                action,
                path,
                source,
            } => (*action == "read" && is_damage(source)).then_some(path),
            _ => None,
        }
    }

    /// What the system refused to do with a file.
    pub fn io(action: &'static str, path: &Path) -> impl Fn(io::Error) -> StoreError + use<> {
        let path = path.to_owned();
        move |source| StoreError::Io {
            action,
            path: path.clone(),
            source,
        }
    }

    pub(crate) fn parquet(
        action: &'static str,
        path: &Path,
    ) -> impl Fn(parquet::errors::ParquetError) -> StoreError {
        let path = path.to_owned();
        move |source| match source {
            // A full disk says so through the library; the plain words are better.
            parquet::errors::ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(error) => StoreError::Io {
                    action,
                    path: path.clone(),
                    source: *error,
                },
                Err(inner) => StoreError::Parquet {
                    action,
                    path: path.clone(),
                    source: parquet::errors::ParquetError::External(inner),
                },
            },
            parquet::errors::ParquetError::General(detail) if detail.contains("CRC") => {
                StoreError::damaged(&path, "the checksum of a page does not fit")
            }
            source => StoreError::Parquet {
                action,
                path: path.clone(),
                source,
            },
        }
    }

    pub(crate) fn damaged(path: &Path, detail: impl Into<String>) -> StoreError {
        StoreError::Damaged {
            path: path.to_owned(),
            detail: detail.into(),
        }
    }
}

/// Is a file that could not be read for this gone or cut off? Anything else (too many open files, no
/// permission, a disk that is away) says nothing about it.
pub(crate) fn is_damage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof
    )
}

/// The corpus and the number of the segment that a file belongs to, by where it lies.
pub fn segment_of(path: &Path) -> Option<(&Path, u64)> {
    let segment = path.parent()?;
    let segments = segment.parent()?;
    let number = segment.file_name()?.to_str()?.parse().ok()?;
    let corpus = segments.parent()?;
    let is_here = corpus.as_os_str().is_empty();
    let corpus = if is_here { Path::new(".") } else { corpus };
    (segments.file_name()? == "segments").then_some((corpus, number))
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use super::{StoreError, segment_of};

    #[test]
    fn only_a_file_that_is_gone_or_cut_off_is_damaged() {
        let check = |code: i32, is_damaged: bool| {
            let error = StoreError::io("read", Path::new("x"))(io::Error::from_raw_os_error(code));
            assert_eq!(error.damaged_path().is_some(), is_damaged, "{error:?}");
        };
        // No such file; then: bad sector, no permission, too many open files.
        check(2, true);
        for code in [5, 13, 24] {
            check(code, false);
        }
        let cut = StoreError::io("read", Path::new("x"))(io::ErrorKind::UnexpectedEof.into());
        assert!(cut.damaged_path().is_some());
    }

    #[test]
    fn a_file_belongs_to_a_segment_by_its_place() {
        let check = |path: &str, segment: Option<(&str, u64)>| {
            let segment = segment.map(|(corpus, number)| (Path::new(corpus), number));
            assert_eq!(segment_of(Path::new(path)), segment, "{path}");
        };
        check("a/c/segments/00000012/pages.parquet", Some(("a/c", 12)));
        check("segments/00000001/pages.parquet", Some((".", 1)));
        check("c/manifest.json", None);
        check("c/segments/00000001.partial/pages.parquet", None);
        check("labels/00000001/pages.parquet", None);
    }
}
