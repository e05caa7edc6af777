//! The fingerprint value and its hex form.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The 20 bytes that stand for a byte string.
///
/// Ordered as its bytes are, which is also the order of its hex form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Fingerprint([u8; 20]);

impl Fingerprint {
    /// Wraps bytes that were a fingerprint before, such as those read back from a file.
    pub const fn from_bytes(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// The bytes, as stored in files.
    pub const fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }

    /// The first 8 bytes as one number, big-endian, so that prefixes order as the fingerprints do:
    /// `a.prefix() < b.prefix()` implies `a < b`. Equal prefixes leave the order open.
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

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a fingerprint in hex.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseFingerprintError {
    /// The text has another length than 40 bytes.
    Length {
        /// Length of the text in bytes.
        found: usize,
    },
    /// A character is not a hex digit.
    Digit {
        /// The first such character.
        found: char,
        /// Where it starts, in bytes.
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

    /// Reads 40 hex digits of either case.
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

/// Value of an ASCII hex digit.
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
    fn text_that_is_no_fingerprint_is_refused_with_the_reason() {
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
        fn prefixes_order_as_the_whole(
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
