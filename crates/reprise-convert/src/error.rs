//! The errors of a conversion.
//!
//! All of them are faults of the document, or of the program that reads it. The caller counts them and
//! continues with the next document.

use std::io;
use std::path::PathBuf;

use crate::format::Format;

/// The reason why a document could not be converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The document violates its format.
    #[error("not a readable {} document: {why}", format.name())]
    Malformed {
        /// The format in which it was read.
        format: Format,
        /// The violation.
        why: String,
    },
    /// The document needs a password.
    #[error("the {} document is encrypted", .0.name())]
    Encrypted(Format),
    /// The document unpacks to more bytes than allowed, or has too many parts.
    #[error("the {} document is too large: {why}", format.name())]
    TooLarge {
        /// The format of the document.
        format: Format,
        /// The exceeded limit.
        why: String,
    },
    /// The conversion took too long.
    #[error("the conversion took longer than {seconds_max} s")]
    TimedOut {
        /// The limit in seconds.
        seconds_max: f64,
    },
    /// The child process needed too much memory.
    #[error("the conversion needs more than {bytes_max} bytes of memory")]
    Memory {
        /// The limit in bytes.
        bytes_max: u64,
    },
    /// The child process failed for another reason.
    #[error("{} failed: {why}", program.display())]
    Failed {
        /// The program of the child process.
        program: PathBuf,
        /// The first line of its error message.
        why: String,
    },
    /// The child process could not be started or used.
    #[error("cannot run {}", program.display())]
    Io {
        /// The program.
        program: PathBuf,
        /// The error of the operating system.
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
