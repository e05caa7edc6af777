//! Where pieces end.

use crate::level::{self, ENOUGH_PIECES, FIRST_PIECES, HIGHEST};
use crate::roll::{self, NOTHING, TOGETHER, WINDOW};

/// Levels that are marked at once: the first guess, the one below it, which the digest may well turn
/// out to have, and the one above it for the second part.
const LEVELS: usize = 3;

/// Where pieces end, at [`LEVELS`] levels.
#[derive(Debug)]
pub(crate) struct PieceEnds {
    lowest: u8,
    levels: [LevelEnds; LEVELS],
}

/// Where pieces end at one level. There may be an end at every byte, but few of them matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelEnds {
    count: usize,
    first: [usize; FIRST_PIECES],
    last: usize,
}

impl PieceEnds {
    /// The ends of these bytes, from this level up.
    pub(crate) fn of(bytes: &[u8], lowest: u8) -> Self {
        let mut levels = [LevelEnds::NONE; LEVELS];
        each_end(NOTHING, bytes, lowest, |position, top| {
            for ends in &mut levels[..LEVELS.min(usize::from(top - lowest) + 1)] {
                ends.push(position);
            }
        });
        Self { lowest, levels }
    }

    /// The ends at a level that is marked.
    pub(crate) fn at(&self, level: u8) -> &LevelEnds {
        &self.levels[usize::from(level - self.lowest)]
    }

    /// The highest level up to this one with enough pieces, if it is marked.
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

    /// How many pieces end here; all of them, not only those that are in a digest.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// The positions of the last bytes of the first pieces.
    pub(crate) fn first(&self) -> &[usize] {
        &self.first[..self.count.min(FIRST_PIECES)]
    }

    /// The position of the last byte of the last piece. Zero when there is no piece.
    pub(crate) const fn last(&self) -> usize {
        self.last
    }
}

/// Levels that are looked at together below those that are marked. The lower the level, the more places are looked at,
/// so that a few levels at a time are quicker than all at once.
const LEVELS_BELOW: u8 = 4;

/// The highest level below this one with enough pieces, or the lowest level.
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

/// Calls `end` with each position where a piece ends at the lowest level wanted, and with the
/// highest level at which one ends there. The first argument is the bytes that came before.
pub(crate) fn each_end(
    before: [u8; WINDOW - 1],
    bytes: &[u8],
    lowest: u8,
    mut end: impl FnMut(usize, u8),
) {
    // A piece can end only where the lowest bits are ones.
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

/// Calls `found` with each place where there is a one among zeros, which are skipped eight at a time.
fn for_each_true(flags: &[u8; TOGETHER], mut found: impl FnMut(usize)) {
    for (place, eight) in flags.as_chunks().0.iter().enumerate() {
        let mut bits = u64::from_le_bytes(*eight);
        while bits != 0 {
            found(place * 8 + bits.trailing_zeros() as usize / 8);
            bits &= bits - 1;
        }
    }
}
