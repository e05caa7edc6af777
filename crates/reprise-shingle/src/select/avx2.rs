//! Finds the smallest values with the AVX2 and carry-less multiplication instructions of x86-64.
//!
//! The value of a function is the sum of the contributions of each half byte of the phrase. So is its
//! top byte: sixteen look-ups in tables of sixteen bytes, which `pshufb` does for 32 phrases at once.
//! Only the few phrases with the smallest top byte can have the smallest value, so only their values
//! are computed in full.

#![expect(
    unsafe_code,
    reason = "processor intrinsics: unaligned loads, and entering code for detected features"
)]

use core::arch::x86_64::{
    __m128i, __m256i, _mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si32,
    _mm_cvtsi128_si64, _mm_loadu_si128, _mm_min_epu8, _mm_minpos_epu16, _mm_srli_epi16,
    _mm_srli_si128, _mm_xor_si128, _mm256_and_si256, _mm256_broadcastsi128_si256,
    _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_extracti128_si256, _mm256_min_epu8,
    _mm256_movemask_epi8, _mm256_set_m128i, _mm256_set1_epi8, _mm256_setr_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_unpackhi_epi16,
    _mm256_unpackhi_epi32, _mm256_unpackhi_epi64, _mm256_unpacklo_epi16, _mm256_unpacklo_epi32,
    _mm256_unpacklo_epi64, _mm256_xor_si256,
};
use core::array::from_fn;

use super::portable::Selector;
use crate::rabin::times_x;
use crate::{SHINGLES, Shingles};

/// The number of phrases per vector, one byte each.
const GROUP: usize = 32;
/// The number of groups that are processed together. Their top bytes stay in registers.
const GROUPS: usize = 6;
const BLOCK: usize = GROUP * GROUPS;
/// The number of recent phrases that are remembered.
const SEEN: usize = 64;

/// The tables and constants of one function.
pub(super) struct Tops {
    /// The contribution of each half byte to the top byte, the lowest half byte first.
    nibbles: [[u8; 16]; 16],
    /// The quotient of `x^128` and the polynomial without its term `x^64`, then the polynomial without
    /// its term `x^64`.
    factors: [u64; 2],
    constant: u64,
}

impl Tops {
    pub(super) fn new(selector: &Selector) -> Self {
        let polynomial = selector.polynomial;
        // Long division, after its first step: the quotient has its term x^64 already, and the
        // remainder is that of x^64.
        let (mut quotient, mut remainder) = (0, polynomial);
        for _ in 0..64 {
            quotient = quotient << 1 | remainder >> 63;
            remainder = times_x(polynomial, remainder);
        }
        Self {
            nibbles: selector
                .nibbles
                .map(|table| table.map(|part| (part >> 56) as u8)),
            factors: [quotient, polynomial],
            constant: remainder,
        }
    }
}

/// Proof that the processor has the instructions.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Asks the processor. The standard library caches the answer.
    #[inline]
    pub(super) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("pclmulqdq"))
        .then_some(Self(()))
    }

    /// Lowers each of the `minima` to the smallest value of its function, if that is smaller.
    #[expect(clippy::unused_self, reason = "holding the proof makes the call sound")]
    pub(super) fn minima(self, tops: &[Tops], phrases: &[u64], minima: &mut Shingles) {
        let mut block = [0; BLOCK];
        let mut len = 0;
        // In a document that repeats a few words, every phrase would be computed in full. Therefore
        // recently seen phrases are skipped. Each is remembered in the slot of its lowest bits. The
        // initial values belong to other slots, so they match no phrase.
        let mut seen = [0; SEEN];
        seen[0] = 1;
        for &phrase in phrases {
            let seen = &mut seen[phrase as usize % SEEN];
            if *seen == phrase {
                continue;
            }
            *seen = phrase;
            block[len] = phrase;
            len += 1;
            if len == BLOCK {
                // SAFETY: `self` exists only if `detect` found AVX2, BMI1 and PCLMULQDQ.
                unsafe { lower_minima(tops, &mut block, len, minima) };
                len = 0;
            }
        }
        if len > 0 {
            // SAFETY: as above.
            unsafe { lower_minima(tops, &mut block, len, minima) };
        }
    }
}

