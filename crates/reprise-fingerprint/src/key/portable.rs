//! Sums of products on any processor.

use super::{STRIDE, SUMS};

/// Computes the sums of a block: adds the random numbers to each pair of 32-bit words, multiplies the
/// two, and sums up the products.
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
