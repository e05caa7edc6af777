//! Finds the ends of pieces.

use crate::level::{self, ENOUGH_PIECES, FIRST_PIECES, HIGHEST};
use crate::roll::{self, NOTHING, TOGETHER, WINDOW};

/// The number of levels whose ends are collected at once: the first guess, the level below it, which is
/// often the right one, and the level above it for the second part.
const LEVELS: usize = 3;

/// The ends of the pieces at [`LEVELS`] levels.
#[derive(Debug)]
pub(crate) struct PieceEnds {
    lowest: u8,
    levels: [LevelEnds; LEVELS],
}

/// The ends of the pieces at one level. There may be an end at every byte, but only the first ones and
/// the last one matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelEnds {
    count: usize,
    first: [usize; FIRST_PIECES],
    last: usize,
}

impl PieceEnds {
    /// Finds the ends in a byte string, from the level `lowest` on.
    pub(crate) fn of(bytes: &[u8], lowest: u8) -> Self {
        let mut levels = [LevelEnds::NONE; LEVELS];
        each_end(NOTHING, bytes, lowest, |position, top| {
            for ends in &mut levels[..LEVELS.min(usize::from(top - lowest) + 1)] {
                ends.push(position);
            }
        });
        Self { lowest, levels }
    }

    /// Returns the ends at one of the collected levels.
    pub(crate) fn at(&self, level: u8) -> &LevelEnds {
        &self.levels[usize::from(level - self.lowest)]
    }

    /// Returns the highest collected level, up to `highest`, that has enough pieces.
    pub(crate) fn highest_with_enough(&self, highest: u8) -> Option<u8> {
        (self.lowest..=highest)
            .rev()
            .find(|&level| self.at(level).count >= ENOUGH_PIECES)
    }
}

impl LevelEnds {
    const NONE: Self = Self {
        count: 0,
        first: [0; FIRST_PIECES],
        last: 0,
    };

    const fn push(&mut self, position: usize) {
        if self.count < FIRST_PIECES {
            self.first[self.count] = position;
        }
        self.last = position;
        self.count += 1;
    }

    /// Returns the number of all pieces, including those without a character in the digest.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// Returns the positions of the last bytes of the first pieces.
    pub(crate) fn first(&self) -> &[usize] {
        &self.first[..self.count.min(FIRST_PIECES)]
    }

    /// Returns the position of the last byte of the last piece, or 0 without pieces.
    pub(crate) const fn last(&self) -> usize {
        self.last
    }
}

/// The number of levels that are searched together below the collected ones. Lower levels have more ends,
/// so a few levels at a time are faster than all at once.
const LEVELS_BELOW: u8 = 4;

/// Returns the highest level below `level` that has enough pieces, or the lowest level.
pub(crate) fn highest_with_enough_below(bytes: &[u8], level: u8) -> u8 {
    let mut above = level;
    while above > 0 {
        let lowest = above.saturating_sub(LEVELS_BELOW);
        let mut counts = [0_usize; HIGHEST as usize + 2];
        each_end(NOTHING, bytes, lowest, |_, top| {
            counts[usize::from(top.min(HIGHEST + 1))] += 1;
        });
        let mut ends: usize = counts[usize::from(above)..].iter().sum();
        for level in (lowest..above).rev() {
            ends += counts[usize::from(level)];
            if ends >= ENOUGH_PIECES {
                return level;
            }
        }
        above = lowest;
    }
    0
}

/// Calls `end` for each position where a piece ends at the level `lowest`, with the highest level at
/// which a piece ends there. `before` is the bytes that precede `bytes`.
pub(crate) fn each_end(
    before: [u8; WINDOW - 1],
    bytes: &[u8],
    lowest: u8,
    mut end: impl FnMut(usize, u8),
) {
    // A piece can end only where the lowest bits of the value are ones.
    let mask = (1_u64 << lowest).wrapping_sub(1) as u32;
    let mut look = |position: usize, value: u32| {
        if value & mask == mask
            && let Some(top) = level::of_value(value)
        {
            end(position, top);
        }
    };
    let begin = bytes.len().min(WINDOW - 1);
    let mut around = [0; 2 * (WINDOW - 1)];
    around[..WINDOW - 1].copy_from_slice(&before);
    around[WINDOW - 1..][..begin].copy_from_slice(&bytes[..begin]);
    for (position, window) in around.windows(WINDOW).take(begin).enumerate() {
        look(position, roll::value_of(window));
    }

    let mut rest = bytes;
    let mut position = begin;
    while let Some(block) = rest.first_chunk() {
        for_each_true(&roll::low_bits_are_ones(block, mask as u16), |at| {
            look(position + at, roll::value_of(&block[at..]));
        });
        rest = &rest[TOGETHER..];
        position += TOGETHER;
    }
    for (at, window) in rest.windows(WINDOW).enumerate() {
        look(position + at, roll::value_of(window));
    }
}

/// Calls `found` with the index of each flag that is 1. Zeros are skipped eight at a time.
fn for_each_true(flags: &[u8; TOGETHER], mut found: impl FnMut(usize)) {
    for (place, eight) in flags.as_chunks().0.iter().enumerate() {
        let mut bits = u64::from_le_bytes(*eight);
        while bits != 0 {
            found(place * 8 + bits.trailing_zeros() as usize / 8);
            bits &= bits - 1;
        }
    }
}
