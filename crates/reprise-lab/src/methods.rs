//! The methods of finding copies.
//!
//! Each method makes a [`Finder`] for an original page, which decides whether an edited copy is found. This
//! measures only missed copies; [`compare`](crate::compare) measures false positives.

mod chunk;
mod file;
mod fuzzy;
mod imatch;
mod nilsimsa;
mod shingle;

use std::fmt;
use std::str::FromStr;

pub use chunk::ChunkHash;
pub use file::FileHash;
pub use fuzzy::FuzzyHash;
pub use imatch::IMatch;
pub use nilsimsa::Nilsimsa;
pub use shingle::Shingles;

use crate::page::Page;

/// A method that finds copies.
pub trait Method: Sync {
    /// Returns the kind of the method.
    fn kind(&self) -> MethodKind;

    /// Describes the condition for a copy in a few words, with its threshold.
    fn rule(&self) -> String;

    /// Returns a finder for copies of `original`, or `None` if the method does not find even the unchanged page.
    fn finder(&self, original: &Page) -> Option<Finder<'_>>;
}

/// Returns true if a page is a copy of the original that the finder was made for.
pub type Finder<'m> = Box<dyn Fn(&Page) -> bool + 'm>;

/// The kinds of methods.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MethodKind {
    /// The hash of the whole file.
    File,
    /// Hashes of chunks.
    Chunk,
    /// The similarity of the phrase sets.
    Shingle,
    /// The score of fuzzy hashes (CTPH).
    Fuzzy,
    /// The I-Match signature of lexicon terms.
    IMatch,
    /// The I-Match signature of lexicon terms in known contexts.
    IMatchContext,
    /// The score of Nilsimsa digests.
    Nilsimsa,
}

impl MethodKind {
    /// All kinds, in the order in which results list them.
    pub const ALL: [Self; 7] = [
        Self::File,
        Self::Chunk,
        Self::Shingle,
        Self::Fuzzy,
        Self::IMatch,
        Self::IMatchContext,
        Self::Nilsimsa,
    ];

    /// Returns the name used in flags and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Chunk => "chunk",
            Self::Shingle => "shingle",
            Self::Fuzzy => "fuzzy",
            Self::IMatch => "imatch",
            Self::IMatchContext => "imatch-context",
            Self::Nilsimsa => "nilsimsa",
        }
    }
}

impl fmt::Display for MethodKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The error for an unknown name of a method.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown method {found:?}; use one of: {}", MethodKind::ALL.map(MethodKind::as_str).join(", "))]
pub struct ParseMethodError {
    found: String,
}

impl FromStr for MethodKind {
    type Err = ParseMethodError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|kind| kind.as_str() == name);
        known.ok_or_else(|| ParseMethodError {
            found: name.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests;
