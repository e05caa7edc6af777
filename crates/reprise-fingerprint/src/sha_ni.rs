//! SHA-256 and SHA-1 of several messages in lockstep, with the x86-64 SHA instructions.
//!
//! Each `sha256rnds2` computes two rounds from the result of the two before, so the hash unit mostly
//! waits when there is a single message. Several messages are independent of each other. With `N`
//! lanes of one message each, every step is done for all lanes before the next step, so the unit
//! works on one lane while the result of another is still on its way.
//!
//! Word order follows the instructions: SHA-256 has the eight words of a state as `ABEF` and
//! `CDGH`, SHA-1 as `ABCD` and `E`, in both cases with the first letter in the highest 32 bits.
//! Four schedule words fill one vector, the earliest in the lowest 32 bits for SHA-256 and in the
//! highest for SHA-1.

#![expect(
    unsafe_code,
    reason = "processor intrinsics: unaligned loads, and entering code for detected features"
)]
#![expect(
    clippy::many_single_char_names,
    reason = "words have the names of the standard"
)]

use core::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_extract_epi32, _mm_loadu_si128, _mm_set_epi8,
    _mm_set_epi32, _mm_sha1msg1_epu32, _mm_sha1msg2_epu32, _mm_sha1nexte_epu32,
    _mm_sha1rnds4_epu32, _mm_sha256msg1_epu32, _mm_sha256msg2_epu32, _mm_sha256rnds2_epu32,
    _mm_shuffle_epi8, _mm_shuffle_epi32, _mm_xor_si128,
};
use core::array::{from_fn, from_mut};

use crate::HashKind;
use crate::lanes::Lockstep;
use crate::message::{Block, Message};
use crate::state::State;

/// Proof that the processor has the instructions.
#[derive(Clone, Copy)]
pub(crate) struct ShaNi(());

impl ShaNi {
    /// Asks the processor. The standard library caches the answer.
    pub(crate) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("sha")
            && is_x86_feature_detected!("sse4.1")
            && is_x86_feature_detected!("ssse3"))
        .then_some(Self(()))
    }

    /// Processes the next `count` blocks of each lane's message.
    #[inline]
    #[expect(
        clippy::unused_self,
        reason = "holding the proof makes the calls sound"
    )]
    pub(crate) fn compress<const N: usize>(
        self,
        kind: HashKind,
        states: &mut [State; N],
        messages: [&Message<'_>; N],
        count: usize,
    ) {
        match kind {
            // SAFETY: `self` exists only if `detect` found sha, sse4.1 and ssse3.
            HashKind::Sha256 => unsafe { sha256(states, messages, count) },
            // SAFETY: as above.
            HashKind::Sha1 => unsafe { sha1(states, messages, count) },
        }
    }
}

/// Blocks of a message to process.
pub(crate) struct Task<'t, 'm> {
    pub(crate) state: &'t mut State,
    pub(crate) message: &'t mut Message<'m>,
    /// The number of blocks.
    pub(crate) count: usize,
}

impl Task<'_, '_> {
    fn advance(&mut self, count: usize) {
        self.message.skip(count);
        self.count -= count;
    }
}

impl ShaNi {
    /// Does all tasks, two at a time while there are two.
    pub(crate) fn compress_in_pairs<'t, 'm: 't>(
        self,
        kind: HashKind,
        tasks: impl Iterator<Item = Task<'t, 'm>>,
    ) {
        let mut waiting = tasks.filter(|task| task.count > 0);
        let mut pair = [None, None];
        loop {
            for task in &mut pair {
                if task
                    .as_ref()
                    .is_none_or(|task: &Task<'_, '_>| task.count == 0)
                {
                    *task = waiting.next();
                }
            }
            match &mut pair {
                [Some(a), Some(b)] => {
                    let count = a.count.min(b.count);
                    let mut states = [*a.state, *b.state];
                    self.compress(kind, &mut states, [a.message, b.message], count);
                    [*a.state, *b.state] = states;
                    a.advance(count);
                    b.advance(count);
                }
                [Some(alone), None] | [None, Some(alone)] => {
                    let state = from_mut(&mut *alone.state);
                    self.compress(kind, state, [alone.message], alone.count);
                    alone.advance(alone.count);
                }
                [None, None] => return,
            }
        }
    }
}

/// Two lanes of either hash. Two keep the hash unit busy. A third does not fit into the 16 vector
/// registers and makes SHA-256 slower by a third.
#[derive(Clone, Copy)]
pub(crate) struct TwoLanes {
    pub(crate) sha: ShaNi,
    pub(crate) kind: HashKind,
}

impl Lockstep<2> for TwoLanes {
    fn kind(self) -> HashKind {
        self.kind
    }

