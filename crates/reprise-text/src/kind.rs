//! The choices a caller makes: how a text is cut, and which form of a chunk counts.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// Which text of a chunk is fingerprinted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChunkForm {
    /// As written, tags included, white space folded: the papers' native format.
    Markup,
    /// What a reader sees: no tags, character references decoded, white space folded.
    Text,
}

impl ChunkForm {
    /// Every form, in the order they are listed to people.
    const ALL: [Self; 2] = [Self::Markup, Self::Text];

    /// The name, as in options and files.
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

/// A name that is not one of a [`ChunkForm`].
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

/// How a textual body is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// Before every `<p` and `<div` start tag.
    Html,
    /// At blank lines.
    Plain,
    /// Not at all: one piece.
    Other,
}

impl Content {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Html, Self::Plain, Self::Other];

    /// The name, as in files.
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
