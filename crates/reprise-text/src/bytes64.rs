//! A look at 64 bytes at once, one bit a byte.
//!
//! - [`sse2`]: by registers that every x86-64 processor has.
//! - [`portable`]: eight bytes at a time in one number, on any machine.

#[cfg(any(not(target_arch = "x86_64"), test))]
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;

#[cfg(not(target_arch = "x86_64"))]
use portable::Lanes;
#[cfg(target_arch = "x86_64")]
use sse2::Lanes;

/// How many bytes a look takes in.
pub(crate) const GROUP: usize = 64;

/// 64 bytes of text.
#[derive(Clone, Copy)]
pub(crate) struct Bytes64 {
    lanes: Lanes,
}

impl Bytes64 {
    /// The 64 bytes at `at`; past the end of the text there are zeros.
    #[inline]
    pub(crate) fn at(text: &[u8], at: usize) -> Self {
        let rest = &text[at..];
        let lanes = match rest.first_chunk() {
            Some(bytes) => Lanes::new(bytes),
            None => Lanes::new(&padded(rest)),
        };
        Self { lanes }
    }

    /// The bit of each byte that equals the needle.
    #[inline]
    pub(crate) fn equal(self, needle: u8) -> u64 {
        self.lanes.equal(needle)
    }

    /// The bit of each byte that is at most the limit.
    #[inline]
    pub(crate) fn at_most(self, limit: u8) -> u64 {
        self.lanes.at_most(limit)
    }

    /// The bits of TAB, LF, FF and CR. The zeros past the end of a text are none of them.
    #[inline]
    pub(crate) fn other_white(self) -> u64 {
        self.at_most(b'\r') & !self.at_most(b'\t' - 1) & !self.equal(b'\x0b')
    }
}

/// Fewer than 64 bytes, and zeros behind them.
#[inline]
pub(crate) fn padded(rest: &[u8]) -> [u8; GROUP] {
    let mut bytes = [0; GROUP];
    bytes[..rest.len()].copy_from_slice(rest);
    bytes
}

/// A table of 64 bytes in which each of the given ones, all below 64, is at its own place, and every other place has
/// another byte than any that looks there by its lowest six bits.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn same_place(bytes: &[u8]) -> [u8; GROUP] {
    let mut table = [0; GROUP];
    let mut at = 0;
    while at < GROUP {
        table[at] = (at as u8 + 1) % 64;
        at += 1;
    }
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = bytes[at];
        at += 1;
    }
    table
}

/// The index of the lowest bit, if there is one.
#[inline]
pub(crate) fn first(bits: u64) -> Option<usize> {
    (bits != 0).then_some(bits.trailing_zeros() as usize)
}

/// The index of the highest bit, if there is one.
#[inline]
pub(crate) fn last(bits: u64) -> Option<usize> {
    (bits != 0).then(|| 63 - bits.leading_zeros() as usize)
}

/// The bits with an index of at least `from`, which is at most 63.
#[inline]
pub(crate) fn since(from: usize) -> u64 {
    u64::MAX << from
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use proptest::prelude::*;

    use super::{portable, sse2};

    fn slow(bytes: &[u8; 64], is_set: impl Fn(u8) -> bool) -> u64 {
        let bit = |(at, &byte): (usize, &u8)| u64::from(is_set(byte)) << at;
        bytes.iter().enumerate().map(bit).sum()
    }

    proptest! {
        #[test]
        fn both_look_alike(bytes: [u8; 64], some in 0_usize..64, any: u8) {
            for needle in [any, bytes[some], 0, 0x7f, 0x80, 0xff] {
                let equal = slow(&bytes, |byte| byte == needle);
                let at_most = slow(&bytes, |byte| byte <= needle);
                let lanes = portable::Lanes::new(&bytes);
                prop_assert_eq!((lanes.equal(needle), lanes.at_most(needle)), (equal, at_most));
                let lanes = sse2::Lanes::new(&bytes);
                prop_assert_eq!((lanes.equal(needle), lanes.at_most(needle)), (equal, at_most));
            }
        }
    }
}
