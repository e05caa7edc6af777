//! The rolling hash: a number that depends on the last seven bytes and nothing else.
//!
//! It is the sum, modulo 2³², of three parts: the sum of the bytes, their sum weighted by how late
//! they came, and their exclusive or with each byte shifted five bits further than the next.

/// Bytes that the rolling hash depends on.
pub(crate) const WINDOW: usize = 7;

/// What comes before the first byte.
pub(crate) const NOTHING: [u8; WINDOW - 1] = [0; WINDOW - 1];

/// The value after the first [`WINDOW`] of these bytes.
#[inline]
pub(crate) fn value_of(bytes: &[u8]) -> u32 {
    let bytes = &bytes[..WINDOW];
    let byte = |age: usize| u32::from(bytes[WINDOW - 1 - age]);
    let shifted = (0..WINDOW).fold(0, |shifted, age| shifted ^ byte(age) << (5 * age));
    // The weights of the first two parts, added up.
    let sums: u32 = (0..WINDOW).map(|age| (8 - age as u32) * byte(age)).sum();
    shifted.wrapping_add(sums)
}

/// Values that are looked at together.
pub(crate) const TOGETHER: usize = 64;

/// A one for each value whose bits in the mask are all ones, and a zero for every other: the first
/// for the first [`WINDOW`] bytes, the next for those from the second byte on, and so on.
///
/// No value depends on the one before, so a processor computes eight or more in one step.
pub(crate) fn low_bits_are_ones(bytes: &[u8; TOGETHER + WINDOW - 1], mask: u16) -> [u8; TOGETHER] {
    let bytes = bytes.map(u16::from);
    let mut flags = [0; TOGETHER];
    for (at, flag) in flags.iter_mut().enumerate() {
        let byte = |age: usize| bytes[at + WINDOW - 1 - age];
        // As above, but for the bytes that do not get into the lowest 16 bits.
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

    /// The three parts as they are defined, byte by byte.
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
