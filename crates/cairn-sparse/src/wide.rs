//! Plain loops in wide registers, in a program built for any processor.

/// Runs `f` compiled for four numbers at once where the processor can do that. The arithmetic is the same, operation by operation
/// (nothing is fused or reordered), and so are the bits. Only what is inlined gains: give a closure
/// with `#[inline(always)]`, and the same to what it calls.
#[inline]
pub fn wide<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor was asked.
        return unsafe { with_avx2(f) };
    }
    f()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn with_avx2<R>(f: impl FnOnce() -> R) -> R {
    f()
}
