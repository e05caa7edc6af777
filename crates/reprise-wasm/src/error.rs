//! Errors of requests.

use reprise_chunk::{ParseLevelError, ParseStopListError};
use reprise_fingerprint::{ParseFingerprintError, ParseHashKindError};
use reprise_text::{Content, ParseChunkFormError};

/// Why a request is refused. The message is all that JavaScript sees, so it includes the cause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum WasmError {
    /// The request is too short.
    #[error("the request ends before the field {name}")]
    MissingField { name: &'static str },
    /// The request is too long.
    #[error("the request has {bytes} bytes after its last field")]
    UnknownField { bytes: usize },
    /// A field that must be text is not.
    #[error("the field {name} is not UTF-8: invalid byte at offset {offset}")]
    NotUtf8 { name: &'static str, offset: usize },
    /// A field that must be a number is not.
    #[error("the field {name} is not a whole number in range: {found:?}")]
    Number { name: &'static str, found: String },
    /// The content kind has an unknown name.
    #[error("unknown content {found:?}, use one of: {}", content_names())]
    Content { found: String },
    /// The hash has an unknown name.
    #[error(transparent)]
    Hash(#[from] ParseHashKindError),
    /// The chunk form has an unknown name.
    #[error(transparent)]
    Form(#[from] ParseChunkFormError),
    /// The stop list is not text.
    #[error(transparent)]
    StopList(#[from] ParseStopListError),
    /// The fingerprint of a label is invalid. Labels are counted from 0.
    #[error("label {index}: {error}")]
    Fingerprint {
        index: usize,
        error: ParseFingerprintError,
    },
    /// The level of a label is invalid. Labels are counted from 0.
    #[error("label {index}: {error}")]
    Level {
        index: usize,
        error: ParseLevelError,
    },
    /// The number is not that of a checker.
    #[error("checker {number} does not exist: it was freed or never created")]
    Checker { number: u32 },
}

fn content_names() -> String {
    Content::ALL.map(Content::as_str).join(", ")
}
