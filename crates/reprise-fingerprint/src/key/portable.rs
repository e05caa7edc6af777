//! Sums of products on any machine.

use super::{STRIDE, SUMS};

/// For each pair of words of 32 bits: the numbers of its place are added to them, then they are
/// multiplied. The products are summed up.
pub(super) fn sums(
    numbers: &[[u32; STRIDE / 4]],
    strides: &[[u8; STRIDE]],
    last: Option<&[u8; STRIDE]>,
) -> [u64; SUMS] {
    let mut sums = [0_u64; SUMS];
    for (at, stride) in strides.iter().chain(last).enumerate() {
        let (words, _) = stride.as_chunks();
        for (sum, numbers) in sums.iter_mut().zip(&numbers[at..]) {
            for (words, numbers) in words.chunks(2).zip(numbers.chunks(2)) {
                let added = |at: usize| u32::from_le_bytes(words[at]).wrapping_add(numbers[at]);
                *sum = sum.wrapping_add(u64::from(added(0)) * u64::from(added(1)));
            }
        }
    }
    sums
}
