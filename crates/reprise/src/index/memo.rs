//! Remembers the chunks seen lately: most pieces of a page are repeats, and a repeat need not be cut,
//! normalised or hashed again.
//!
//! A piece is known again by its [`Key`] and its length. What is remembered has no influence on the
//! result, only on the time it takes.

use reprise_fingerprint::{Fingerprint, Key, Keyer};
use reprise_store::NewFingerprint;
use reprise_text::{Content, Measure};

use super::slots::Slots;

/// Longer pieces are not guessed: a wrong guess takes as long as a right one.
const GUESS_BYTES_MAX: usize = 1 << 13;

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
    /// The piece that followed it last time, or [`NONE`].
    next: u32,
}

const _: () = assert!(size_of::<Piece>() == 64);

const NONE: u32 = u32::MAX;

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

    /// Is there hardly any room left? Some is kept free, so that most pages find all that they need.
    pub(crate) fn is_full(&self) -> bool {
        self.pieces.len() > self.pieces_max / 16 * 15
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

    /// Length of the piece that followed `before` last time, if the page goes on with the same bytes
    /// and then with something that may be a tag.
    pub(crate) fn guess_next(&self, before: u32, rest: &[u8]) -> Option<(u32, usize)> {
        let at = self.pieces[before as usize].next;
        let piece = self.pieces.get(at as usize)?;
        let length = piece.length as usize;
        let is_same = length <= GUESS_BYTES_MAX
            && rest.get(length) == Some(&b'<')
            && self.keyer.key(&rest[..length]) == piece.key;
        is_same.then_some((at, length))
    }

    /// Notes that one piece followed another.
    pub(crate) fn set_next(&mut self, before: u32, at: u32) {
        self.pieces[before as usize].next = at;
    }

    /// What is needed to find the piece with these bytes, or to remember it; to be used a little later.
    pub(crate) fn wanted(&self, content: Content, raw: &[u8]) -> Wanted {
        let key = self.keyer.key(raw);
        self.slots.expect(key.half());
        Wanted {
            key,
            length: raw.len() as u32,
            content,
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
            next: NONE,
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
