//! Computes and compares fuzzy hashes exactly like the program ssdeep 2.14.1.
//!
//! A fuzzy hash is a short text. Similar files have similar texts. A file is split into pieces wherever
//! a rolling hash of the last seven bytes has a certain value. These places move with the bytes around
//! them, so a change affects only the pieces that it touches. Each piece becomes one character of the
//! text. The method is called context-triggered piecewise hashing (Kornblum, *Identifying almost
//! identical files using context triggered piecewise hashing*, 2006).
//!
//! In reading order:
//!
//! - [`Digest`]: the hash of a byte string, `block size:first:second`. The *block size* is the
//!   approximate number of bytes per character of `first`. A character of `second` stands for twice as
//!   many bytes.
//! - [`Hasher`]: computes the digest of bytes that arrive in parts.
//! - [`score`]: the similarity of two digests, from 0 to 100.
//! - [`Index`]: finds the digests that match a given one.
//! - [`pairs`], [`pairs_each`] and [`Groups`]: find all pairs of matching digests in a list.
//! - [`lines`]: reads and writes files of digests with names.
//!
//! Digests score above zero only if they share seven characters in a row at the same block size, or if
//! they are equal. Therefore nothing here compares all pairs: digests are looked up, or sorted, by their
//! runs of seven characters.
//!
//! A digest does not prove that content is equal: it is easy to construct bytes with a given digest.
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
