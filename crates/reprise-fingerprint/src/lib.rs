//! Cryptographic fingerprints of 20 bytes: two byte strings with the same fingerprint are the
//! same bytes.
//!
//! In reading order:
//!
//! - [`Fingerprint`]: the 20 bytes, shown and parsed as 40 hex digits.
//! - [`HashKind`]: which hash makes them, and [`HashKind::fingerprint`] for one byte string.
//! - [`fingerprint_all`]: many byte strings at once, faster where the processor has hashing
//!   instructions.
//! - [`Fingerprinter`]: the same for byte strings that come a few at a time.
//! - [`Key`]: no fingerprint, but what stands for bytes as long as a program runs; made by a [`Keyer`].
//!
//! Everything here is pure computation; only keys depend on chance. The same bytes give the same
//! fingerprint on every machine and in each of these ways.
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
