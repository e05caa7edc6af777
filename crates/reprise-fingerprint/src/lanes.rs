//! Distributes messages over lanes that are hashed in lockstep.
//!
//! ```text
//! messages ──┬─► lane 0: blocks of the message, then its padding ──┬─► fingerprints
//!     ▲      ├─► lane 1: blocks of the message, then its padding ──┤
//!     │      └─► ...                                               │
//!     └── the unhashed rest, when some lane has no next message ───┘
//! ```
//!
//! All lanes advance by the number of blocks that the shortest one has left. A lane that has finished
//! its message takes the next one, so many short messages pass while a long one is hashed.

use std::mem;

use crate::message::{Block, Message};
use crate::sha_ni::{ShaNi, Task};
use crate::state::State;
use crate::{Fingerprint, HashKind};

/// Hashes `N` messages at the same time.
pub(crate) trait Lockstep<const N: usize>: Copy {
    /// Returns the hash function.
    fn kind(self) -> HashKind;

    /// Processes the next `count` blocks of each lane's message. A lane with fewer blocks is idle, and
    /// its state becomes arbitrary.
    fn compress(self, states: &mut [State; N], messages: [&Message<'_>; N], count: usize);

    /// Returns the implementation for pairs of messages, for when most lanes would be idle.
    fn pairs(self) -> ShaNi;
}

/// The most blocks that all lanes together keep between two calls: 4 MiB. Blocks before these are
/// hashed in pairs, or alone.
const KEPT_BLOCKS_MAX: usize = (4 << 20) / size_of::<Block>();

/// `N` lanes, and the unhashed rests of their messages. At least one lane is empty between two calls.
pub(crate) struct Lanes<T, L, const N: usize> {
    lockstep: L,
    /// The tag of each lane's message, or `None` if the lane is idle.
    tags: [Option<T>; N],
    states: [State; N],
    /// The unhashed rest of each lane's message.
    kept: [Vec<Block>; N],
    /// The index in `kept` of the first block that is not hashed yet.
    next: [usize; N],
    /// The rests of messages that the current call has begun, with their lanes.
    new: Vec<(usize, Vec<Block>)>,
    /// Buffers to reuse for `new`.
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

    /// Hashes until one lane has no message.
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

    /// Hashes the rests of all messages.
    pub(crate) fn finish(&mut self, found: &mut impl FnMut(T, Fingerprint)) {
        // In lockstep as long as most lanes have a message.
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

/// Processes the blocks of each message until at most `left` of them are left.
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

/// Returns the unhashed rest of each lane's message.
fn messages<'k, const N: usize>(kept: &'k [Vec<Block>; N], next: &[usize; N]) -> [Message<'k>; N] {
    let mut messages = [const { Message::DONE }; N];
    for ((message, kept), &next) in messages.iter_mut().zip(kept).zip(next) {
        *message = Message::of_blocks(&kept[next..]);
    }
    messages
}
