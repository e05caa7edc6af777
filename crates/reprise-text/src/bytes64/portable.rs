//! 64 bytes as eight numbers.

const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const ONES: u64 = 0x0101_0101_0101_0101;

#[derive(Clone, Copy)]
pub(super) struct Lanes([u64; 8]);

impl Lanes {
    #[inline]
    pub(super) fn new(bytes: &[u8; 64]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        Self(std::array::from_fn(|lane| u64::from_le_bytes(words[lane])))
    }

    #[inline]
    pub(super) fn equal(self, needle: u8) -> u64 {
        let needle = ONES * u64::from(needle);
        self.gathered(|lane| is_zero(lane ^ needle))
    }

    #[inline]
    pub(super) fn at_most(self, limit: u8) -> u64 {
        // Compare the bytes without their high bits by a subtraction that never borrows. If the high bits
        // differ, they decide.
        let limit = ONES * u64::from(limit);
        self.gathered(|lane| {
            let low = (limit & LOW | !LOW) - (lane & LOW);
            (limit & !lane | !(limit ^ lane) & low) & !LOW
        })
    }

    /// Applies `mark` to each lane, and collects the high bits of all bytes.
    #[inline]
    fn gathered(self, mark: impl Fn(u64) -> u64) -> u64 {
        let mut bits = 0;
        for (at, &lane) in self.0.iter().enumerate() {
            let gathered = (mark(lane) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            bits |= gathered << (at * 8);
        }
        bits
    }
}

/// Sets the high bit of each byte that is zero, and clears all other bits.
#[inline]
fn is_zero(lane: u64) -> u64 {
    !(((lane & LOW) + LOW) | lane | LOW)
}
