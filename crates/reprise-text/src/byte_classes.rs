//! Classifies 64 bytes at once for the skimmer.
//!
//! The tables of all implementations are computed from one list of tag names.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

use crate::bytes64::GROUP;
use crate::cut::CUT_NAMES;
use crate::tokens::RawElement;
use crate::tokens::names::joined;

/// The names of the start tags that matter: those that cut and those that open raw text.
const NAMES: [&[u8]; CUT_NAMES.len() + RawElement::NAMES.len()] =
    joined(&CUT_NAMES, &RawElement::NAMES);

/// The first letters of [`NAMES`]. There are at most seven, so that each has a bit in a byte, with one
/// bit to spare.
#[cfg(target_arch = "x86_64")]
const FIRST_LETTERS: &[u8] = {
    const FOUND: ([u8; 7], usize) = {
        let mut letters = [0; 7];
        let mut count = 0;
        let mut letter = b'a';
        while letter <= b'z' {
            if has_first(&NAMES, letter) {
                letters[count] = letter;
                count += 1;
            }
            letter += 1;
        }
        (letters, count)
    };
    FOUND.0.split_at(FOUND.1).0
};

#[cfg(target_arch = "x86_64")]
const fn has_first(names: &[&[u8]], letter: u8) -> bool {
    let mut at = 0;
    while at < names.len() {
        if names[at][0] == letter {
            return true;
        }
        at += 1;
    }
    false
}

/// The bytes needed to classify a group: one more, because a name is recognised by two bytes.
const BYTES: usize = GROUP + 1;

/// The classes of 64 bytes, one bit per byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ByteClasses {
    pub(crate) less: u64,
    pub(crate) greater: u64,
    /// The bytes behind a `<`, except for tags that neither cut nor open raw text. A start tag is judged
    /// by two letters, so a few other tags are included. Bytes that are not behind a `<` may be set or
    /// not.
    pub(crate) matters: u64,
    pub(crate) single_quotes: u64,
    pub(crate) double_quotes: u64,
    /// The bytes after which a quote may open a value: `=` and white space.
    pub(crate) before_value: u64,
}

/// Classifies bytes with certain instructions.
pub(crate) trait ClassifyBytes: Copy {
    fn classes(self, bytes: &[u8; BYTES]) -> ByteClasses;

    /// Returns the classes of the 64 bytes at `at`. Zeros stand for bytes behind the end of the text.
    #[expect(
        clippy::inline_always,
        reason = "compiled once for each set of instructions"
    )]
    #[inline(always)]
    fn classes_at(self, text: &[u8], at: usize) -> ByteClasses {
        let rest = &text[at..];
        if let Some(bytes) = rest.first_chunk::<BYTES>() {
            return self.classes(bytes);
        }
        let mut bytes = [0; BYTES];
        bytes[..rest.len()].copy_from_slice(rest);
        self.classes(&bytes)
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use proptest::prelude::*;

    use super::{BYTES, ByteClasses, ClassifyBytes};
    use crate::instructions::{Avx2, Avx512, Portable};
    use crate::tokens::rules::ends_name;

    /// Returns the bits that [`ByteClasses::matters`] must contain.
    fn must_matter(bytes: &[u8; BYTES]) -> u64 {
        let matters = |pair: &[u8]| match pair.to_ascii_lowercase()[..] {
            [b'p', byte] => byte == b'l' || ends_name(byte),
            [first, second] if first.is_ascii_alphabetic() => {
                ["di", "sc", "st", "ti", "te", "if", "no", "xm"]
                    .iter()
                    .any(|name| name.as_bytes() == [first, second])
            }
            [first, _] => first != b'/',
            _ => false,
        };
        let is_behind_less = |at: usize| at == 0 || bytes[at - 1] == b'<';
        let pairs = bytes.windows(2).zip(0..);
        pairs.fold(0, |bits, (pair, at)| {
            bits | u64::from(is_behind_less(at) && matters(pair)) << at
        })
    }

    fn check(bytes: &[u8; BYTES]) -> Result<(), TestCaseError> {
        let slow = Portable.classes(bytes);
        prop_assert_eq!(must_matter(bytes) & !slow.matters, 0);
        let avx2 = Avx2::detect().map(|avx2| avx2.classes(bytes));
        let avx512 = Avx512::detect().map(|avx512| avx512.classes(bytes));
        for fast in [avx2, avx512].into_iter().flatten() {
            prop_assert_eq!(must_matter(bytes) & !fast.matters, 0);
            let matters = slow.matters;
            prop_assert_eq!(ByteClasses { matters, ..fast }, slow);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn classes_are_the_same_with_any_instructions(
            bytes in proptest::collection::vec(
                prop_oneof![
                    proptest::sample::select(b"<>/!?=\"' \n\tpPdDiIsctTeEfNnOoxml".to_vec()),
                    any::<u8>(),
                ],
                BYTES,
            )
        ) {
            check(bytes.as_slice().try_into().unwrap())?;
        }
    }

    #[test]
    fn every_pair_of_bytes_after_a_less_than_sign() {
        for first in 0..=255 {
            for second in 0..=255 {
                let mut bytes = [b'.'; BYTES];
                for at in [0, 30, 31, 32, 62] {
                    bytes[at..at + 3].copy_from_slice(&[b'<', first, second]);
                }
                check(&bytes).unwrap();
                bytes[..2].copy_from_slice(&[first, second]);
                check(&bytes).unwrap();
            }
        }
    }
}
