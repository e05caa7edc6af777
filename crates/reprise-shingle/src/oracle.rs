//! Everything again, slowly and by the definitions, for the tests to compare with.

use crate::{PHRASE_WORDS, SHINGLES, Shingles, polynomials};

/// A bit string, the first bit in front, divided by hand: bit after bit is brought down, and the
/// polynomial is subtracted whenever there is a bit in front of the 64.
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

/// The Rabin fingerprint of bytes.
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

/// The fingerprint of each phrase of a document of these words.
pub(crate) fn phrases(tokens: &[u64]) -> Vec<u64> {
    let phrase = |start: usize| {
        let bytes: Vec<u8> = (start..start + PHRASE_WORDS)
            .flat_map(|at| tokens[at % tokens.len()].to_be_bytes())
            .collect();
        rabin(polynomials::PHRASES, &bytes)
    };
    (0..tokens.len()).map(phrase).collect()
}

/// What a function makes of a phrase.
pub(crate) fn select(function: usize, phrase: u64) -> u64 {
    rabin(polynomials::SELECTORS[function], &phrase.to_be_bytes())
}

/// The shingles of a document of these phrases.
pub(crate) fn shingles(phrases: &[u64]) -> Option<Shingles> {
    let mut shingles = [0; SHINGLES];
    for (function, shingle) in shingles.iter_mut().enumerate() {
        let values = phrases.iter().map(|&phrase| select(function, phrase));
        *shingle = values.min()?;
    }
    Some(shingles)
}
