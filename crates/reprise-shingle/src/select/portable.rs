//! Computes the functions with tables, on any processor.

use crate::Shingles;
use crate::rabin::times_x;

/// The tables of one function.
pub(crate) struct Selector {
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only the functions with AVX2 use it")
    )]
    pub(super) polynomial: u64,
    /// The contribution of each half byte, the lowest first. The first table includes the constant.
    pub(super) nibbles: [[u64; 16]; 16],
}

impl Selector {
    pub(super) fn new(polynomial: u64) -> Self {
        let mut nibbles = [[0; 16]; 16];
        // The lower terms of the polynomial equal x^64.
        let mut power = polynomial;
        for table in &mut nibbles {
            for bit in [1, 2, 4, 8] {
                for below in 0..bit {
                    table[bit + below] = table[below] ^ power;
                }
                power = times_x(polynomial, power);
            }
        }
        // `power` is x^128 now, the contribution of the leading one.
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

/// Lowers each of the `minima` to the smallest value of its function, if that is smaller.
pub(super) fn minima(selectors: &[Selector], phrases: &[u64], minima: &mut Shingles) {
    for (selector, minimum) in selectors.iter().zip(minima) {
        let values = phrases.iter().map(|&phrase| selector.value(phrase));
        *minimum = values.fold(*minimum, u64::min);
    }
}
