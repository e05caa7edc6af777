//! Compares digests with the oracle.

use proptest::prelude::*;
use reprise_fuzzy::{Digest, DigestError, Hasher};

use crate::inputs::{KINDS, LONG, Noise, bytes_of_kind, bytes_that_roll_to_zero, mutated};
use crate::oracle;

/// Checks both ways to compute a digest: of the whole bytes, and of the bytes in parts.
fn check(bytes: &[u8], noise: &mut Noise) {
    let expected = oracle::digest(bytes);
    assert_eq!(Digest::of(bytes).to_string(), expected, "{bytes:?}");
    assert_eq!(in_parts(bytes, noise).to_string(), expected, "{bytes:?}");
}

fn in_parts(bytes: &[u8], noise: &mut Noise) -> Digest {
    let mut hasher = Hasher::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let longest = [1, 10, 1000, 100_000][noise.below(4)];
        let (part, after) = rest.split_at(noise.below(longest + 1).min(rest.len()));
        hasher.update(part);
        rest = after;
    }
    hasher.finish()
}

proptest! {
    #[test]
    fn digests_equal_the_oracle(kind in 0..KINDS, len in 0_usize..6000, seed: u64) {
        let mut noise = Noise(seed);
        let bytes = bytes_of_kind(kind, len, &mut noise);
        check(&bytes, &mut noise);
    }

    #[test]
    fn digests_of_short_and_mixed_input_equal_the_oracle(
        parts in prop::collection::vec((0..KINDS, 0_usize..300), 0..8),
        changes in 0_usize..5,
        seed: u64,
    ) {
        let mut noise = Noise(seed);
        let parts = parts.into_iter().map(|(kind, len)| bytes_of_kind(kind, len, &mut noise));
        let bytes = parts.collect::<Vec<_>>().concat();
        check(&bytes, &mut noise);
        let bytes = mutated(&bytes, changes, &mut noise);
        check(&bytes, &mut noise);
    }

    #[test]
    fn no_text_breaks_the_parser(text in "([0-9]{0,12}:)?[A-Za-z0-9+/:,. é]{0,80}(:[A-Za-z0-9+/]{0,70})?") {
        if let Ok(digest) = text.parse::<Digest>() {
            prop_assert_eq!(digest.to_string().parse(), Ok(digest));
        }
    }
}

#[test]
fn digests_of_a_repeated_byte_equal_the_oracle() {
    let mut noise = Noise(3);
    for byte in 0..=255 {
        for len in [1, 6, 7, 8, 64, 191, 192, 193, 1000] {
            check(&vec![byte; len], &mut noise);
        }
    }
}

#[test]
fn digests_with_a_rolling_hash_of_zero_equal_the_oracle() {
    let mut noise = Noise(5);
    let end = bytes_that_roll_to_zero();
    assert_eq!(oracle::roll(&end, 6), 0);
    for len in [0, 7, 100, 1000, 10_000, 30_000] {
        let mut bytes = bytes_of_kind(0, len, &mut noise);
        bytes.extend(end);
        check(&bytes, &mut noise);
    }
}

#[test]
fn digests_of_long_input_do_not_depend_on_the_parts() {
    let mut noise = Noise(4);
    for kind in 0..KINDS {
        let bytes = bytes_of_kind(kind, LONG / 2 + noise.below(100_000), &mut noise);
        let whole = Digest::of(&bytes);
        assert_eq!(in_parts(&bytes, &mut noise), whole, "kind {kind}");
    }
    assert_eq!(Hasher::new().finish(), Digest::of(b""));
}

#[test]
fn invalid_digests_are_refused_with_the_reason() {
    for (text, error) in [
        ("", DigestError::Parts),
        ("3:abc", DigestError::Parts),
        (":a:b", DigestError::BlockSize),
        ("+3:a:b", DigestError::BlockSize),
        ("4:a:b", DigestError::BlockSize),
        ("6442450944:a:b", DigestError::BlockSize),
        ("99999999999999999999999:a:b", DigestError::BlockSize),
        ("3:a-b:c", DigestError::Character('-')),
        ("3:a:é", DigestError::Character('é')),
        ("3:a:b:c", DigestError::Character(':')),
    ] {
        assert_eq!(text.parse::<Digest>(), Err(error), "{text}");
    }
    let long = "x".repeat(64);
    assert_eq!(
        format!("3:{long}:").parse::<Digest>().unwrap().first(),
        long
    );
    assert_eq!(
        format!("3:{long}x:").parse::<Digest>(),
        Err(DigestError::TooLong)
    );
}
