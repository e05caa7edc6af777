//! Digests in the form in which they are compared: runs of one character are shortened to three.
//!
//! Long runs carry little information, and would make digests similar that share nothing else.

use crate::alphabet;
use crate::digest::{Digest, Part};
use crate::level::CHARACTERS;

/// The length to which longer runs of one character are shortened.
const LONGEST_RUN: usize = 3;

/// The number of characters in a row that two digests must share to score above zero.
pub(crate) const GRAM: usize = 7;

/// The number of bits of a character's code.
const CODE_BITS: u32 = 6;

/// The number of bits of a gram.
pub(crate) const GRAM_BITS: u32 = GRAM as u32 * CODE_BITS;

/// A digest without long runs. Scores depend on nothing else.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cut {
    pub(crate) level: u8,
    /// The first part, at `level`, and the second part, one level above.
    pub(crate) texts: [Text; 2],
}

/// One part of a digest without long runs, as codes from 0 to 63.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Text {
    outline: Outline,
    /// The codes, followed by zeros.
    codes: [u8; CHARACTERS],
}

/// A summary of a text, which gives an upper bound of its score with another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Outline {
    /// The set of codes that occur: bit `n` stands for code `n`.
    pub(crate) present: u64,
    pub(crate) len: u8,
}

impl Cut {
    pub(crate) fn of(digest: &Digest) -> Self {
        Self {
            level: digest.level(),
            texts: digest.parts().map(Text::of),
        }
    }

    /// Returns the grams of both texts, each with its level.
    pub(crate) fn grams(&self) -> impl Iterator<Item = (u8, u64)> {
        let levels = [self.level, self.level + 1];
        let texts = levels.into_iter().zip(&self.texts);
        texts.flat_map(|(level, text)| text.grams().map(move |gram| (level, gram)))
    }
}

impl Text {
    fn of(part: &Part) -> Self {
        let mut text = Self {
            outline: Outline { present: 0, len: 0 },
            codes: [0; CHARACTERS],
        };
        let mut run = 0;
        let mut before = None;
        for &character in part.characters() {
            run = if before == Some(character) {
                run + 1
            } else {
                1
            };
            before = Some(character);
            if run <= LONGEST_RUN {
                let code = alphabet::code(character).expect("parts contain only the 64 characters");
                text.codes[text.len()] = code;
                text.outline.len += 1;
                text.outline.present |= 1 << code;
            }
        }
        text
    }

    pub(crate) const fn len(&self) -> usize {
        self.outline.len as usize
    }

    pub(crate) fn codes(&self) -> &[u8] {
        &self.codes[..self.len()]
    }

    pub(crate) const fn outline(&self) -> Outline {
        self.outline
    }

    /// Returns all runs of [`GRAM`] characters, as numbers of [`GRAM_BITS`] bits.
    pub(crate) fn grams(&self) -> impl Iterator<Item = u64> {
        let (begin, rest) = self.codes().split_at(self.len().min(GRAM - 1));
        let add = |gram: u64, code: u8| (gram << CODE_BITS | u64::from(code)) % (1 << GRAM_BITS);
        let mut gram = begin.iter().fold(0, |gram, &code| add(gram, code));
        rest.iter().map(move |&code| {
            gram = add(gram, code);
            gram
        })
    }
}
