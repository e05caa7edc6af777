//! What can go wrong when pages are dropped.

use std::io;
use std::path::{Path, PathBuf};

use reprise_store::StoreError;

/// An error of [`crate::drop_pages`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DropError {
    /// The table is none that `near` wrote.
    #[error("{} holds no clusters of Reprise: make them with `reprise near`", path.display())]
    NotClusters {
        /// The file.
        path: PathBuf,
    },
    /// The clusters are of other archives.
    #[error(
        "{} speaks of {example} and others, none of which is among the inputs: give the inputs as they were indexed",
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
        "{name} {why}; drop copies WARC, WET, ARC, JSONL and Parquet files, and lists plain files"
    )]
    Unsupported {
        /// The source.
        name: String,
        /// What is in the way, and what to do.
        why: &'static str,
    },
    /// The copies of two sources would have the same name.
    #[error("{first} and {second} would both be copied to one name: drop from them one by one")]
    SameName {
        /// The first source.
        first: String,
        /// The second, or the file that is written beside the copies.
        second: String,
    },
    /// A copy would take the place of what is copied.
    #[error("the copy would take the place of {name} itself: name another directory with -o")]
    IsInput {
        /// The source.
        name: String,
    },
    /// Something is there already.
    #[error("{} is already there: remove it, or name another directory with -o", path.display())]
    Exists {
        /// What is there.
        path: PathBuf,
    },
    /// A source is no longer what was indexed.
    #[error("{name} is no longer what was indexed: index it again, then run `reprise near` again")]
    Changed {
        /// The source.
        name: String,
    },
    /// A source could not be read.
    #[error("cannot read {name}")]
    Unreadable {
        /// The source.
        name: String,
        /// What the system said.
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
    /// Something could not be written.
    #[error("cannot write {}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The clusters could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl DropError {
    /// Is the caller asked to do something else, rather than told that something failed?
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
