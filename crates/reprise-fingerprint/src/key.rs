//! Fast hashes for use within one process.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

use std::hash::{BuildHasher, RandomState};

/// A 127-bit hash of a byte string, made by a [`Keyer`]. Compare the length of the byte string as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key([u64; 2]);

impl Key {
    /// Returns 64 of the bits, for a hash table.
    #[inline]
    pub fn half(self) -> u64 {
        self.0[0]
    }
}

/// Makes keys, several times faster than fingerprints.
///
/// Only keys of the same keyer can be compared: each keyer draws its own random numbers. Two
/// different byte strings of the same length have equal keys with a probability below 2^-90. The
/// bound holds for every pair of byte strings that was chosen without knowing the random numbers,
/// and it is proven, which rules out the usual fast hashes. Each block gives three sums of products
/// (NH, from the message authentication code UMAC); a polynomial modulo 2^127 - 1 combines the sums
/// of all blocks.
///
/// ```
/// use reprise_fingerprint::Keyer;
///
/// let keyer = Keyer::new();
/// assert_eq!(keyer.key(b"some bytes"), keyer.key(b"some bytes"));
/// assert_ne!(keyer.key(b"some bytes"), keyer.key(b"same bytes"));
/// ```
pub struct Keyer {
    numbers: Numbers,
    /// The point at which the polynomial is evaluated.
    point: u128,
    #[cfg(target_arch = "x86_64")]
    avx2: Option<avx2::Avx2>,
}

/// The bytes of one step.
const STRIDE: usize = 32;
/// The number of strides in a block.
const STRIDES: usize = 32;
/// The number of sums per block.
const SUMS: usize = 3;
/// The random numbers. Sum `n` uses the numbers from stride `n` on.
type Numbers = [[u32; STRIDE / 4]; STRIDES + SUMS - 1];

const PRIME: u128 = (1 << 127) - 1;

impl Default for Keyer {
    fn default() -> Self {
        Self::new()
    }
}

impl Keyer {
    /// Creates a keyer with random numbers of its own.
    pub fn new() -> Self {
        let random = RandomState::new();
        let number = |row: usize, at: usize| random.hash_one((row, at));
        let [low, high] = [0, 1].map(|at| u128::from(number(usize::MAX, at)));
        Self {
            numbers: std::array::from_fn(|row| std::array::from_fn(|at| number(row, at) as u32)),
            point: (high << 64 | low) % PRIME,
            #[cfg(target_arch = "x86_64")]
            avx2: avx2::Avx2::detect(),
        }
    }

    /// Returns the key of `bytes`.
    #[inline]
    pub fn key(&self, bytes: &[u8]) -> Key {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.avx2 {
            return self.key_by(bytes, |numbers, strides, last| {
                avx2.sums(numbers, strides, last)
            });
        }
        self.key_by(bytes, portable::sums)
    }

    #[inline]
    fn key_by(
        &self,
        bytes: &[u8],
        sums: impl Fn(&[[u32; STRIDE / 4]], &[[u8; STRIDE]], Option<&[u8; STRIDE]>) -> [u64; SUMS],
    ) -> Key {
        let padded;
        // A partial stride at the end is replaced by the last 32 bytes, which overlap the stride before.
        let last = if let Some(last) = bytes.last_chunk() {
            last
        } else {
            padded = padded_stride(bytes);
            &padded
        };
        let mut value = 0;
        for block in bytes.chunks(STRIDES * STRIDE) {
            let (strides, rest) = block.as_chunks();
            let last = (!rest.is_empty()).then_some(last);
            value = self.polynomial(value, sums(&self.numbers, strides, last));
        }
        Key([value as u64, (value >> 64) as u64])
    }

    /// Adds the sums of one block to the value of the polynomial.
    #[inline]
    fn polynomial(&self, value: u128, [a, b, c]: [u64; SUMS]) -> u128 {
        // Most byte strings have a single block: then `value` is 0.
        let before = match value {
            0 => 0,
            value => multiplied(value, self.point),
        };
        let ab = u128::from(b) << 64 | u128::from(a);
        let value = reduced(before.wrapping_add(reduced(ab)));
        reduced(multiplied(value, self.point).wrapping_add(u128::from(c)))
    }
}

