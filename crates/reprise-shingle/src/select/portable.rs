//! The functions by table, on any processor.

use crate::Shingles;
use crate::rabin::times_x;

/// One of the functions.
pub(crate) struct Selector {
    pub(super) polynomial: u64,
    /// What each half byte contributes, lowest first. The constant is in the first table.
    pub(super) nibbles: [[u64; 16]; 16],
}

impl Selector {
    pub(super) fn new(polynomial: u64) -> Self {
        let mut nibbles = [[0; 16]; 16];
        // The polynomial is x^64.
        let mut power = polynomial;
        for table in &mut nibbles {
            for bit in [1, 2, 4, 8] {
                for below in 0..bit {
                    table[bit + below] = table[below] ^ power;
                }
                power = times_x(polynomial, power);
            }
        }
        // By now it is x^128: the one before the bits of the phrase.
        for entry in &mut nibbles[0] {
            *entry ^= power;
        }
        Self {
            polynomial,
            nibbles,
        }
    }

    #[inline]
    pub(super) fn value(&self, phrase: u64) -> u64 {
        let nibble = |i: usize| (phrase >> (4 * i)) as usize & 15;
        (0..16).fold(0, |value, i| value ^ self.nibbles[i][nibble(i)])
    }
}

/// Lowers each minimum to the smallest value of its function.
pub(super) fn minima(selectors: &[Selector], phrases: &[u64], minima: &mut Shingles) {
    for (selector, minimum) in selectors.iter().zip(minima) {
        let values = phrases.iter().map(|&phrase| selector.value(phrase));
        *minimum = values.fold(*minimum, u64::min);
    }
}
