//! Methods: does this still find the copy?
//!
//! Each method is a file. All answer the same question in the same way: given an original, they
//! make a [`Finder`], which says of a copy whether it is found. Nobody asks how sure they are of
//! strangers: that is what [`compare`](crate::compare) is for.

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
    /// Which one it is.
    fn kind(&self) -> MethodKind;

    /// When it takes a page for a copy, in a few words and with its threshold.
    fn rule(&self) -> String;

    /// What finds copies of this page; nothing where the method would not even find the page itself.
    fn finder(&self, original: &Page) -> Option<Finder<'_>>;
}

/// Is this a copy of the original that the finder was made for?
pub type Finder<'m> = Box<dyn Fn(&Page) -> bool + 'm>;

/// The methods by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MethodKind {
    /// The hash of the whole file.
    File,
    /// Hashes of chunks.
    Chunk,
    /// Phrases in common.
    Shingle,
    /// The score of fuzzy hashes (CTPH).
    Fuzzy,
    /// The signature of lexicon terms.
    IMatch,
    /// The same, of terms in a known context.
    IMatchContext,
    /// The score of Nilsimsa digests.
    Nilsimsa,
}

impl MethodKind {
    /// Every method, in the order they are listed to people.
    pub const ALL: [Self; 7] = [
        Self::File,
        Self::Chunk,
        Self::Shingle,
        Self::Fuzzy,
        Self::IMatch,
        Self::IMatchContext,
        Self::Nilsimsa,
    ];

    /// The name, as in options and files.
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

/// A name that no method has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown method {found:?}, use some of: {}", MethodKind::ALL.map(MethodKind::as_str).join(", "))]
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
