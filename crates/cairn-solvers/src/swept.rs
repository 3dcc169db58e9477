//! W as the sweeps see it: rows in single precision, applied to what has changed since the velocities were exact.
//!
//!   U_loc,α = [U_free + Σ_{β≠α} W_αβ R⁰_β] + Σ_{β≠α} W_αβ (R_β − R⁰_β)
//!
//! The bracket is evaluated in double precision whenever R⁰ is set to R ([`Swept::rebase`]). What single precision gets wrong is
//! a part of 1e-7 of the change since then, and that goes to zero: the sweeps have the same solution, reading half the memory, and
//! memory is what a sweep waits for.
//!
//! In a row the contacts that come later in the sweep are first, and the one relaxed last is last: the sum over all others is
//! made while it is still being solved. Plain arithmetic and vector registers give the same bits.

use crate::delassus::{Delassus, Stored};
use crate::problem::Vect;

/// Numbers kept for the change of a contact: (x, x, y, y) in the plane, (x, y, z, 0) in space.
type Change = [f32; 4];

/// Rows of W without the own blocks, and the state R − R⁰.
pub(crate) struct Swept<const D: usize> {
    starts: Vec<usize>,
    columns: Vec<u32>,
    /// Blocks by columns, D² numbers each, divided by `unit`; one more number at the end, for registers of four.
    blocks: Vec<f32>,
    /// Mean of tr W_αα/D: W/unit and unit·R are numbers that single precision holds, whatever the units.
    unit: f64,
    origin: Vec<Vect<D>>,
    /// The bracket, with the bias.
    exact: Vec<Vect<D>>,
    changes: Vec<Change>,
}

impl<const D: usize> Swept<D> {
    pub fn new(w: &Stored<D>) -> Self {
        let contacts = w.contacts();
        let mean = (0..contacts).map(|a| w.block(a).trace()).sum::<f64>() / (D * contacts) as f64;
        let unit = if mean > 0.0 && mean.is_finite() { mean } else { 1.0 };
        let mut swept = Self {
            starts: Vec::with_capacity(contacts + 1),
            columns: Vec::with_capacity(w.couplings()),
            blocks: Vec::with_capacity(D * D * w.couplings() + 1),
            unit,
            origin: vec![Vect::zeros(); contacts],
            exact: vec![Vect::zeros(); contacts],
            changes: vec![[0.0; 4]; contacts],
        };
        let per_unit = 1.0 / unit;
        swept.starts.push(0);
        for a in 0..contacts {
            let (columns, blocks) = w.neighbours_of(a);
            let later = columns.partition_point(|&b| (b as usize) < a);
            for row in [later..columns.len(), 0..later] {
                swept.columns.extend_from_slice(&columns[row.clone()]);
                let begin = swept.blocks.len();
                swept.blocks.resize(begin + D * D * row.len(), 0.0);
                for (single, double) in swept.blocks[begin..].chunks_exact_mut(D * D).zip(&blocks[row]) {
                    single.iter_mut().zip(double.as_slice()).for_each(|(s, d)| *s = (d * per_unit) as f32);
                }
            }
            swept.starts.push(swept.columns.len());
        }
        swept.blocks.push(0.0);
        swept
    }

    /// R⁰ = R, with the bracket and the bias given for each contact.
    pub fn rebase(&mut self, impulses: &[Vect<D>], exact: impl Iterator<Item = Vect<D>>) {
        self.origin.copy_from_slice(impulses);
        self.exact.iter_mut().zip(exact).for_each(|(kept, new)| *kept = new);
        self.changes.fill([0.0; 4]);
    }

    /// Tells the new impulse of a contact.
    #[inline(always)]
    pub fn set(&mut self, contact: usize, impulse: &Vect<D>) {
        let change = (impulse - self.origin[contact]) * self.unit;
        let (x, y) = (change[0] as f32, change[1] as f32);
        self.changes[contact] = if D == 2 { [x, x, y, y] } else { [x, y, change[D - 1] as f32, 0.0] };
    }