/// Pads fewer bytes than a stride with zeros.
fn padded_stride(bytes: &[u8]) -> [u8; STRIDE] {
    let mut stride = [0; STRIDE];
    stride[..bytes.len()].copy_from_slice(bytes);
    stride
}

/// Multiplies two numbers of at most 2^127 modulo [`PRIME`]. The result is at most 2^127.
#[inline]
fn multiplied(a: u128, b: u128) -> u128 {
    let halves = |number: u128| (u128::from(number as u64), number >> 64);
    let ((a_low, a_high), (b_low, b_high)) = (halves(a), halves(b));
    let middle = a_low * b_high + a_high * b_low;
    let (low, carry) = (a_low * b_low).overflowing_add(middle << 64);
    let high = a_high * b_high + (middle >> 64) + u128::from(carry);
    // 2^128 equals 2 modulo PRIME.
    reduced(reduced(low).wrapping_add(reduced(high << 1)))
}

/// Reduces a number modulo [`PRIME`] to at most 2^127.
#[inline]
fn reduced(number: u128) -> u128 {
    (number & PRIME) + (number >> 127)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{Key, Keyer, PRIME, multiplied, portable, reduced};

    /// Multiplies modulo [`PRIME`], bit by bit.
    fn slow_product(a: u128, b: u128) -> u128 {
        (0..128).rev().fold(0, |product, bit| {
            let doubled = product * 2 % PRIME;
            let more = if b >> bit & 1 == 1 { a % PRIME } else { 0 };
            (doubled + more) % PRIME
        })
    }

    /// Computes a key by its definition, block by block.
    fn slow_key(keyer: &Keyer, bytes: &[u8]) -> u128 {
        let mut value = 0;
        for block in bytes.chunks(1024) {
            let mut padded = block.to_vec();
            if block.len() % 32 > 0 {
                padded.truncate(block.len() / 32 * 32);
                padded.extend_from_slice(&bytes[bytes.len().saturating_sub(32)..]);
                padded.resize(padded.len().next_multiple_of(32), 0);
            }
            let words: Vec<u32> = (padded.chunks(4))
                .map(|four| u32::from_le_bytes(four.try_into().unwrap()))
                .collect();
            let numbers = keyer.numbers.as_flattened();
            let sum = |shift: usize| {
                (0..words.len()).step_by(2).fold(0_u64, |sum, at| {
                    let [a, b] = [at, at + 1]
                        .map(|at| u64::from(words[at].wrapping_add(numbers[at + 8 * shift])));
                    sum.wrapping_add(a * b)
                })
            };
            let first = u128::from(sum(1)) << 64 | u128::from(sum(0));
            for number in [first, u128::from(sum(2))] {
                value = (slow_product(value, keyer.point) + number % PRIME) % PRIME;
            }
        }
        value
    }

    fn number(key: Key) -> u128 {
        let [low, high] = key.0.map(u128::from);
        (high << 64 | low) % PRIME
    }

    proptest! {
        #[test]
        fn keys_follow_their_definition(
            bytes in vec(prop_oneof![any::<u8>(), Just(0), Just(0xff)], 0..5000)
        ) {
            let keyer = Keyer::new();
            prop_assert_eq!(number(keyer.key(&bytes)), slow_key(&keyer, &bytes));
            prop_assert_eq!(keyer.key_by(&bytes, portable::sums), keyer.key(&bytes));
        }

        #[test]
        fn every_bit_counts(mut bytes in vec(any::<u8>(), 1..3000), at: usize, bit in 0_u8..8) {
            let keyer = Keyer::new();
            let before = keyer.key(&bytes);
            let at = at % bytes.len();
            bytes[at] ^= 1 << bit;
            prop_assert_ne!(keyer.key(&bytes), before);
        }

        #[test]
        fn products(a: u128, b: u128) {
            let product = multiplied(reduced(a), reduced(b));
            prop_assert!(product <= 1 << 127);
            prop_assert_eq!(product % PRIME, slow_product(a, b));
        }
    }

    #[test]
    fn products_of_the_largest_numbers() {
        for a in [PRIME, PRIME + 1, PRIME - 1, 1, 0] {
            for b in [PRIME, PRIME + 1, PRIME - 1] {
                assert_eq!(multiplied(a, b) % PRIME, slow_product(a, b), "{a} {b}");
            }
        }
    }
}
