//! Turns a document into shingles: 84 numbers that estimate how many phrases two documents share.
//!
//! In reading order, from a text to its shingles:
//!
//! - [`words()`]: finds the words of a text, in any script. [`word_fingerprint`] hashes a word.
//! - [`Shingler`]: collects the words of a document and hashes its *phrases*. A phrase is
//!   [`PHRASE_WORDS`] words in a row. The document is a circle, so it has as many phrases as words.
//! - [`select()`]: applies one of [`SHINGLES`] hash functions to a phrase. The smallest value of a
//!   function over all phrases of a document is one *shingle* of the document. The probability that
//!   two documents have the same shingle is the share of phrases in either document that are in both.
//! - [`agreement`]: counts the shingles in which two documents agree.
//! - [`supershingles()`]: hashes the [`SUPERSHINGLES`] runs of 14 shingles. Two documents with two
//!   supershingles in common are near-duplicates. [`probability()`] computes how reliable that is.
//! - [`Overlap`]: compares the full phrase sets of two documents.
//!
//! All hashes are 64-bit Rabin fingerprints: remainders of polynomials. The same text gives the same
//! numbers on every machine. A newer version of Unicode may find different words in scripts that it
//! adds or changes. The hashes are fast and evenly distributed, but not cryptographic: an attacker can
//! construct two texts with the same numbers.
//!
//! ```
//! use reprise_shingle::{SHINGLES, Shingler, agreement, supershingles};
//!
//! let mut shingler = Shingler::new();
//! let mut shingles_of = |text: &str| {
//!     shingler.clear();
//!     shingler.add(text);
//!     shingler.shingles()
//! };
//!
//! let one = shingles_of("Row, row, row your boat gently down the stream.").unwrap();
//! // Only the words and their order on the circle matter.
//! let same = shingles_of("gently DOWN the stream: row row row your boat").unwrap();
//! assert_eq!(agreement(&one, &same), SHINGLES);
//! assert_eq!(supershingles(&one), supershingles(&same));
//!
//! let other = shingles_of("Life is but a dream, merrily, merrily.").unwrap();
//! assert_eq!(agreement(&one, &other), 0);
//! assert_eq!(shingles_of("..."), None);
//! ```

mod overlap;
mod phrases;
mod polynomials;
mod probability;
mod rabin;
mod select;
mod shingler;
mod supershingles;
mod words;

#[cfg(test)]
mod oracle;

pub use crate::overlap::Overlap;
pub use crate::probability::probability;
pub use crate::select::select;
pub use crate::shingler::Shingler;
pub use crate::supershingles::{agreement, supershingles};
pub use crate::words::{word_fingerprint, words};

/// The number of words in a phrase.
pub const PHRASE_WORDS: usize = 5;
/// The number of shingles of a document.
pub const SHINGLES: usize = 84;
/// The number of supershingles of a document.
pub const SUPERSHINGLES: usize = 6;

/// The shingles of a document, in the order of the functions that select them.
pub type Shingles = [u64; SHINGLES];