    /// U_loc with the bias; `WIDE` in vector registers.
    ///
    /// # Safety
    /// `WIDE` only where [`is_wide`] says so.
    #[inline(always)]
    pub unsafe fn others<const WIDE: bool>(&self, contact: usize) -> Vect<D> {
        let row = self.starts[contact]..self.starts[contact + 1];
        let (columns, blocks) = (&self.columns[row.clone()], &self.blocks[D * D * row.start..]);
        // SAFETY: columns are numbers of contacts, each with a change; blocks are as many, with a number to spare behind them.
        let sums = unsafe {
            #[cfg(target_arch = "x86_64")]
            if WIDE {
                wide::product::<D>(columns, blocks.as_ptr(), self.changes.as_ptr().cast())
            } else {
                product::<D>(columns, blocks, &self.changes)
            }
            #[cfg(not(target_arch = "x86_64"))]
            product::<D>(columns, blocks, &self.changes)
        };
        self.exact[contact] + Vect::<D>::from_fn(|i, _| f64::from(sums[i]))
    }
}

/// Does the processor have the vector registers?
pub(crate) fn is_wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Σ W (R − R⁰) over a row. There are sums of even and of odd neighbours, in space one for each column of the blocks too.
#[inline(always)]
fn product<const D: usize>(columns: &[u32], blocks: &[f32], changes: &[Change]) -> [f32; 3] {
    if D == 2 {
        let mut sums = [[0.0f32; 4]; 2];
        for (k, (&column, block)) in columns.iter().zip(blocks.chunks_exact(4)).enumerate() {
            let change = &changes[column as usize];
            sums[k % 2].iter_mut().zip(block).zip(change).for_each(|((sum, w), r)| *sum += w * r);
        }
        let sum: [f32; 4] = std::array::from_fn(|i| sums[0][i] + sums[1][i]);
        return [sum[0] + sum[2], sum[1] + sum[3], 0.0];
    }
    let mut sums = [[[0.0f32; 3]; 3]; 2];
    for (k, (&column, block)) in columns.iter().zip(blocks.chunks_exact(9)).enumerate() {
        let change = &changes[column as usize];
        for (j, sum) in sums[k % 2].iter_mut().enumerate() {
            sum.iter_mut().zip(&block[3 * j..]).for_each(|(sum, w)| *sum += w * change[j]);
        }
    }
    std::array::from_fn(|i| {
        (sums[0][0][i] + sums[1][0][i]) + (sums[0][1][i] + sums[1][1][i]) + (sums[0][2][i] + sums[1][2][i])
    })
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    /// # Safety
    /// As [`super::product`], with four numbers for every change, one number to spare behind the blocks, and a processor that
    /// has AVX.
    #[inline]
    #[target_feature(enable = "avx")]
    pub unsafe fn product<const D: usize>(columns: &[u32], blocks: *const f32, changes: *const f32) -> [f32; 3] {
        let mut sums = [0.0; 4];
        // SAFETY: what the caller promises.
        unsafe {
            let sum = if D == 2 { plane(columns, blocks, changes) } else { solid(columns, blocks, changes) };
            _mm_storeu_ps(sums.as_mut_ptr(), sum);
        }
        [sums[0], sums[1], sums[2]]
    }

    /// A block is one register.
    #[inline]
    #[target_feature(enable = "avx")]
    unsafe fn plane(columns: &[u32], blocks: *const f32, changes: *const f32) -> __m128 {
        let mut sums = [_mm_setzero_ps(); 2];
        // SAFETY: what the caller promises.
        unsafe {
            let times = |k: usize| {
                let change = _mm_loadu_ps(changes.add(4 * *columns.get_unchecked(k) as usize));
                _mm_mul_ps(_mm_loadu_ps(blocks.add(4 * k)), change)
            };
            for k in (0..columns.len() & !1).step_by(2) {
                sums[0] = _mm_add_ps(sums[0], times(k));
                sums[1] = _mm_add_ps(sums[1], times(k + 1));
            }
            if columns.len() % 2 == 1 {
                sums[0] = _mm_add_ps(sums[0], times(columns.len() - 1));
            }
        }
        let sum = _mm_add_ps(sums[0], sums[1]);
        _mm_add_ps(sum, _mm_movehl_ps(sum, sum))
    }

    /// A column with what follows it is one register.
    #[inline]
    #[target_feature(enable = "avx")]
    unsafe fn solid(columns: &[u32], blocks: *const f32, changes: *const f32) -> __m128 {
        let mut sums = [_mm_setzero_ps(); 6];
        // SAFETY: what the caller promises.
        unsafe {
            let add = |k: usize, sums: &mut [__m128]| {
                let (block, change) = (blocks.add(9 * k), changes.add(4 * *columns.get_unchecked(k) as usize));
                for (j, sum) in sums.iter_mut().enumerate() {
                    let product = _mm_mul_ps(_mm_loadu_ps(block.add(3 * j)), _mm_broadcast_ss(&*change.add(j)));
                    *sum = _mm_add_ps(*sum, product);
                }
            };
            for k in (0..columns.len() & !1).step_by(2) {
                add(k, &mut sums[..3]);
                add(k + 1, &mut sums[3..]);
            }
            if columns.len() % 2 == 1 {
                add(columns.len() - 1, &mut sums[..3]);
            }
        }
        let [x, y, z] = [0, 1, 2].map(|j| _mm_add_ps(sums[j], sums[j + 3]));
        _mm_add_ps(_mm_add_ps(x, y), z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Mat;

    /// Every contact with a few others, numbers of all sizes.
    fn matrix<const D: usize>(contacts: u32) -> Stored<D> {
        let number = |k: usize| ((k * 7919 + 13) % 1009) as f64 / 1009.0 - 0.4;
        let block = |a: u32, b: u32| Mat::<D>::from_fn(|i, j| 1e-3 * number((31 * a + 17 * b) as usize + 3 * i + j));
        let coupled = |a: u32, b: u32| a == b || !(a * b + a + b).is_multiple_of(3);
        let pairs = (0..contacts).flat_map(|a| (0..contacts).map(move |b| (a, b))).filter(|&(a, b)| coupled(a, b));
        let own = |a, b, mut w: Mat<D>| {
            if a == b {
                w += Mat::identity() * 1e-3;
            }
            w
        };
        let blocks = pairs.map(|(a, b)| (a, b, own(a, b, block(a, b)))).collect();
        let free = (0..contacts as usize).map(|a| Vect::from_fn(|i, _| number(5 * a + i))).collect();
        Stored::from_blocks(blocks, free).unwrap()
    }

    fn check<const D: usize>() {
        for contacts in [1, 2, 7, 40] {
            let w = matrix::<D>(contacts);
            let at = |k: usize| Vect::<D>::from_fn(|i, _| ((k + 2 * i) % 11) as f64 * 100.0);
            let start: Vec<Vect<D>> = (0..contacts as usize).map(at).collect();
            let mut swept = Swept::new(&w);
            swept.rebase(&start, (0..start.len()).map(|a| w.others(a, &start)));
            let moved: Vec<Vect<D>> = (0..start.len()).map(|a| start[a] + at(a + 3) * 1e-3).collect();
            moved.iter().enumerate().for_each(|(a, r)| swept.set(a, r));
            for a in 0..start.len() {
                // SAFETY: vector registers only where the processor has them.
                let (plain, fast) = unsafe {
                    let plain = swept.others::<false>(a);
                    (plain, if is_wide() { swept.others::<true>(a) } else { plain })
                };
                assert_eq!(plain, fast, "{contacts}");
                let exact = w.others(a, &moved);
                // Changes add up to about one: single precision of that, not of the hundreds.
                assert!((plain - exact).norm() < 3e-7, "{contacts}: {plain} {exact}");
            }
        }
    }

    #[test]
    fn vector_registers_give_the_bits_of_plain_arithmetic_and_changes_add_to_what_is_exact() {
        check::<2>();
        check::<3>();
    }
}
