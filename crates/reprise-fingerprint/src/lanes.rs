//! Spreads messages over two lanes that are hashed in lockstep.
//!
//! ```text
//! messages ──┬─► lane 0: blocks of the message, then its padding ──┬─► fingerprints
//!     ▲      └─► lane 1: blocks of the message, then its padding ──┘
//!     └── what is left over when no message is there for the other lane
//! ```
//!
//! Both lanes advance by as many blocks as the shorter one has left. A lane that is through with
//! its message takes the next one, so many short messages pass beside a long one.

use std::array::from_mut;
use std::mem;

use crate::message::{Block, Message};
use crate::sha_ni::{ShaNi, State};
use crate::{Fingerprint, HashKind};

/// Messages hashed at the same time. Two keep the hash unit busy; a third does not fit into the
/// 16 vector registers and makes SHA-256 slower by a third.
const LANES: usize = 2;

/// What is left over of a message is kept up to this many blocks, which is a mebibyte. The blocks
/// before them are hashed alone.
const KEPT_BLOCKS_MAX: usize = (1 << 20) / size_of::<Block>();

/// Two lanes, and what was left over in one of them.
pub(crate) struct Lanes<T> {
    sha: ShaNi,
    kind: HashKind,
    left_over: Option<(T, State)>,
    /// The blocks that are left of it.
    blocks: Vec<Block>,
    /// For the blocks of the next one.
    spare: Vec<Block>,
}

impl<T> Lanes<T> {
    pub(crate) fn new(sha: ShaNi, kind: HashKind) -> Self {
        Self {
            sha,
            kind,
            left_over: None,
            blocks: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Hashes until one lane has nothing to do.
    pub(crate) fn add<'a>(
        &mut self,
        mut inputs: impl Iterator<Item = (T, &'a [u8])>,
        found: &mut impl FnMut(T, Fingerprint),
    ) {
        let (sha, kind) = (self.sha, self.kind);
        let blocks = mem::take(&mut self.blocks);
        let mut tags = [const { None }; LANES];
        let mut states = [State::start(kind); LANES];
        let mut messages = [const { Message::DONE }; LANES];
        if let Some((tag, state)) = self.left_over.take() {
            tags[0] = Some(tag);
            states[0] = state;
            messages[0] = Message::of_blocks(&blocks);
        }
        loop {
            for lane in 0..LANES {
                if messages[lane].left() > 0 {
                    continue;
                }
                if let Some(tag) = tags[lane].take() {
                    found(tag, states[lane].fingerprint(kind));
                }
                if let Some((tag, bytes)) = inputs.next() {
                    tags[lane] = Some(tag);
                    states[lane] = State::start(kind);
                    messages[lane].begin(bytes);
                }
            }
            let count = messages.iter().map(Message::left).min().unwrap_or(0);
            if count == 0 {
                break;
            }
            sha.compress(kind, &mut states, messages.each_ref(), count);
            for message in &mut messages {
                message.skip(count);
            }
        }
        self.spare.clear();
        for ((tag, mut state), message) in tags.into_iter().zip(states).zip(&mut messages) {
            if let Some(tag) = tag {
                let alone = message.left().saturating_sub(KEPT_BLOCKS_MAX);
                sha.compress(kind, from_mut(&mut state), [message], alone);
                message.skip(alone);
                message.append_to(&mut self.spare);
                self.left_over = Some((tag, state));
            }
        }
        self.blocks = mem::replace(&mut self.spare, blocks);
    }

    /// Hashes what was left over.
    pub(crate) fn finish(&mut self, found: &mut impl FnMut(T, Fingerprint)) {
        if let Some((tag, mut state)) = self.left_over.take() {
            let message = Message::of_blocks(&self.blocks);
            let state = from_mut(&mut state);
            self.sha
                .compress(self.kind, state, [&message], message.left());
            found(tag, state[0].fingerprint(self.kind));
        }
        self.blocks.clear();
    }
}
