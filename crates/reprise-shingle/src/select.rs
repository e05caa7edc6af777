//! The functions that select phrases.
//!
//! Each is the Rabin fingerprint of the 64 bits of a phrase by another polynomial: `a * x^64` and a
//! constant. It hits every number once, so it puts the phrases in an order.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

use std::sync::LazyLock;

use crate::{SHINGLES, Shingles, polynomials};
#[cfg(target_arch = "x86_64")]
use avx2::{Avx2, Tops};
use portable::Selector;

/// What is computed once, in well under a millisecond.
struct Tables {
    selectors: Vec<Selector>,
    #[cfg(target_arch = "x86_64")]
    tops: Vec<Tops>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let selectors: Vec<Selector> = polynomials::SELECTORS.map(Selector::new).into();
    Tables {
        #[cfg(target_arch = "x86_64")]
        tops: selectors.iter().map(Tops::new).collect(),
        selectors,
    }
});

/// What function number `function`, of 84, makes of a phrase. The smallest value of all phrases in
/// a document is its shingle of that number.
///
/// # Panics
///
/// If there is no such function.
pub fn select(function: usize, phrase: u64) -> u64 {
    TABLES.selectors[function].value(phrase)
}

/// The smallest value of each function, for at least one phrase.
pub(crate) fn minima(phrases: &[u64]) -> Shingles {
    let mut minima = [u64::MAX; SHINGLES];
    let tables = &*TABLES;
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = Avx2::detect() {
        avx2.minima(&tables.tops, phrases, &mut minima);
        return minima;
    }
    portable::minima(&tables.selectors, phrases, &mut minima);
    minima
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::oracle;

    fn check(phrases: &[u64]) -> Result<(), TestCaseError> {
        let mut portable = [u64::MAX; SHINGLES];
        portable::minima(&TABLES.selectors, phrases, &mut portable);
        prop_assert_eq!(minima(phrases), portable);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 4 } else { 200 }))]

        #[test]
        fn values_are_fingerprints(phrase in any::<u64>(), function in 0..SHINGLES) {
            prop_assert_eq!(select(function, phrase), oracle::select(function, phrase));
        }

        #[test]
        fn minima_are_the_same_by_any_instructions(
            phrases in proptest::collection::vec(any::<u64>(), 1..3000),
            repeats in 1_usize..4,
        ) {
            check(&phrases)?;
            // The same ones again and again, side by side and far apart.
            let few = &phrases[..phrases.len().min(40)];
            check(&few.repeat(10 * repeats))?;
            let mut side_by_side = few.repeat(10 * repeats);
            side_by_side.sort_unstable();
            check(&side_by_side)?;
        }

        #[test]
        fn minima_are_the_slow_ones(
            phrases in proptest::collection::vec(any::<u64>(), 1..80),
        ) {
            prop_assert_eq!(Some(minima(&phrases)), oracle::shingles(&phrases));
        }
    }

    #[test]
    fn minima_of_every_length_of_a_block() {
        let phrases: Vec<u64> = (0..600_u64)
            .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) ^ i << 40)
            .collect();
        for len in (1..34).chain(34..600).step_by(7).chain(180..200) {
            check(&phrases[..len]).unwrap();
        }
    }
}
