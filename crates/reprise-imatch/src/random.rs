//! Random numbers that are the same on every machine.

/// Vigna's `SplitMix64`, a seeded generator of numbers. Good for simulations, not for secrets.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator whose numbers follow from the seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `end`, which is above zero.
    pub fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "no number is below zero");
        // The high half of the product; its bias, end / 2^64, is far below what a run can show.
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        (!of.is_empty()).then(|| &of[self.below(of.len())])
    }

    /// Draws without putting back: one of those that were not drawn, after the first `drawn` were. It is moved
    /// beside them.
    pub(crate) fn draw<T: Copy>(&mut self, of: &mut [T], drawn: usize) -> T {
        of.swap(drawn, drawn + self.below(of.len() - drawn));
        of[drawn]
    }
}

/// The output function of the generator: every bit depends on all bits.
pub(crate) const fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_reference() {
        // The first numbers of the reference implementation for seed 1234567.
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
    fn numbers_below_are_spread_evenly() {
        let mut random = SplitMix64::new(1);
        let mut seen = [0; 7];
        for _ in 0..70_000 {
            seen[random.below(7)] += 1;
        }
        assert!(seen.iter().all(|&times| (9500..10_500).contains(&times)));
        assert_eq!(random.pick::<u8>(&[]), None);
    }
}
