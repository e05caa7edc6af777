//! Compares 64 bytes at once. A result has one bit per byte.
//!
//! - `sse2`: with registers that every x86-64 processor has.
//! - `portable`: with numbers of eight bytes, on any processor.

#[cfg(any(not(target_arch = "x86_64"), test))]
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;

#[cfg(not(target_arch = "x86_64"))]
use portable::Lanes;
#[cfg(target_arch = "x86_64")]
use sse2::Lanes;

/// The number of bytes that are compared at once.
pub(crate) const GROUP: usize = 64;

/// A group of 64 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Bytes64 {
    lanes: Lanes,
}

impl Bytes64 {
    /// Loads the 64 bytes at `at`. Zeros stand for bytes behind the end of the text.
    #[inline]
    pub(crate) fn at(text: &[u8], at: usize) -> Self {
        let rest = &text[at..];
        let lanes = match rest.first_chunk() {
            Some(bytes) => Lanes::new(bytes),
            None => Lanes::new(&padded(rest)),
        };
        Self { lanes }
    }

    /// Returns the bits of the bytes that equal `needle`.
    #[inline]
    pub(crate) fn equal(self, needle: u8) -> u64 {
        self.lanes.equal(needle)
    }

    /// Returns the bits of the bytes that are at most `limit`.
    #[inline]
    pub(crate) fn at_most(self, limit: u8) -> u64 {
        self.lanes.at_most(limit)
    }

    /// Returns the bits of TAB, LF, FF and CR: the white space of HTML except for the space.
    #[inline]
    pub(crate) fn other_white(self) -> u64 {
        self.at_most(b'\r') & !self.at_most(b'\t' - 1) & !self.equal(b'\x0b')
    }
}

/// Pads fewer than 64 bytes with zeros.
#[inline]
pub(crate) fn padded(rest: &[u8]) -> [u8; GROUP] {
    let mut bytes = [0; GROUP];
    bytes[..rest.len()].copy_from_slice(rest);
    bytes
}

/// Builds a table for testing whether a byte is one of `bytes`, all of which are below 64.
///
/// The caller looks up a byte by its lowest six bits. The entry equals the byte if and only if it is one
/// of `bytes`.
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

/// Returns the index of the lowest bit, if any is set.
#[inline]
pub(crate) fn first(bits: u64) -> Option<usize> {
    (bits != 0).then_some(bits.trailing_zeros() as usize)
}

/// Returns the index of the highest bit, if any is set.
#[inline]
pub(crate) fn last(bits: u64) -> Option<usize> {
    (bits != 0).then(|| 63 - bits.leading_zeros() as usize)
}

/// Returns the bits with an index of at least `from`, which is at most 63.
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
        fn both_implementations_agree(bytes: [u8; 64], some in 0_usize..64, any: u8) {
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
