//! The functions that select a phrase of a document.
//!
//! Each function is the Rabin fingerprint of the 64 bits of a phrase, with a different polynomial:
//! `phrase * x^64` plus a constant. It is a bijection, so it orders the phrases.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

use std::sync::LazyLock;

use crate::{SHINGLES, Shingles, polynomials};
#[cfg(target_arch = "x86_64")]
use avx2::{Avx2, Tops};
use portable::Selector;

/// The tables of all functions. They are computed once, in well under a millisecond.
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

/// Returns the value of function number `function` for a phrase.
///
/// The smallest value over all phrases of a document is the shingle with that number.
///
/// # Panics
///
/// Panics if `function` is not below [`SHINGLES`].
pub fn select(function: usize, phrase: u64) -> u64 {
    TABLES.selectors[function].value(phrase)
}

/// Returns the smallest value of each function. There must be at least one phrase.
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
        fn minima_are_the_same_with_all_instructions(
            phrases in proptest::collection::vec(any::<u64>(), 1..3000),
            repeats in 1_usize..4,
        ) {
            check(&phrases)?;
            // Repeated phrases, first far apart and then next to each other.
            let few = &phrases[..phrases.len().min(40)];
            check(&few.repeat(10 * repeats))?;
            let mut adjacent = few.repeat(10 * repeats);
            adjacent.sort_unstable();
            check(&adjacent)?;
        }

        #[test]
        fn minima_equal_the_oracle(
            phrases in proptest::collection::vec(any::<u64>(), 1..80),
        ) {
            prop_assert_eq!(Some(minima(&phrases)), oracle::shingles(&phrases));
        }
    }

    #[test]
    fn minima_are_right_for_partial_blocks() {
        let phrases: Vec<u64> = (0..600_u64)
            .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) ^ i << 40)
            .collect();
        for len in (1..34).chain(34..600).step_by(7).chain(180..200) {
            check(&phrases[..len]).unwrap();
        }
    }
}
