//! Remembers the chunks seen lately: most pieces of a page are repeats, and a repeat need not be cut,
//! normalised or hashed again.
//!
//! A hit is never a guess: the remembered bytes are compared with those of the page. What is
//! remembered has no influence on the result, only on the time it takes.

use hashbrown::HashTable;
use reprise_fingerprint::Fingerprint;
use reprise_text::{Content, Measure};

/// Pieces longer than this are not remembered: they seldom repeat, and cost room.
const PIECE_BYTES_MAX: usize = 1 << 12;

/// A remembered piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    hash: u64,
    start: u32,
    length: u32,
    content: Content,
    /// `None` for a piece that is empty in its normal form, and so no chunk.
    pub(crate) measure: Option<Measure>,
    pub(crate) fingerprint: Fingerprint,
    /// The batch that has a number for it, and that number.
    batch: u32,
    pub(crate) number: u32,
    /// The piece that followed it last time.
    next: Option<u32>,
}

/// The pieces seen lately.
pub(crate) struct Memo {
    pieces: Vec<Piece>,
    index: HashTable<u32>,
    bytes: Vec<u8>,
    bytes_max: usize,
    /// Changes when everything is forgotten, so that old numbers are not mistaken for new ones.
    batch: u32,
}

impl Memo {
    /// A memory of at most this size.
    pub(crate) fn new(bytes_max: usize) -> Memo {
        Memo {
            pieces: Vec::new(),
            index: HashTable::new(),
            bytes: Vec::new(),
            // About as much again goes to the pieces and their index.
            bytes_max: (bytes_max / 2).min(u32::MAX as usize / 2),
            batch: 0,
        }
    }

    /// From here on, numbers given for earlier batches no longer count.
    pub(crate) fn begin_batch(&mut self) {
        self.batch += 1;
    }

    /// Is there no more room?
    pub(crate) fn is_full(&self) -> bool {
        self.bytes.len() + self.pieces.len() * size_of::<Piece>() > self.bytes_max
    }

    /// Forgets everything. Not to be called while numbers of pieces are held.
    pub(crate) fn clear(&mut self) {
        self.pieces.clear();
        self.index.clear();
        self.bytes.clear();
    }

    pub(crate) fn piece(&self, at: u32) -> &Piece {
        &self.pieces[at as usize]
    }

    fn raw(&self, piece: &Piece) -> &[u8] {
        &self.bytes[piece.start as usize..][..piece.length as usize]
    }

    /// Length of the piece that followed `before` last time, if the page goes on with the same bytes.
    pub(crate) fn guess_next(&self, before: u32, rest: &[u8]) -> Option<(u32, usize)> {
        let at = self.pieces[before as usize].next?;
        let raw = self.raw(&self.pieces[at as usize]);
        rest.starts_with(raw).then_some((at, raw.len()))
    }

    /// Notes that one piece followed another.
    pub(crate) fn set_next(&mut self, before: Option<u32>, at: Option<u32>) {
        if let (Some(before), Some(_)) = (before, at) {
            self.pieces[before as usize].next = at;
        }
    }

    /// The piece with these bytes.
    pub(crate) fn find(&self, content: Content, raw: &[u8]) -> Result<u32, Missing> {
        let hash = hash(raw);
        self.index
            .find(hash, |&at| {
                let piece = &self.pieces[at as usize];
                piece.hash == hash && piece.content == content && self.raw(piece) == raw
            })
            .copied()
            .ok_or(Missing { hash })
    }

    /// Remembers a piece; its fingerprint comes later.
    pub(crate) fn insert(
        &mut self,
        missing: Missing,
        content: Content,
        raw: &[u8],
        measure: Option<Measure>,
    ) -> u32 {
        let at = self.pieces.len() as u32;
        self.pieces.push(Piece {
            hash: missing.hash,
            start: self.bytes.len() as u32,
            length: raw.len() as u32,
            content,
            measure,
            fingerprint: Fingerprint::default(),
            batch: 0,
            number: 0,
            next: None,
        });
        self.bytes.extend_from_slice(raw);
        let pieces = &self.pieces;
        self.index
            .insert_unique(missing.hash, at, |&at| pieces[at as usize].hash);
        at
    }

    pub(crate) fn piece_mut(&mut self, at: u32) -> &mut Piece {
        &mut self.pieces[at as usize]
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
    hash: u64,
}

/// Is a piece of this length worth remembering?
pub(crate) fn is_memorable(length: usize) -> bool {
    length <= PIECE_BYTES_MAX
}

fn hash(raw: &[u8]) -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let mut hasher = foldhash::fast::FixedState::with_seed(0).build_hasher();
    hasher.write(raw);
    hasher.finish()
}
