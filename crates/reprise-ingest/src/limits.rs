//! The hard limits that keep a hostile archive from taking the machine.

use std::fmt::{self, Display};

/// What a single record may cost; each limit is a flag of `reprise index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordLimits {
    /// Largest body, in bytes, before and after content-decoding. Larger ones are counted as `too_large`.
    pub body_bytes: usize,
    /// Largest record header and HTTP header, each, in bytes.
    pub header_bytes: usize,
    /// Largest ratio of decoded to encoded bytes, looked at once the output has passed [`RATIO_FREE_BYTES`].
    pub ratio: usize,
    /// Most content encodings on top of one another; in mail, most messages inside one another, and
    /// most multiparts inside one another in each of them.
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

/// Output up to this size is never called a decompression bomb, whatever its ratio.
pub const RATIO_FREE_BYTES: usize = 1 << 20;

impl RecordLimits {
    /// Largest decompressed record that is held in memory.
    pub fn record_bytes(&self) -> usize {
        self.body_bytes
            .saturating_add(self.header_bytes)
            .saturating_add(self.header_bytes)
    }

    /// No compressed member within the limits is longer than this, however badly it compresses.
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

    /// Is `output` bytes from `input` bytes more than any honest document expands to?
    pub fn is_bomb(&self, input: usize, output: usize) -> bool {
        output > RATIO_FREE_BYTES && output / self.ratio.max(1) > input.max(1)
    }

    /// The most that so many bytes may unpack to.
    pub(crate) fn unpacked_bytes_max(&self, input: u64) -> u64 {
        let ratio = self.ratio.max(1) as u64;
        // As `is_bomb` rounds.
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
        fn no_bomb_up_to_the_most(ratio in 0_usize..2000, input in 0_u64..10_000_000) {
            let limits = RecordLimits { body_bytes: 1, header_bytes: 1, ratio, nesting: 1 };
            let most = limits.unpacked_bytes_max(input) as usize;
            prop_assert!(!limits.is_bomb(input as usize, most));
            prop_assert!(limits.is_bomb(input as usize, most + 1));
        }
    }
}
