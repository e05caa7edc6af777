//! What the allocator does with memory that is given back.

/// From this size on, memory goes back to the system as soon as it is free.
const KEPT_BYTES_MAX: i32 = 512 << 10;

/// Has the allocator keep no large pieces of memory for later.
///
/// glibc lets the size below which it keeps them grow to that of the largest that was freed, up to 32 MiB. Tables that
/// grow and are freed, segment by segment, then leave holes of which nobody knows: up to as much again as is in use.
#[cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "a setting of the C library")
)]
pub(crate) fn keep_little() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes two numbers, and may be called at any time by any thread.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, KEPT_BYTES_MAX);
    }
}
