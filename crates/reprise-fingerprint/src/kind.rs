//! The hash functions.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use sha1::Sha1;
use sha2::digest::Output;
use sha2::{Digest, Sha256};

use crate::Fingerprint;

/// The hash function behind a fingerprint.
///
/// Fingerprints of different hash functions cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HashKind {
    /// The first 20 bytes of SHA-256. The default.
    Sha256,
    /// SHA-1, as in the papers and in the payload digests of web archives. An attacker can make two
    /// byte strings with the same SHA-1.
    Sha1,
}

impl HashKind {
    /// All kinds, in the order in which messages list them.
    const ALL: [Self; 2] = [Self::Sha256, Self::Sha1];

    /// Returns the name used in flags and files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            Self::Sha1 => "sha1",
        }
    }

    /// Hashes one byte string. For several, [`fingerprint_all`](crate::fingerprint_all) is faster.
    pub fn fingerprint(self, bytes: &[u8]) -> Fingerprint {
        let mut first = [0; 20];
        match self {
            Self::Sha256 => first.copy_from_slice(&digest::<Sha256>(bytes)[..20]),
            Self::Sha1 => first.copy_from_slice(&digest::<Sha1>(bytes)),
        }
        Fingerprint::from_bytes(first)
    }
}

/// Hashes a byte string in parts.
///
/// Browsers begin to run WebAssembly with slow code and replace it when a function is called again. In one
/// call for all bytes, a long byte string is hashed eight times slower.
fn digest<D: Digest>(bytes: &[u8]) -> Output<D> {
    const PART: usize = 16 * 1024;
    let mut digest = D::new();
    for part in bytes.chunks(PART) {
        digest.update(part);
    }
    digest.finalize()
}

impl fmt::Display for HashKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for HashKind {
    /// Serialises the name.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The error for an unknown hash name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseHashKindError {
    found: String,
}

impl fmt::Display for ParseHashKindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let valid = HashKind::ALL.map(HashKind::as_str).join(", ");
        write!(f, "unknown hash {:?}, use one of: {valid}", self.found)
    }
}

impl Error for ParseHashKindError {}

impl FromStr for HashKind {
    type Err = ParseHashKindError;

    fn from_str(name: &str) -> Result<Self, ParseHashKindError> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == name)
            .ok_or_else(|| ParseHashKindError {
                found: name.to_owned(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for kind in HashKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
    }

    #[test]
    fn unknown_name_lists_the_valid_ones() {
        let error = "md5".parse::<HashKind>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown hash \"md5\", use one of: sha256, sha1"
        );
    }
}
