//! The random number generator `SplitMix64`. It is implemented here so that no dependency can change the bytes of a
//! seeded web.
//!
//! Java has the same generator as `SplittableRandom` (Steele, Lea, Flood 2014): a Weyl sequence and a mixing function.
//! It passes the usual statistical tests and has one word of state. Different seeds give unrelated streams, so
//! [`Rng::keyed`] can give every page a stream that does not depend on other pages.

const WEYL: u64 = 0x9e37_79b9_7f4a_7c15;

/// A seeded stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Rng {
    state: u64,
}

impl Rng {
    /// Returns the stream for a seed and a path of keys, such as site and page number.
    pub(crate) fn keyed(seed: u64, keys: &[u64]) -> Self {
        let mut state = mix(seed.wrapping_add(WEYL));
        for &key in keys {
            state = mix(state ^ mix(key.wrapping_add(WEYL)));
        }
        Self { state }
    }

    /// Returns the next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(WEYL);
        mix(self.state)
    }

    /// Returns a number in `0..bound`. The bias of this method is below 2^-32 for bounds below 2^32.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "the bound must be greater than 0");
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Returns a number in `low..=high`.
    pub(crate) fn range(&mut self, low: usize, high: usize) -> usize {
        assert!(low <= high, "the range must not be empty");
        low + self.below(high - low + 1)
    }

    /// Returns true with a probability of `times / of`.
    pub(crate) fn chance(&mut self, times: usize, of: usize) -> bool {
        self.below(of) < times
    }

    /// Returns one of `items`.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts `items` in random order (Fisher-Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_has_the_published_values() {
        // These are the published first values of SplitMix64 for seed 1234567.
        let mut rng = Rng { state: 1_234_567 };
        assert_eq!(rng.next(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn different_keys_give_different_streams() {
        let first = |keys: &[u64]| Rng::keyed(7, keys).next();
        assert_ne!(first(&[1, 2]), first(&[2, 1]));
        assert_ne!(first(&[1]), first(&[1, 0]));
        assert_eq!(first(&[3, 4]), first(&[3, 4]));
    }

    #[test]
    fn numbers_stay_in_bounds() {
        let mut rng = Rng::keyed(1, &[]);
        let mut seen = [false; 5];
        for _ in 0..200 {
            seen[rng.below(5)] = true;
            assert!((3..=9).contains(&rng.range(3, 9)));
        }
        assert_eq!(seen, [true; 5]);
    }
}
