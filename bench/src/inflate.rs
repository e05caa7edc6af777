//! The yardstick: libdeflate on every gzip member of the same files, and nothing else.
//!
//! Files are in memory before the clock starts, one at a time, and the output buffer is used again,
//! so that no reader of these files can be faster than this on one core.
#![expect(
    unsafe_code,
    reason = "libdeflate is C, and its safe wrapper hides where a member ends"
)]

use std::fs;
use std::path::PathBuf;
use std::ptr::NonNull;

use anyhow::{Context, Result, bail};
use clap::Args;
use libdeflate_sys::{
    libdeflate_alloc_decompressor, libdeflate_decompressor, libdeflate_free_decompressor,
    libdeflate_gzip_decompress_ex, libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE,
    libdeflate_result_LIBDEFLATE_SUCCESS,
};
use serde::{Deserialize, Serialize};

use crate::measure::{Meter, Outcome, Usage};

/// Inflates files.
#[derive(Args)]
pub(crate) struct Inflate {
    /// Files of gzip members.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
}

/// What inflating finds.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct InflateAnswer {
    /// Gzip members.
    pub(crate) members: u64,
    /// Bytes in them.
    pub(crate) bytes: u64,
}

impl Inflate {
    pub(crate) fn run(&self) -> Result<Outcome<InflateAnswer>> {
        let mut inflater = Inflater::new();
        let mut output = vec![0; 1 << 20];
        let mut answer = InflateAnswer {
            members: 0,
            bytes: 0,
        };
        let mut usage = Usage::default();
        for path in &self.files {
            let input =
                fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            let meter = Meter::start();
            let mut rest = input.as_slice();
            while !rest.is_empty() {
                let (taken, made) = inflater
                    .member(rest, &mut output)
                    .with_context(|| format!("cannot inflate {}", path.display()))?;
                rest = &rest[taken..];
                answer.members += 1;
                answer.bytes += made as u64;
            }
            let file = meter.stop();
            usage.cpu_seconds += file.cpu_seconds;
            usage.wall_seconds += file.wall_seconds;
            usage.peak_bytes = file.peak_bytes;
        }
        Ok(Outcome { usage, answer })
    }
}

/// A libdeflate decompressor.
struct Inflater {
    handle: NonNull<libdeflate_decompressor>,
}

impl Inflater {
    fn new() -> Inflater {
        // SAFETY: takes no arguments; a null result is checked.
        let handle = unsafe { libdeflate_alloc_decompressor() };
        Inflater {
            handle: NonNull::new(handle).expect("memory for a decompressor"),
        }
    }

    /// Decodes the member at the start of `input`; returns the bytes taken and the bytes made.
    fn member(&mut self, input: &[u8], output: &mut Vec<u8>) -> Result<(usize, usize)> {
        loop {
            let (mut taken, mut made) = (0, 0);
            // SAFETY: both slices are valid for their lengths, and libdeflate stays within them.
            let result = unsafe {
                libdeflate_gzip_decompress_ex(
                    self.handle.as_ptr(),
                    input.as_ptr().cast(),
                    input.len(),
                    output.as_mut_ptr().cast(),
                    output.len(),
                    &raw mut taken,
                    &raw mut made,
                )
            };
            if result == libdeflate_result_LIBDEFLATE_SUCCESS {
                return Ok((taken, made));
            }
            if result != libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE {
                bail!("a gzip member is damaged");
            }
            output.resize(output.len() * 2, 0);
        }
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        // SAFETY: the handle came from libdeflate_alloc_decompressor and is freed once.
        unsafe { libdeflate_free_decompressor(self.handle.as_ptr()) };
    }
}
