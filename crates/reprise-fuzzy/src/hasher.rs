//! Computes the digest of bytes that arrive in parts.
//!
//! The level of the digest is known only at the end, so pieces are hashed at several levels at once. A
//! piece that ends at a level ends at all lower levels as well. Therefore
//!
//! - all levels at which no piece has ended yet have the same hash, which is computed once;
//! - between two ends at the lowest level, all levels hash the same bytes, which a processor does for
//!   eight levels in one step;
//! - the lowest level is dropped as soon as there are too many bytes for it and the next level has
//!   enough pieces, because the digest can no longer have that level.

use crate::alphabet::{EMPTY_PIECE, extend_narrow};
use crate::digest::{Digest, Part};
use crate::level::{self, ENOUGH_PIECES, FIRST_PIECES, HIGHEST, SECOND_PIECES};
use crate::piece_ends;
use crate::roll::{self, WINDOW};

/// The number of levels that are hashed in one step.
const LANES: usize = 8;

/// The number of bytes that are searched for ends at once. The lowest level may rise after each chunk.
const CHUNK: usize = 1024;

/// The number of levels of digests, and one more for the second part at the highest level.
const LEVELS: usize = HIGHEST as usize + 2;

/// Computes the digest of bytes that arrive in parts. The sizes of the parts make no difference.
///
/// It needs five kilobytes for input of any length. If all bytes are available at once,
/// [`Digest::of`] is faster, and many times faster for a few kilobytes.
#[derive(Clone, Debug)]
pub struct Hasher {
    /// The last bytes.
    last: [u8; WINDOW],
    /// The number of bytes so far.
    len: u64,
    /// The lowest level that has not been dropped.
    lowest: usize,
    /// The lowest level at which no piece has ended, or the highest of all levels.
    highest: usize,
    /// The hash at each level of the bytes since the last piece ended.
    open: [u16; LEVELS + LANES],
    /// The hashes of `open` for second parts, which have fewer pieces.
    open_second: [u16; LEVELS + LANES],
    levels: [Level; LEVELS],
}

/// The pieces that have ended at one level.
#[derive(Clone, Copy, Debug)]
struct Level {
    pieces: usize,
    hashes: [u16; FIRST_PIECES],
    /// The hash of the bytes after these pieces, up to the last end of a piece.
    rest: Option<u16>,
    /// The hash of `rest` for a second part, which has fewer pieces.
    rest_second: Option<u16>,
}

impl Hasher {
    /// Creates a hasher for the empty byte string.
    pub fn new() -> Self {
        Self {
            last: [0; WINDOW],
            len: 0,
            lowest: 0,
            highest: 0,
            open: [EMPTY_PIECE as u16; LEVELS + LANES],
            open_second: [EMPTY_PIECE as u16; LEVELS + LANES],
            levels: [Level::NONE; LEVELS],
        }
    }

    /// Appends bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        for bytes in bytes.chunks(CHUNK) {
            let mut begin = 0;
            piece_ends::each_end(self.before(), bytes, self.lowest as u8, |position, top| {
                self.hash(&bytes[begin..=position]);
                begin = position + 1;
                self.end_pieces(usize::from(top));
            });
            self.hash(&bytes[begin..]);
            let new = bytes.len().min(WINDOW);
            self.last.rotate_left(new);
            self.last[WINDOW - new..].copy_from_slice(&bytes[bytes.len() - new..]);
        }
    }

    /// Returns the digest of all bytes so far.
    pub fn finish(&self) -> Digest {
        let guess = usize::from(level::first_guess(self.len));
        let level = (self.lowest..=guess.min(self.highest))
            .rev()
            .find(|&level| self.levels[level].pieces >= ENOUGH_PIECES)
            .unwrap_or(self.lowest);
        // All levels above the highest have the same pieces.
        let above = (level + 1).min(self.highest);
        let rolling = roll::value_of(&self.last) != 0;
        let [first, second] = [&self.levels[level], &self.levels[above]];
        let last = if rolling {
            Some(self.open[level])
        } else {
            first.rest
        };
        let first = first.part(FIRST_PIECES, last);
        let last = if rolling {
            Some(self.open_second[above])
        } else {
            second.rest_second
        };
        let second = second.part(SECOND_PIECES, last);
        Digest::new(level as u8, first, second)
    }

    /// Returns the last bytes, on which the next end of a piece depends.
    fn before(&self) -> [u8; WINDOW - 1] {
        let [_, before @ ..] = self.last;
        before
    }

    /// Hashes bytes among which no piece ends, at all levels.
    fn hash(&mut self, bytes: &[u8]) {
        self.len += bytes.len() as u64;
        for level in (self.lowest..=self.highest).step_by(LANES) {
            let lanes = level..level + LANES;
            let mut open = [0; LANES];
            let mut open_second = [0; LANES];
            open.copy_from_slice(&self.open[lanes.clone()]);
            open_second.copy_from_slice(&self.open_second[lanes.clone()]);
            for &byte in bytes {
                open = open.map(|hash| extend_narrow(hash, byte));
                open_second = open_second.map(|hash| extend_narrow(hash, byte));
            }
            self.open[lanes.clone()].copy_from_slice(&open);
            self.open_second[lanes].copy_from_slice(&open_second);
        }
    }

    /// Ends the current pieces of all levels up to `top`.
    fn end_pieces(&mut self, top: usize) {
        for level in self.lowest..=top.min(LEVELS - 1) {
            if level == self.highest && level + 1 < LEVELS {
                self.highest += 1;
                self.open[level + 1] = self.open[level];
                self.open_second[level + 1] = self.open_second[level];
            }
            self.levels[level].end(&mut self.open[level], &mut self.open_second[level]);
        }
        while self.lowest < self.highest
            && self.levels[self.lowest + 1].pieces >= ENOUGH_PIECES
            && !level::suffices(self.lowest as u8, self.len)
        {
            self.lowest += 1;
        }
    }
}

impl Default for Hasher {
    fn default() -> Self {
        Self::new()
    }
}

impl Level {
    const NONE: Self = Self {
        pieces: 0,
        hashes: [0; FIRST_PIECES],
        rest: None,
        rest_second: None,
    };

    /// Ends the current piece. If the part is full, the hash of the piece continues instead.
    const fn end(&mut self, open: &mut u16, open_second: &mut u16) {
        if self.pieces < SECOND_PIECES {
            *open_second = EMPTY_PIECE as u16;
        } else {
            self.rest_second = Some(*open_second);
        }
        if self.pieces < FIRST_PIECES {
            self.hashes[self.pieces] = *open;
            self.pieces += 1;
            *open = EMPTY_PIECE as u16;
        } else {
            self.rest = Some(*open);
        }
    }

    /// Returns the characters of the first `room` pieces, and of the bytes after them if `last` is
    /// their hash.
    fn part(&self, room: usize, last: Option<u16>) -> Part {
        let mut part = Part::new();
        for &hash in self.hashes[..self.pieces.min(room)].iter().chain(&last) {
            part.push(u32::from(hash));
        }
        part
    }
}
