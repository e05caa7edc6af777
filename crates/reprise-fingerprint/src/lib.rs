//! Cryptographic fingerprints of 20 bytes. Two byte strings with equal fingerprints are equal.
//!
//! In reading order:
//!
//! - [`Fingerprint`]: the 20 bytes, formatted and parsed as 40 hex digits.
//! - [`HashKind`]: the hash functions; [`HashKind::fingerprint`] hashes one byte string.
//! - [`fingerprint_all`]: hashes many byte strings at once, which is faster on processors with SHA
//!   instructions.
//! - [`Fingerprinter`]: does the same for byte strings that arrive a few at a time.
//! - [`Key`]: a fast hash for use within one process, made by a [`Keyer`].
//!
//! The crate does no I/O. A byte string has the same fingerprint on every machine and through each
//! of these functions. Keys are random: they differ between processes.
//!
//! ```
//! use reprise_fingerprint::{Fingerprint, HashKind, fingerprint_all};
//!
//! let one = HashKind::Sha256.fingerprint(b"abc");
//! assert_eq!(one.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a3");
//! assert_eq!("BA7816BF8F01CFEA414140DE5DAE2223B00361A3".parse(), Ok(one));
//!
//! let mut all: Vec<Fingerprint> = Vec::new();
//! fingerprint_all(HashKind::Sha256, &[b"abc", b"", b"abc"], &mut all);
//! assert_eq!([all[0], all[2]], [one, one]);
//! assert_ne!(all[1], one);
//! ```

#[cfg(target_arch = "x86_64")]
mod avx512;
mod fingerprint;
mod fingerprinter;
mod key;
mod kind;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod message;
#[cfg(target_arch = "x86_64")]
mod sha_ni;
#[cfg(target_arch = "x86_64")]
mod state;

#[cfg(test)]
mod tests;

pub use crate::fingerprint::{Fingerprint, ParseFingerprintError};
pub use crate::fingerprinter::{Fingerprinter, fingerprint_all};
pub use crate::key::{Key, Keyer};
pub use crate::kind::{HashKind, ParseHashKindError};
