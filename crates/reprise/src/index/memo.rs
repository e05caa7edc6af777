//! Remembers the chunks seen lately: most pieces of a page are repeats, and a repeat need not be cut,
//! normalised or hashed again.
//!
//! A piece is known again by its [`Key`] and its length. What is remembered has no influence on the
//! result, only on the time it takes.

use hashbrown::HashTable;
use reprise_fingerprint::{Fingerprint, Key, Keyer};
use reprise_text::{Content, Measure};

/// Longer pieces are not guessed: a wrong guess takes as long as a right one.
const GUESS_BYTES_MAX: usize = 1 << 13;

/// A remembered piece: what a line of the processor's cache holds.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Piece {
    key: Key,
    length: u32,
    content: Content,
    is_visible: bool,
    /// 0 for a piece that is empty in its normal form, and so no chunk.
    chars: u32,
    pub(crate) fingerprint: Fingerprint,
    /// The batch that has a number for it, and that number.
    batch: u32,
    pub(crate) number: u32,
    /// The piece that followed it last time, or [`NONE`].
    next: u32,
}

const NONE: u32 = u32::MAX;

impl Piece {
    /// Is it a chunk?
    pub(crate) fn is_chunk(&self) -> bool {
        self.chars > 0
    }

    pub(crate) fn measure(&self) -> Measure {
        Measure {
            chars: self.chars as usize,
            visible: self.is_visible,
        }
    }
}

/// The pieces seen lately.
pub(crate) struct Memo {
    keyer: Keyer,
    pieces: Vec<Piece>,
    index: HashTable<u32>,
    pieces_max: usize,
    /// Changes when everything is forgotten, so that old numbers are not mistaken for new ones.
    batch: u32,
}

impl Memo {
    /// A memory of about this size.
    pub(crate) fn new(bytes_max: usize) -> Memo {
        // Places in the index are a number and a byte each, and up to half of them are empty.
        let pieces_max = bytes_max / (size_of::<Piece>() + 10);
        Memo {
            keyer: Keyer::new(),
            pieces: Vec::with_capacity(pieces_max),
            index: HashTable::with_capacity(pieces_max),
            pieces_max,
            batch: 0,
        }
    }

    /// From here on, numbers given for earlier batches no longer count.
    pub(crate) fn begin_batch(&mut self) {
        self.batch += 1;
    }

    /// Is there no more room?
    pub(crate) fn is_full(&self) -> bool {
        self.pieces.len() > self.pieces_max
    }

    /// Forgets everything. Not to be called while numbers of pieces are held.
    pub(crate) fn clear(&mut self) {
        self.pieces.clear();
        self.pieces.shrink_to(self.pieces_max);
        self.index.clear();
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

    /// The piece with these bytes.
    pub(crate) fn find(&self, content: Content, raw: &[u8]) -> Result<u32, Missing> {
        let key = self.keyer.key(raw);
        let is_it = |&at: &u32| {
            let piece = &self.pieces[at as usize];
            piece.key == key && piece.length as usize == raw.len() && piece.content == content
        };
        (self.index.find(key.half(), is_it).copied()).ok_or(Missing {
            key,
            length: raw.len() as u32,
            content,
        })
    }

    /// Remembers a piece; its fingerprint comes later.
    pub(crate) fn insert(&mut self, missing: Missing, measure: Measure) -> u32 {
        let at = self.pieces.len() as u32;
        self.pieces.push(Piece {
            key: missing.key,
            length: missing.length,
            content: missing.content,
            is_visible: measure.visible,
            chars: measure.chars as u32,
            fingerprint: Fingerprint::default(),
            batch: 0,
            number: 0,
            next: NONE,
        });
        let pieces = &self.pieces;
        self.index
            .insert_unique(missing.key.half(), at, |&at| pieces[at as usize].key.half());
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

/// That a piece is not remembered, and what is needed to remember it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Missing {
    key: Key,
    length: u32,
    content: Content,
}