    #[inline]
    fn compress(self, states: &mut [State; 2], messages: [&Message<'_>; 2], count: usize) {
        self.sha.compress(self.kind, states, messages, count);
    }

    fn pairs(self) -> ShaNi {
        self.sha
    }
}

/// The round constants of SHA-256 (FIPS 180-4, 4.2.2), in groups of four rounds.
pub(crate) const SHA256_K: [[u32; 4]; 16] = [
    [0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5],
    [0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5],
    [0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3],
    [0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174],
    [0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc],
    [0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da],
    [0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7],
    [0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967],
    [0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13],
    [0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85],
    [0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3],
    [0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070],
    [0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5],
    [0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3],
    [0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208],
    [0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2],
];

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn sha256<const N: usize>(states: &mut [State; N], messages: [&Message<'_>; N], count: usize) {
    let swap_words = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    let mut abef = states.map(|State([a, b, _, _, e, f, _, _])| vector([f, e, b, a]));
    let mut cdgh = states.map(|State([_, _, c, d, _, _, g, h])| vector([h, g, d, c]));
    for at in 0..count {
        let (abef_before, cdgh_before) = (abef, cdgh);
        let mut w: [[_; 4]; N] = from_fn(|lane| load(messages[lane].block(at), swap_words));
        for (group, &k) in SHA256_K.iter().enumerate() {
            let k = vector(k);
            for lane in 0..N {
                let wk = _mm_add_epi32(w[lane][0], k);
                cdgh[lane] = _mm_sha256rnds2_epu32(cdgh[lane], abef[lane], wk);
                let wk_high = _mm_shuffle_epi32::<0b1110>(wk);
                abef[lane] = _mm_sha256rnds2_epu32(abef[lane], cdgh[lane], wk_high);
                let [w0, w1, w2, w3] = w[lane];
                w[lane] = [w1, w2, w3, w0];
                if group < 12 {
                    let near = _mm_alignr_epi8::<4>(w3, w2);
                    let sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), near);
                    w[lane][3] = _mm_sha256msg2_epu32(sum, w3);
                }
            }
        }
        for lane in 0..N {
            abef[lane] = _mm_add_epi32(abef[lane], abef_before[lane]);
            cdgh[lane] = _mm_add_epi32(cdgh[lane], cdgh_before[lane]);
        }
    }
    for (lane, state) in states.iter_mut().enumerate() {
        let ([f, e, b, a], [h, g, d, c]) = (words(abef[lane]), words(cdgh[lane]));
        *state = State([a, b, c, d, e, f, g, h]);
    }
}

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn sha1<const N: usize>(states: &mut [State; N], messages: [&Message<'_>; N], count: usize) {
    let swap_all = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let mut abcd = states.map(|State([a, b, c, d, ..])| vector([d, c, b, a]));
    let mut e = states.map(|State([_, _, _, _, e, ..])| vector([0, 0, 0, e]));
    for at in 0..count {
        let abcd_before = abcd;
        let mut lanes: [_; N] = from_fn(|lane| {
            let w = load(messages[lane].block(at), swap_all);
            Sha1Lane {
                abcd: abcd[lane],
                abcd_last: abcd[lane],
                e_w: _mm_add_epi32(e[lane], w[0]),
                w,
            }
        });
        sha1_20_rounds::<0, N>(&mut lanes);
        sha1_20_rounds::<1, N>(&mut lanes);
        sha1_20_rounds::<2, N>(&mut lanes);
        sha1_20_rounds::<3, N>(&mut lanes);
        for lane in 0..N {
            abcd[lane] = _mm_add_epi32(lanes[lane].abcd, abcd_before[lane]);
            e[lane] = _mm_sha1nexte_epu32(lanes[lane].abcd_last, e[lane]);
        }
    }
    for (lane, state) in states.iter_mut().enumerate() {
        let ([d, c, b, a], [.., e]) = (words(abcd[lane]), words(e[lane]));
        *state = State([a, b, c, d, e, 0, 0, 0]);
    }
}

/// The values that one lane carries from one group of four SHA-1 rounds to the next.
#[derive(Clone, Copy)]
struct Sha1Lane {
    abcd: __m128i,
    /// `abcd` before the last group. The next `E` is derived from its `A`.
    abcd_last: __m128i,
    /// The schedule words of the next group, `E` added to the first.
    e_w: __m128i,
    /// The schedule words of the next group and the three after it.
    w: [__m128i; 4],
}

/// The five groups of four rounds that share function and constant number `F`.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn sha1_20_rounds<const F: i32, const N: usize>(lanes: &mut [Sha1Lane; N]) {
    for _ in 0..5 {
        for lane in lanes.iter_mut() {
            let [w0, w1, w2, w3] = lane.w;
            lane.abcd_last = lane.abcd;
            lane.abcd = _mm_sha1rnds4_epu32::<F>(lane.abcd, lane.e_w);
            lane.e_w = _mm_sha1nexte_epu32(lane.abcd_last, w1);
            // Words past the last round are never used; the compiler removes their computation.
            let sum = _mm_xor_si128(_mm_sha1msg1_epu32(w0, w1), w2);
            lane.w = [w1, w2, w3, _mm_sha1msg2_epu32(sum, w3)];
        }
    }
}

/// Loads a block as four vectors, with their bytes permuted by `order`.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn load(block: &Block, order: __m128i) -> [__m128i; 4] {
    let (quarters, _) = block.as_chunks::<16>();
    from_fn(|i| {
        let quarter: &[u8; 16] = &quarters[i];
        // SAFETY: the reference is good for reading 16 bytes, and the load needs no alignment.
        let bytes = unsafe { _mm_loadu_si128(quarter.as_ptr().cast()) };
        _mm_shuffle_epi8(bytes, order)
    })
}

/// Makes a vector of four words, lowest first.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn vector([w0, w1, w2, w3]: [u32; 4]) -> __m128i {
    _mm_set_epi32(w3 as i32, w2 as i32, w1 as i32, w0 as i32)
}

/// Returns the words of a vector, lowest first.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn words(vector: __m128i) -> [u32; 4] {
    [
        _mm_extract_epi32::<0>(vector) as u32,
        _mm_extract_epi32::<1>(vector) as u32,
        _mm_extract_epi32::<2>(vector) as u32,
        _mm_extract_epi32::<3>(vector) as u32,
    ]
}
