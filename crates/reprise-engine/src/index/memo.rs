//! Remembers the chunks seen lately: most pieces of a page are repeats, and a repeat need not be cut,
//! normalised or hashed again.
//!
//! A piece is known again by its [`Key`] and its length. What is remembered has no influence on the
//! result, only on the time it takes.

use reprise_fingerprint::{Fingerprint, Key, Keyer};
use reprise_store::NewFingerprint;
use reprise_text::{Content, Measure};

use super::prefetch::prefetch;
use super::slots::Slots;

/// A remembered piece: what a line of the processor's cache holds.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Piece {
    key: Key,
    length: u32,
    content: Content,
    /// Its fingerprint and measure, as a batch has them. Without characters in its normal form, it is no chunk.
    pub(crate) row: NewFingerprint,
    /// The batch that has a number for it, and that number.
    batch: u32,
    pub(crate) number: u32,
}

const _: () = assert!(size_of::<Piece>() == 64);

impl Piece {
    /// Is it a chunk?
    pub(crate) fn is_chunk(&self) -> bool {
        self.row.chars > 0
    }
}

/// The pieces seen lately.
pub(crate) struct Memo {
    keyer: Keyer,
    pieces: Vec<Piece>,
    slots: Slots,
    pieces_max: usize,
    /// The batch at hand, so that numbers of earlier ones are not mistaken for its own.
    batch: u32,
}

impl Memo {
    /// A memory of about this size.
    pub(crate) fn new(bytes_max: usize) -> Memo {
        // A piece has two to four slots.
        let pieces_max = bytes_max / (size_of::<Piece>() + 16);
        Memo {
            keyer: Keyer::new(),
            pieces: Vec::with_capacity(pieces_max),
            slots: Slots::new(pieces_max),
            pieces_max,
            batch: 0,
        }
    }

    /// From here on, numbers given for earlier batches no longer count.
    pub(crate) fn begin_batch(&mut self) {
        self.batch += 1;
    }

    /// Is there no room for so many more?
    pub(crate) fn is_full(&self, more: usize) -> bool {
        self.pieces.len() + more > self.pieces_max
    }

    /// Forgets everything. Not to be called while numbers of pieces are held.
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

    /// What is needed to find the piece with these bytes, or to remember it. Finding it takes two looks at memory that
    /// is mostly not in the processor's cache; this asks for the first, so that it is there a little later.
    pub(crate) fn wanted(&self, content: Content, raw: &[u8]) -> Wanted {
        let key = self.keyer.key(raw);
        self.slots.expect(key.half());
        Wanted {
            key,
            length: raw.len() as u32,
            content,
        }
    }

    /// Asks for the second.
    pub(crate) fn expect(&self, wanted: &Wanted) {
        if let Some(at) = self.slots.first(wanted.key.half()) {
            prefetch(&self.pieces[at as usize]);
        }
    }

    pub(crate) fn find(&self, wanted: &Wanted) -> Option<u32> {
        self.slots.find(wanted.key.half(), |at| {
            let piece = &self.pieces[at as usize];
            piece.key == wanted.key
                && piece.length == wanted.length
                && piece.content == wanted.content
        })
    }

    /// Remembers a piece; its fingerprint comes later.
    pub(crate) fn insert(&mut self, wanted: &Wanted, measure: Measure) -> u32 {
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

    /// The piece's number in the current batch; `next_number` where it has none yet, which is then its number.
    pub(crate) fn number(&mut self, at: u32, next_number: u32) -> u32 {
        let piece = &mut self.pieces[at as usize];
        if piece.batch != self.batch {
            piece.batch = self.batch;
            piece.number = next_number;
        }
        piece.number
    }
}

/// A piece that is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    key: Key,
    length: u32,
    pub(crate) content: Content,
}
