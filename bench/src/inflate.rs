//! The baseline: inflates every gzip member of the same files with libdeflate.
//!
//! Each file is in memory before the clock starts, and the output buffer is reused. A program that reads these
//! files cannot be faster than this on one core.
#![expect(
    unsafe_code,
    reason = "libdeflate is a C library, and its safe wrapper does not return the end of a member"
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
    /// The gzip files.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
}

/// The counts of the inflater.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct InflateAnswer {
    /// The number of gzip members.
    pub(crate) members: u64,
    /// Their inflated bytes.
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
        // SAFETY: the function takes no arguments, and a null result is checked.
        let handle = unsafe { libdeflate_alloc_decompressor() };
        Inflater {
            handle: NonNull::new(handle).expect("there is memory for a decompressor"),
        }
    }

    /// Inflates the member at the start of `input`. Returns its compressed and its inflated length.
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
