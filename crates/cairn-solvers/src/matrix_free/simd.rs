//! Numbers in lanes: one f64, or four at once.
//!
//! Kernels are written once over [`Lane`]. `Four` on AVX2 and `Plain` (arrays) give the same bits: every operation
//! rounds as IEEE 754 says and multiplications and additions are never fused.

use std::ops::{Add, Div, Mul, Sub};

/// Numbers in a cache line.
const LINE: usize = 8;

/// Asks for the cache lines of so many numbers that will be needed; they may be anywhere.
#[inline(always)]
pub(super) fn fetch(first: *const f64, numbers: usize) {
    let mut number = 0;
    while number < numbers {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a hint, without effect where there is nothing.
        unsafe {
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(first.wrapping_add(number).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = first;
        number += LINE;
    }
}

/// Asks for all of a thing that will be needed.
#[inline(always)]
pub(super) fn fetch_all<T>(thing: *const T) {
    fetch(thing.cast(), size_of::<T>() / size_of::<f64>());
}

/// A number per lane.
pub(super) trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Number of lanes.
    const WIDTH: usize;
    /// One truth value per lane.
    type Mask: Copy;

    fn splat(x: f64) -> Self;
    /// # Safety
    /// `from` is aligned and readable for WIDTH numbers.
    unsafe fn load(from: *const f64) -> Self;
    /// # Safety
    /// `to` is aligned and writable for WIDTH numbers.
    unsafe fn store(self, to: *mut f64);
    fn sqrt(self) -> Self;
    /// self if self > other, else other.
    fn max(self, other: Self) -> Self;
    fn greater(self, other: Self) -> Self::Mask;
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    fn any(mask: Self::Mask) -> bool;
    fn not(mask: Self::Mask) -> Self::Mask;
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn lanes(self) -> [f64; 4];

    /// Four numbers from each lane's row: result[c] has, in lane i, rows[i][first + c].
    /// # Safety
    /// Each of the first WIDTH rows is readable for first + 4 numbers.
    unsafe fn gather(rows: [*mut f64; 4], first: usize) -> [Self; 4];
    /// The converse of `gather`, except for rows with a null pointer, which are left alone.
    /// # Safety
    /// Each of the first WIDTH rows is null or writable for first + 4 numbers.
    unsafe fn scatter(columns: [Self; 4], rows: [*mut f64; 4], first: usize);
}

impl Lane for f64 {
    const WIDTH: usize = 1;
    type Mask = bool;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        x
    }
    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self {
        // SAFETY: the caller's, in all of this function.
        unsafe { *from }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f64) {
        // SAFETY: the caller's, in all of this function.
        unsafe { *to = self }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn greater(self, other: Self) -> bool {
        self > other
    }
    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
    #[inline(always)]
    fn not(mask: bool) -> bool {
        !mask
    }
    #[inline(always)]
    fn and(a: bool, b: bool) -> bool {
        a && b
    }
    #[inline(always)]
    fn lanes(self) -> [f64; 4] {
        [self, 0.0, 0.0, 0.0]
    }
    #[inline(always)]
    unsafe fn gather(rows: [*mut f64; 4], first: usize) -> [Self; 4] {
        // SAFETY: the caller's, in all of this function.
        unsafe { *rows[0].add(first).cast() }
    }
    #[inline(always)]
    unsafe fn scatter(columns: [Self; 4], rows: [*mut f64; 4], first: usize) {
        if !rows[0].is_null() {
            // SAFETY: the caller's, in all of this function.
            unsafe { rows[0].add(first).cast::<[f64; 4]>().write(columns) }
        }
    }
}

/// Four lanes in an array.
#[derive(Clone, Copy)]
pub(super) struct Plain([f64; 4]);

macro_rules! plain_operator {
    ($trait:ident, $method:ident, $op:tt) => {
        impl $trait for Plain {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] $op other.0[i]))
            }
        }
    };
}
plain_operator!(Add, add, +);
plain_operator!(Sub, sub, -);
plain_operator!(Mul, mul, *);
plain_operator!(Div, div, /);

