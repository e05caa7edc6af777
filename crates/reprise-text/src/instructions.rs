//! The instructions that code is compiled for, beside those that every processor of its kind has.
//!
//! Work that is done in several ways is a trait, implemented by [`Portable`] and by the proofs that a
//! processor has more. [`with_best`] runs it in the best way.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "entering code for detected instructions")
)]

/// No more instructions than those.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

/// Proof that this processor has the AVX2 instructions of x86-64.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Looks at the processor; the answer is remembered by the standard library.
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    /// Runs code that may be compiled for these instructions.
    #[inline]
    #[expect(clippy::unused_self, reason = "holding the proof makes the call sound")]
    pub(crate) fn enter<R>(self, code: impl FnOnce() -> R) -> R {
        // SAFETY: `self` exists only if `detect` found AVX2.
        unsafe { enter_avx2(code) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn enter_avx2<R>(code: impl FnOnce() -> R) -> R {
    code()
}

/// Proof that this processor has the AVX-512 instructions of x86-64 for bytes.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// Looks at the processor; the answer is remembered by the standard library.
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2"))
        .then_some(Self(()))
    }

    /// Runs code that may be compiled for these instructions.
    #[inline]
    #[expect(clippy::unused_self, reason = "holding the proof makes the call sound")]
    pub(crate) fn enter<R>(self, code: impl FnOnce() -> R) -> R {
        // SAFETY: `self` exists only if `detect` found these instructions.
        unsafe { enter_avx512(code) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn enter_avx512<R>(code: impl FnOnce() -> R) -> R {
    code()
}

/// Runs code with the best instructions that this processor has; the code is compiled for each.
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
