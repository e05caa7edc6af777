//! Folds ASCII white space: every run becomes one space, and both ends are trimmed.
//!
//! Works on groups of 64 bytes. White space that follows other white space is dropped, and the rest
//! becomes spaces. Most groups need no change.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

use std::iter;

use crate::bytes64::{GROUP, padded};
use crate::instructions::with_best;

/// The size of the buffer for [`Squeeze::squeeze`], which may write a few bytes more than it returns.
const ROOM: usize = GROUP + 8;

/// Text with its ASCII white space (space, TAB, LF, FF, CR) folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Folded<'t> {
    /// The result, if it is a part of the text. Otherwise it was appended.
    pub(crate) kept: Option<&'t str>,
    /// The length of the result in Unicode scalar values.
    pub(crate) chars: usize,
}

/// The classes of 64 bytes, one bit per byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SpaceBits {
    /// Space, TAB, LF, FF and CR.
    white: u64,
    spaces: u64,
    /// The bytes of a character except for its first.
    later: u64,
}

impl SpaceBits {
    /// Returns white space that follows other white space. `is_after_white` is 1 if white space precedes the
    /// group.
    #[inline]
    fn repeated(self, is_after_white: u64) -> u64 {
        self.white & (self.white << 1 | is_after_white)
    }
}

/// Folds a group with certain instructions.
trait Squeeze: Copy {
    fn space_bits(self, bytes: &[u8; GROUP]) -> SpaceBits;

    /// Writes the bytes that are not in `drop`, with white space as spaces. Returns their number.
    fn squeeze(self, bytes: &[u8; GROUP], drop: u64, out: &mut [u8; ROOM]) -> usize;
}

/// Folds the white space of a text. Appends the result unless trimming alone gives it.
pub(crate) fn fold_ascii<'t>(text: &'t str, out: &mut Vec<u8>) -> Folded<'t> {
    with_best!(|squeeze| fold_by(text.trim_ascii(), out, squeeze))
}

#[expect(
    clippy::inline_always,
    reason = "compiled once for each set of instructions"
)]
#[inline(always)]
fn fold_by<'t>(text: &'t str, out: &mut Vec<u8>, squeeze: impl Squeeze) -> Folded<'t> {
    let bytes = text.as_bytes();
    let (groups, rest) = bytes.as_chunks();
    let padded = padded(rest);
    let mut groups = groups.iter().chain(iter::once(&padded));
    let mut later = 0;
    let mut is_after_white = 0;
    let mut passed = 0;
    let first_odd = loop {
        let Some(group) = groups.next() else {
            return Folded {
                kept: Some(text),
                chars: bytes.len() - later,
            };
        };
        let bits = squeeze.space_bits(group);
        if bits.repeated(is_after_white) != 0 || bits.white != bits.spaces {
            break group;
        }
        later += bits.later.count_ones() as usize;
        is_after_white = bits.white >> (GROUP - 1);
        passed += GROUP;
    };
    let start = out.len();
    out.reserve(bytes.len() + ROOM);
    out.extend_from_slice(&bytes[..passed]);
    for group in iter::once(first_odd).chain(groups) {
        let bits = squeeze.space_bits(group);
        let mut squeezed = [0; ROOM];
        let length = squeeze.squeeze(group, bits.repeated(is_after_white), &mut squeezed);
        let end = out.len() + length;
        // Copying the whole buffer is faster than copying `length` bytes.
        out.extend_from_slice(&squeezed);
        out.truncate(end);
        later += bits.later.count_ones() as usize;
        is_after_white = bits.white >> (GROUP - 1);
    }
    // Remove the zeros that padded the last group.
    out.truncate(out.len() - (GROUP - rest.len()));
    Folded {
        kept: None,
        chars: out.len() - start - later,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Folded, Squeeze, fold_by};
    use crate::instructions::Portable;
    #[cfg(target_arch = "x86_64")]
    use crate::instructions::{Avx2, Avx512};
    use crate::tokens::rules::is_space;

    fn slow(text: &str) -> (String, usize) {
        let is_white = |character| u8::try_from(character).is_ok_and(is_space);
        let words: Vec<&str> = text
            .split(is_white)
            .filter(|word| !word.is_empty())
            .collect();
        let folded = words.join(" ");
        let chars = folded.chars().count();
        (folded, chars)
    }

    fn check_by(text: &str, squeeze: impl Squeeze) -> Result<(), TestCaseError> {
        let mut out = b"before".to_vec();
        let Folded { kept, chars } = fold_by(text.trim_ascii(), &mut out, squeeze);
        let appended = String::from_utf8(out.split_off(6)).unwrap();
        prop_assert_eq!(out, b"before");
        prop_assert!(kept.is_none() || appended.is_empty());
        prop_assert_eq!((kept.unwrap_or(&appended).to_owned(), chars), slow(text));
        Ok(())
    }

    fn check(text: &str) -> Result<(), TestCaseError> {
        check_by(text, Portable)?;
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            check_by(text, avx2)?;
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(avx512) = Avx512::detect() {
            check_by(text, avx512)?;
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn folding_agrees_with_the_slow_way(text in "([ \\n\\t\\r\\x0c\\x0b\\x00aé漢🦀\u{a0}]| {5,20}|[a-z]{60,70}){0,60}") {
            check(&text)?;
        }
    }

    #[test]
    fn runs_at_every_offset_of_a_group() {
        for before in 0..130 {
            for run in ["\n", "  ", " \n", "\t\r\x0c "] {
                for length in [1, 2, 63, 64, 65, 130] {
                    let run = run.repeat(length);
                    check(&format!("{}{run}b", "a".repeat(before))).unwrap();
                    check(&format!("{}{run}é{run}", "a ".repeat(before))).unwrap();
                }
            }
        }
    }
}
