//! How near-copies are looked for.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::bands::Bands;

/// How to look for near-copies.
#[derive(Clone, Debug)]
pub struct NearConfig {
    /// What makes two pages near-copies.
    pub method: Method,
    /// What makes a cluster of them.
    pub link: Link,
    /// Pages whose phrase sets have at least this Jaccard similarity are near-copies; or by fuzzy hashes,
    /// those with at least this hundredth of a score; or by signatures, those where the smaller has at least this
    /// share of its phrases in the other.
    pub similarity: f64,
    /// Which pages are compared at all.
    pub bands: Bands,
    /// Which page of a cluster is its representative.
    pub keep: Keep,
    /// Bound of memory.
    pub memory_bytes: usize,
    /// Where what does not fit is put.
    pub temporary: PathBuf,
}

/// Pages are near-copies from this similarity on, unless said otherwise.
///
/// Chosen on labelled data: docs/near.md has the table.
pub const SIMILARITY_DEFAULT: f64 = 0.65;

/// The same by fuzzy hashes, as a score: the paper's threshold.
pub const SCORE_DEFAULT: u8 = 90;

/// The same by signatures, as a share of the smaller text: enough to tell chance, and little enough for a payload
/// among four times as much noise.
pub const SHARED_DEFAULT: f64 = 0.2;

/// Defines an enum whose variants have names on the command line.
macro_rules! named {
    ($(#[$about:meta])* $name:ident, $what:literal, { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// Its name on the command line.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<$name, String> {
                match text {
                    $($text => Ok($name::$variant),)*
                    _ => Err(format!(
                        concat!("{:?} is no ", $what, ": {}"),
                        text,
                        [$($text),*].join(" or "),
                    )),
                }
            }
        }
    };
}

named! {
    /// What makes two pages near-copies.
    Method, "method", {
        /// Phrases that they share.
        Shingle = "shingle",
        /// Fuzzy hashes of their plain text.
        Fuzzy = "fuzzy",
        /// I-Match signatures of their plain text.
        Imatch = "imatch",
        /// The same file, or the same words.
        Exact = "exact",
    }
}

named! {
    /// What makes a cluster of near-copies.
    Link, "link", {
        /// Each page was compared with the representative, phrase by phrase.
        Verified = "verified",
        /// Whatever is linked by a chain of likely near-copies, as in the paper.
        Closure = "closure",
    }
}

named! {
    /// Which page of a cluster is its representative, and kept.
    Keep, "way to keep", {
        /// The first in the corpus.
        First = "first",
        /// The one with most words.
        Longest = "longest",
        /// The one that was fetched first.
        Oldest = "oldest",
        /// All are kept; the first stands for them.
        None = "none",
    }
}
