//! Spreads messages over two lanes that are hashed in lockstep.
//!
//! ```text
//! messages ──┬─► lane 0: blocks of the message, then its padding ──┬─► fingerprints
//!            └─► lane 1: blocks of the message, then its padding ──┘
//! ```
//!
//! Both lanes advance by as many blocks as the shorter one has left. A lane that is through with
//! its message takes the next one, so many short messages pass beside a long one.

use std::array::from_mut;

use crate::message::Message;
use crate::sha_ni::{ShaNi, State};
use crate::{Fingerprint, HashKind};

/// Messages hashed at the same time. Two keep the hash unit busy; a third does not fit into the
/// 16 vector registers and makes SHA-256 slower by a third.
const LANES: usize = 2;

/// Puts the fingerprint of `inputs[i]` into `out[i]`.
pub(crate) fn fingerprint_lanes(
    sha: ShaNi,
    kind: HashKind,
    inputs: &[&[u8]],
    out: &mut [Fingerprint],
) {
    let mut waiting = longest_first(inputs);
    let mut indices = [0; LANES];
    let mut states = [State::start(kind); LANES];
    let mut messages = [const { Message::DONE }; LANES];
    for (index, message) in indices.iter_mut().zip(&mut messages) {
        if let Some(first) = waiting.next() {
            *index = first;
            message.begin(inputs[first]);
        }
    }
    loop {
        let count = messages.iter().map(Message::left).min().unwrap_or(0);
        if count == 0 {
            break;
        }
        sha.compress(kind, &mut states, messages.each_ref(), count);
        for lane in 0..LANES {
            messages[lane].skip(count);
            if messages[lane].left() == 0 {
                out[indices[lane]] = states[lane].fingerprint(kind);
                if let Some(next) = waiting.next() {
                    indices[lane] = next;
                    messages[lane].begin(inputs[next]);
                    states[lane] = State::start(kind);
                }
            }
        }
    }
    for lane in 0..LANES {
        let left = messages[lane].left();
        if left > 0 {
            let state = from_mut(&mut states[lane]);
            sha.compress(kind, state, [&messages[lane]], left);
            out[indices[lane]] = states[lane].fingerprint(kind);
        }
    }
}

/// Indices of the messages; the longest one changes places with the first, lest it be left over
/// with nothing beside it.
fn longest_first(inputs: &[&[u8]]) -> impl Iterator<Item = usize> {
    let longest = (0..inputs.len()).max_by_key(|&i| inputs[i].len());
    let longest = longest.unwrap_or(0);
    (0..inputs.len()).map(move |i| match i {
        0 => longest,
        i if i == longest => 0,
        i => i,
    })
}
