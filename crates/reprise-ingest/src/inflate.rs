//! Decodes whole gzip members with libdeflate, the fastest way to read an archive that is compressed record by
//! record.
//!
//! The safe crate `libdeflater` does not return the number of input bytes that a member has, without which the
//! next member cannot be found. So this module calls libdeflate directly.
#![expect(
    unsafe_code,
    reason = "libdeflate is C; the two calls are wrapped here and nowhere else"
)]

use std::ptr::NonNull;

use libdeflate_sys::{
    libdeflate_alloc_decompressor, libdeflate_decompressor, libdeflate_free_decompressor,
    libdeflate_gzip_decompress_ex, libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE,
    libdeflate_result_LIBDEFLATE_SUCCESS,
};

/// A reusable libdeflate decompressor.
pub(crate) struct Inflater {
    handle: NonNull<libdeflate_decompressor>,
}

/// How the decoding of one member ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inflated {
    /// The number of input bytes of the member. Its checksum is right.
    Whole(usize),
    /// The output would exceed the limit.
    TooLarge,
    /// The input is corrupt or ends too soon; libdeflate does not tell which.
    Bad,
}

/// The size of the first output buffer. Most records fit.
const OUTPUT_BYTES_MIN: usize = 256 << 10;

// SAFETY: the handle is owned by this value alone and libdeflate keeps no thread-local state.
unsafe impl Send for Inflater {}

impl Inflater {
    pub(crate) fn new() -> Inflater {
        // SAFETY: takes no arguments; a null result is checked.
        let handle = unsafe { libdeflate_alloc_decompressor() };
        Inflater {
            handle: NonNull::new(handle).expect("no memory for a decompressor of 12 KiB"),
        }
    }

    /// Decodes the gzip member at the start of `input` into `output`, replacing its content.
    pub(crate) fn member(
        &mut self,
        input: &[u8],
        output: &mut Vec<u8>,
        output_bytes_max: usize,
    ) -> Inflated {
        output.clear();
        output.reserve(OUTPUT_BYTES_MIN.min(output_bytes_max));
        loop {
            let room = output.capacity().min(output_bytes_max);
            let mut taken = 0usize;
            let mut made = 0usize;
            // SAFETY: `input` is valid for its length; `output` has room for `room` bytes by its
            // capacity; both counts are written before success is returned.
            let result = unsafe {
                libdeflate_gzip_decompress_ex(
                    self.handle.as_ptr(),
                    input.as_ptr().cast(),
                    input.len(),
                    output.as_mut_ptr().cast(),
                    room,
                    &raw mut taken,
                    &raw mut made,
                )
            };
            if result == libdeflate_result_LIBDEFLATE_SUCCESS {
                // SAFETY: libdeflate has written `made` <= `room` <= capacity bytes.
                unsafe { output.set_len(made) };
                return Inflated::Whole(taken);
            }
            if result != libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE {
                return Inflated::Bad;
            }
            if room >= output_bytes_max {
                return Inflated::TooLarge;
            }
            output.reserve_exact(room.saturating_mul(4).min(output_bytes_max));
        }
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        // SAFETY: the handle came from libdeflate_alloc_decompressor and is freed once.
        unsafe { libdeflate_free_decompressor(self.handle.as_ptr()) };
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::{Inflated, Inflater};

    fn gzip(data: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn members_follow_one_another() {
        let mut bytes = gzip(b"first");
        let second = bytes.len();
        bytes.extend(gzip(&vec![7; 3_000_000]));
        let mut output = Vec::new();
        let mut inflater = Inflater::new();
        assert_eq!(
            inflater.member(&bytes, &mut output, 1000),
            Inflated::Whole(second)
        );
        assert_eq!(output, b"first");
        let rest = bytes.len() - second;
        assert_eq!(
            inflater.member(&bytes[second..], &mut output, 3_000_000),
            Inflated::Whole(rest)
        );
        assert_eq!(output, vec![7; 3_000_000]);
    }

    #[test]
    fn too_large_and_bad_members_are_distinguished() {
        let bytes = gzip(&vec![7; 100_000]);
        let mut output = Vec::new();
        let mut inflater = Inflater::new();
        assert_eq!(
            inflater.member(&bytes, &mut output, 99_999),
            Inflated::TooLarge
        );
        assert_eq!(
            inflater.member(&bytes[..bytes.len() - 1], &mut output, 200_000),
            Inflated::Bad
        );
        assert_eq!(
            inflater.member(b"not gzip", &mut output, 200_000),
            Inflated::Bad
        );
    }
}
