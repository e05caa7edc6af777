//! What stops a run before it reads anything.
//!
//! Everything inside a source that cannot be read is a counted [`crate::Problem`]; these errors are
//! the caller's to mend, and say what to do where that is known.

use std::io;
use std::path::PathBuf;

/// An input that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// A file or directory that is missing or not ours to read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// What was asked for.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An empty argument, mostly of a script whose variable is.
    #[error("an input without a name: name a file, a directory, @list, or - for standard input")]
    Nameless,
    /// An address instead of a path.
    #[error("{url} is an address; download it first and give the file")]
    Remote {
        /// What was asked for.
        url: String,
    },
    /// A directory that is itself a corpus.
    #[error("{} is a Reprise corpus, not an input", path.display())]
    IsCorpus {
        /// What was asked for.
        path: PathBuf,
    },
    /// Lists that name one another.
    #[error("the list {} is nested too deep", path.display())]
    ListDepth {
        /// The list that was not opened.
        path: PathBuf,
    },
    /// What can only be read once could not be copied aside.
    #[error("cannot copy the input to a temporary file in {}", directory.display())]
    Spool {
        /// Where the copy was to go.
        directory: PathBuf,
        /// What the system said.
        source: io::Error,
    },
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
    #[error("the base URL must be absolute and have a host, such as https://my.example/docs/")]
    NotAbsolute {
        /// The error of the URL parser, if it refused the text.
        source: Option<url::ParseError>,
    },
    /// The text contains white space or control characters.
    #[error("the base URL must not contain white space")]
    WhiteSpace,
    /// The URL has a query or a fragment, to which no path can be appended.
    #[error("the base URL must not have a query or a fragment, because paths are appended to it")]
    QueryOrFragment,
}

/// What is found where bytes are read to judge them: damage is a finding too. Whoever takes an error of the system for
/// one would judge otherwise the next time, when there is none.
pub(crate) fn of_bytes<T>(found: io::Result<T>, damaged: T) -> io::Result<T> {
    match found {
        Err(error) if error.raw_os_error().is_none() => Ok(damaged),
        found => found,
    }
}
