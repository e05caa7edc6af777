//! Block sizes, by their number: level `n` has block size 3·2ⁿ.

/// The smallest block size.
const SMALLEST: u64 = 3;

/// The highest level a digest has.
pub(crate) const HIGHEST: u8 = 30;

/// Pieces that are told apart in the first part of a digest; one more character stands for the rest.
pub(crate) const FIRST_PIECES: usize = 63;

/// The same for the second part.
pub(crate) const SECOND_PIECES: usize = 31;

/// The first part of a digest has at least so many pieces, unless its level is the lowest.
pub(crate) const ENOUGH_PIECES: usize = 32;

/// The most characters in a part of a digest.
pub(crate) const CHARACTERS: usize = FIRST_PIECES + 1;

/// The block size of a level.
pub(crate) const fn block_size(level: u8) -> u64 {
    SMALLEST << level
}

/// The level with this block size.
pub(crate) const fn of_block_size(size: u64) -> Option<u8> {
    let level = size.trailing_zeros() as u8;
    if level <= HIGHEST && block_size(level) == size {
        Some(level)
    } else {
        None
    }
}

/// Whether the search for the level of so many bytes begins here or further down.
pub(crate) const fn suffices(level: u8, len: u64) -> bool {
    block_size(level) * CHARACTERS as u64 >= len
}

/// Where the search for a level begins for so many bytes; from there it goes down.
pub(crate) const fn first_guess(len: u64) -> u8 {
    let mut level = 0;
    while level < HIGHEST && !suffices(level, len) {
        level += 1;
    }
    level
}

/// The highest level at which a piece ends where the rolling hash has this value, if there is any.
pub(crate) const fn of_value(value: u32) -> Option<u8> {
    // A piece ends at a level where the value is one less than a multiple of the block size, so at
    // all the levels below too.
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
    fn a_piece_ends_at_the_levels_whose_block_size_divides() {
        for value in (0..10_000).chain(u32::MAX - 10_000..=u32::MAX) {
            for level in 0..=HIGHEST {
                let size = block_size(level);
                let ends = u64::from(value) % size == size - 1;
                assert_eq!(of_value(value).is_some_and(|top| top >= level), ends);
            }
        }
    }

    #[test]
    fn the_guess_is_the_smallest_that_may_do() {
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
