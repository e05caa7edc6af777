//! The hashes a fingerprint can be made by.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::Fingerprint;

/// Which hash makes the fingerprints.
///
/// Fingerprints of different kinds are not comparable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HashKind {
    /// The first 20 bytes of SHA-256. The one to use unless other data dictates otherwise.
    Sha256,
    /// SHA-1, as used for the payload digests of web archives. Somebody who tries can make two
    /// byte strings with the same SHA-1.
    Sha1,
}

impl HashKind {
    /// Every kind, in the order they are listed to people.
    const ALL: [Self; 2] = [Self::Sha256, Self::Sha1];

    /// The name, as in options and files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            Self::Sha1 => "sha1",
        }
    }

    /// The fingerprint of one byte string. Use [`fingerprint_all`](crate::fingerprint_all) when
    /// several are at hand.
    pub fn fingerprint(self, bytes: &[u8]) -> Fingerprint {
        let mut first = [0; 20];
        match self {
            Self::Sha256 => first.copy_from_slice(&Sha256::digest(bytes)[..20]),
            Self::Sha1 => first.copy_from_slice(&Sha1::digest(bytes)),
        }
        Fingerprint::from_bytes(first)
    }
}

impl fmt::Display for HashKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A name that is not one of a [`HashKind`].
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
