//! The errors of a corpus on disk.
//!
//! Each variant names the file. [`StoreError::is_usage`] separates mistakes of the caller from failures
//! of the system, so that a surface can choose an exit code.

use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

/// An error of a corpus on disk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The directory does not exist.
    #[error("{}: no such directory", path.display())]
    Missing {
        /// The directory.
        path: PathBuf,
    },
    /// A file is in the place of the corpus directory.
    #[error("{} is a file, not a directory", path.display())]
    NotADirectory {
        /// The file.
        path: PathBuf,
    },
    /// The directory is not a corpus.
    #[error("{} is not a Reprise corpus: it has no manifest.json", path.display())]
    NotACorpus {
        /// The directory.
        path: PathBuf,
    },
    /// The directory holds a corpus already.
    #[error("{} already holds a corpus; open it, or choose another directory", path.display())]
    AlreadyExists {
        /// The directory.
        path: PathBuf,
    },
    /// The directory belongs to something else, or has lost its manifest.
    #[error(
        "{} has a directory `segments` but no manifest.json, so it is not a corpus or a damaged one; choose another directory",
        path.display()
    )]
    Foreign {
        /// The directory.
        path: PathBuf,
    },
    /// The corpus was written by a newer version.
    #[error(
        "{} has format {found}, but this version reads formats up to {known}; use a newer version of Reprise",
        path.display()
    )]
    NewerFormat {
        /// The corpus or label file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format that this version reads.
        known: u32,
    },
    /// The corpus was made with other settings.
    #[error(
        "the corpus {} uses {setting} {found}, not {requested}; use its setting, or another corpus",
        path.display()
    )]
    OtherSettings {
        /// The corpus.
        path: PathBuf,
        /// The setting.
        setting: SettingName,
        /// The value in the corpus.
        found: String,
        /// The value that was requested.
        requested: String,
    },
    /// The corpus has no shingles.
    #[error(
        "the corpus {} has no shingles; index its archives into another corpus that has them",
        path.display()
    )]
    NoShingles {
        /// The corpus.
        path: PathBuf,
    },
    /// The file is not a label file.
    #[error("{} is not a file of Reprise labels", path.display())]
    NotLabels {
        /// The file.
        path: PathBuf,
    },
    /// Labels and corpus were made with different settings, so nothing would match.
    #[error(
        "the labels {} were made with {setting} {found}, but {expected} is needed here; make them again",
        path.display()
    )]
    OtherLabels {
        /// The label file.
        path: PathBuf,
        /// The setting.
        setting: SettingName,
        /// The value in the labels.
        found: String,
        /// The value that is needed.
        expected: String,
    },
    /// Another process is writing to the corpus.
    #[error("another process is writing to the corpus {}; wait until it ends", path.display())]
    Locked {
        /// The corpus.
        path: PathBuf,
    },
    /// A file has changed since it was written.
    #[error("{} is damaged: {detail}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// A description of the damage.
        detail: String,
    },
    /// The caller cancelled the operation.
    #[error("the operation was cancelled")]
    Cancelled,
    /// The system refused an operation on a file.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// The operation.
        action: Action,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The Parquet library refused to write.
    #[error("cannot write {}", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// The error of the library.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// An operation on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Reading.
    Read,
    /// Writing.
    Write,
    /// Removing.
    Remove,
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Action::Read => "read",
            Action::Write => "write",
            Action::Remove => "remove",
        })
    }
}

/// A setting of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingName {
    /// The hash function.
    Hash,
    /// The chunk form.
    Chunk,
}

impl std::fmt::Display for SettingName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            SettingName::Hash => "hash",
            SettingName::Chunk => "chunk form",
        })
    }
}

impl StoreError {
    /// Returns true if the caller can avoid the error with a different call, or if a file cannot be read.
    pub fn is_usage(&self) -> bool {
        match self {
            StoreError::Io { action, .. } => *action == Action::Read,
            StoreError::Parquet { .. } | StoreError::Cancelled => false,
            _ => true,
        }
    }

    /// Returns the file if it is damaged or gone. A file that the system refuses to read may be intact and
    /// is not returned.
    pub fn damaged_path(&self) -> Option<&Path> {
        match self {
            StoreError::Damaged { path, .. } => Some(path),
            StoreError::Io {
                action: Action::Read,
                path,
                source,
            } => is_damage(source).then_some(path),
            _ => None,
        }
    }

    /// Makes errors for reading `path`.
    pub fn reading(path: &Path) -> impl Fn(io::Error) -> StoreError + use<> {
        StoreError::io(Action::Read, path)
    }

    /// Makes errors for writing `path`.
    pub fn writing(path: &Path) -> impl Fn(io::Error) -> StoreError + use<> {
        StoreError::io(Action::Write, path)
    }

    /// Makes errors for removing `path`.
    pub fn removing(path: &Path) -> impl Fn(io::Error) -> StoreError + use<> {
        StoreError::io(Action::Remove, path)
    }

    fn io(action: Action, path: &Path) -> impl Fn(io::Error) -> StoreError + use<> {
        let path = path.to_owned();
        move |source| StoreError::Io {
            action,
            path: path.clone(),
            source,
        }
    }

    /// Makes errors for reading `path` through the Parquet library. Errors of the library mean that the
    /// file is damaged.
    pub(crate) fn reading_table(path: &Path) -> impl Fn(ParquetError) -> StoreError + use<> {
        let path = path.to_owned();
        move |error| match system_error(error) {
            Ok(source) => StoreError::reading(&path)(source),
            Err(ParquetError::General(detail) | ParquetError::EOF(detail)) => {
                StoreError::damaged(&path, detail)
            }
            Err(error) => StoreError::damaged(&path, error.to_string()),
        }
    }

    /// Makes errors for writing `path` through the Parquet library.
    pub(crate) fn writing_table(path: &Path) -> impl Fn(ParquetError) -> StoreError + use<> {
        let path = path.to_owned();
        move |error| match system_error(error) {
            Ok(source) => StoreError::writing(&path)(source),
            Err(error) => StoreError::Parquet {
                path: path.clone(),
                source: Box::new(error),
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

/// Returns the system error inside an error of the Parquet library, such as a full disk.
fn system_error(error: ParquetError) -> Result<io::Error, ParquetError> {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => Ok(*error),
            Err(inner) => Err(ParquetError::External(inner)),
        },
        error => Err(error),
    }
}

/// Returns true if the error means that a file is gone or cut off. Other errors, such as too many open
/// files or a missing permission, say nothing about the file.
pub(crate) fn is_damage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof
    )
}

/// Returns the directory of the corpus and the number of the segment that a file belongs to, by its path.
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
            let error = StoreError::reading(Path::new("x"))(io::Error::from_raw_os_error(code));
            assert_eq!(error.damaged_path().is_some(), is_damaged, "{error:?}");
        };
        // The file does not exist.
        check(2, true);
        // A bad sector, no permission, too many open files.
        for code in [5, 13, 24] {
            check(code, false);
        }
        let cut = StoreError::reading(Path::new("x"))(io::ErrorKind::UnexpectedEof.into());
        assert!(cut.damaged_path().is_some());
    }

    #[test]
    fn the_segment_of_a_file_follows_from_its_path() {
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
