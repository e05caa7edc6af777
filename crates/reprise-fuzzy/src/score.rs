//! Computes the similarity of two digests.
//!
//! The distance of two texts is the number of characters to remove and to insert to turn one into the
//! other. It equals the sum of their lengths minus twice the length of their longest common subsequence.
//! For texts of up to 64 characters, that length takes a few operations on one 64-bit word per character.

use crate::cut::{Cut, GRAM, Outline, Text};
use crate::digest::Digest;

/// The score of equal digests.
pub(crate) const EQUAL: u8 = 100;

/// The unit of the intermediate distance: it is rounded down to 64ths of the whole, and then to
/// hundredths.
const PARTS: u32 = 64;

/// Returns the similarity of two digests, from 0 (nothing in common) to 100. It is the number that
/// ssdeep prints, and it does not depend on the order of the digests.
///
/// Digests score above 0 only if they share seven characters in a row at the same block size, or if they
/// differ only in runs of a character longer than three. The latter score 100, even if both are empty.
pub fn score(a: &Digest, b: &Digest) -> u8 {
    let levels = [a.level(), b.level()];
    if levels[0].abs_diff(levels[1]) > 1 {
        return 0;
    }
    let [a, b] = [a, b].map(Cut::of);
    if a == b {
        return EQUAL;
    }
    let score_parts = |level: u8, mine: usize, theirs: usize| {
        let a = &a.texts[mine];
        score_texts(level, a, &places(a), &b.texts[theirs], 1)
    };
    match levels {
        [a, b] if a == b => score_parts(a, 0, 0).max(score_parts(a + 1, 1, 1)),
        [a, b] if a > b => score_parts(a, 0, 1),
        [_, b] => score_parts(b, 1, 0),
    }
}

/// The positions of each code in a text, as bits.
type Places = [u64; 64];

fn places(text: &Text) -> Places {
    let mut places = [0; 64];
    for (place, &code) in text.codes().iter().enumerate() {
        places[usize::from(code)] |= 1 << place;
    }
    places
}

/// A digest prepared for comparison with many others.
pub(crate) struct Pattern<'cut> {
    cut: &'cut Cut,
    places: [Places; 2],
}

impl<'cut> Pattern<'cut> {
    pub(crate) fn of(cut: &'cut Cut) -> Self {
        let [first, second] = &cut.texts;
        Self {
            cut,
            places: [places(first), places(second)],
        }
    }

    /// Returns the score with another digest, which must not be equal, or 0 if it is below `at_least`.
    pub(crate) fn score(&self, other: &Cut, at_least: u8) -> u8 {
        if self.cut.level == other.level {
            let first = self.score_parts(0, other, 0, at_least);
            first.max(self.score_parts(1, other, 1, at_least.max(first)))
        } else if self.cut.level == other.level + 1 {
            self.score_parts(0, other, 1, at_least)
        } else if self.cut.level + 1 == other.level {
            self.score_parts(1, other, 0, at_least)
        } else {
            0
        }
    }

    /// Returns the score of a part of this digest and a part of another, which must have the same level,
    /// or 0 if it is below `at_least`.
    pub(crate) fn score_parts(&self, mine: usize, other: &Cut, theirs: usize, at_least: u8) -> u8 {
        let level = self.cut.level + mine as u8;
        let [a, b] = [&self.cut.texts[mine], &other.texts[theirs]];
        score_texts(level, a, &self.places[mine], b, at_least)
    }
}

/// Returns the score of two texts of this level, or 0 if it is below `at_least`.
fn score_texts(level: u8, a: &Text, places: &Places, b: &Text, at_least: u8) -> u8 {
    let outlines = [a.outline(), b.outline()];
    if most(level, outlines) < at_least || !shares_gram(places, b) {
        return 0;
    }
    let distance = (a.len() + b.len()) as u32 - 2 * common(places, b);
    let score = scaled(level, outlines, distance);
    if score < at_least { 0 } else { score }
}

/// Returns an upper bound of the score of texts of this level with these outlines.
pub(crate) fn most(level: u8, [a, b]: [Outline; 2]) -> u8 {
    if usize::from(a.len.min(b.len)) < GRAM {
        return 0;
    }
    // Codes that occur in only one of the texts must be removed or inserted.
    let strange = (a.present ^ b.present).count_ones();
    let distance = strange.max(u32::from(a.len.abs_diff(b.len)));
    scaled(level, [a, b], distance)
}

/// Returns the score of texts of this level with this distance. Larger distances score lower.
fn scaled(level: u8, [a, b]: [Outline; 2], distance: u32) -> u8 {
    let apart = 100 * (distance * PARTS / (u32::from(a.len) + u32::from(b.len))) / PARTS;
    // A few characters at a small block size stand for only a few bytes.
    let most = u64::from(a.len.min(b.len)) << level;
    u64::from(100 - apart).min(most) as u8
}

/// Returns the length of the longest common subsequence of text `a`, given by its positions, and `b`.
fn common(places: &Places, b: &Text) -> u32 {
    // After each character of `b`, bit `n` is zero if the longest common subsequence of the characters
    // of `b` so far with the first `n + 1` characters of `a` is longer than with the first `n`.
    let rows = b.codes().iter().fold(u64::MAX, |rows, &code| {
        let both = rows & places[usize::from(code)];
        rows.wrapping_add(both) | (rows - both)
    });
    (!rows).count_ones()
}

/// Returns true if text `a`, given by its positions, and `b` share a gram.
fn shares_gram(places: &Places, b: &Text) -> bool {
    // After each character of `b`, bit `n` is set if the last one, two or four characters of `b` equal
    // those of `a` that end at position `n`. One, two and four characters in a row make a gram of seven.
    let mut ones = 0;
    let mut twos = [0; 2];
    let mut fours = [0; 3];
    let mut grams = 0;
    for &code in b.codes() {
        let one = places[usize::from(code)];
        let two = one & ones << 1;
        let four = two & twos[1] << 2;
        grams |= four & fours[2] << 3;
        ones = one;
        twos = [two, twos[0]];
        fours = [four, fours[0], fours[1]];
    }
    grams != 0
}
