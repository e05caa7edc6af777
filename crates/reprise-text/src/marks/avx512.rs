//! Marks by the AVX-512 instructions of x86-64: a comparison of 64 bytes gives 64 bits at once.

#![expect(unsafe_code, reason = "processor intrinsics: unaligned loads")]

use core::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_cmplt_epu8_mask, _mm512_loadu_si512, _mm512_or_si512,
    _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_sub_epi8,
    _mm512_test_epi8_mask,
};

use super::{BYTES, Marker, Marks};
use crate::instructions::Avx512;
use crate::window::{WINDOW, same_place};

impl Marker for Avx512 {
    #[expect(
        clippy::inline_always,
        reason = "inlined where the instructions are enabled"
    )]
    #[inline(always)]
    fn marks(self, bytes: &[u8; BYTES]) -> Marks {
        // SAFETY: `self` exists only if these instructions were detected.
        unsafe { marks(bytes) }
    }
}

/// The beginnings of names that matter: a first letter, and what may follow it. Of bytes beyond ASCII
/// the highest bit does not count.
const NAMES: [(u8, &[u8]); 7] = [
    (b'p', b" \n\t\r\x0c/>lL"),
    (b'd', b"iI"),
    (b's', b"cCtT"),
    (b't', b"iIeE"),
    (b'i', b"fF"),
    (b'n', b"oO"),
    (b'x', b"mM"),
];
/// For each byte, which of the names it begins.
const FIRST: [u8; 2 * WINDOW] = {
    let mut table = [0; 2 * WINDOW];
    let mut name = 0;
    while name < NAMES.len() {
        let (first, _) = NAMES[name];
        table[first as usize] |= 1 << name;
        table[first.to_ascii_uppercase() as usize] |= 1 << name;
        name += 1;
    }
    table
};
/// For each byte, which of the names it follows the first letter of.
const SECOND: [u8; 2 * WINDOW] = {
    let mut table = [0; 2 * WINDOW];
    let mut name = 0;
    while name < NAMES.len() {
        let (_, seconds) = NAMES[name];
        let mut at = 0;
        while at < seconds.len() {
            table[seconds[at] as usize] |= 1 << name;
            at += 1;
        }
        name += 1;
    }
    table
};
/// What may precede a value.
const BEFORE_VALUE: [u8; WINDOW] = same_place(b"= \t\n\x0c\r");

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn marks(bytes: &[u8; BYTES]) -> Marks {
    let (here, next, after_next) = (load(bytes, 0), load(bytes, 1), load(bytes, 2));
    let less = equal(here, b'<');
    let letters = letters(next);
    let last_letter = u64::from(bytes[BYTES - 1].is_ascii_alphabetic()) << 63;
    let letters_behind = letters >> 1 | last_letter;
    let slashes = equal(next, b'/');
    let names = _mm512_test_epi8_mask(look_up(&FIRST, next), look_up(&SECOND, after_next));
    let comments = equal(next, b'!') | equal(next, b'?') | slashes & !letters_behind;
    Marks {
        tags: less & (letters | slashes & letters_behind),
        matters: less & (comments | letters & names),
        greater: equal(here, b'>'),
        single_quotes: equal(here, b'\''),
        double_quotes: equal(here, b'"'),
        before_value: _mm512_cmpeq_epi8_mask(
            _mm512_permutexvar_epi8(here, load(&BEFORE_VALUE, 0)),
            here,
        ),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn load<const N: usize>(bytes: &[u8; N], at: usize) -> __m512i {
    let bytes: &[u8] = &bytes[at..at + WINDOW];
    // SAFETY: the slice is good for reading 64 bytes, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn equal(bytes: __m512i, needle: u8) -> u64 {
    _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(needle.cast_signed()))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn letters(bytes: __m512i) -> u64 {
    let small = _mm512_or_si512(bytes, _mm512_set1_epi8(0x20));
    let from_a = _mm512_sub_epi8(small, _mm512_set1_epi8(b'a'.cast_signed()));
    _mm512_cmplt_epu8_mask(from_a, _mm512_set1_epi8(26))
}

/// The entry of each byte, of which the highest bit does not count.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn look_up(table: &[u8; 2 * WINDOW], bytes: __m512i) -> __m512i {
    _mm512_permutex2var_epi8(load(table, 0), bytes, load(table, WINDOW))
}
