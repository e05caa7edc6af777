//! A look at 64 bytes at once, one bit a byte.

use wide::u8x64;

/// How many bytes a look takes in.
pub(crate) const WINDOW: usize = 64;

/// 64 bytes of text.
#[derive(Clone, Copy, Default)]
pub(crate) struct Window {
    bytes: u8x64,
}

impl Window {
    /// The 64 bytes at `at`; past the end of the text there are zeros.
    #[inline]
    pub(crate) fn at(text: &[u8], at: usize) -> Self {
        let rest = &text[at..];
        let bytes = rest.first_chunk::<WINDOW>().copied();
        let bytes = bytes.unwrap_or_else(|| {
            let mut bytes = [0; WINDOW];
            bytes[..rest.len()].copy_from_slice(rest);
            bytes
        });
        Self {
            bytes: u8x64::new(bytes),
        }
    }

    /// The bit of each byte that equals the needle.
    #[inline]
    pub(crate) fn equal(self, needle: u8) -> u64 {
        self.bytes.simd_eq(u8x64::splat(needle)).to_bitmask()
    }

    /// Each bit that is set in this window or the other.
    #[inline]
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            bytes: self.bytes | other.bytes,
        }
    }

    /// Are all bytes ASCII?
    #[inline]
    pub(crate) fn is_ascii(self) -> bool {
        self.at_most(0x7f) == u64::MAX
    }

    /// The bit of each byte that is at most the limit.
    #[inline]
    pub(crate) fn at_most(self, limit: u8) -> u64 {
        let lower = self.bytes.min(u8x64::splat(limit));
        lower.simd_eq(self.bytes).to_bitmask()
    }
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
