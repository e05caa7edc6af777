//! Marks by the AVX2 instructions of x86-64.
//!
//! A byte's class is looked up by its two halves: a table for the low half and one for the high half,
//! 16 entries of 8 bits each, and a bit that both tables have for a byte says that it is of that
//! class. A class is therefore all combinations of some low halves with some high halves.

#![expect(unsafe_code, reason = "processor intrinsics: unaligned loads")]

use core::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8,
    _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_set1_epi8, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_srli_epi16,
};

use super::{BYTES, Marker, Marks};
use crate::instructions::Avx2;

impl Marker for Avx2 {
    #[expect(
        clippy::inline_always,
        reason = "inlined where the instructions are enabled"
    )]
    #[inline(always)]
    fn marks(self, bytes: &[u8; BYTES]) -> Marks {
        // SAFETY: `self` exists only if AVX2 was detected.
        unsafe { marks(bytes) }
    }
}

/// Up to eight classes, as a table for each half of a byte.
struct Classes {
    low: [u8; 16],
    high: [u8; 16],
}

impl Classes {
    /// The class number `i` is all bytes with a high half of `classes[i].0` and a low half of `.1`.
    const fn new(classes: &[(&[u8], &[u8])]) -> Self {
        let mut tables = Self {
            low: [0; 16],
            high: [0; 16],
        };
        let mut class = 0;
        while class < classes.len() {
            let (high, low) = classes[class];
            let mut at = 0;
            while at < high.len() {
                tables.high[high[at] as usize] |= 1 << class;
                at += 1;
            }
            let mut at = 0;
            while at < low.len() {
                tables.low[low[at] as usize] |= 1 << class;
                at += 1;
            }
            class += 1;
        }
        tables
    }
}

/// `<`, `>`, `"`, `'`, then what may precede a value: `=`, space, other white space.
const MARKS: Classes = Classes::new(&[
    (&[3], &[0xc]),
    (&[3], &[0xe]),
    (&[2], &[0x2]),
    (&[2], &[0x7]),
    (&[3], &[0xd]),
    (&[2], &[0x0]),
    (&[0], &[0x9, 0xa, 0xc, 0xd]),
]);
const LESS: i32 = 0;
const GREATER: i32 = 1;
const DOUBLE_QUOTE: i32 = 2;
const SINGLE_QUOTE: i32 = 3;
const BEFORE_VALUE: i8 = 0b111 << 4;
const ALL: i8 = -1;

/// What follows the `<` of a tag: letters up to `o` and from `p`, and `/`.
const FOLLOWERS: Classes = Classes::new(&[
    (
        &[4, 6],
        &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    ),
    (&[5, 7], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    (&[2], &[0xf]),
]);

/// First letters of the names that matter: `p`, `d`, `s`, `t`, `i`, `n`, `x`.
const FIRST: Classes = Classes::new(&[
    (&[5, 7], &[0x0]),
    (&[4, 6], &[0x4]),
    (&[5, 7], &[0x3]),
    (&[5, 7], &[0x4]),
    (&[4, 6], &[0x9]),
    (&[4, 6], &[0xe]),
    (&[5, 7], &[0x8]),
]);

/// What follows the first letters, in the same order, and a bit more: what ends a name or `l`, `i`,
/// `c` or `t`, `i` or `e`, `f`, `o`, `m`.
const SECOND: Classes = Classes::new(&[
    (&[0, 2, 3, 4, 6], &[0x0, 0x9, 0xa, 0xc, 0xd, 0xe, 0xf]),
    (&[4, 6], &[0x9]),
    (&[4, 5, 6, 7], &[0x3, 0x4]),
    (&[4, 6], &[0x5, 0x9]),
    (&[4, 6], &[0x6]),
    (&[4, 6], &[0xf]),
    (&[4, 6], &[0xd]),
]);

#[inline]
#[target_feature(enable = "avx2")]
fn marks(bytes: &[u8; BYTES]) -> Marks {
    let here = [load(bytes, 0), load(bytes, 32)];
    let next = [load(bytes, 1), load(bytes, 33)];

    let marked = here.map(|bytes| classify(&MARKS, bytes));
    let followers = here.map(|bytes| classify(&FOLLOWERS, bytes));
    let firsts = here.map(|bytes| classify(&FIRST, bytes));
    let seconds = next.map(|bytes| classify(&SECOND, bytes));
    let names = [0, 1].map(|half| _mm256_and_si256(firsts[half], seconds[half]));
    Marks {
        less: bit::<{ 7 - LESS }>(marked),
        greater: bit::<{ 7 - GREATER }>(marked),
        matters: !any(followers, ALL) | any(names, ALL),
        single_quotes: bit::<{ 7 - SINGLE_QUOTE }>(marked),
        double_quotes: bit::<{ 7 - DOUBLE_QUOTE }>(marked),
        before_value: any(marked, BEFORE_VALUE),
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; BYTES], at: usize) -> __m256i {
    let bytes: &[u8] = &bytes[at..at + 32];
    // SAFETY: the slice is good for reading 32 bytes, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// The classes of each byte.
#[inline]
#[target_feature(enable = "avx2")]
fn classify(classes: &Classes, bytes: __m256i) -> __m256i {
    let high_half = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(0xf));
    _mm256_and_si256(
        // A byte beyond ASCII looks up zero here.
        _mm256_shuffle_epi8(table(&classes.low), bytes),
        _mm256_shuffle_epi8(table(&classes.high), high_half),
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn table(table: &[u8; 16]) -> __m256i {
    // SAFETY: the reference is good for reading 16 bytes, and the load needs no alignment.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

/// Which bytes are of one class: that of the bit which a shift by `SHIFT` makes the highest.
#[inline]
#[target_feature(enable = "avx2")]
fn bit<const SHIFT: i32>([low, high]: [__m256i; 2]) -> u64 {
    join(
        _mm256_movemask_epi8(_mm256_slli_epi16::<SHIFT>(low)),
        _mm256_movemask_epi8(_mm256_slli_epi16::<SHIFT>(high)),
    )
}

/// Which bytes are of any of these classes.
#[inline]
#[target_feature(enable = "avx2")]
fn any([low, high]: [__m256i; 2], classes: i8) -> u64 {
    let classes = _mm256_set1_epi8(classes);
    let none = |bytes| {
        let of_these = _mm256_and_si256(bytes, classes);
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(of_these, _mm256_setzero_si256()))
    };
    !join(none(low), none(high))
}

#[inline]
fn join(low: i32, high: i32) -> u64 {
    u64::from(low as u32) | u64::from(high as u32) << 32
}
