//! Computes the digest of a whole byte string.
//!
//! The ends of the pieces are found first, which needs no hashing of pieces. They determine the level.
//! Then the pieces of two levels are hashed, four at a time, because each step of a hash waits for the
//! one before it. A [`Hasher`](crate::Hasher) knows neither the length nor the level in advance, so it
//! hashes the pieces of many levels.

use crate::alphabet::{EMPTY_PIECE, extend};
use crate::digest::{Digest, Part};
use crate::level::{self, FIRST_PIECES, SECOND_PIECES};
use crate::piece_ends::{self, LevelEnds, PieceEnds};
use crate::roll::{self, WINDOW};

/// The number of pieces that are hashed at the same time.
const LANES: usize = 4;

/// The largest number of pieces of both parts of a digest, including the rest after each.
const PIECES: usize = FIRST_PIECES + SECOND_PIECES + 2;

/// Returns the digest of a byte string.
pub(crate) fn digest(bytes: &[u8]) -> Digest {
    let guess = level::first_guess(bytes.len() as u64);
    let lowest = guess.saturating_sub(1);
    let mut ends = PieceEnds::of(bytes, lowest);
    let level = ends.highest_with_enough(guess).unwrap_or_else(|| {
        // Repetitive bytes have few ends of pieces, so the level is lower.
        let level = piece_ends::highest_with_enough_below(bytes, lowest);
        if level < lowest {
            ends = PieceEnds::of(bytes, level);
        }
        level
    });

    let rolling = !ends_at_zero(bytes);
    let mut pieces = Pieces::default();
    let first = pieces.add(bytes, ends.at(level), FIRST_PIECES, rolling);
    pieces.add(bytes, ends.at(level + 1), SECOND_PIECES, rolling);
    let hashes = pieces.hashes();
    let (first, second) = hashes[..pieces.count].split_at(first);
    Digest::new(level, part(first), part(second))
}

fn part(hashes: &[u32]) -> Part {
    let mut part = Part::new();
    for &hash in hashes {
        part.push(hash);
    }
    part
}

/// Returns true if the rolling hash is zero after these bytes.
fn ends_at_zero(bytes: &[u8]) -> bool {
    let mut window = [0; WINDOW];
    let len = bytes.len().min(WINDOW);
    window[WINDOW - len..].copy_from_slice(&bytes[bytes.len() - len..]);
    roll::value_of(&window) == 0
}

/// The pieces of both parts of a digest.
struct Pieces<'bytes> {
    pieces: [&'bytes [u8]; PIECES],
    count: usize,
}

impl Default for Pieces<'_> {
    fn default() -> Self {
        Self {
            pieces: [&[]; PIECES],
            count: 0,
        }
    }
}

impl<'bytes> Pieces<'bytes> {
    /// Adds the first `room` pieces of a part, and one more for the rest of the bytes. Returns the number
    /// of all pieces so far.
    fn add(&mut self, bytes: &'bytes [u8], ends: &LevelEnds, room: usize, rolling: bool) -> usize {
        let mut begin = 0;
        for &end in ends.first().iter().take(room) {
            self.push(&bytes[begin..=end]);
            begin = end + 1;
        }
        if rolling {
            self.push(&bytes[begin..]);
        } else if ends.count() > room {
            // ssdeep rewrites the last character at each further end of a piece, and appends nothing
            // after the last end.
            self.push(&bytes[begin..=ends.last()]);
        }
        self.count
    }

    const fn push(&mut self, piece: &'bytes [u8]) {
        self.pieces[self.count] = piece;
        self.count += 1;
    }

    /// Returns the hashes of all pieces.
    fn hashes(&self) -> [u32; PIECES] {
        let mut hashes = [EMPTY_PIECE; PIECES];
        let mut next = LANES.min(self.count);
        let mut lanes: [(usize, &[u8]); LANES] =
            std::array::from_fn(|lane| (lane, self.pieces[lane]));
        // All lanes advance by the length of the shortest piece, whose lane then takes the next one.
        loop {
            let steps = lanes.map(|(_, rest)| rest.len());
            let steps = steps.into_iter().fold(usize::MAX, usize::min);
            let now = lanes.map(|(_, rest)| &rest[..steps]);
            let done = extend_all(lanes.map(|(piece, _)| hashes[piece]), now);
            for ((piece, rest), hash) in lanes.iter_mut().zip(done) {
                hashes[*piece] = hash;
                *rest = &rest[steps..];
                while rest.is_empty() && next < self.count {
                    (*piece, *rest) = (next, self.pieces[next]);
                    next += 1;
                }
            }
            if lanes.iter().any(|(_, rest)| rest.is_empty()) {
                break;
            }
        }
        for (piece, rest) in lanes {
            hashes[piece] = rest
                .iter()
                .fold(hashes[piece], |hash, &byte| extend(hash, byte));
        }
        hashes
    }
}

/// Extends each hash by its bytes. All byte strings have the same length.
fn extend_all(mut hashes: [u32; LANES], [a, b, c, d]: [&[u8]; LANES]) -> [u32; LANES] {
    for (((a, b), c), d) in a.iter().zip(b).zip(c).zip(d) {
        hashes[0] = extend(hashes[0], *a);
        hashes[1] = extend(hashes[1], *b);
        hashes[2] = extend(hashes[2], *c);
        hashes[3] = extend(hashes[3], *d);
    }
    hashes
}