/// Lowers the minima by the first `len` phrases of a block.
#[target_feature(enable = "avx2,bmi1,pclmulqdq")]
fn lower_minima(tops: &[Tops], block: &mut [u64; BLOCK], len: usize, minima: &mut Shingles) {
    // The rest of the last group is padded with a phrase of the block.
    let last = block[len - 1];
    block[len..len.next_multiple_of(GROUP)].fill(last);
    match len.div_ceil(GROUP) {
        1 => lower_minima_of::<1>(tops, block, len, minima),
        2 => lower_minima_of::<2>(tops, block, len, minima),
        3 => lower_minima_of::<3>(tops, block, len, minima),
        4 => lower_minima_of::<4>(tops, block, len, minima),
        5 => lower_minima_of::<5>(tops, block, len, minima),
        _ => lower_minima_of::<GROUPS>(tops, block, len, minima),
    }
}

/// Lowers the minima by `N` groups of phrases. All but the first `len` phrases are padding.
#[target_feature(enable = "avx2,bmi1,pclmulqdq")]
fn lower_minima_of<const N: usize>(
    tops: &[Tops],
    block: &[u64; BLOCK],
    len: usize,
    minima: &mut Shingles,
) {
    let (groups, _) = block.as_chunks::<GROUP>();
    let mut planes = [[_mm256_setzero_si256(); N]; 16];
    for (i, group) in groups.iter().enumerate().take(N) {
        for (planes, plane) in planes.iter_mut().zip(spread(group)) {
            planes[i] = plane;
        }
    }
    let padding = N * GROUP - len;
    // All masks are computed first, so that the second loop does not wait for them.
    let mut masks = [[0; GROUPS]; SHINGLES];
    let (pairs, _) = masks.as_chunks_mut::<2>();
    for (functions, masks) in tops.as_chunks::<2>().0.iter().zip(pairs) {
        let [mut first, mut second] = [[_mm256_setzero_si256(); N]; 2];
        for (i, planes) in planes.iter().enumerate() {
            let [one, two] = functions
                .each_ref()
                .map(|function| _mm256_broadcastsi128_si256(load(&function.nibbles[i])));
            // Each plane is loaded once for two functions.
            for ((first, second), &plane) in first.iter_mut().zip(&mut second).zip(planes) {
                *first = _mm256_xor_si256(*first, _mm256_shuffle_epi8(one, plane));
                *second = _mm256_xor_si256(*second, _mm256_shuffle_epi8(two, plane));
            }
        }
        for (bytes, masks) in [first, second].iter().zip(masks) {
            let smallest = _mm256_set1_epi8(smallest(bytes) as i8);
            for (bytes, mask) in bytes.iter().zip(masks.iter_mut()) {
                *mask = _mm256_movemask_epi8(_mm256_cmpeq_epi8(*bytes, smallest)) as u32;
            }
        }
    }
    for ((function, mut masks), minimum) in tops.iter().zip(masks).zip(minima) {
        masks[N - 1] &= u32::MAX >> padding;
        let mut candidates = Candidates::new(masks);
        // Most functions have one or two candidates. Two are always taken, because the processor
        // cannot predict a branch on their number.
        let first = value(function, block[candidates.take()]);
        let second = value(function, block[candidates.take()]);
        *minimum = first.min(second).min(*minimum);
        while candidates.any() {
            *minimum = value(function, block[candidates.take()]).min(*minimum);
        }
    }
}

/// The phrases of a block whose top byte is the smallest, one bit each.
#[derive(Clone, Copy)]
struct Candidates([u64; GROUPS / 2]);

impl Candidates {
    #[inline]
    fn new(masks: [u32; GROUPS]) -> Self {
        let (pairs, _) = masks.as_chunks::<2>();
        Self(from_fn(|i| {
            u64::from(pairs[i][0]) | u64::from(pairs[i][1]) << 32
        }))
    }

    #[inline]
    fn any(self) -> bool {
        self.0.iter().fold(0, |all, bits| all | bits) != 0
    }

