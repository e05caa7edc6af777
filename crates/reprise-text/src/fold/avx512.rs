//! Folds with the AVX-512 instructions of x86-64. One of them moves the kept bytes together.

#![expect(
    unsafe_code,
    reason = "processor intrinsics: unaligned loads and stores"
)]

use core::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_cmplt_epi8_mask, _mm512_loadu_si512,
    _mm512_mask_mov_epi8, _mm512_maskz_compress_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8,
    _mm512_storeu_si512,
};

use super::{ROOM, SpaceBits, Squeeze};
use crate::bytes64::{GROUP, same_place};
use crate::instructions::Avx512;

impl Squeeze for Avx512 {
    #[expect(
        clippy::inline_always,
        reason = "inlined where the instructions are enabled"
    )]
    #[inline(always)]
    fn space_bits(self, bytes: &[u8; GROUP]) -> SpaceBits {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { space_bits(bytes) }
    }

    #[expect(
        clippy::inline_always,
        reason = "inlined where the instructions are enabled"
    )]
    #[inline(always)]
    fn squeeze(self, bytes: &[u8; GROUP], drop: u64, out: &mut [u8; ROOM]) -> usize {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { squeeze(bytes, drop, out) }
    }
}

const WHITE: [u8; GROUP] = same_place(b" \t\n\x0c\r");

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn space_bits(bytes: &[u8; GROUP]) -> SpaceBits {
    let bytes = load(bytes);
    SpaceBits {
        white: white(bytes),
        spaces: _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(0x20)),
        // The bytes 0x80 to 0xbf, which are the lowest signed numbers.
        later: _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8(-0x40)),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn white(bytes: __m512i) -> u64 {
    _mm512_cmpeq_epi8_mask(_mm512_permutexvar_epi8(bytes, load(&WHITE)), bytes)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn squeeze(bytes: &[u8; GROUP], drop: u64, out: &mut [u8; ROOM]) -> usize {
    let bytes = load(bytes);
    let spaced = _mm512_mask_mov_epi8(bytes, white(bytes), _mm512_set1_epi8(0x20));
    let kept = _mm512_maskz_compress_epi8(!drop, spaced);
    let place: &mut [u8] = &mut out[..GROUP];
    // SAFETY: the destination has 64 bytes, and the store needs no alignment.
    unsafe { _mm512_storeu_si512(place.as_mut_ptr().cast(), kept) };
    drop.count_zeros() as usize
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn load(bytes: &[u8; GROUP]) -> __m512i {
    // SAFETY: the array has 64 bytes, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}
