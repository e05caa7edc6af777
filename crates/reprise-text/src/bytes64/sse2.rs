//! 64 bytes as four registers.
#![allow(
    unsafe_code,
    reason = "processor intrinsics: every x86-64 processor has them"
)]

use std::arch::x86_64::{
    __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_set1_epi8,
};

#[derive(Clone, Copy)]
pub(super) struct Lanes([__m128i; 4]);

impl Lanes {
    #[inline]
    pub(super) fn new(bytes: &[u8; 64]) -> Self {
        let (lanes, _) = bytes.as_chunks::<16>();
        // SAFETY: SSE2 is part of x86-64. Each load reads the 16 bytes of one lane and needs no alignment.
        Self(std::array::from_fn(|lane| unsafe {
            _mm_loadu_si128(lanes[lane].as_ptr().cast())
        }))
    }

    #[inline]
    pub(super) fn equal(self, needle: u8) -> u64 {
        // SAFETY: SSE2 is part of x86-64.
        self.gathered(|lane| unsafe { _mm_cmpeq_epi8(lane, _mm_set1_epi8(needle.cast_signed())) })
    }

    #[inline]
    pub(super) fn at_most(self, limit: u8) -> u64 {
        // SAFETY: SSE2 is part of x86-64.
        self.gathered(|lane| unsafe {
            let lower = _mm_min_epu8(lane, _mm_set1_epi8(limit.cast_signed()));
            _mm_cmpeq_epi8(lower, lane)
        })
    }

    /// Applies `mark` to each lane, and collects the high bits of all bytes.
    #[inline]
    fn gathered(self, mark: impl Fn(__m128i) -> __m128i) -> u64 {
        let mut bits = 0;
        for (at, &lane) in self.0.iter().enumerate() {
            // SAFETY: SSE2 is part of x86-64.
            let gathered = unsafe { _mm_movemask_epi8(mark(lane)) };
            bits |= u64::from(gathered as u16) << (at * 16);
        }
        bits
    }
}
