//! Byte classes with the AVX2 instructions of x86-64.
//!
//! A byte is looked up by its two halves: in a table for the low half and in one for the high half. Each
//! table has 16 entries of 8 bits, one per class. A byte belongs to a class if both entries have its bit.
//! A class is therefore all combinations of some low halves with some high halves.

#![expect(unsafe_code, reason = "processor intrinsics: unaligned loads")]

use core::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8,
    _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_set1_epi8, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_srli_epi16,
};

use super::{BYTES, ByteClasses, ClassifyBytes, FIRST_LETTERS, NAMES};
use crate::instructions::Avx2;
use crate::tokens::names::begins_any;

impl ClassifyBytes for Avx2 {
    #[expect(
        clippy::inline_always,
        reason = "inlined where the instructions are enabled"
    )]
    #[inline(always)]
    fn classes(self, bytes: &[u8; BYTES]) -> ByteClasses {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { classes(bytes) }
    }
}

/// Up to eight classes, as a table for each half of a byte.
struct Classes {
    low: [u8; 16],
    high: [u8; 16],
}

impl Classes {
    /// Creates classes. Class `i` contains the bytes `classes[i]`, and each byte that combines the halves of
    /// two of them.
    const fn new(classes: &[&[u8]]) -> Self {
        let mut tables = Self::EMPTY;
        let mut class = 0;
        while class < classes.len() {
            let mut at = 0;
            while at < classes[class].len() {
                tables = tables.with(class, classes[class][at]);
                at += 1;
            }
            class += 1;
        }
        tables
    }

    const EMPTY: Self = Self {
        low: [0; 16],
        high: [0; 16],
    };

    const fn with(mut self, class: usize, byte: u8) -> Self {
        self.low[(byte & 0xf) as usize] |= 1 << class;
        self.high[(byte >> 4) as usize] |= 1 << class;
        self
    }
}

/// The last three classes are the bytes that may precede a value.
const PUNCTUATION: Classes = Classes::new(&[b"<", b">", b"\"", b"'", b"=", b" ", b"\t\n\x0c\r"]);
const LESS: i32 = 0;
const GREATER: i32 = 1;
const DOUBLE_QUOTE: i32 = 2;
const SINGLE_QUOTE: i32 = 3;
const BEFORE_VALUE: i8 = 0b111 << 4;
const ALL: i8 = -1;

/// The bytes that follow the `<` of a tag. Two classes, because the letters are not combinations of
/// one set of low halves with one set of high halves.
const FOLLOWERS: Classes = Classes::new(&[
    b"ABCDEFGHIJKLMNOabcdefghijklmno",
    b"PQRSTUVWXYZpqrstuvwxyz",
    b"/",
]);

/// The first letters of the names that matter, a class for each.
const FIRST: Classes = {
    let mut classes = Classes::EMPTY;
    let mut at = 0;
    while at < FIRST_LETTERS.len() {
        classes = classes.with(at, FIRST_LETTERS[at]);
        classes = classes.with(at, FIRST_LETTERS[at].to_ascii_uppercase());
        at += 1;
    }
    classes
};

/// The second bytes of the names that matter, and a few more bytes, a class for each first letter.
const SECOND: Classes = {
    let mut classes = Classes::EMPTY;
    let mut at = 0;
    while at < FIRST_LETTERS.len() {
        let mut second = 0;
        while second < 128 {
            if begins_any(&NAMES, FIRST_LETTERS[at], second) {
                classes = classes.with(at, second);
            }
            second += 1;
        }
        at += 1;
    }
    classes
};

#[inline]
#[target_feature(enable = "avx2")]
fn classes(bytes: &[u8; BYTES]) -> ByteClasses {
    let here = [load(bytes, 0), load(bytes, 32)];
    let next = [load(bytes, 1), load(bytes, 33)];

    let marked = here.map(|bytes| classify(&PUNCTUATION, bytes));
    let followers = here.map(|bytes| classify(&FOLLOWERS, bytes));
    let firsts = here.map(|bytes| classify(&FIRST, bytes));
    let seconds = next.map(|bytes| classify(&SECOND, bytes));
    let names = [0, 1].map(|half| _mm256_and_si256(firsts[half], seconds[half]));
    ByteClasses {
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
    // SAFETY: the slice has 32 bytes, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// Returns the classes of each byte.
#[inline]
#[target_feature(enable = "avx2")]
fn classify(classes: &Classes, bytes: __m256i) -> __m256i {
    let high_half = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(0xf));
    _mm256_and_si256(
        // Bytes beyond ASCII belong to no class: this instruction returns zero for them.
        _mm256_shuffle_epi8(table(&classes.low), bytes),
        _mm256_shuffle_epi8(table(&classes.high), high_half),
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn table(table: &[u8; 16]) -> __m256i {
    // SAFETY: the table has 16 bytes, and the load needs no alignment.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

/// Returns the bytes of one class: the one whose bit is the highest after a shift by `SHIFT`.
#[inline]
#[target_feature(enable = "avx2")]
fn bit<const SHIFT: i32>([low, high]: [__m256i; 2]) -> u64 {
    join(
        _mm256_movemask_epi8(_mm256_slli_epi16::<SHIFT>(low)),
        _mm256_movemask_epi8(_mm256_slli_epi16::<SHIFT>(high)),
    )
}

/// Returns the bytes of any of these classes.
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
