//! Settings of the memory allocator.

/// The memory limit divided by the size of the largest freed block that the allocator may keep.
const KEPT_SHARE: usize = 128;
/// The size up to which freed blocks are always kept. Asking the system for small blocks would be slow.
const KEPT_BYTES_MIN: usize = 512 << 10;
/// The largest value that glibc accepts.
const KEPT_BYTES_MAX: usize = 32 << 20;

/// Makes the allocator return large freed blocks to the system. `memory_bytes` is the memory limit of
/// the run.
///
/// By default, glibc keeps freed blocks of up to the size of the largest block that was freed so far, at
/// most 32 MiB. Tables that grow and are freed with each segment then leave holes, which may take as much
/// memory as the program uses. With other allocators, this function does nothing.
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
        // As in glibc, twice as much may stay at the end of the heap.
        libc::mallopt(libc::M_TRIM_THRESHOLD, 2 * bytes);
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = bytes;
}
