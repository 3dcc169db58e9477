//! One row of W times the impulses: Σ_β W_αβ R_β, in plain arithmetic or in vector registers, with the same bits.
//!
//! There is a sum for each column of the blocks, of even and of odd neighbours: no addition waits for the one before. Products are
//! rounded before they are added in both ways.

use crate::problem::{Mat, Vect};

/// Sums of the columns: of even neighbours, of odd neighbours.
type Sums<const D: usize> = [[Vect<D>; D]; 2];

/// Σ blocks[k] · impulses[columns[k]]; `WIDE` in vector registers.
///
/// # Safety
/// There are as many blocks as columns, and each column is the number of an impulse. `WIDE` only where [`is_wide`] says so.
#[inline(always)]
pub(crate) unsafe fn product<const D: usize, const WIDE: bool>(
    columns: &[u32],
    blocks: &[Mat<D>],
    impulses: &[Vect<D>],
) -> Vect<D> {
    let mut sums = [[Vect::<D>::zeros(); D]; 2];
    // SAFETY: what the caller promises.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        let done = match D {
            2 if WIDE => {
                wide::plane(columns, blocks.as_ptr().cast(), impulses.as_ptr().cast(), sums.as_mut_ptr().cast())
            }
            3 if WIDE => {
                wide::solid(columns, blocks.as_ptr().cast(), impulses.as_ptr().cast(), sums.as_mut_ptr().cast())
            }
            _ => 0,
        };
        #[cfg(not(target_arch = "x86_64"))]
        let done = 0;
        add(done, columns, blocks, impulses, &mut sums);
    }
    (0..D).fold(Vect::zeros(), |u, j| u + (sums[0][j] + sums[1][j]))
}

/// Does the processor have the vector registers?
pub(crate) fn is_wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// The neighbours from `from`, an even number, on.
///
/// # Safety
/// As [`product`].
#[inline(always)]
unsafe fn add<const D: usize>(
    from: usize,
    columns: &[u32],
    blocks: &[Mat<D>],
    impulses: &[Vect<D>],
    sums: &mut Sums<D>,
) {
    for k in from..columns.len() {
        // SAFETY: what the caller promises.
        let (block, impulse) = unsafe { (blocks.get_unchecked(k), impulses.get_unchecked(columns[k] as usize)) };
        for (j, sum) in sums[k % 2].iter_mut().enumerate() {
            for i in 0..D {
                sum[i] += block[(i, j)] * impulse[j];
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    /// Pairs of neighbours in the plane: a block is one register. Returns how many are done.
    ///
    /// # Safety
    /// As [`super::product`], with a processor that has AVX; `sums` has room for 8 numbers.
    #[inline]
    #[target_feature(enable = "avx")]
    pub unsafe fn plane(columns: &[u32], blocks: *const f64, impulses: *const f64, sums: *mut f64) -> usize {
        let done = columns.len() & !1;
        // SAFETY: what the caller promises.
        unsafe {
            let times = |k: usize| {
                let r = _mm_loadu_pd(impulses.add(2 * *columns.get_unchecked(k) as usize));
                let r = _mm256_permute_pd::<0b1100>(_mm256_set_m128d(r, r));
                _mm256_mul_pd(_mm256_loadu_pd(blocks.add(4 * k)), r)
            };
            let (mut even, mut odd) = (_mm256_setzero_pd(), _mm256_setzero_pd());
            for k in (0..done).step_by(2) {
                even = _mm256_add_pd(even, times(k));
                odd = _mm256_add_pd(odd, times(k + 1));
            }
            _mm256_storeu_pd(sums, even);
            _mm256_storeu_pd(sums.add(4), odd);
        }
        done
    }

    /// Pairs of neighbours in space: a column with what follows it is one register, so the last block is left out. Returns how
    /// many are done.
    ///
    /// # Safety
    /// As [`super::product`], with a processor that has AVX; `sums` has room for 18 numbers.
    #[inline]
    #[target_feature(enable = "avx")]
    pub unsafe fn solid(columns: &[u32], blocks: *const f64, impulses: *const f64, sums: *mut f64) -> usize {
        let done = columns.len().saturating_sub(1) & !1;
        // SAFETY: what the caller promises; the last column of the last block is not read.
        unsafe {
            let mut all = [_mm256_setzero_pd(); 6];
            for k in (0..done).step_by(2) {
                for side in 0..2 {
                    let block = blocks.add(9 * (k + side));
                    let r = impulses.add(3 * *columns.get_unchecked(k + side) as usize);
                    for j in 0..3 {
                        let column = _mm256_loadu_pd(block.add(3 * j));
                        let product = _mm256_mul_pd(column, _mm256_broadcast_sd(&*r.add(j)));
                        all[3 * side + j] = _mm256_add_pd(all[3 * side + j], product);
                    }
                }
            }
            let mut numbers = [0.0; 4];
            for (c, sum) in all.into_iter().enumerate() {
                _mm256_storeu_pd(numbers.as_mut_ptr(), sum);
                std::ptr::copy_nonoverlapping(numbers.as_ptr(), sums.add(3 * c), 3);
            }
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same_bits<const D: usize>() {
        let number = |k: usize| ((k * 7919 + 13) % 1009) as f64 / 1009.0 - 0.4;
        let impulses: Vec<Vect<D>> = (0..50).map(|k| Vect::from_fn(|i, _| number(3 * k + i + 5))).collect();
        for count in 0..40 {
            let columns: Vec<u32> = (0..count as u32).map(|k| (k * 17 + 3) % 50).collect();
            let blocks: Vec<Mat<D>> =
                (0..count).map(|k| Mat::from_fn(|i, j| number(100 + 9 * k + 3 * i + j))).collect();
            let mut sums = [[Vect::<D>::zeros(); D]; 2];
            // SAFETY: all columns are below 50.
            let fast = unsafe {
                add(0, &columns, &blocks, &impulses, &mut sums);
                if is_wide() {
                    product::<D, true>(&columns, &blocks, &impulses)
                } else {
                    product::<D, false>(&columns, &blocks, &impulses)
                }
            };
            let plain = (0..D).fold(Vect::<D>::zeros(), |u, j| u + (sums[0][j] + sums[1][j]));
            assert_eq!(fast, plain, "{count}");
            let exact = columns.iter().zip(&blocks).fold(Vect::<D>::zeros(), |u, (&c, b)| u + b * impulses[c as usize]);
            assert!((fast - exact).norm() < 1e-13);
        }
    }

    #[test]
    fn vector_registers_give_the_bits_of_plain_arithmetic() {
        same_bits::<2>();
        same_bits::<3>();
    }
}
