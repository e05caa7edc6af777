//! Folding on any machine.

use super::{Look, ROOM, Squeeze};
use crate::instructions::Portable;
use crate::tokens::rules::is_space;
use crate::window::{WINDOW, Window, first};

impl Squeeze for Portable {
    #[inline]
    fn look(self, bytes: &[u8; WINDOW]) -> Look {
        let window = Window::at(bytes, 0);
        let spaces = window.equal(b' ');
        Look {
            white: spaces | window.other_white(),
            spaces,
            later: window.at_most(0xbf) & !window.at_most(0x7f),
        }
    }

    #[inline]
    fn squeeze(self, bytes: &[u8; WINDOW], drop: u64, out: &mut [u8; ROOM]) -> usize {
        let mut keep = !drop;
        let mut length = 0;
        while let Some(at) = first(keep) {
            keep &= keep - 1;
            let byte = bytes[at];
            out[length] = if is_space(byte) { b' ' } else { byte };
            length += 1;
        }
        length
    }
}
