//! SHA-256 of sixteen messages in lockstep, with the AVX-512 instructions of x86-64.
//!
//! Every vector holds the same word of sixteen messages, so the code reads like the standard. On
//! Intel processors it is 1.5 times as fast as two lanes of SHA instructions.

#![expect(
    unsafe_code,
    reason = "processor intrinsics: unaligned loads and stores, and entering code for detected features"
)]
#![expect(
    clippy::many_single_char_names,
    reason = "words have the names of the standard"
)]
#![expect(
    clippy::large_types_passed_by_value,
    reason = "what is passed stays in registers"
)]

use core::arch::x86_64::{
    __cpuid, __m512i, _mm_set_epi8, _mm256_loadu_si256, _mm256_storeu_si256, _mm512_add_epi32,
    _mm512_broadcast_i32x4, _mm512_castsi256_si512, _mm512_castsi512_si256, _mm512_loadu_si512,
    _mm512_ror_epi32, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_shuffle_epi8,
    _mm512_shuffle_i32x4, _mm512_srli_epi32, _mm512_ternarylogic_epi32, _mm512_unpackhi_epi32,
    _mm512_unpackhi_epi64, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
};
use core::array::from_fn;
use std::sync::LazyLock;

use crate::HashKind;
use crate::lanes::Lockstep;
use crate::message::Message;
use crate::sha_ni::{SHA256_K, ShaNi};
use crate::state::State;

/// The number of messages hashed at the same time: the words of a vector.
pub(crate) const LANES: usize = 16;

/// Sixteen lanes of SHA-256, and proof that the processor has the instructions.
#[derive(Clone, Copy)]
pub(crate) struct SixteenLanes {
    /// For fewer messages.
    sha: ShaNi,
}

impl SixteenLanes {
    /// Asks the processor. The standard library caches the answer.
    pub(crate) fn detect() -> Option<Self> {
        let has_vectors =
            is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        ShaNi::detect()
            .filter(|_| has_vectors)
            .map(|sha| Self { sha })
    }

    /// Returns true if sixteen lanes are faster than two lanes of SHA instructions. On AMD processors
    /// they are not: a SHA instruction takes only two cycles there, and two lanes keep less between
    /// calls.
    pub(crate) fn is_best() -> bool {
        static IS_AMD: LazyLock<bool> = LazyLock::new(|| {
            let vendor = __cpuid(0);
            [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes)
                == [*b"Auth", *b"enti", *b"cAMD"]
        });
        !*IS_AMD
    }
}

impl Lockstep<LANES> for SixteenLanes {
    fn kind(self) -> HashKind {
        HashKind::Sha256
    }

