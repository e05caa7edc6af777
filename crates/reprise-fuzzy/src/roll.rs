//! The rolling hash: a number that depends only on the last seven bytes.
//!
//! It is the sum, modulo 2³², of three parts: the sum of the bytes; their sum weighted by position, with
//! larger weights for later bytes; and the exclusive or of the bytes, each shifted five bits further than
//! the next.

/// The number of bytes that the rolling hash depends on.
pub(crate) const WINDOW: usize = 7;

/// The bytes that precede the first byte of the input.
pub(crate) const NOTHING: [u8; WINDOW - 1] = [0; WINDOW - 1];

/// Returns the value after the first [`WINDOW`] bytes.
#[inline]
pub(crate) fn value_of(bytes: &[u8]) -> u32 {
    let bytes = &bytes[..WINDOW];
    let byte = |age: usize| u32::from(bytes[WINDOW - 1 - age]);
    let shifted = (0..WINDOW).fold(0, |shifted, age| shifted ^ byte(age) << (5 * age));
    // The first two parts in one sum, with the sums of their weights.
    let sums: u32 = (0..WINDOW).map(|age| (8 - age as u32) * byte(age)).sum();
    shifted.wrapping_add(sums)
}

/// The number of values that are computed together.
pub(crate) const TOGETHER: usize = 64;

/// Returns a flag for each value: 1 if all its bits in the mask are ones, otherwise 0. The first value
/// is that of the first [`WINDOW`] bytes, the next that of the bytes from the second on, and so on.
///
/// The values do not depend on one another, so a processor computes eight or more in one step.
pub(crate) fn low_bits_are_ones(bytes: &[u8; TOGETHER + WINDOW - 1], mask: u16) -> [u8; TOGETHER] {
    let bytes = bytes.map(u16::from);
    let mut flags = [0; TOGETHER];
    for (at, flag) in flags.iter_mut().enumerate() {
        let byte = |age: usize| bytes[at + WINDOW - 1 - age];
        // As in `value_of`, without the shifted bytes that do not reach the lowest 16 bits.
        let shifted = byte(0) ^ byte(1) << 5 ^ byte(2) << 10 ^ byte(3) << 15;
        let newer = 8 * byte(0) + 7 * byte(1) + 6 * byte(2) + 5 * byte(3);
        let older = 4 * byte(4) + 3 * byte(5) + 2 * byte(6);
        let value = shifted.wrapping_add(newer + older);
        *flag = u8::from(value & mask == mask);
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The three parts, updated byte by byte as they are defined.
    #[derive(Default)]
    struct Roll {
        sum: u32,
        weighted: u32,
        shifted: u32,
        last: [u8; WINDOW],
    }

    impl Roll {
        fn push(&mut self, byte: u8) -> u32 {
            self.weighted -= self.sum;
            self.weighted += WINDOW as u32 * u32::from(byte);
            self.sum += u32::from(byte);
            self.sum -= u32::from(self.last[0]);
            self.last.rotate_left(1);
            self.last[WINDOW - 1] = byte;
            self.shifted = self.shifted << 5 ^ u32::from(byte);
            (self.sum + self.weighted).wrapping_add(self.shifted)
        }
    }

    #[test]
    fn the_value_depends_on_the_last_seven_bytes() {
        let mut roll = Roll::default();
        let byte = |i: u32| (i * i % 257 * 37 % 256) as u8;
        let bytes: Vec<u8> = (0..5000).map(byte).chain([255; 200]).collect();
        for (end, &byte) in bytes.iter().enumerate() {
            let value = roll.push(byte);
            if let Some(begin) = (end + 1).checked_sub(WINDOW) {
                assert_eq!(value_of(&bytes[begin..]), value);
            }
        }
        for bytes in bytes.array_windows() {
            for mask in [0, 1, 7, 0xff, u16::MAX] {
                let flags = low_bits_are_ones(bytes, mask);
                for (flag, window) in flags.into_iter().zip(bytes.windows(WINDOW)) {
                    assert_eq!(flag == 1, value_of(window) as u16 & mask == mask);
                }
            }
        }
    }
}
