//! Remembers pieces of pages. Most pieces repeat, and a repeat need not be normalised or hashed again.
//!
//! A piece is identified by its [`Key`], length and content. The memory affects only the running time,
//! never the result.

use reprise_fingerprint::{Fingerprint, Key, Keyer};
use reprise_store::NewFingerprint;
use reprise_text::{Content, Measure};

use super::prefetch::prefetch;
use super::slots::Slots;

/// A remembered piece. It fills one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Piece {
    key: Key,
    length: u32,
    content: Content,
    /// Its fingerprint and measure.
    pub(crate) row: NewFingerprint,
    /// The last batch that contains it, and its number in that batch.
    batch: u32,
    pub(crate) number: u32,
}

const _: () = assert!(size_of::<Piece>() == 64);

impl Piece {
    /// Returns true if its normal form has characters, which makes it a chunk.
    pub(crate) fn is_chunk(&self) -> bool {
        self.row.chars > 0
    }
}

/// The pieces seen recently.
pub(crate) struct Memo {
    keyer: Keyer,
    pieces: Vec<Piece>,
    slots: Slots,
    pieces_max: usize,
    /// The number of the current batch.
    batch: u32,
}

impl Memo {
    /// Creates a memory of about `bytes_max` bytes.
    pub(crate) fn new(bytes_max: usize) -> Memo {
        // A piece needs two to four slots of four bytes.
        let pieces_max = bytes_max / (size_of::<Piece>() + 16);
        Memo {
            keyer: Keyer::new(),
            pieces: Vec::with_capacity(pieces_max),
            slots: Slots::new(pieces_max),
            pieces_max,
            batch: 0,
        }
    }

    /// Starts a new batch: numbers of earlier batches are no longer valid.
    pub(crate) fn begin_batch(&mut self) {
        self.batch += 1;
    }

    /// Returns true if `more` pieces do not fit.
    pub(crate) fn is_full(&self, more: usize) -> bool {
        self.pieces.len() + more > self.pieces_max
    }

    /// Forgets all pieces. Indices of pieces become invalid.
    pub(crate) fn clear(&mut self) {
        self.pieces.clear();
        self.pieces.shrink_to(self.pieces_max);
        self.slots.clear();
    }

    pub(crate) fn piece(&self, at: u32) -> &Piece {
        &self.pieces[at as usize]
    }

    pub(crate) fn piece_mut(&mut self, at: u32) -> &mut Piece {
        &mut self.pieces[at as usize]
    }

    /// Returns the key of a piece. A look-up reads two places that are rarely in the cache; this prefetches
    /// the first.
    pub(crate) fn key(&self, content: Content, raw: &[u8]) -> PieceKey {
        let key = self.keyer.key(raw);
        self.slots.expect(key.half());
        PieceKey {
            key,
            length: raw.len() as u32,
            content,
        }
    }

    /// Prefetches the second place of a look-up.
    pub(crate) fn expect(&self, wanted: &PieceKey) {
        if let Some(at) = self.slots.first(wanted.key.half()) {
            prefetch(&self.pieces[at as usize]);
        }
    }

    /// Looks up a piece.
    pub(crate) fn find(&self, wanted: &PieceKey) -> Option<u32> {
        self.slots.find(wanted.key.half(), |at| {
            let piece = &self.pieces[at as usize];
            piece.key == wanted.key
                && piece.length == wanted.length
                && piece.content == wanted.content
        })
    }

    /// Adds a piece without its fingerprint.
    pub(crate) fn insert(&mut self, wanted: &PieceKey, measure: Measure) -> u32 {
        let at = self.pieces.len() as u32;
        self.pieces.push(Piece {
            key: wanted.key,
            length: wanted.length,
            content: wanted.content,
            row: NewFingerprint {
                fingerprint: Fingerprint::default(),
                chars: measure.chars as u32,
                is_visible: measure.visible,
            },
            batch: 0,
            number: 0,
        });
        self.slots.insert(wanted.key.half(), at);
        at
    }

    /// Returns the number of a piece in the current batch. A piece without one gets `next_number`.
    pub(crate) fn number(&mut self, at: u32, next_number: u32) -> u32 {
        let piece = &mut self.pieces[at as usize];
        if piece.batch != self.batch {
            piece.batch = self.batch;
            piece.number = next_number;
        }
        piece.number
    }
}

/// The identity of a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PieceKey {
    key: Key,
    length: u32,
    pub(crate) content: Content,
}
