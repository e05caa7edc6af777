//! Sixty-four bytes as eight numbers.

const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const ONES: u64 = 0x0101_0101_0101_0101;

/// 64 bytes of text.
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
        // Without their high bits, bytes are compared by a subtraction that never borrows; high bits decide first.
        let limit = ONES * u64::from(limit);
        self.gathered(|lane| {
            let low = (limit & LOW | !LOW) - (lane & LOW);
            (limit & !lane | !(limit ^ lane) & low) & !LOW
        })
    }

    /// The high bit of each byte, together.
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

/// The high bit of each byte that is zero.
#[inline]
fn is_zero(lane: u64) -> u64 {
    !(((lane & LOW) + LOW) | lane | LOW)
}