    fn compress(self, states: &mut [State; LANES], messages: [&Message<'_>; LANES], count: usize) {
        // SAFETY: `self` exists only if `detect` found avx512f and avx512bw.
        unsafe { sha256(states, messages, count) }
    }

    fn pairs(self) -> ShaNi {
        self.sha
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn sha256(states: &mut [State; LANES], messages: [&Message<'_>; LANES], count: usize) {
    let swap_words = _mm512_broadcast_i32x4(_mm_set_epi8(
        12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3,
    ));
    let mut state = load_states(states);
    for at in 0..count {
        let before = state;
        let mut w = transposed(from_fn(|lane| {
            let block = messages[lane].block(at);
            // SAFETY: the reference is good for reading 64 bytes, and the load needs no alignment.
            let words = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
            _mm512_shuffle_epi8(words, swap_words)
        }));
        let [earlier @ .., last] = SHA256_K.as_chunks().0 else {
            unreachable!("there are 64 round constants");
        };
        for k in earlier {
            state = sixteen_rounds::<true>(state, &mut w, k);
        }
        state = sixteen_rounds::<false>(state, &mut w, last);
        state = from_fn(|word| _mm512_add_epi32(state[word], before[word]));
    }
    store_states(state, states);
}

/// Computes sixteen rounds. With `SCHEDULE`, also computes the schedule words of the next sixteen.
///
/// The rounds are unrolled: with constant indices, words and state stay in registers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sixteen_rounds<const SCHEDULE: bool>(
    state: [__m512i; 8],
    w: &mut [__m512i; 16],
    k: &[[u32; 4]; 4],
) -> [__m512i; 8] {
    let mut state = state;
    macro_rules! rounds {
        ($($i:literal)*) => {$(
            state = round(state, w[$i], k[$i / 4][$i % 4]);
            if SCHEDULE {
                w[$i] = next_word(w, $i);
            }
        )*};
    }
    rounds!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    state
}

/// Computes one round (FIPS 180-4, 6.2.2, step 3).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn round([a, b, c, d, e, f, g, h]: [__m512i; 8], w: __m512i, k: u32) -> [__m512i; 8] {
    let sum_1 = xor(
        _mm512_ror_epi32::<6>(e),
        _mm512_ror_epi32::<11>(e),
        _mm512_ror_epi32::<25>(e),
    );
    let chosen = _mm512_ternarylogic_epi32::<0xca>(e, f, g);
    let wk = _mm512_add_epi32(w, _mm512_set1_epi32(k.cast_signed()));
    let added = _mm512_add_epi32(_mm512_add_epi32(h, wk), chosen);
    let temp_1 = _mm512_add_epi32(added, sum_1);
    let sum_0 = xor(
        _mm512_ror_epi32::<2>(a),
        _mm512_ror_epi32::<13>(a),
        _mm512_ror_epi32::<22>(a),
    );
    let majority = _mm512_ternarylogic_epi32::<0xe8>(a, b, c);
    let temp_2 = _mm512_add_epi32(sum_0, majority);
    [
        _mm512_add_epi32(temp_1, temp_2),
        a,
        b,
        c,
        _mm512_add_epi32(d, temp_1),
        e,
        f,
        g,
    ]
}

/// Computes the schedule word 16 places after word `i` (6.2.2, step 1).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn next_word(w: &[__m512i; 16], i: usize) -> __m512i {
    let (early, late) = (w[(i + 1) % 16], w[(i + 14) % 16]);
    let sigma_0 = xor(
        _mm512_ror_epi32::<7>(early),
        _mm512_ror_epi32::<18>(early),
        _mm512_srli_epi32::<3>(early),
    );
    let sigma_1 = xor(
        _mm512_ror_epi32::<17>(late),
        _mm512_ror_epi32::<19>(late),
        _mm512_srli_epi32::<10>(late),
    );
    _mm512_add_epi32(
        _mm512_add_epi32(w[i], sigma_0),
        _mm512_add_epi32(w[(i + 9) % 16], sigma_1),
    )
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn xor(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<0x96>(a, b, c)
}

/// Loads the states of all lanes: vector `n` holds word `n` of each lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_states(states: &[State; LANES]) -> [__m512i; 8] {
    let rows = from_fn(|lane| {
        let State(words) = &states[lane];
        // SAFETY: the reference is good for reading 32 bytes, and the load needs no alignment.
        _mm512_castsi256_si512(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    });
    let columns = transposed(rows);
    from_fn(|word| columns[word])
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store_states(columns: [__m512i; 8], states: &mut [State; LANES]) {
    let zero = _mm512_setzero_si512();
    let rows = transposed(from_fn(|word| columns.get(word).copied().unwrap_or(zero)));
    for (State(words), row) in states.iter_mut().zip(rows) {
        // SAFETY: the reference is good for writing 32 bytes, and the store needs no alignment.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), _mm512_castsi512_si256(row)) };
    }
}

/// Transposes a matrix of sixteen by sixteen words.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn transposed(rows: [__m512i; 16]) -> [__m512i; 16] {
    // First transpose squares of four by four words within each quarter of the vectors.
    let mut squares = rows;
    for (four, rows) in squares
        .as_chunks_mut::<4>()
        .0
        .iter_mut()
        .zip(rows.as_chunks::<4>().0)
    {
        let low = [0, 2].map(|at| _mm512_unpacklo_epi32(rows[at], rows[at + 1]));
        let high = [0, 2].map(|at| _mm512_unpackhi_epi32(rows[at], rows[at + 1]));
        *four = [
            _mm512_unpacklo_epi64(low[0], low[1]),
            _mm512_unpackhi_epi64(low[0], low[1]),
            _mm512_unpacklo_epi64(high[0], high[1]),
            _mm512_unpackhi_epi64(high[0], high[1]),
        ];
    }
    // Then transpose the quarters.
    let mut columns = squares;
    for at in 0..4 {
        let [a, b, c, d] = from_fn(|four| squares[4 * four + at]);
        let low = [(a, b), (c, d)].map(|(a, b)| _mm512_shuffle_i32x4::<0x44>(a, b));
        let high = [(a, b), (c, d)].map(|(a, b)| _mm512_shuffle_i32x4::<0xee>(a, b));
        columns[at] = _mm512_shuffle_i32x4::<0x88>(low[0], low[1]);
        columns[4 + at] = _mm512_shuffle_i32x4::<0xdd>(low[0], low[1]);
        columns[8 + at] = _mm512_shuffle_i32x4::<0x88>(high[0], high[1]);
        columns[12 + at] = _mm512_shuffle_i32x4::<0xdd>(high[0], high[1]);
    }
    columns
}
