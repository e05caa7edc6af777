//! Fuzzy hashes: short texts that stay alike when the bytes they stand for stay alike, exactly as
//! the program ssdeep 2.14.1 writes and compares them.
//!
//! A file is cut into pieces where a hash of its last seven bytes has a certain value. Such places
//! move along with the bytes around them, so a change alters the pieces it touches and no others.
//! Each piece becomes one character; how alike two files are is how alike their characters are.
//! The method is known as context-triggered piecewise hashing (Kornblum, *Identifying almost
//! identical files using context triggered piecewise hashing*, 2006).
//!
//! In reading order:
//!
//! - [`Digest`]: the hash of some bytes, `block size:first:second`. The *block size* is about how
//!   many bytes a character of `first` stands for; a character of `second` stands for twice as many.
//! - [`Hasher`]: the same for bytes that come in parts.
//! - [`score`]: how alike two digests are, from 0 to 100.
//! - [`Index`]: which of many digests match one.
//! - [`pairs`], [`pairs_each`] and [`Groups`]: which of many digests match one another.
//! - [`lines`]: files of digests with names.
//!
//! Digests score above zero only if they share seven characters in a row at the same block size, or
//! are equal. So nothing here compares all pairs: digests are looked up, or sorted, by their runs of
//! seven characters.
//!
//! A digest is no proof of anything. Bytes with a given digest are easily made.
//!
//! ```
//! use reprise_fuzzy::{Digest, Index, score};
//!
//! let poem: String = (0..200).map(|i| format!("{i} green bottles hanging on the wall, ")).collect();
//! let shorter = &poem[300..];
//! let [a, b] = [&poem[..], shorter].map(|text| Digest::of(text.as_bytes()));
//! assert_eq!(a.to_string().parse(), Ok(a.clone()));
//! assert!(score(&a, &b) > 80);
//!
//! let mut index = Index::new();
//! let id = index.insert(&a);
//! assert_eq!(index.matches(&b, 80)[0].id, id);
//! ```

mod alphabet;
mod cut;
mod digest;
mod hasher;
mod index;
mod level;
pub mod lines;
mod pairs;
mod piece_ends;
mod postings;
mod roll;
mod score;
mod sharing;
mod whole;

pub use crate::digest::{Digest, DigestError};
pub use crate::hasher::Hasher;
pub use crate::index::{Index, Match};
pub use crate::pairs::{Groups, Pair, pairs, pairs_each};
pub use crate::score::score;
