//! The kinds of content, and the forms of a chunk.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The form of a chunk that is fingerprinted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChunkForm {
    /// The markup as written, including tags, with white space folded. The papers' native format.
    Markup,
    /// The visible text: no tags, character references decoded, white space folded.
    Text,
}

impl ChunkForm {
    /// All forms, in the order in which messages list them.
    const ALL: [Self; 2] = [Self::Markup, Self::Text];

    /// Returns the name used in flags and files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Markup => "markup",
            Self::Text => "text",
        }
    }
}

impl fmt::Display for ChunkForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The error for an unknown chunk form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseChunkFormError {
    found: String,
}

impl fmt::Display for ParseChunkFormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let valid = ChunkForm::ALL.map(ChunkForm::as_str).join(", ");
        write!(
            f,
            "unknown chunk form {:?}, use one of: {valid}",
            self.found
        )
    }
}

impl Error for ParseChunkFormError {}

impl FromStr for ChunkForm {
    type Err = ParseChunkFormError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|form| form.as_str() == name);
        known.ok_or_else(|| ParseChunkFormError {
            found: name.to_owned(),
        })
    }
}

/// The kind of a text, which decides where it is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// HTML: cut before every `p` and `div` start tag.
    Html,
    /// Plain text: cut at blank lines.
    Plain,
    /// Other text: not cut.
    Other,
}

impl Content {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Html, Self::Plain, Self::Other];

    /// Returns the name used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Plain => "plain",
            Self::Other => "other",
        }
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
