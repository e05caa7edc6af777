//! Generates random numbers that are the same on every machine.

/// Vigna's `SplitMix64`, a seeded random number generator. Use it for simulations, not for secrets.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Creates a generator with this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Returns a number below `end`.
    ///
    /// # Panics
    ///
    /// Panics if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "the range of random numbers must not be empty");
        // The high half of the product. Its bias, end / 2^64, is too small to be observed.
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// Returns a random element, or `None` if the slice is empty.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        (!of.is_empty()).then(|| &of[self.below(of.len())])
    }

    /// Draws without replacement. The first `drawn` elements have been drawn before. Moves the drawn
    /// element next to them and returns it.
    pub(crate) fn draw<T: Copy>(&mut self, of: &mut [T], drawn: usize) -> T {
        of.swap(drawn, drawn + self.below(of.len() - drawn));
        of[drawn]
    }
}

/// Computes the output function of the generator: every bit of the result depends on all bits.
pub(crate) const fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_equal_the_reference() {
        // The first numbers of the reference implementation for the seed 1234567.
        let mut random = SplitMix64::new(1_234_567);
        let numbers = [(); 3].map(|()| random.next());
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn numbers_below_a_bound_are_evenly_distributed() {
        let mut random = SplitMix64::new(1);
        let mut seen = [0; 7];
        for _ in 0..70_000 {
            seen[random.below(7)] += 1;
        }
        assert!(seen.iter().all(|&times| (9500..10_500).contains(&times)));
        assert_eq!(random.pick::<u8>(&[]), None);
    }
}
