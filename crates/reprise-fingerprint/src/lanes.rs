//! Spreads messages over lanes that are hashed in lockstep.
//!
//! ```text
//! messages ──┬─► lane 0: blocks of the message, then its padding ──┬─► fingerprints
//!     ▲      ├─► lane 1: blocks of the message, then its padding ──┤
//!     │      └─► ...                                               │
//!     └── what is left over when no message is there for some lane ┘
//! ```
//!
//! All lanes advance by as many blocks as the shortest one has left. A lane that is through with
//! its message takes the next one, so many short messages pass beside a long one.

use std::mem;

use crate::message::{Block, Message};
use crate::sha_ni::{ShaNi, Task};
use crate::state::State;
use crate::{Fingerprint, HashKind};

/// A way to hash `N` messages at the same time.
pub(crate) trait Lockstep<const N: usize>: Copy {
    /// The hash that it makes.
    fn kind(self) -> HashKind;

    /// Takes the next `count` blocks of each lane's message into its state. A lane that has fewer is
    /// idle: what becomes of its state does not matter.
    fn compress(self, states: &mut [State; N], messages: [&Message<'_>; N], count: usize);

    /// The way for messages that are too few for so many lanes.
    fn pairs(self) -> ShaNi;
}

/// Blocks kept of what is left over, in all lanes together: four mebibytes. Those before them are
/// hashed in pairs, or alone.
const KEPT_BLOCKS_MAX: usize = (4 << 20) / size_of::<Block>();

/// `N` lanes, and what was left over in all but one of them.
pub(crate) struct Lanes<T, L, const N: usize> {
    lockstep: L,
    /// Whose message each lane is at; nothing where it is idle.
    tags: [Option<T>; N],
    states: [State; N],
    /// What was left over of it.
    kept: [Vec<Block>; N],
    /// The first block of that which is not hashed yet.
    next: [usize; N],
    /// What has to be kept from now on, and in which lane.
    new: Vec<(usize, Vec<Block>)>,
    /// Buffers for that.
    spare: Vec<Vec<Block>>,
}

impl<T: Copy, L: Lockstep<N>, const N: usize> Lanes<T, L, N> {
    pub(crate) fn new(lockstep: L) -> Self {
        Self {
            lockstep,
            tags: [None; N],
            states: [State::start(lockstep.kind()); N],
            kept: [const { Vec::new() }; N],
            next: [0; N],
            new: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Hashes until one lane has nothing to do.
    pub(crate) fn add<'a>(
        &mut self,
        mut inputs: impl Iterator<Item = (T, &'a [u8])>,
        found: &mut impl FnMut(T, Fingerprint),
    ) {
        let mut messages = messages(&self.kept, &self.next);
        let mut is_new = [false; N];
        loop {
            let mut count = usize::MAX;
            for (lane, message) in messages.iter_mut().enumerate() {
                if message.left() == 0 {
                    if let Some(tag) = self.tags[lane].take() {
                        found(tag, self.states[lane].fingerprint());
                    }
                    if let Some((tag, bytes)) = inputs.next() {
                        self.tags[lane] = Some(tag);
                        self.states[lane] = State::start(self.lockstep.kind());
                        message.begin(bytes);
                        is_new[lane] = true;
                    }
                }
                count = count.min(message.left());
            }
            if count == 0 {
                break;
            }
            self.lockstep
                .compress(&mut self.states, messages.each_ref(), count);
            for message in &mut messages {
                message.skip(count);
            }
        }
        compress_down_to(
            KEPT_BLOCKS_MAX / N,
            self.lockstep,
            &mut self.states,
            &mut messages,
        );
        for (lane, message) in messages.iter().enumerate() {
            if is_new[lane] {
                let mut blocks = self.spare.pop().unwrap_or_default();
                message.append_to(&mut blocks);
                self.new.push((lane, blocks));
            } else {
                self.next[lane] = self.kept[lane].len() - message.left();
            }
        }
        for (lane, blocks) in self.new.drain(..) {
            self.next[lane] = 0;
            let mut before = mem::replace(&mut self.kept[lane], blocks);
            before.clear();
            self.spare.push(before);
        }
    }

    /// Hashes what was left over.
    pub(crate) fn finish(&mut self, found: &mut impl FnMut(T, Fingerprint)) {
        // In lockstep as long as most lanes have something to do.
        while self.tags.iter().flatten().count() > N / 2 {
            let messages = messages(&self.kept, &self.next);
            let lengths = messages.iter().map(Message::left);
            let count = lengths.filter(|&length| length > 0).min().unwrap_or(0);
            self.lockstep
                .compress(&mut self.states, messages.each_ref(), count);
            for lane in 0..N {
                self.next[lane] = (self.next[lane] + count).min(self.kept[lane].len());
                if self.next[lane] == self.kept[lane].len()
                    && let Some(tag) = self.tags[lane].take()
                {
                    found(tag, self.states[lane].fingerprint());
                }
            }
        }
        let mut messages = messages(&self.kept, &self.next);
        compress_down_to(0, self.lockstep, &mut self.states, &mut messages);
        for (tag, state) in self.tags.iter_mut().zip(&self.states) {
            if let Some(tag) = tag.take() {
                found(tag, state.fingerprint());
            }
        }
        self.kept.iter_mut().for_each(Vec::clear);
        self.next = [0; N];
    }
}

/// Takes the blocks of each message into its state until no more than this are left.
fn compress_down_to<const N: usize>(
    left: usize,
    lockstep: impl Lockstep<N>,
    states: &mut [State; N],
    messages: &mut [Message<'_>; N],
) {
    let lanes = states.iter_mut().zip(messages);
    let tasks = lanes.map(|(state, message)| Task {
        count: message.left().saturating_sub(left),
        state,
        message,
    });
    lockstep.pairs().compress_in_pairs(lockstep.kind(), tasks);
}

/// What is left over in each lane.
fn messages<'k, const N: usize>(kept: &'k [Vec<Block>; N], next: &[usize; N]) -> [Message<'k>; N] {
    let mut messages = [const { Message::DONE }; N];
    for ((message, kept), &next) in messages.iter_mut().zip(kept).zip(next) {
        *message = Message::of_blocks(&kept[next..]);
    }
    messages
}
