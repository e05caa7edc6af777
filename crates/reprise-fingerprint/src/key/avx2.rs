//! Sums of products with the AVX2 instructions of x86-64, four pairs of words at a time.

#![expect(
    unsafe_code,
    reason = "processor intrinsics: unaligned loads, and entering code for detected features"
)]

use core::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_add_epi64, _mm256_extract_epi64, _mm256_loadu_si256,
    _mm256_mul_epu32, _mm256_permute2x128_si256, _mm256_setzero_si256, _mm256_srli_epi64,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
};

use super::{STRIDE, SUMS};

/// Proof that the processor has the instructions.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    /// Computes what [`super::portable::sums`] computes.
    #[inline]
    #[expect(clippy::unused_self, reason = "holding the proof makes the call sound")]
    pub(super) fn sums(
        self,
        numbers: &[[u32; STRIDE / 4]],
        strides: &[[u8; STRIDE]],
        last: Option<&[u8; STRIDE]>,
    ) -> [u64; SUMS] {
        // SAFETY: `self` exists only if `detect` found AVX2.
        unsafe { sums(numbers, strides, last) }
    }
}

#[target_feature(enable = "avx2")]
fn sums(
    numbers: &[[u32; STRIDE / 4]],
    strides: &[[u8; STRIDE]],
    last: Option<&[u8; STRIDE]>,
) -> [u64; SUMS] {
    let mut sums = [_mm256_setzero_si256(); SUMS];
    for (stride, numbers) in strides.iter().zip(numbers.windows(SUMS)) {
        add_products(&mut sums, stride, numbers);
    }
    if let Some(last) = last {
        add_products(&mut sums, last, &numbers[strides.len()..]);
    }
    totals(sums)
}

#[inline]
#[target_feature(enable = "avx2")]
fn add_products(sums: &mut [__m256i; SUMS], stride: &[u8; STRIDE], numbers: &[[u32; STRIDE / 4]]) {
    // SAFETY: the reference is good for reading 32 bytes, and the load needs no alignment.
    let words = unsafe { _mm256_loadu_si256(stride.as_ptr().cast()) };
    for (sum, numbers) in sums.iter_mut().zip(numbers) {
        // SAFETY: as above.
        let numbers = unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) };
        let added = _mm256_add_epi32(words, numbers);
        let products = _mm256_mul_epu32(added, _mm256_srli_epi64::<32>(added));
        *sum = _mm256_add_epi64(*sum, products);
    }
}

/// Adds up the four numbers of each vector.
#[inline]
#[target_feature(enable = "avx2")]
fn totals([a, b, c]: [__m256i; SUMS]) -> [u64; SUMS] {
    let pairs = |one, other| {
        _mm256_add_epi64(
            _mm256_unpacklo_epi64(one, other),
            _mm256_unpackhi_epi64(one, other),
        )
    };
    let (ab, c) = (pairs(a, b), pairs(c, _mm256_setzero_si256()));
    let all = _mm256_add_epi64(
        _mm256_permute2x128_si256::<0x20>(ab, c),
        _mm256_permute2x128_si256::<0x31>(ab, c),
    );
    [
        _mm256_extract_epi64::<0>(all),
        _mm256_extract_epi64::<1>(all),
        _mm256_extract_epi64::<2>(all),
    ]
    .map(i64::cast_unsigned)
}