impl Lane for Plain {
    const WIDTH: usize = 4;
    type Mask = [bool; 4];

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([x; 4])
    }
    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self {
        // SAFETY: the caller's, in all of this function.
        unsafe { Self(*from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f64) {
        // SAFETY: the caller's, in all of this function.
        unsafe { *to.cast() = self.0 }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| Lane::max(self.0[i], other.0[i])))
    }
    #[inline(always)]
    fn greater(self, other: Self) -> [bool; 4] {
        std::array::from_fn(|i| self.0[i] > other.0[i])
    }
    #[inline(always)]
    fn select(mask: [bool; 4], yes: Self, no: Self) -> Self {
        Self(std::array::from_fn(|i| if mask[i] { yes.0[i] } else { no.0[i] }))
    }
    #[inline(always)]
    fn any(mask: [bool; 4]) -> bool {
        mask.contains(&true)
    }
    #[inline(always)]
    fn not(mask: [bool; 4]) -> [bool; 4] {
        mask.map(|m| !m)
    }
    #[inline(always)]
    fn and(a: [bool; 4], b: [bool; 4]) -> [bool; 4] {
        std::array::from_fn(|i| a[i] && b[i])
    }
    #[inline(always)]
    fn lanes(self) -> [f64; 4] {
        self.0
    }
    #[inline(always)]
    unsafe fn gather(rows: [*mut f64; 4], first: usize) -> [Self; 4] {
        // SAFETY: the caller's, in all of this function.
        std::array::from_fn(|c| Self(std::array::from_fn(|i| unsafe { *rows[i].add(first + c) })))
    }
    #[inline(always)]
    unsafe fn scatter(columns: [Self; 4], rows: [*mut f64; 4], first: usize) {
        for (i, row) in rows.into_iter().enumerate().filter(|(_, row)| !row.is_null()) {
            // SAFETY: the caller's, in all of this function.
            unsafe { row.add(first).cast::<[f64; 4]>().write(std::array::from_fn(|c| columns[c].0[i])) }
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx::Four;

#[cfg(target_arch = "x86_64")]
mod avx {
    //! Every method must be inlined into a function that enables AVX2; none is called elsewhere.

    use std::arch::x86_64::*;
    use std::ops::{Add, Div, Mul, Sub};

    use super::Lane;

    /// Four lanes in a vector register.
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub struct Four(__m256d);

    macro_rules! vector_operator {
        ($trait:ident, $method:ident, $intrinsic:ident) => {
            impl $trait for Four {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    // SAFETY: kernels with `Four` are entered only after AVX2 was detected.
                    unsafe { Self($intrinsic(self.0, other.0)) }
                }
            }
        };
    }
    vector_operator!(Add, add, _mm256_add_pd);
    vector_operator!(Sub, sub, _mm256_sub_pd);
    vector_operator!(Mul, mul, _mm256_mul_pd);
    vector_operator!(Div, div, _mm256_div_pd);

    /// Two numbers from each of two places.
    #[inline(always)]
    unsafe fn halves(a: *const f64, b: *const f64) -> __m256d {
        // SAFETY: the caller's, in all of this function.
        unsafe { _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(_mm_loadu_pd(a)), _mm_loadu_pd(b)) }
    }

    impl Lane for Four {
        const WIDTH: usize = 4;
        type Mask = __m256d;

        #[inline(always)]
        fn splat(x: f64) -> Self {
            // SAFETY: kernels with `Four` are entered only after AVX2 was detected; so it is for all intrinsics below.
            unsafe { Self(_mm256_set1_pd(x)) }
        }
        #[inline(always)]
        unsafe fn load(from: *const f64) -> Self {
            // SAFETY: the caller's, in all of this function.
            unsafe { Self(_mm256_load_pd(from)) }
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut f64) {
            // SAFETY: the caller's, in all of this function.
            unsafe { _mm256_store_pd(to, self.0) }
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: as above.
            unsafe { Self(_mm256_sqrt_pd(self.0)) }
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { Self(_mm256_max_pd(self.0, other.0)) }
        }
        #[inline(always)]
        fn greater(self, other: Self) -> __m256d {
            // SAFETY: as above.
            unsafe { _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0) }
        }
        #[inline(always)]
        fn select(mask: __m256d, yes: Self, no: Self) -> Self {
            // SAFETY: as above.
            unsafe { Self(_mm256_blendv_pd(no.0, yes.0, mask)) }
        }
        #[inline(always)]
        fn any(mask: __m256d) -> bool {
            // SAFETY: as above.
            unsafe { _mm256_movemask_pd(mask) != 0 }
        }
        #[inline(always)]
        fn not(mask: __m256d) -> __m256d {
            // SAFETY: as above.
            unsafe { _mm256_xor_pd(mask, _mm256_castsi256_pd(_mm256_set1_epi64x(-1))) }
        }
        #[inline(always)]
        fn and(a: __m256d, b: __m256d) -> __m256d {
            // SAFETY: as above.
            unsafe { _mm256_and_pd(a, b) }
        }
        #[inline(always)]
        fn lanes(self) -> [f64; 4] {
            let mut out = [0.0; 4];
            // SAFETY: as above.
            unsafe { _mm256_storeu_pd(out.as_mut_ptr(), self.0) };
            out
        }
        #[inline(always)]
        unsafe fn gather(rows: [*mut f64; 4], first: usize) -> [Self; 4] {
            // Half rows are put together by the load ports, which leaves 4 shuffles for 16 numbers.
            // SAFETY: the caller's, in all of this function.
            unsafe {
                let [r0, r1, r2, r3] = [rows[0].add(first), rows[1].add(first), rows[2].add(first), rows[3].add(first)];
                let (a, b) = (halves(r0, r2), halves(r1, r3));
                let (c, d) = (halves(r0.add(2), r2.add(2)), halves(r1.add(2), r3.add(2)));
                [
                    Self(_mm256_unpacklo_pd(a, b)),
                    Self(_mm256_unpackhi_pd(a, b)),
                    Self(_mm256_unpacklo_pd(c, d)),
                    Self(_mm256_unpackhi_pd(c, d)),
                ]
            }
        }
        #[inline(always)]
        unsafe fn scatter(columns: [Self; 4], rows: [*mut f64; 4], first: usize) {
            // SAFETY: the caller's, in all of this function.
            unsafe {
                let [Self(a), Self(b), Self(c), Self(d)] = columns;
                let (even_low, even_high) = (_mm256_unpacklo_pd(a, b), _mm256_unpacklo_pd(c, d));
                let (odd_low, odd_high) = (_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d));
                if !rows[0].is_null() {
                    _mm_storeu_pd(rows[0].add(first), _mm256_castpd256_pd128(even_low));
                    _mm_storeu_pd(rows[0].add(first + 2), _mm256_castpd256_pd128(even_high));
                }
                if !rows[1].is_null() {
                    _mm_storeu_pd(rows[1].add(first), _mm256_castpd256_pd128(odd_low));
                    _mm_storeu_pd(rows[1].add(first + 2), _mm256_castpd256_pd128(odd_high));
                }
                if !rows[2].is_null() {
                    _mm_storeu_pd(rows[2].add(first), _mm256_extractf128_pd::<1>(even_low));
                    _mm_storeu_pd(rows[2].add(first + 2), _mm256_extractf128_pd::<1>(even_high));
                }
                if !rows[3].is_null() {
                    _mm_storeu_pd(rows[3].add(first), _mm256_extractf128_pd::<1>(odd_low));
                    _mm_storeu_pd(rows[3].add(first + 2), _mm256_extractf128_pd::<1>(odd_high));
                }
            }
        }
    }
}

/// a·b
#[inline(always)]
pub(super) fn dot<V: Lane>(a: [V; 3], b: [V; 3]) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b
#[inline(always)]
pub(super) fn cross<V: Lane>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a + b
#[inline(always)]
pub(super) fn sum<V: Lane>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b
#[inline(always)]
pub(super) fn difference<V: Lane>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// x a
#[inline(always)]
pub(super) fn scaled<V: Lane>(x: V, a: [V; 3]) -> [V; 3] {
    [x * a[0], x * a[1], x * a[2]]
}

/// a where the mask is true, else b
#[inline(always)]
pub(super) fn select<V: Lane>(mask: V::Mask, a: [V; 3], b: [V; 3]) -> [V; 3] {
    [V::select(mask, a[0], b[0]), V::select(mask, a[1], b[1]), V::select(mask, a[2], b[2])]
}
