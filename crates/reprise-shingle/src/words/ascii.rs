//! Finds ASCII words by arithmetic on eight bytes at a time.

/// The letters and digits among the next 64 bytes of a text, up to the first byte that is not ASCII.
/// Zeros follow the end of the text.
pub(super) struct AsciiWordBits {
    /// One bit per byte, the first byte lowest: set if the byte is a letter or a digit.
    pub(super) bits: u64,
    /// The number of bytes before the first that is not ASCII.
    pub(super) len: usize,
}

impl AsciiWordBits {
    const LEN: usize = 64;

    #[inline]
    pub(super) fn at(text: &[u8], at: usize) -> Self {
        let rest = &text[at..];
        if let Some(bytes) = rest.first_chunk::<{ Self::LEN }>() {
            return Self::of(bytes);
        }
        let mut bytes = [0; Self::LEN];
        bytes[..rest.len()].copy_from_slice(rest);
        Self::of(&bytes)
    }

    #[inline]
    fn of(bytes: &[u8; Self::LEN]) -> Self {
        let (eights, _) = bytes.as_chunks::<8>();
        let (mut bits, mut beyond) = (0, 0);
        for (i, eight) in eights.iter().enumerate() {
            let number = u64::from_le_bytes(*eight);
            bits |= gather(letters_and_digits(number)) << (8 * i);
            beyond |= gather(number & HIGH) << (8 * i);
        }
        let len = beyond.trailing_zeros();
        Self {
            // Clears the bits from `len` on.
            bits: bits & u64::MAX.checked_shl(len).map_or(u64::MAX, |above| !above),
            len: len as usize,
        }
    }

    /// Returns true if all 64 bytes are ASCII.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.len == Self::LEN
    }
}

const EACH: u64 = u64::MAX / 0xff;
const HIGH: u64 = 0x80 * EACH;

/// Sets the high bit of each byte that is an ASCII letter or digit, and clears all other bits.
#[inline]
fn letters_and_digits(bytes: u64) -> u64 {
    // The addition sets the high bit of all bytes from `first` on. No byte carries into the next,
    // because the high bits are cleared before.
    let low = bytes & !HIGH;
    let at_least = |bytes: u64, first: u8| bytes + u64::from(0x80 - first) * EACH;
    let lower = low | (0x20 * EACH);
    let letters = at_least(lower, b'a') & !at_least(lower, b'z' + 1);
    let digits = at_least(low, b'0') & !at_least(low, b'9' + 1);
    (letters | digits) & !bytes & HIGH
}

/// Collects the high bits of eight bytes into the lowest eight bits.
#[inline]
fn gather(high_bits: u64) -> u64 {
    (high_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Reads eight bytes of a text as a big-endian number. Zeros follow the end of the text.
#[inline]
pub(super) fn number_at(text: &[u8], at: usize) -> u64 {
    let rest = &text[at..];
    if let Some(bytes) = rest.first_chunk::<8>() {
        return u64::from_be_bytes(*bytes);
    }
    let mut bytes = [0; 8];
    bytes[..rest.len()].copy_from_slice(rest);
    u64::from_be_bytes(bytes)
}

/// Converts ASCII letters to lower case. Digits and zeros do not change.
#[inline]
pub(super) fn lower_case(bytes: u64) -> u64 {
    // Among letters, digits and zeros, only letters have the bit 0x40.
    bytes | (bytes & (0x40 * EACH)) >> 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_byte_is_classified() {
        for byte in 0..=255_u8 {
            for place in 0..8 {
                let number = u64::from(byte) << (8 * place);
                let expected = u64::from(byte.is_ascii_alphanumeric()) << place;
                assert_eq!(gather(letters_and_digits(number)), expected, "{byte}");
                if byte.is_ascii_alphanumeric() {
                    let lower = u64::from(byte.to_ascii_lowercase()) << (8 * place);
                    assert_eq!(lower_case(number), lower, "{byte}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn bits_mark_letters_and_digits(
            text in proptest::collection::vec(
                prop_oneof![20 => 0_u8..128, 1 => 128_u8..=255],
                0..150,
            ),
            at in 0_usize..150,
        ) {
            let at = at.min(text.len());
            let found = AsciiWordBits::at(&text, at);
            let bytes = text[at..].iter().copied().chain(std::iter::repeat(0)).take(64);
            let bytes: Vec<u8> = bytes.take_while(u8::is_ascii).collect();
            prop_assert_eq!(found.len, bytes.len());
            for i in 0..64 {
                let expected = bytes.get(i).is_some_and(u8::is_ascii_alphanumeric);
                prop_assert_eq!(found.bits >> i & 1 == 1, expected);
            }
        }
    }
}
