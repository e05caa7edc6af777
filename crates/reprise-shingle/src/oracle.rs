//! Slow implementations, straight from the definitions, for the tests to compare with.

use crate::{PHRASE_WORDS, SHINGLES, Shingles, polynomials};

/// Returns the remainder of a bit string, the first bit being the most significant, by long division.
fn remainder(bits: impl IntoIterator<Item = bool>, polynomial: u64) -> u64 {
    let mut remainder: u128 = 0;
    for bit in bits {
        remainder = remainder << 1 | u128::from(bit);
        if remainder >> 64 == 1 {
            remainder ^= 1 << 64 | u128::from(polynomial);
        }
    }
    remainder as u64
}

/// Returns the Rabin fingerprint of a byte string.
pub(crate) fn rabin(polynomial: u64, bytes: &[u8]) -> u64 {
    let one = std::iter::once(true);
    let of_byte = |byte: &u8| {
        let byte = *byte;
        (0..8).rev().map(move |bit| byte >> bit & 1 == 1)
    };
    let zeros = std::iter::repeat_n(false, 64);
    remainder(
        one.chain(bytes.iter().flat_map(of_byte)).chain(zeros),
        polynomial,
    )
}

/// Returns the fingerprint of each phrase of a document with these words.
pub(crate) fn phrases(tokens: &[u64]) -> Vec<u64> {
    let phrase = |start: usize| {
        let bytes: Vec<u8> = (start..start + PHRASE_WORDS)
            .flat_map(|at| tokens[at % tokens.len()].to_be_bytes())
            .collect();
        rabin(polynomials::PHRASES, &bytes)
    };
    (0..tokens.len()).map(phrase).collect()
}

/// Returns the value of a selecting function for a phrase.
pub(crate) fn select(function: usize, phrase: u64) -> u64 {
    rabin(polynomials::SELECTORS[function], &phrase.to_be_bytes())
}

/// Returns the shingles of a document with these phrases.
pub(crate) fn shingles(phrases: &[u64]) -> Option<Shingles> {
    let mut shingles = [0; SHINGLES];
    for (function, shingle) in shingles.iter_mut().enumerate() {
        let values = phrases.iter().map(|&phrase| select(function, phrase));
        *shingle = values.min()?;
    }
    Some(shingles)
}
