//! Nilsimsa, a locality-sensitive hash: similar texts have similar digests of 256 bits.
//!
//! Trigrams, that is, three bytes out of five in a row, are hashed to 256 counters. A bit of the digest is set
//! if its counter is above the mean. A change of a few bytes moves few counters across the mean. Different texts
//! that consist of the same trigrams have similar digests too; [`compare`](crate::compare) measures how often.

use std::fmt;

/// The score of equal digests.
pub const SCORE_MAX: i32 = 128;

/// The number of bytes from which trigrams are taken.
const WINDOW: usize = 5;

/// The number of trigrams in a full window.
const TRIGRAMS: u64 = 8;

/// A Nilsimsa digest.
///
/// ```
/// use reprise_lab::nilsimsa::Digest;
///
/// let one = Digest::of(b"abcdefgh");
/// let other = Digest::of(b"abcdefghijk");
/// assert_eq!(one.to_string(), "14c8118000000000030800000004042004189020001308014088003280000078");
/// assert_eq!(one.score(&other), 109);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u64; 4]);

impl Digest {
    /// Hashes `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        let mut counts = [0_u32; 256];
        let mut count = |a: u8, b: u8, c: u8, number: u8| {
            counts[usize::from(hash(a, b, c, number))] += 1;
        };
        // The third and fourth byte end fewer trigrams.
        if let [first, second, third, ..] = *bytes {
            count(third, second, first, 0);
        }
        if let [first, second, third, fourth, ..] = *bytes {
            count(fourth, third, second, 0);
            count(fourth, third, first, 1);
            count(fourth, second, first, 2);
        }
        for window in bytes.windows(WINDOW) {
            let &[fourth, third, second, first, here] = window else {
                continue;
            };
            // `first` is the byte before `here`, `second` the byte before `first`, and so on.
            count(here, first, second, 0);
            count(here, first, third, 1);
            count(here, second, third, 2);
            count(here, first, fourth, 3);
            count(here, second, fourth, 4);
            count(here, third, fourth, 5);
            count(fourth, first, here, 6);
            count(fourth, third, here, 7);
        }
        Self::of_counts(&counts, trigrams(bytes.len()))
    }

    /// Returns the similarity of two texts: 128 for equal digests, about 0 for unrelated texts, -128 if no bit
    /// agrees.
    pub fn score(&self, other: &Self) -> i32 {
        let pairs = self.0.iter().zip(&other.0);
        let differing: u32 = pairs.map(|(a, b)| (a ^ b).count_ones()).sum();
        SCORE_MAX - differing as i32
    }

    fn of_counts(counts: &[u32; 256], total: u64) -> Self {
        let mut bits = [0_u64; 4];
        for (number, &count) in counts.iter().enumerate() {
            if u64::from(count) * 256 > total {
                bits[number / 64] |= 1 << (number % 64);
            }
        }
        Self(bits)
    }
}

