//! Folds on any processor.

use super::{ROOM, SpaceBits, Squeeze};
use crate::bytes64::{Bytes64, GROUP, first};
use crate::instructions::Portable;
use crate::tokens::rules::is_space;

impl Squeeze for Portable {
    #[inline]
    fn space_bits(self, bytes: &[u8; GROUP]) -> SpaceBits {
        let group = Bytes64::at(bytes, 0);
        let spaces = group.equal(b' ');
        SpaceBits {
            white: spaces | group.other_white(),
            spaces,
            later: group.at_most(0xbf) & !group.at_most(0x7f),
        }
    }

    #[inline]
    fn squeeze(self, bytes: &[u8; GROUP], drop: u64, out: &mut [u8; ROOM]) -> usize {
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
