//! The default values of all options, in one place.
//!
//! The modules are those of the stages; the constants of this module belong to several.

use reprise_ingest::RecordLimits;

#[cfg(feature = "crawl")]
#[doc(inline)]
pub use reprise_crawl::defaults as crawl;
#[doc(inline)]
pub use reprise_detect::defaults as detect;
#[doc(inline)]
pub use reprise_discover::defaults as discover;
#[doc(inline)]
pub use reprise_imatch::defaults as imatch;
#[cfg(feature = "lab")]
#[doc(inline)]
pub use reprise_lab::defaults as lab;
#[doc(inline)]
pub use reprise_near::defaults as near;

/// The memory limit.
pub const MEMORY_BYTES: usize = 1 << 30;
/// The lowest memory limit that can be kept.
pub const MEMORY_BYTES_MIN: usize = 64 << 20;

/// The largest record header and HTTP header.
pub const HEADER_BYTES: usize = 64 << 10;
/// The largest ratio of decompressed to compressed bytes.
pub const RATIO: usize = 300;
/// The most content encodings of a body, and the most messages inside each other in a mail.
pub const NESTING: usize = 4;
/// The largest body, however high the memory limit.
pub const BODY_BYTES: usize = 64 << 20;

/// The largest body that any memory limit allows. Positions in a text are 32-bit numbers, and a text may
/// be three times as long as its body.
pub const BODY_BYTES_MAX: usize = 1 << 30;
/// The largest segment that any memory limit allows. Rows are counted with 32-bit numbers.
pub const SEGMENT_BYTES_MAX: usize = 16 << 30;

/// The least characters of a chunk that `scan` and reports call copied. Shorter ones are headings,
/// buttons and dates, which every site has.
pub const REPORT_MIN_LENGTH: u64 = 40;
/// The number of most frequent chunks in a report.
pub const REPORT_TOP_CHUNKS: usize = 30;
/// The number of worst pages and neighbourhoods in a report.
pub const REPORT_TOP_PAGES: usize = 200;
/// The number of most popular phrases in a report.
pub const REPORT_TOP_PHRASES: usize = 30;

/// The largest body that is checked, and that a checked page may be fetched with.
pub const CHECK_BODY_BYTES: usize = 64 << 20;

/// The memory that the program itself needs: code and tables. An unoptimised build needs most.
const PROGRAM_BYTES: usize = 16 << 20;

/// Returns the default limit of a body.
pub fn body_bytes(memory_bytes: usize) -> usize {
    (memory_bytes / 64).min(BODY_BYTES)
}

/// Returns the largest body that a memory limit allows: a body may be held several times while it is
/// decoded.
pub fn body_bytes_max(memory_bytes: usize) -> usize {
    (memory_bytes / 32).min(BODY_BYTES_MAX)
}

/// Returns the largest header that a memory limit allows. A record has two, and they are held like bodies.
pub fn header_bytes_max(memory_bytes: usize) -> usize {
    memory_bytes / 128
}

/// Returns the default size of a segment in memory, which is also the largest.
pub fn segment_bytes(memory_bytes: usize) -> usize {
    (memory_bytes.saturating_sub(PROGRAM_BYTES) / 5).min(SEGMENT_BYTES_MAX)
}

/// Limits for reading single pages back: everything that was indexed can be read.
pub const READ_BACK_LIMITS: RecordLimits = RecordLimits {
    body_bytes: BODY_BYTES_MAX,
    header_bytes: 1 << 20,
    ratio: 100_000,
    nesting: 16,
};
