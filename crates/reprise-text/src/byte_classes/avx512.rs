//! Byte classes with the AVX-512 instructions of x86-64, which compare 64 bytes at once.

#![expect(unsafe_code, reason = "processor intrinsics: unaligned loads")]

use core::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_loadu_si512, _mm512_min_epu8, _mm512_permutex2var_epi8,
    _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_test_epi8_mask,
};

use super::{BYTES, ByteClasses, ClassifyBytes, FIRST_LETTERS, NAMES};
use crate::bytes64::{GROUP, same_place};
use crate::instructions::Avx512;
use crate::tokens::names::begins_any;

impl ClassifyBytes for Avx512 {
    #[expect(
        clippy::inline_always,
        reason = "inlined where the instructions are enabled"
    )]
    #[inline(always)]
    fn classes(self, bytes: &[u8; BYTES]) -> ByteClasses {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { classes(bytes) }
    }
}

/// The bit of bytes that matter behind a `<` regardless of the next byte: those that do not begin a tag.
const ALONE: u8 = 1 << 7;
/// For each ASCII byte, the bit of the names that begin with it. Each first letter has a bit.
const FIRST: [u8; 2 * GROUP] = {
    let mut table = [ALONE; 2 * GROUP];
    table[b'/' as usize] = 0;
    let mut letter = b'a';
    while letter <= b'z' {
        table[letter as usize] = 0;
        table[letter.to_ascii_uppercase() as usize] = 0;
        letter += 1;
    }
    let mut at = 0;
    while at < FIRST_LETTERS.len() {
        let letter = FIRST_LETTERS[at];
        table[letter as usize] = 1 << at;
        table[letter.to_ascii_uppercase() as usize] = 1 << at;
        at += 1;
    }
    table
};
/// For each ASCII byte, the bits of the names that have it as their second byte.
const SECOND: [u8; 2 * GROUP] = {
    let mut table = [ALONE; 2 * GROUP];
    let mut at = 0;
    while at < FIRST_LETTERS.len() {
        let mut second = 0;
        while second < table.len() {
            if begins_any(&NAMES, FIRST_LETTERS[at], second as u8) {
                table[second] |= 1 << at;
            }
            second += 1;
        }
        at += 1;
    }
    table
};
/// The bytes that may precede a value.
const BEFORE_VALUE: [u8; GROUP] = same_place(b"= \t\n\x0c\r");

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn classes(bytes: &[u8; BYTES]) -> ByteClasses {
    let (here, next) = (load(bytes, 0), load(bytes, 1));
    ByteClasses {
        less: equal(here, b'<'),
        greater: equal(here, b'>'),
        matters: _mm512_test_epi8_mask(
            look_up(&FIRST, _mm512_min_epu8(here, _mm512_set1_epi8(127))),
            look_up(&SECOND, next),
        ),
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
    let bytes: &[u8] = &bytes[at..at + GROUP];
    // SAFETY: the slice has 64 bytes, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn equal(bytes: __m512i, needle: u8) -> u64 {
    _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(needle.cast_signed()))
}

/// Looks up each byte in a table. The highest bit of the byte is ignored.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn look_up(table: &[u8; 2 * GROUP], bytes: __m512i) -> __m512i {
    _mm512_permutex2var_epi8(load(table, 0), bytes, load(table, GROUP))
}
