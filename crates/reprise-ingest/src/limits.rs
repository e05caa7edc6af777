//! Hard limits that keep a hostile archive from exhausting the machine.

use std::fmt::{self, Display};

/// The limits of a single record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordLimits {
    /// The largest body in bytes, before and after decoding. Larger bodies are counted as `too_large`.
    pub body_bytes: usize,
    /// The largest record header and the largest HTTP header, in bytes.
    pub header_bytes: usize,
    /// The largest ratio of decoded to encoded bytes. It applies to outputs larger than [`RATIO_FREE_BYTES`].
    pub ratio: usize,
    /// The most content encodings of a body. In mail, the deepest nesting of messages, and of multiparts inside
    /// each message.
    pub nesting: usize,
}

/// One of the [`RecordLimits`], so that a surface can name its own option for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordLimit {
    /// [`RecordLimits::body_bytes`].
    Body,
    /// [`RecordLimits::header_bytes`].
    Header,
    /// [`RecordLimits::ratio`].
    Ratio,
    /// [`RecordLimits::nesting`].
    Nesting,
}

impl fmt::Display for RecordLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RecordLimit::Body => "body limit",
            RecordLimit::Header => "header limit",
            RecordLimit::Ratio => "ratio limit",
            RecordLimit::Nesting => "nesting limit",
        })
    }
}

/// The output size up to which nothing is a decompression bomb, whatever its ratio.
pub const RATIO_FREE_BYTES: usize = 1 << 20;

impl RecordLimits {
    /// Returns the size of the largest decompressed record that is held in memory.
    pub fn record_bytes(&self) -> usize {
        self.body_bytes
            .saturating_add(self.header_bytes)
            .saturating_add(self.header_bytes)
    }

    /// Returns the size of the largest compressed member within the limits, even if it compresses badly.
    pub(crate) fn member_bytes(&self) -> usize {
        self.record_bytes()
            .saturating_add(self.record_bytes() / 16 + (64 << 10))
    }

    /// Returns the detail of a problem: `what` exceeds the body limit.
    pub(crate) fn over_body(&self, what: impl Display) -> String {
        let limit = RecordLimit::Body;
        format!("{what} exceeds the {limit} of {} bytes", self.body_bytes)
    }

    /// Returns the detail of a problem: `what` exceeds the header limit.
    pub(crate) fn over_header(&self, what: impl Display) -> String {
        let limit = RecordLimit::Header;
        format!("{what} exceeds the {limit} of {} bytes", self.header_bytes)
    }

    /// Returns true if `input` bytes that decode to `output` bytes exceed the ratio limit.
    pub fn is_bomb(&self, input: usize, output: usize) -> bool {
        output > RATIO_FREE_BYTES && output / self.ratio.max(1) > input.max(1)
    }

    /// Returns the largest output of `input` bytes within the ratio limit.
    pub(crate) fn unpacked_bytes_max(&self, input: u64) -> u64 {
        let ratio = self.ratio.max(1) as u64;
        // `is_bomb` rounds down.
        let most = input.max(1).saturating_add(1).saturating_mul(ratio) - 1;
        most.max(RATIO_FREE_BYTES as u64)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::RecordLimits;

    proptest! {
        #[test]
        fn the_largest_output_is_not_a_bomb(ratio in 0_usize..2000, input in 0_u64..10_000_000) {
            let limits = RecordLimits { body_bytes: 1, header_bytes: 1, ratio, nesting: 1 };
            let most = limits.unpacked_bytes_max(input) as usize;
            prop_assert!(!limits.is_bomb(input as usize, most));
            prop_assert!(limits.is_bomb(input as usize, most + 1));
        }
    }
}
