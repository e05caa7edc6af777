//! Shingles: 84 numbers that stand for all phrases of a document, so that documents which share
//! most of their phrases share most of their numbers.
//!
//! The way from a text to its shingles, in reading order:
//!
//! - [`words()`]: the words of a text, in any script; [`word_fingerprint`] makes a number of each.
//! - [`Shingler`]: collects the words of a document and makes a number of each *phrase*, that is of
//!   [`PHRASE_WORDS`] words in a row. The document is a circle, so it has as many phrases as words.
//! - [`select()`]: one of [`SHINGLES`] functions that each put all phrases in an order of their own.
//!   The phrase that comes first in a document is its sample; the function's value of it is one
//!   *shingle*. Two documents agree in a shingle as often as a phrase of either is in both.
//! - [`agreement`]: in how many shingles two documents agree.
//! - [`supershingles()`]: fingerprints of the [`SUPERSHINGLES`] runs of 14 shingles. Two documents
//!   with two of them in common are near-duplicates; [`probability()`] says how surely.
//!
//! All fingerprints are Rabin's, 64 bits wide: remainders of polynomials. The same text gives the
//! same numbers on every machine; a newer Unicode may see other words in scripts that it adds or
//! changes. They are made for speed and even spread;
//! somebody who tries can make two texts with the same numbers.
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
//! // Words count, and not where the circle begins.
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

/// Words in a phrase.
pub const PHRASE_WORDS: usize = 5;
/// Shingles of a document.
pub const SHINGLES: usize = 84;
/// Runs of shingles that are fingerprinted together.
pub const SUPERSHINGLES: usize = 6;

/// The shingles of a document, in the order of the functions that select them.
pub type Shingles = [u64; SHINGLES];
