//! Errors that stop a run before it reads anything.
//!
//! Anything inside a source that cannot be read is not an error but a counted [`Problem`](crate::Problem). The
//! caller can correct these errors, and their texts say how if that is known.

use std::io;
use std::path::PathBuf;

/// An input that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// A file or directory that does not exist or that may not be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The path of the input.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// An empty name, for example from a script with an empty variable.
    #[error("an input has no name; give a file, a directory, @list, or - for standard input")]
    Nameless,
    /// An address instead of a path.
    #[error("{url} is an address; download it first and give the file name")]
    Remote {
        /// The address.
        url: String,
    },
    /// A directory that is a corpus.
    #[error("{} is a Reprise corpus, not an input", path.display())]
    IsCorpus {
        /// The path of the directory.
        path: PathBuf,
    },
    /// Lists that name one another.
    #[error("the list {} is nested too deeply", path.display())]
    ListDepth {
        /// The list that was not opened.
        path: PathBuf,
    },
    /// An input that can be read only once, and could not be copied to a temporary file.
    #[error("cannot copy the input to a temporary file in {}", directory.display())]
    Spool {
        /// The directory of the temporary file.
        directory: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The caller asked to stop while an input was read.
    #[error("cancelled")]
    Cancelled,
}

/// A record that is too large to be packed again. [`CopyPlan::write`](crate::CopyPlan::write) returns it inside an
/// [`io::Error`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a record exceeds the body limit of {body_bytes} bytes and cannot be packed again; raise the limit"
)]
pub struct RecordTooLarge {
    /// The limit.
    pub body_bytes: usize,
}

/// A base URL to which paths of files cannot be appended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BaseUrlError {
    /// The text is not an absolute URL with a host.
    #[error(
        "the base URL must be absolute and have a host; use for example https://my.example/docs/"
    )]
    NotAbsolute {
        /// The error of the URL parser, if it refused the text.
        source: Option<url::ParseError>,
    },
    /// The text contains white space or control characters.
    #[error("the base URL must not contain white space; use for example https://my.example/docs/")]
    WhiteSpace,
    /// The URL has a query or a fragment, to which no path can be appended.
    #[error(
        "the base URL must not have a query or a fragment, because paths are appended to it; use for example https://my.example/docs/"
    )]
    QueryOrFragment,
}

/// Returns `damaged` instead of an error about damaged bytes. Errors of the system stay errors: they may be
/// gone in the next run, which would then come to another result.
pub(crate) fn of_bytes<T>(found: io::Result<T>, damaged: T) -> io::Result<T> {
    match found {
        Err(error) if error.raw_os_error().is_none() => Ok(damaged),
        found => found,
    }
}
