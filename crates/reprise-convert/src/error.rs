//! Why a document has no plain text.
//!
//! All of these are faults of the document or of a program that was run on it: the caller counts
//! them and goes on. None is a reason to stop a run.

use std::io;
use std::path::PathBuf;

use crate::format::Format;

/// A document that could not be converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// It is not what its format says.
    #[error("not a readable {} document: {why}", format.name())]
    Malformed {
        /// What it was taken for.
        format: Format,
        /// What is wrong.
        why: String,
    },
    /// It needs a password.
    #[error("the {} document is encrypted", .0.name())]
    Encrypted(Format),
    /// It unpacks to more than is allowed, or holds too many parts.
    #[error("the {} document is too large: {why}", format.name())]
    TooLarge {
        /// What it is.
        format: Format,
        /// Which limit.
        why: String,
    },
    /// It took too long.
    #[error("the conversion took longer than {seconds_max} s")]
    TimedOut {
        /// The limit.
        seconds_max: f64,
    },
    /// The program needed too much memory.
    #[error("the conversion needs more than {bytes_max} bytes of memory")]
    Memory {
        /// The limit.
        bytes_max: u64,
    },
    /// The program failed for another reason.
    #[error("{} failed: {why}", program.display())]
    Failed {
        /// What was run.
        program: PathBuf,
        /// The beginning of what it said.
        why: String,
    },
    /// The program could not be run.
    #[error("cannot run {}", program.display())]
    Io {
        /// What was to be run.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl ConvertError {
    pub(crate) fn malformed(format: Format, why: &dyn std::fmt::Display) -> ConvertError {
        ConvertError::Malformed {
            format,
            why: why.to_string(),
        }
    }
}
