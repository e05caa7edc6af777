//! What the allocator does with memory that is given back.

/// Of the memory of a run, the allocator may keep one piece of this share for later, once it is free.
const KEPT_SHARE: usize = 128;
/// Less than this is kept in any case: to ask the system for it each time would take long.
const KEPT_BYTES_MIN: usize = 512 << 10;
/// glibc's own bound.
const KEPT_BYTES_MAX: usize = 32 << 20;

/// Has the allocator keep no large pieces of memory for later.
///
/// glibc lets the size below which it keeps them grow to that of the largest that was freed, up to 32 MiB. Tables that
/// grow and are freed, segment by segment, then leave holes of which nobody knows: up to as much again as is in use.
#[cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "settings of the C library")
)]
pub(crate) fn keep_little(memory_bytes: usize) {
    let bytes = (memory_bytes / KEPT_SHARE).clamp(KEPT_BYTES_MIN, KEPT_BYTES_MAX) as i32;
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: each takes two numbers, and may be called at any time by any thread.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, bytes);
        // As glibc has it by itself: twice as much at the end of what it holds.
        libc::mallopt(libc::M_TRIM_THRESHOLD, 2 * bytes);
    }
}
