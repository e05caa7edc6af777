//! Chooses processor instructions at run time.
//!
//! A routine with several implementations is a trait. [`Portable`] implements it for any processor, and
//! [`Avx2`] and [`Avx512`] for processors that have these instructions. [`with_best`] runs the fastest
//! implementation.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "entering code for detected instructions")
)]

/// The instructions that every processor of the target has.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

/// Proof that the processor has the AVX2 instructions of x86-64.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Asks the processor. The standard library caches the answer.
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    /// Runs code that may use these instructions.
    #[inline]
    #[expect(clippy::unused_self, reason = "holding the proof makes the call sound")]
    pub(crate) fn enter<R>(self, code: impl FnOnce() -> R) -> R {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { enter_avx2(code) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn enter_avx2<R>(code: impl FnOnce() -> R) -> R {
    code()
}

/// Proof that the processor has the AVX-512 instructions of x86-64 for bytes.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// Asks the processor. The standard library caches the answer.
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2"))
        .then_some(Self(()))
    }

    /// Runs code that may use these instructions.
    #[inline]
    #[expect(clippy::unused_self, reason = "holding the proof makes the call sound")]
    pub(crate) fn enter<R>(self, code: impl FnOnce() -> R) -> R {
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { enter_avx512(code) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn enter_avx512<R>(code: impl FnOnce() -> R) -> R {
    code()
}

/// Runs code with the best instructions that the processor has, and returns its result from the
/// enclosing function. The code is compiled once for each set of instructions.
macro_rules! with_best {
    (|$instructions:ident| $code:expr) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some($instructions) = $crate::instructions::Avx512::detect() {
            return $instructions.enter(|| $code);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some($instructions) = $crate::instructions::Avx2::detect() {
            return $instructions.enter(|| $code);
        }
        let $instructions = $crate::instructions::Portable;
        $code
    }};
}
pub(crate) use with_best;
