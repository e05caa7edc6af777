//! Finds the first record that seems to begin in a block of an uncompressed archive.

use std::io;

use super::{Block, LOOK_AHEAD_BYTES};
use crate::frame::{Frame, Framing};
use crate::limits::RecordLimits;
use crate::stream_view::StreamView;

/// Moves to the first record that seems to begin in the block. Returns false if the block has none.
pub(super) fn record(
    block: &Block<'_>,
    view: &mut StreamView<'_>,
    limits: &RecordLimits,
) -> io::Result<bool> {
    loop {
        let room = block.range.end.saturating_sub(view.position()) as usize;
        let seen = view.ahead().len();
        match block.framing.find_record(view.ahead()) {
            Some(at) if at < room => {
                view.advance(at as u64)?;
                if !is_garbage(block, view, limits)? {
                    return Ok(true);
                }
            }
            None if seen < room + LOOK_AHEAD_BYTES && !view.at_end() => {
                view.fill((2 * seen).max(LOOK_AHEAD_BYTES))?;
            }
            _ => return Ok(false),
        }
    }
}

/// Returns true if no record begins here. The reader of the block before reads garbage to its end, so no other
/// block may begin inside it: each would be read to the end of the garbage.
fn is_garbage(
    block: &Block<'_>,
    view: &mut StreamView<'_>,
    limits: &RecordLimits,
) -> io::Result<bool> {
    if block.framing != Framing::Warc {
        return Ok(false);
    }
    loop {
        match (block.framing).next(view.ahead(), view.at_end(), limits) {
            // More bytes are needed until the header is complete.
            Frame::NeedMore(want) if view.ahead().len() < LOOK_AHEAD_BYTES => {
                view.fill(want)?;
            }
            frame => return Ok(matches!(frame, Frame::Garbage { .. })),
        }
    }
}
