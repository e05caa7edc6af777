//! Where the first record of a block seems to begin, in an archive that is not compressed.

use std::io;

use super::{Block, LOOK_AHEAD_BYTES};
use crate::frame::{Frame, Framing};
use crate::limits::RecordLimits;
use crate::stream_view::StreamView;

/// Steps to it; there may be none.
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

/// Is it no record that seems to begin here? Whoever reads what is before reads a stretch of garbage to its end, so
/// nobody else is to begin in it: each block would be read to that end.
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
            // Until its header is there.
            Frame::NeedMore(want) if view.ahead().len() < LOOK_AHEAD_BYTES => {
                view.fill(want)?;
            }
            frame => return Ok(matches!(frame, Frame::Garbage { .. })),
        }
    }
}
