//! Rabin fingerprints: the bits of a string as a polynomial over GF(2), modulo a primitive polynomial of
//! degree 64.
//!
//! A one precedes the bits, so that zeros at the start count. 64 zeros follow them, so that each bit
//! affects the whole fingerprint. The most significant bit of a byte comes first.

/// Multiplies by `x^n`, for a fixed `n`, modulo the polynomial.
///
/// Multiplication is linear, so the product is the sum of the contributions of each byte. Tables hold
/// the contributions.
pub(crate) struct Step {
    tables: [[u64; 256]; 8],
}

impl Step {
    pub(crate) const fn new(polynomial: u64, exponent: u32) -> Self {
        let mut tables = [[0; 256]; 8];
        let mut power = power(polynomial, exponent);
        let mut byte = 0;
        while byte < 8 {
            let table = &mut tables[byte];
            let mut bit = 1;
            while bit < 256 {
                let mut below = 0;
                while below < bit {
                    table[bit + below] = table[below] ^ power;
                    below += 1;
                }
                power = times_x(polynomial, power);
                bit *= 2;
            }
            byte += 1;
        }
        Self { tables }
    }

    #[inline]
    pub(crate) fn apply(&self, value: u64) -> u64 {
        let bytes = value.to_le_bytes();
        let part = |i: usize| self.tables[i][usize::from(bytes[i])];
        ((part(0) ^ part(1)) ^ (part(2) ^ part(3))) ^ ((part(4) ^ part(5)) ^ (part(6) ^ part(7)))
    }
}

/// Multiplies by `x` modulo the polynomial.
pub(crate) const fn times_x(polynomial: u64, value: u64) -> u64 {
    (value << 1) ^ (polynomial * (value >> 63))
}

/// Returns `x^exponent` modulo the polynomial.
pub(crate) const fn power(polynomial: u64, exponent: u32) -> u64 {
    let mut power = 1;
    let mut done = 0;
    while done < exponent {
        power = times_x(polynomial, power);
        done += 1;
    }
    power
}

/// A fingerprint function. A fingerprint begins as [`Rabin::empty`] and is then extended.
///
/// If `f` is the fingerprint of a string, then `(f + bits) * x^64` is the fingerprint of the string
/// followed by 64 more bits.
pub(crate) struct Rabin {
    step: Step,
    empty: u64,
}

impl Rabin {
    pub(crate) const fn new(polynomial: u64) -> Self {
        Self {
            step: Step::new(polynomial, 64),
            // The leading one followed by 64 zeros is x^64, which equals the lower terms of the
            // polynomial.
            empty: polynomial,
        }
    }

    /// Returns the fingerprint of the empty string.
    #[inline]
    pub(crate) fn empty(&self) -> u64 {
        self.empty
    }

    /// Returns the fingerprint of the lowest `len` bytes of a number, at most 7.
    #[inline]
    pub(crate) fn short(&self, bytes: u64, len: usize) -> u64 {
        self.step.apply(bytes | 1 << (8 * len))
    }

    /// Extends a fingerprint by 8 bytes. The first byte is the most significant one of the number.
    #[inline]
    pub(crate) fn extend_8(&self, fingerprint: u64, bytes: u64) -> u64 {
        self.step.apply(fingerprint ^ bytes)
    }

    /// Extends a fingerprint by the lowest `len` bytes of a number, from 1 to 7.
    #[inline]
    pub(crate) fn extend_few(&self, fingerprint: u64, bytes: u64, len: usize) -> u64 {
        let new = 8 * len;
        // Only the bits that are shifted out at the top must be reduced.
        (fingerprint << new) ^ self.step.apply((fingerprint >> (64 - new)) ^ bytes)
    }

    /// Returns the fingerprint of a byte string.
    pub(crate) fn fingerprint(&self, bytes: &[u8]) -> u64 {
        let (eights, rest) = bytes.as_chunks::<8>();
        let fingerprint = eights.iter().fold(self.empty, |fingerprint, eight| {
            self.extend_8(fingerprint, u64::from_be_bytes(*eight))
        });
        if rest.is_empty() {
            return fingerprint;
        }
        let number = rest
            .iter()
            .fold(0, |number, &byte| number << 8 | u64::from(byte));
        self.extend_few(fingerprint, number, rest.len())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{oracle, polynomials};

    static WORDS: Rabin = Rabin::new(polynomials::WORDS);

    proptest! {
        #[test]
        fn fingerprints_are_remainders(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let expected = oracle::rabin(polynomials::WORDS, &bytes);
            prop_assert_eq!(WORDS.fingerprint(&bytes), expected);
        }

        #[test]
        fn short_strings_need_one_step(bytes in proptest::collection::vec(any::<u8>(), 0..8)) {
            let number = bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
            let expected = oracle::rabin(polynomials::WORDS, &bytes);
            prop_assert_eq!(WORDS.short(number, bytes.len()), expected);
        }

        #[test]
        fn a_fingerprint_can_be_extended(
            start in proptest::collection::vec(any::<u8>(), 0..20),
            end in any::<[u8; 8]>(),
            few in 1_usize..8,
        ) {
            let fingerprint = WORDS.fingerprint(&start);
            prop_assert_eq!(
                WORDS.extend_8(fingerprint, u64::from_be_bytes(end)),
                WORDS.fingerprint(&[&start[..], &end].concat())
            );
            let number = u64::from_be_bytes(end) >> (64 - 8 * few);
            prop_assert_eq!(
                WORDS.extend_few(fingerprint, number, few),
                WORDS.fingerprint(&[&start[..], &end[..few]].concat())
            );
        }

        #[test]
        fn steps_multiply_by_powers_of_x(value in any::<u64>(), exponent in 0_u32..500) {
            let step = Step::new(polynomials::PHRASES, exponent);
            let mut expected = value;
            for _ in 0..exponent {
                expected = times_x(polynomials::PHRASES, expected);
            }
            prop_assert_eq!(step.apply(value), expected);
        }
    }

    #[test]
    fn the_empty_string_and_leading_zeros_count() {
        assert_eq!(WORDS.empty(), WORDS.fingerprint(b""));
        assert_eq!(WORDS.empty(), oracle::rabin(polynomials::WORDS, b""));
        assert_ne!(WORDS.fingerprint(&[0]), WORDS.fingerprint(&[0, 0]));
    }
}