/// Writes 64 hex digits, with the bit of the last counter first.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third, last] = self.0;
        f.pad(&format!("{last:016x}{third:016x}{second:016x}{first:016x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Returns the number of trigrams in a text of `bytes` bytes.
fn trigrams(bytes: usize) -> u64 {
    match bytes {
        0..=2 => 0,
        3 => 1,
        4 => 4,
        more => 4 + TRIGRAMS * (more - 4) as u64,
    }
}

/// Returns the counter of a trigram. `number` identifies the places of its bytes in the window.
fn hash(a: u8, b: u8, c: u8, number: u8) -> u8 {
    let [shifted, middle, mask] = [a.wrapping_add(number), b, number].map(permuted);
    let front = shifted ^ middle.wrapping_mul(2 * number + 1);
    front.wrapping_add(permuted(c ^ mask))
}

fn permuted(byte: u8) -> u8 {
    PERMUTATION[usize::from(byte)]
}

/// The fixed permutation of all bytes that the algorithm uses. Each value is computed from the one before; if it
/// is taken, the next free value above it is used.
const PERMUTATION: [u8; 256] = {
    let mut values = [0; 256];
    let mut is_taken = [false; 256];
    let mut value: u32 = 0;
    let mut at = 0;
    while at < 256 {
        value = (value * 53 + 1) % 256 * 2;
        if value > 255 {
            value -= 255;
        }
        while is_taken[value as usize] {
            value = (value + 1) % 256;
        }
        is_taken[value as usize] = true;
        values[at] = value as u8;
        at += 1;
    }
    values
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Digest, PERMUTATION, SCORE_MAX, hash};

    /// Computes a digest by its definition: counts, for every byte, the trigrams of it and two of the four bytes
    /// before it.
    fn slow(bytes: &[u8]) -> String {
        let mut counts = [0_u64; 256];
        let mut total = 0;
        for at in 0..bytes.len() {
            let before = |back: usize| at.checked_sub(back).map(|place| bytes[place]);
            let here = Some(bytes[at]);
            let trigrams = [
                (here, before(1), before(2)),
                (here, before(1), before(3)),
                (here, before(2), before(3)),
                (here, before(1), before(4)),
                (here, before(2), before(4)),
                (here, before(3), before(4)),
                (before(4), before(1), here),
                (before(4), before(3), here),
            ];
            for (number, trigram) in (0..).zip(trigrams) {
                if let (Some(a), Some(b), Some(c)) = trigram {
                    counts[usize::from(hash(a, b, c, number))] += 1;
                    total += 1;
                }
            }
        }
        let byte = |place: usize| {
            let is_set = |bit: &usize| counts[place * 8 + bit] as f64 > f64::from(total) / 256.0;
            (0..8).filter(is_set).map(|bit| 1 << bit).sum::<u8>()
        };
        let hex: Vec<String> = (0..32)
            .rev()
            .map(|place| format!("{:02x}", byte(place)))
            .collect();
        hex.concat()
    }

    #[test]
    fn the_permutation_has_every_byte_once() {
        let mut values = PERMUTATION;
        assert_eq!(&values[..4], &[0x02, 0xd6, 0x9e, 0x6f]);
        assert_eq!(&values[252..], &[0xdf, 0x58, 0x72, 0x4e]);
        values.sort_unstable();
        assert!(
            values
                .iter()
                .enumerate()
                .all(|(at, &value)| at == usize::from(value))
        );
    }

    #[test]
    fn short_texts_follow_the_definition() {
        let zero = "0".repeat(64);
        for text in ["", "a", "ab"] {
            assert_eq!(Digest::of(text.as_bytes()).to_string(), zero);
        }
        for length in 3..=12 {
            let text = &b"hello, world"[..length];
            assert_eq!(Digest::of(text).to_string(), slow(text), "{length}");
        }
    }

    #[test]
    fn scores_count_equal_bits() {
        let (one, other) = (Digest([0; 4]), Digest([u64::MAX; 4]));
        assert_eq!(one.score(&one), SCORE_MAX);
        assert_eq!(one.score(&other), -SCORE_MAX);
        assert_eq!(one.score(&Digest([0b111, 0, 0, 1 << 63])), SCORE_MAX - 4);
    }

    proptest! {
        #[test]
        fn digests_follow_the_definition(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
            prop_assert_eq!(Digest::of(&bytes).to_string(), slow(&bytes));
        }

        #[test]
        fn digests_of_texts_follow_the_definition(text in "([a-e ]{1,5}){0,80}") {
            prop_assert_eq!(Digest::of(text.as_bytes()).to_string(), slow(text.as_bytes()));
        }

        #[test]
        fn scores_are_symmetric(
            a in proptest::collection::vec(any::<u8>(), 0..99),
            b in proptest::collection::vec(any::<u8>(), 0..99),
        ) {
            let (a, b) = (Digest::of(&a), Digest::of(&b));
            prop_assert_eq!(a.score(&b), b.score(&a));
            prop_assert_eq!(a.score(&a), SCORE_MAX);
            prop_assert_eq!(a.score(&b) == SCORE_MAX, a == b);
        }
    }
}
