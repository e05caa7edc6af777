//! The errors of dropping pages.

use std::io;
use std::path::{Path, PathBuf};

use reprise_store::StoreError;

/// An error of [`crate::drop_pages`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DropError {
    /// The file is not a table of clusters.
    #[error("{} is not a Parquet table of clusters", path.display())]
    NotClusters {
        /// The file.
        path: PathBuf,
    },
    /// The clusters are of other archives.
    #[error(
        "the clusters in {} are of other files, such as {example}; give the inputs as they were indexed",
        path.display()
    )]
    OtherSources {
        /// The clusters.
        path: PathBuf,
        /// One of their sources.
        example: String,
    },
    /// A source that cannot be copied in part.
    #[error(
        "{name} {why}; only WARC, WET, ARC, JSONL, Parquet and mbox files can be copied in part"
    )]
    Unsupported {
        /// The source.
        name: String,
        /// Why not, and what to do.
        why: &'static str,
    },
    /// The copies of two sources would have the same name.
    #[error(
        "the copies of {first} and {second} would have the same name; drop from them one by one"
    )]
    SameName {
        /// The first source.
        first: String,
        /// The second source, or a list that is written beside the copies.
        second: String,
    },
    /// A copy would overwrite its source.
    #[error("the copy would overwrite {name}; choose another output directory")]
    IsInput {
        /// The source.
        name: String,
    },
    /// A file exists already.
    #[error("{} already exists; remove it, or choose another output directory", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A source has changed since it was indexed.
    #[error("{name} has changed since it was indexed; index it and find near-copies again")]
    Changed {
        /// The source.
        name: String,
    },
    /// A source could not be read.
    #[error("cannot read {name}")]
    Unreadable {
        /// The source.
        name: String,
        /// The error of the system.
        source: io::Error,
    },
    /// A source could not be copied.
    #[error("cannot copy {name}")]
    Copy {
        /// The source.
        name: String,
        /// Why not.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("cannot write {}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The clusters could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl DropError {
    /// Returns true if the caller can avoid the error by a different call, or if input is unreadable.
    pub fn is_usage(&self) -> bool {
        match self {
            DropError::Copy { .. } | DropError::Unwritable { .. } => false,
            DropError::Store(error) => error.is_usage(),
            _ => true,
        }
    }

    pub(super) fn unwritable(path: &Path) -> impl Fn(io::Error) -> DropError + '_ {
        move |source| DropError::Unwritable {
            path: path.to_owned(),
            source,
        }
    }
}
