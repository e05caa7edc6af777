//! The digest of bytes that come in parts, however many.
//!
//! Until the end nobody knows which level the digest will have, so pieces are hashed at several
//! levels at once. A piece that ends at a level ends at all levels below too. Hence
//!
//! - levels at which no piece has ended yet all have the same hash: one stands for them all;
//! - between ends at the lowest level nothing happens but hashing, at all levels with the same
//!   bytes, which a processor does for eight levels in one step;
//! - the lowest level is dropped once there are too many bytes for it and the next has enough
//!   pieces: then the digest can no longer have it.

use crate::alphabet::{EMPTY_PIECE, extend_narrow};
use crate::digest::{Digest, Part};
use crate::level::{self, ENOUGH_PIECES, FIRST_PIECES, HIGHEST, SECOND_PIECES};
use crate::piece_ends;
use crate::roll::{self, WINDOW};

/// Levels that are hashed in one step.
const LANES: usize = 8;

/// Bytes that are looked through at once. The lowest level goes up in between.
const CHUNK: usize = 1024;

/// Every level of a digest, and one more for the second part of the highest.
const LEVELS: usize = HIGHEST as usize + 2;

/// Makes the digest of bytes that come in parts. How they are parted makes no difference.
///
/// It needs five kilobytes and no more, whatever the length. Where all bytes are at hand,
/// [`Digest::of`] is faster, many times so for a few kilobytes.
#[derive(Clone, Debug)]
pub struct Hasher {
    /// The last bytes.
    last: [u8; WINDOW],
    /// Bytes so far.
    len: u64,
    /// Lower levels are dropped.
    lowest: usize,
    /// The lowest level at which no piece has ended, or the highest of all.
    highest: usize,
    /// What is hashed at each level since the last piece ended.
    open: [u16; LEVELS + LANES],
    /// The same for second parts, which have fewer pieces.
    open_second: [u16; LEVELS + LANES],
    levels: [Level; LEVELS],
}

/// The pieces that have ended at a level.
#[derive(Clone, Copy, Debug)]
struct Level {
    pieces: usize,
    hashes: [u16; FIRST_PIECES],
    /// The hash of all bytes after these pieces up to where a piece ended last.
    rest: Option<u16>,
    /// The same after the pieces that a second part has.
    rest_second: Option<u16>,
}

impl Hasher {
    /// A hasher that has seen no bytes.
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

    /// Takes these bytes after those before.
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

    /// The digest of all bytes so far.
    pub fn finish(&self) -> Digest {
        let guess = usize::from(level::first_guess(self.len));
        let level = (self.lowest..=guess.min(self.highest))
            .rev()
            .find(|&level| self.levels[level].pieces >= ENOUGH_PIECES)
            .unwrap_or(self.lowest);
        // Levels above the highest are all alike.
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

    /// The bytes that matter to where the next piece ends.
    fn before(&self) -> [u8; WINDOW - 1] {
        let [_, before @ ..] = self.last;
        before
    }

    /// Hashes bytes among which no piece ends.
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

    /// Ends the pieces of all levels up to this one.
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

    /// Ends a piece. Once there is no room for more, the hash goes on.
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

    /// The characters of the first pieces, and one for what comes after them, if anything does.
    fn part(&self, room: usize, last: Option<u16>) -> Part {
        let mut part = Part::new();
        for &hash in self.hashes[..self.pieces.min(room)].iter().chain(&last) {
            part.push(u32::from(hash));
        }
        part
    }
}
