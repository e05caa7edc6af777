//! Settings of the memory allocator.

/// The share of the memory limit up to which the allocator may keep one freed block.
const KEPT_SHARE: usize = 128;
/// Blocks smaller than this are always kept: asking the system for them each time would be slow.
const KEPT_BYTES_MIN: usize = 512 << 10;
/// The upper limit of glibc.
const KEPT_BYTES_MAX: usize = 32 << 20;

/// Makes the allocator return large freed blocks to the system. `memory_bytes` is the memory limit of
/// the run.
///
/// By default glibc raises the size below which it keeps freed blocks to the largest block that was
/// freed, up to 32 MiB. Tables that grow and are freed, segment by segment, then leave holes of up to
/// the size of the memory in use. With other allocators this function does nothing.
#[cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "settings of the C library")
)]
pub fn limit_kept_memory(memory_bytes: usize) {
    let bytes = (memory_bytes / KEPT_SHARE).clamp(KEPT_BYTES_MIN, KEPT_BYTES_MAX) as i32;
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` takes two numbers and may be called at any time from any thread.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, bytes);
        // glibc's own ratio: twice as much may stay at the end of the heap.
        libc::mallopt(libc::M_TRIM_THRESHOLD, 2 * bytes);
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = bytes;
}
