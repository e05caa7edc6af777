//! The options of indexing.

use std::num::NonZeroU64;
use std::path::PathBuf;

use reprise_ingest::{BATCH_BYTES, RecordLimits};

use crate::defaults;
use crate::error::Error;
use crate::resources::Resources;

/// The options of indexing. The defaults follow from the memory limit.
#[derive(Clone, Debug, Default)]
pub struct IndexOptions {
    /// The URL to which the relative path of a plain file is appended; `None` is `file:///`.
    pub base_url: Option<String>,
    /// The size in memory at which a segment is closed.
    pub segment_bytes: Option<usize>,
    /// The limits on a record.
    pub limits: LimitOptions,
    /// Directories inside the input that are not read, such as one that results are written to.
    pub excluded: Vec<PathBuf>,
}

/// The limits on a record; `None` is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitOptions {
    /// The largest body.
    pub body_bytes: Option<usize>,
    /// The largest record header and HTTP header.
    pub header_bytes: Option<usize>,
    /// The largest ratio of decompressed to compressed bytes, at least 1.
    pub ratio: Option<usize>,
    /// The most content encodings of a body, and the most messages inside each other in a mail.
    pub nesting: Option<usize>,
}

impl LimitOptions {
    /// Fails if no record can be within the limits, or if a body is larger than `body_bytes_max`.
    pub(crate) fn validate(&self, body_bytes_max: usize, why: &str) -> Result<(), Error> {
        if self.ratio == Some(0) {
            return Err(Error::Option {
                option: "max_ratio",
                expected: "at least 1".to_owned(),
                found: "0".to_owned(),
            });
        }
        match self.body_bytes {
            Some(body_bytes) if body_bytes > body_bytes_max => {
                Err(too_large("max_body", body_bytes, body_bytes_max, why))
            }
            _ => Ok(()),
        }
    }

    /// Returns the limits, with `body_bytes` if no limit of a body is set.
    pub fn limits(&self, body_bytes: usize) -> RecordLimits {
        RecordLimits {
            body_bytes: self.body_bytes.unwrap_or(body_bytes),
            header_bytes: self.header_bytes.unwrap_or(defaults::HEADER_BYTES),
            ratio: self.ratio.unwrap_or(defaults::RATIO),
            nesting: self.nesting.unwrap_or(defaults::NESTING),
        }
    }
}

/// Valid options with all values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexConfig {
    /// The number of threads. Fewer are used if memory is too small for them.
    threads: usize,
    pub(crate) memory_bytes: usize,
    pub(crate) segment_bytes: usize,
    pub(crate) limits: RecordLimits,
}

/// The memory of a thread's buffers, in addition to the bodies it holds.
const THREAD_BYTES: usize = 16 << 20;

impl IndexOptions {
    /// Fills in the defaults, or fails if a value does not fit the memory limit.
    pub(crate) fn config(&self, resources: &Resources) -> Result<IndexConfig, Error> {
        resources.validate()?;
        let memory_bytes = resources.memory_bytes;
        let body_max = defaults::body_bytes_max(memory_bytes);
        let why = memory_part(body_max < defaults::BODY_BYTES_MAX, "a 32nd");
        self.limits.validate(body_max, &why)?;
        let limits = self.limits.limits(defaults::body_bytes(memory_bytes));
        let header_max = defaults::header_bytes_max(memory_bytes);
        if limits.header_bytes > header_max {
            let why = memory_part(true, "a 128th");
            return Err(too_large(
                "max_header",
                limits.header_bytes,
                header_max,
                &why,
            ));
        }
        let segment_max = defaults::segment_bytes(memory_bytes);
        let segment_bytes = self.segment_bytes.unwrap_or(segment_max);
        if segment_bytes > segment_max {
            let why = memory_part(segment_max < defaults::SEGMENT_BYTES_MAX, "about a fifth");
            return Err(too_large("segment_size", segment_bytes, segment_max, &why));
        }
        Ok(IndexConfig {
            threads: resources.threads(),
            memory_bytes,
            segment_bytes,
            limits,
        })
    }
}

/// Returns the reason for a limit that follows from the memory limit.
fn memory_part(is_of_memory: bool, part: &str) -> String {
    if is_of_memory {
        format!(" with this memory limit ({part} of it)")
    } else {
        String::new()
    }
}

fn too_large(option: &'static str, found: usize, most: usize, why: &str) -> Error {
    Error::Option {
        option,
        expected: format!("at most {most}{why}"),
        found: found.to_string(),
    }
}

impl IndexConfig {
    /// Returns the size of a batch. It follows from the size of a segment, because segments end with
    /// batches: with a given segment size, segments are the same for any memory limit.
    pub(crate) fn batch_bytes(&self) -> NonZeroU64 {
        let bytes = (self.segment_bytes as u64 / 24).clamp(256 << 10, BATCH_BYTES);
        NonZeroU64::new(bytes).expect("a batch has bytes")
    }

    /// Returns the number of threads that memory has room for.
    pub(crate) fn threads_within_memory(&self) -> usize {
        let each = THREAD_BYTES + self.limits.body_bytes * 4;
        self.threads.clamp(1, (self.memory_bytes / 3 / each).max(1))
    }
}
