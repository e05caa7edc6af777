//! Prefetching.

/// Prefetches `wanted` into the cache.
#[inline]
#[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "a prefetch"))]
pub(crate) fn prefetch<T>(wanted: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch does not access memory, and SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>((&raw const *wanted).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = wanted;
}