    /// Removes and returns the index of the next candidate, or 0 if there are no more.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,pclmulqdq")]
    fn take(&mut self) -> usize {
        // No branches: the processor cannot predict where the next candidate is.
        let (mut place, mut is_taken) = (0, false);
        for (i, bits) in self.0.iter_mut().enumerate() {
            let is_here = *bits != 0 && !is_taken;
            let found = 64 * i + bits.trailing_zeros() as usize;
            place = if is_here { found } else { place };
            *bits = if is_here {
                *bits & bits.wrapping_sub(1)
            } else {
                *bits
            };
            is_taken |= is_here;
        }
        place.min(BLOCK - 1)
    }
}

/// Computes the full value of a function by Barrett reduction, which is exact for polynomials.
#[inline]
#[target_feature(enable = "avx2,bmi1,pclmulqdq")]
fn value(function: &Tops, phrase: u64) -> u64 {
    let factors = load(&function.factors);
    let phrase = _mm_cvtsi64_si128(phrase as i64);
    // phrase * x^64 / polynomial. The first operand accounts for the missing term x^64 of the factor.
    let product = _mm_clmulepi64_si128::<0x00>(phrase, factors);
    let quotient = _mm_xor_si128(phrase, _mm_srli_si128::<8>(product));
    let remainder = _mm_clmulepi64_si128::<0x10>(quotient, factors);
    _mm_cvtsi128_si64(remainder) as u64 ^ function.constant
}

/// Transposes 32 phrases: vector `n` holds half byte `n` of each phrase, the lowest first.
#[inline]
#[target_feature(enable = "avx2,bmi1,pclmulqdq")]
fn spread(phrases: &[u64; GROUP]) -> [__m256i; 16] {
    let (pairs, _) = phrases.as_chunks::<2>();
    // Bytes of the same rank are brought together: of two phrases, then of four, eight and sixteen.
    // Phrases 0 to 15 stay in the low half of the vectors, the others in the high half.
    let interleave = _mm256_setr_epi8(
        0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15, //
        0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15,
    );
    let twos: [__m256i; 8] = from_fn(|i| {
        let both = _mm256_set_m128i(load(&pairs[8 + i]), load(&pairs[i]));
        _mm256_shuffle_epi8(both, interleave)
    });
    let fours: [[__m256i; 2]; 4] = from_fn(|i| {
        let [a, b] = [twos[2 * i], twos[2 * i + 1]];
        [_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)]
    });
    let eights = |a, b| [_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)];
    let [low, high] = [(fours[0], fours[1]), (fours[2], fours[3])]
        .map(|(a, b)| [eights(a[0], b[0]), eights(a[1], b[1])]);
    let mut planes = [_mm256_setzero_si256(); 16];
    let (quads, _) = planes.as_chunks_mut::<4>();
    let low_half = _mm256_set1_epi8(0xf);
    for ((quad, a), b) in quads
        .iter_mut()
        .zip(low.as_flattened())
        .zip(high.as_flattened())
    {
        let bytes = [_mm256_unpacklo_epi64(*a, *b), _mm256_unpackhi_epi64(*a, *b)];
        let upper = bytes.map(|bytes| _mm256_srli_epi16::<4>(bytes));
        *quad = [bytes[0], upper[0], bytes[1], upper[1]]
            .map(|halves| _mm256_and_si256(halves, low_half));
    }
    planes
}

/// Returns the smallest byte of all vectors.
#[inline]
#[target_feature(enable = "avx2,bmi1,pclmulqdq")]
fn smallest<const N: usize>(vectors: &[__m256i; N]) -> u8 {
    let all = vectors[1..]
        .iter()
        .fold(vectors[0], |all, &vector| _mm256_min_epu8(all, vector));
    let half = _mm_min_epu8(
        _mm256_castsi256_si128(all),
        _mm256_extracti128_si256::<1>(all),
    );
    let of_pairs = _mm_min_epu8(half, _mm_srli_epi16::<8>(half));
    _mm_cvtsi128_si32(_mm_minpos_epu16(of_pairs)) as u8
}

/// Loads sixteen bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,pclmulqdq")]
fn load<T: Plain>(bytes: &T) -> __m128i {
    // SAFETY: the reference is valid for reading 16 bytes, and the load needs no alignment.
    unsafe { _mm_loadu_si128(std::ptr::from_ref(bytes).cast()) }
}

/// Types of sixteen bytes without padding.
trait Plain {}
impl Plain for [u8; 16] {}
impl Plain for [u64; 2] {}
