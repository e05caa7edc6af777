//! Levels: level `n` has the block size 3·2ⁿ.

/// The smallest block size.
const SMALLEST: u64 = 3;

/// The highest level of a digest.
pub(crate) const HIGHEST: u8 = 30;

/// The largest number of pieces in the first part of a digest. One more character stands for the rest
/// of the bytes.
pub(crate) const FIRST_PIECES: usize = 63;

/// The value of [`FIRST_PIECES`] for the second part.
pub(crate) const SECOND_PIECES: usize = 31;

/// The smallest number of pieces in the first part of a digest, unless its level is the lowest.
pub(crate) const ENOUGH_PIECES: usize = 32;

/// The largest number of characters in a part of a digest.
pub(crate) const CHARACTERS: usize = FIRST_PIECES + 1;

/// Returns the block size of a level.
pub(crate) const fn block_size(level: u8) -> u64 {
    SMALLEST << level
}

/// Returns the level with this block size.
pub(crate) const fn of_block_size(size: u64) -> Option<u8> {
    let level = size.trailing_zeros() as u8;
    if level <= HIGHEST && block_size(level) == size {
        Some(level)
    } else {
        None
    }
}

/// Returns true if a digest of `len` bytes has at most this level.
pub(crate) const fn suffices(level: u8, len: u64) -> bool {
    block_size(level) * CHARACTERS as u64 >= len
}

/// Returns the highest possible level of a digest of `len` bytes. The search for the level goes down
/// from there.
pub(crate) const fn first_guess(len: u64) -> u8 {
    let mut level = 0;
    while level < HIGHEST && !suffices(level, len) {
        level += 1;
    }
    level
}

/// Returns the highest level at which a piece ends if the rolling hash has this value, or `None` if no
/// piece ends.
pub(crate) const fn of_value(value: u32) -> Option<u8> {
    // A piece ends at a level if the value plus one is a multiple of the block size. Then it is a
    // multiple of all smaller block sizes as well.
    let next = value as u64 + 1;
    if next.is_multiple_of(SMALLEST) {
        Some(next.trailing_zeros() as u8)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_block_sizes_are_inverse() {
        for level in 0..=HIGHEST {
            assert_eq!(of_block_size(block_size(level)), Some(level));
        }
        for size in [0, 1, 2, 4, 5, 9, 97, 3 << 31, u64::MAX, 1 << 63] {
            assert_eq!(of_block_size(size), None, "{size}");
        }
    }

    #[test]
    fn a_piece_ends_if_the_block_size_divides_the_value_plus_one() {
        for value in (0..10_000).chain(u32::MAX - 10_000..=u32::MAX) {
            for level in 0..=HIGHEST {
                let size = block_size(level);
                let ends = u64::from(value) % size == size - 1;
                assert_eq!(of_value(value).is_some_and(|top| top >= level), ends);
            }
        }
    }

    #[test]
    fn the_first_guess_is_the_smallest_sufficient_level() {
        for (len, level) in [
            (0, 0),
            (192, 0),
            (193, 1),
            (384, 1),
            (385, 2),
            (u64::MAX, 30),
        ] {
            assert_eq!(first_guess(len), level, "{len}");
        }
    }
}
