//! Where the first record of a block seems to begin, in an archive that is not compressed.

use std::io;

use super::{Block, LOOK_AHEAD_BYTES};
use crate::frame::{Frame, Framing};
use crate::limits::Limits;
use crate::window::Window;

/// Steps to it; there may be none.
pub(super) fn record(
    block: &Block<'_>,
    window: &mut Window<'_>,
    limits: &Limits,
) -> io::Result<bool> {
    loop {
        let room = block.range.end.saturating_sub(window.position()) as usize;
        let seen = window.ahead().len();
        match block.framing.find_record(window.ahead()) {
            Some(at) if at < room => {
                window.advance(at as u64)?;
                if !is_garbage(block, window, limits)? {
                    return Ok(true);
                }
            }
            None if seen < room + LOOK_AHEAD_BYTES && !window.at_end() => {
                window.fill((2 * seen).max(LOOK_AHEAD_BYTES))?;
            }
            _ => return Ok(false),
        }
    }
}

/// Is it no record that seems to begin here? Whoever reads what is before reads a stretch of garbage to its end, so
/// nobody else is to begin in it: each block would be read to that end.
fn is_garbage(block: &Block<'_>, window: &mut Window<'_>, limits: &Limits) -> io::Result<bool> {
    if block.framing != Framing::Warc {
        return Ok(false);
    }
    loop {
        match (block.framing).next(window.ahead(), window.at_end(), limits) {
            // Until its header is there.
            Frame::NeedMore(want) if window.ahead().len() < LOOK_AHEAD_BYTES => {
                window.fill(want)?;
            }
            frame => return Ok(matches!(frame, Frame::Garbage { .. })),
        }
    }
}
