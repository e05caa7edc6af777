//! Folds with the AVX2 instructions of x86-64.

#![expect(
    unsafe_code,
    reason = "processor intrinsics: unaligned loads and stores"
)]

use core::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_setr_epi8, _mm_shuffle_epi8,
    _mm_srli_si128, _mm256_blendv_epi8, _mm256_broadcastsi128_si256, _mm256_castsi256_si128,
    _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_extracti128_si256, _mm256_loadu_si256,
    _mm256_movemask_epi8, _mm256_set1_epi8, _mm256_shuffle_epi8, _mm256_storeu_si256,
};

use super::{ROOM, SpaceBits, Squeeze};
use crate::bytes64::GROUP;
use crate::instructions::Avx2;

impl Squeeze for Avx2 {
    #[expect(
        clippy::inline_always,
        reason = "inlined where the instructions are enabled"
    )]
    #[inline(always)]
    fn space_bits(self, bytes: &[u8; GROUP]) -> SpaceBits {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { space_bits(bytes) }
    }

    #[expect(
        clippy::inline_always,
        reason = "inlined where the instructions are enabled"
    )]
    #[inline(always)]
    fn squeeze(self, bytes: &[u8; GROUP], drop: u64, out: &mut [u8; ROOM]) -> usize {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { squeeze(bytes, drop, out) }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn space_bits(bytes: &[u8; GROUP]) -> SpaceBits {
    let halves = load(bytes);
    let each = |mark: fn(__m256i) -> __m256i| {
        let [low, high] = halves.map(|half| _mm256_movemask_epi8(mark(half)) as u32);
        u64::from(low) | u64::from(high) << 32
    };
    SpaceBits {
        white: each(|half| white(half)),
        spaces: each(|half| _mm256_cmpeq_epi8(half, _mm256_set1_epi8(0x20))),
        // The bytes 0x80 to 0xbf, which are the lowest signed numbers.
        later: each(|half| _mm256_cmpgt_epi8(_mm256_set1_epi8(-0x40), half)),
    }
}

/// Finds white space with a table: each white space byte is the entry at its lower half.
#[inline]
#[target_feature(enable = "avx2")]
fn white(bytes: __m256i) -> __m256i {
    let table = _mm_setr_epi8(
        0x20, -1, -1, -1, -1, -1, -1, -1, -1, 0x09, 0x0a, -1, 0x0c, 0x0d, -1, -1,
    );
    // For a byte beyond ASCII the instruction returns zero, which differs from the byte.
    let found = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), bytes);
    _mm256_cmpeq_epi8(found, bytes)
}

#[inline]
#[target_feature(enable = "avx2")]
fn squeeze(bytes: &[u8; GROUP], drop: u64, out: &mut [u8; ROOM]) -> usize {
    let halves =
        load(bytes).map(|half| _mm256_blendv_epi8(half, _mm256_set1_epi8(0x20), white(half)));
    if drop == 0 {
        let (places, _) = out.as_chunks_mut::<32>();
        for (half, place) in halves.into_iter().zip(places) {
            // SAFETY: the destination has 32 bytes, and the store needs no alignment.
            unsafe { _mm256_storeu_si256(place.as_mut_ptr().cast(), half) };
        }
        return GROUP;
    }
    let mut length = 0;
    let mut drop = drop;
    for half in halves {
        let (low, high) = (
            _mm256_castsi256_si128(half),
            _mm256_extracti128_si256::<1>(half),
        );
        for eight in [
            low,
            _mm_srli_si128::<8>(low),
            high,
            _mm_srli_si128::<8>(high),
        ] {
            let kept = pick(eight, drop as u8);
            out[length..length + 8].copy_from_slice(&kept.to_le_bytes());
            length += (drop as u8).count_zeros() as usize;
            drop >>= 8;
        }
    }
    length
}

/// Removes the bytes in `drop` from the lowest eight bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn pick(bytes: __m128i, drop: u8) -> u64 {
    let places = _mm_cvtsi64_si128(i64::from_le_bytes(KEPT[usize::from(drop)]));
    _mm_cvtsi128_si64(_mm_shuffle_epi8(bytes, places)).cast_unsigned()
}

/// For each set of dropped bytes, the indices of the other bytes.
const KEPT: [[u8; 8]; 256] = {
    let mut kept = [[0; 8]; 256];
    let mut drop = 0;
    while drop < 256 {
        let mut count = 0;
        let mut at = 0;
        while at < 8 {
            if drop >> at & 1 == 0 {
                kept[drop][count] = at;
                count += 1;
            }
            at += 1;
        }
        drop += 1;
    }
    kept
};

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; GROUP]) -> [__m256i; 2] {
    let (halves, _) = bytes.as_chunks::<32>();
    // SAFETY: each half has 32 bytes, and the load needs no alignment.
    [0, 1].map(|half| unsafe { _mm256_loadu_si256(halves[half].as_ptr().cast()) })
}
