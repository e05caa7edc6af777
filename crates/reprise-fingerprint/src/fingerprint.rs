//! The fingerprint type and its hex form.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The 20-byte hash of a byte string.
///
/// Fingerprints compare like their bytes, and therefore like their hex forms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Fingerprint([u8; 20]);

impl Fingerprint {
    /// Wraps the bytes of an existing fingerprint, for example from a file.
    pub const fn from_bytes(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes, as stored in files.
    pub const fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }

    /// Returns the first 8 bytes as a big-endian number.
    ///
    /// Prefixes compare like fingerprints: `a.prefix() < b.prefix()` implies `a < b`.
    #[inline]
    pub const fn prefix(self) -> u64 {
        let (first, _) = self.0.as_chunks::<8>();
        u64::from_be_bytes(first[0])
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut hex = String::with_capacity(40);
        for byte in self.0 {
            hex.push(char::from(DIGITS[usize::from(byte >> 4)]));
            hex.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
        f.pad(&hex)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Fingerprint {
    /// Serialises the hex form.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a text that is not 40 hex digits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseFingerprintError {
    /// The text is not 40 bytes long.
    Length {
        /// Length of the text in bytes.
        found: usize,
    },
    /// A character is not a hex digit.
    Digit {
        /// The first such character.
        found: char,
        /// Its byte offset.
        offset: usize,
    },
}

impl fmt::Display for ParseFingerprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { found } => {
                write!(f, "a fingerprint has 40 hex digits, found {found} bytes")
            }
            Self::Digit { found, offset } => write!(
                f,
                "a fingerprint has 40 hex digits, found {found:?} at offset {offset}"
            ),
        }
    }
}

impl Error for ParseFingerprintError {}

impl FromStr for Fingerprint {
    type Err = ParseFingerprintError;

    /// Parses 40 hex digits, upper or lower case.
    fn from_str(text: &str) -> Result<Self, ParseFingerprintError> {
        if let Some((offset, found)) = text.char_indices().find(|(_, c)| !c.is_ascii_hexdigit()) {
            return Err(ParseFingerprintError::Digit { found, offset });
        }
        if text.len() != 40 {
            return Err(ParseFingerprintError::Length { found: text.len() });
        }
        let mut bytes = [0; 20];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            *byte = digit_value(pair[0]) << 4 | digit_value(pair[1]);
        }
        Ok(Self(bytes))
    }
}

/// Returns the value of an ASCII hex digit.
fn digit_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn invalid_text_is_refused_with_the_reason() {
        let check = |text: &str, message: &str| {
            assert_eq!(
                text.parse::<Fingerprint>().unwrap_err().to_string(),
                message
            );
        };
        check("", "a fingerprint has 40 hex digits, found 0 bytes");
        check(
            &"a".repeat(64),
            "a fingerprint has 40 hex digits, found 64 bytes",
        );
        check(
            &format!("0{}", "é".repeat(20)),
            "a fingerprint has 40 hex digits, found 'é' at offset 1",
        );
        check(
            &format!("{}g", "a".repeat(39)),
            "a fingerprint has 40 hex digits, found 'g' at offset 39",
        );
        check(
            &format!("+{}", "a".repeat(39)),
            "a fingerprint has 40 hex digits, found '+' at offset 0",
        );
    }

    proptest! {
        #[test]
        fn hex_reads_back(bytes: [u8; 20]) {
            let fingerprint = Fingerprint::from_bytes(bytes);
            let hex = fingerprint.to_string();
            for (byte, digits) in bytes.iter().zip(hex.as_bytes().chunks(2)) {
                prop_assert_eq!(format!("{byte:02x}").into_bytes(), digits);
            }
            prop_assert_eq!(&format!("{fingerprint:?}"), &hex);
            prop_assert_eq!(hex.parse(), Ok(fingerprint));
            prop_assert_eq!(hex.to_uppercase().parse(), Ok(fingerprint));
        }

        #[test]
        fn prefixes_compare_like_fingerprints(
            a: [u8; 20],
            mut b: [u8; 20],
            shared in 0_usize..=20,
        ) {
            b[..shared].copy_from_slice(&a[..shared]);
            let [a, b] = [a, b].map(Fingerprint::from_bytes);
            prop_assert!(a.prefix().cmp(&b.prefix()).then(a.cmp(&b)) == a.cmp(&b));
            prop_assert_eq!(a.cmp(&b), a.to_string().cmp(&b.to_string()));
            prop_assert_eq!(a.prefix() == b.prefix(), a.as_bytes()[..8] == b.as_bytes()[..8]);
        }
    }
}
