//! W as the sweeps see it: rows in single precision, applied to what has changed since the velocities were exact.
//!
//!   U_loc,α = [U_free + Σ_{β≠α} W_αβ R⁰_β] + Σ_{β≠α} W_αβ (R_β − R⁰_β)
//!
//! The bracket is evaluated in double precision whenever R⁰ is set to R ([`Swept::rebase`]). What single precision gets wrong is
//! a part of 1e-7 of the change since then, and that goes to zero: the sweeps have the same solution, reading half the memory, and
//! memory is what a sweep waits for.
//!
//! In space contacts are taken in pairs, 2k and 2k + 1: neighbours in the list are neighbours of the same others, and the changes of a pair
//! are one register. In the plane that of one contact is. In a row those that come later in the sweep are first, and its own pair is last:
//! the sum over all others is made while the contact before is still being solved. Plain arithmetic and vector registers give the same bits.

use crate::delassus::{Delassus, Stored};
use crate::problem::{Mat, Vect};
use cairn_sparse::wide;
use std::cmp::Ordering;

/// Numbers kept for the change of a contact: (x, x, y, y) in the plane, (x, y, z, 0) in space.
type Change = [f32; 4];

/// Contacts that are taken together.
const fn together(dimension: usize) -> usize {
    dimension - 1
}

/// Numbers read beyond the last block in space, times zero.
const SPARE: usize = 2;

/// Rows of W without the own blocks, and the state R − R⁰.
pub(crate) struct Swept<const D: usize> {
    starts: Vec<usize>,
    /// Contacts in the plane, pairs in space.
    columns: Vec<u32>,
    /// Divided by `unit`; in the plane by columns; in space row by row of both blocks of a pair, zero where a contact is no neighbour.
    blocks: Vec<f32>,
    /// Mean of tr W_αα/D: W/unit and unit·R are numbers that single precision holds, whatever the units.
    unit: f64,
    origin: Vec<Vect<D>>,
    /// The bracket, with the bias.
    exact: Vec<Vect<D>>,
    changes: Vec<Change>,
}

/// The contacts of a large W in three parts: two without a coupling between them, which two threads may sweep at once, and those between.
pub(crate) struct Halves {
    /// Contacts of the two, ascending.
    pub apart: [Vec<u32>; 2],
    /// Those that are coupled with both, ascending; swept when both are done.
    pub between: Vec<u32>,
}

/// The changes while threads sweep: each is written by one of them, and read by none that it could be written for at the time.
#[derive(Clone, Copy)]
pub(crate) struct Changes(*mut Change);

// SAFETY: whoever uses them says why no two threads meet at one change.
unsafe impl Send for Changes {}
// SAFETY: as above.
unsafe impl Sync for Changes {}

/// Numbers of W from which on two threads pay: a sweep that reads them takes some 20 µs.
const SHARED: usize = 200_000;
/// One in so many contacts may be between the halves.
const BETWEEN: usize = 4;

impl<const D: usize> Swept<D> {
    pub fn new(w: &Stored<D>) -> Self {
        wide(
            #[inline(always)]
            || Self::of(w),
        )
    }

    #[inline(always)]
    fn of(w: &Stored<D>) -> Self {
        let contacts = w.contacts();
        let mean = (0..contacts).map(|a| w.block(a).trace()).sum::<f64>() / (D * contacts) as f64;
        let unit = if mean > 0.0 && mean.is_finite() { mean } else { 1.0 };
        let mut swept = Self {
            starts: Vec::with_capacity(contacts + 1),
            columns: Vec::with_capacity(w.couplings()),
            blocks: Vec::with_capacity(D * D * (w.couplings() + 2 * contacts) + SPARE),
            unit,
            origin: vec![Vect::zeros(); contacts],
            exact: vec![Vect::zeros(); contacts],
            changes: vec![[0.0; 4]; contacts.next_multiple_of(2)],
        };
        let per_unit = 1.0 / unit;
        swept.starts.push(0);
        for a in 0..contacts {
            let (columns, blocks) = w.neighbours_of(a);
            let own = a - a % together(D);
            let before = columns.partition_point(|&b| (b as usize) < own);
            let through = columns.partition_point(|&b| (b as usize) < own + together(D));
            for section in [through..columns.len(), 0..before, before..through] {
                for (&b, block) in columns[section.clone()].iter().zip(&blocks[section]) {
                    swept.put(b, block, per_unit);
                }
            }
            swept.starts.push(swept.columns.len());
        }
        swept.blocks.resize(swept.blocks.len() + SPARE, 0.0);
        swept
    }

    /// Adds W_αβ to the last row.
    #[inline(always)]
    fn put(&mut self, column: u32, block: &Mat<D>, per_unit: f64) {
        let begun = *self.starts.last().unwrap_or(&0);
        let (group, numbers) = (column / together(D) as u32, D * D * together(D));
        if self.columns[begun..].last() != Some(&group) {
            self.columns.push(group);
            self.blocks.resize(numbers * self.columns.len(), 0.0);
        }
        let (first, second) = (self.blocks.len() - numbers, column as usize % together(D));
        for i in 0..D {
            for j in 0..D {
                let place = if D == 2 { 2 * j + i } else { 6 * i + 3 * second + j };
                self.blocks[first + place] = (block[(i, j)] * per_unit) as f32;
            }
        }
    }

    /// R⁰ = R; the bracket with the bias of each contact, to be filled in.
    pub fn rebase(&mut self, impulses: &[Vect<D>]) -> &mut [Vect<D>] {
        self.origin.copy_from_slice(impulses);
        self.changes.fill([0.0; 4]);
        &mut self.exact
    }

    /// Two halves that nothing couples, found by going from neighbours to neighbours until half of the contacts are met: those met at the
    /// same distance as the one in the middle lie between. Nothing where W is small, or where most contacts are as near as that.
    pub fn halves(&self) -> Option<Halves> {
        let contacts = self.exact.len();
        if self.blocks.len() < SHARED {
            return None;
        }
        let members = |group: usize| group * together(D)..((group + 1) * together(D)).min(contacts);
        let groups = contacts.div_ceil(together(D));
        let mut distance = vec![u32::MAX; groups];
        let mut met: Vec<u32> = Vec::with_capacity(groups);
        for first in 0..groups {
            if distance[first] != u32::MAX {
                continue;
            }
            // What nothing couples with the others goes on from the largest distance.
            distance[first] = met.last().map_or(0, |&last| distance[last as usize] + 2);
            let mut next = met.len();
            met.push(first as u32);
            while let Some(&group) = met.get(next) {
                next += 1;
                for &other in members(group as usize).flat_map(|a| &self.columns[self.starts[a]..self.starts[a + 1]]) {
                    if distance[other as usize] == u32::MAX {
                        distance[other as usize] = distance[group as usize] + 1;
                        met.push(other);
                    }
                }
            }
        }
        let middle = distance[met[groups / 2] as usize];
        let part = |is_in: &dyn Fn(u32) -> bool| -> Vec<u32> {
            (0..contacts as u32).filter(|a| is_in(distance[*a as usize / together(D)])).collect()
        };
        let halves = Halves { apart: [part(&|d| d < middle), part(&|d| d > middle)], between: part(&|d| d == middle) };
        let few = BETWEEN * halves.between.len() <= contacts;
        // W may have a block whose mirror image it has not: then distances do not tell what is coupled.
        let is_apart = |a: usize| {
            let own = distance[a / together(D)].cmp(&middle);
            let of = |&other: &u32| distance[other as usize].cmp(&middle);
            let mut others = self.columns[self.starts[a]..self.starts[a + 1]].iter().map(of);
            own == Ordering::Equal || others.all(|other| other == own || other == Ordering::Equal)
        };
        (few && (0..contacts).all(is_apart)).then_some(halves)
    }

    /// The changes, for sweeps by threads.
    pub fn changes(&mut self) -> Changes {
        Changes(self.changes.as_mut_ptr())
    }

    /// Tells the new impulse of a contact.
    #[inline(always)]
    pub fn set(&mut self, contact: usize, impulse: &Vect<D>) {
        assert!(contact < self.changes.len());
        let changes = self.changes();
        // SAFETY: it is there, and nobody else has it.
        unsafe { self.set_in(changes, contact, impulse) };
    }

    /// The same while threads sweep. Written at once: what is written in parts has to reach the cache before it can be read again.
    ///
    /// # Safety
    /// The contact is one of W, `changes` are its own, and no one else reads or writes this one.
    #[inline(always)]
    pub unsafe fn set_in(&self, changes: Changes, contact: usize, impulse: &Vect<D>) {
        let change = (impulse - self.origin[contact]) * self.unit;
        let (x, y) = (change[0] as f32, change[1] as f32);
        let four = if D == 2 { [x, x, y, y] } else { [x, y, change[D - 1] as f32, 0.0] };
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_mm_setr_ps, _mm_storeu_ps};
            let [a, b, c, d] = four;
            // SAFETY: every processor of this kind has these; there is room for four, which are the caller's.
            unsafe { _mm_storeu_ps(changes.0.add(contact).cast(), _mm_setr_ps(a, b, c, d)) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            // SAFETY: what the caller promises.
            unsafe { *changes.0.add(contact) = four };
        }
    }

    /// U_loc with the bias; `WIDE` in vector registers.
    ///
    /// # Safety
    /// `WIDE` only where [`is_wide`] says so.
    #[inline(always)]
    pub unsafe fn others<const WIDE: bool>(&self, contact: usize) -> Vect<D> {
        let changes = Changes(self.changes.as_ptr().cast_mut());
        // SAFETY: what the caller promises; the changes are only read.
        unsafe { self.others_in::<WIDE>(changes, contact) }
    }

    /// The same while threads sweep.
    ///
    /// # Safety
    /// As for [`others`](Self::others); `changes` are its own, and no one writes those of contacts coupled with this one.
    #[inline(always)]
    pub unsafe fn others_in<const WIDE: bool>(&self, changes: Changes, contact: usize) -> Vect<D> {
        let row = self.starts[contact]..self.starts[contact + 1];
        let (columns, blocks) = (&self.columns[row.clone()], &self.blocks[D * D * together(D) * row.start..]);
        // SAFETY: all contacts of a column have a change; blocks are as many, with numbers to spare behind them.
        let sums = unsafe {
            #[cfg(target_arch = "x86_64")]
            if WIDE {
                avx::product::<D>(columns, blocks.as_ptr(), changes.0.cast())
            } else {
                product::<D>(columns, blocks, changes.0)
            }
            #[cfg(not(target_arch = "x86_64"))]
            product::<D>(columns, blocks, changes.0)
        };
        self.exact[contact] + Vect::<D>::from_fn(|i, _| f64::from(sums[i]))
    }
}

/// Does the processor have the vector registers?
pub(crate) fn is_wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Σ W (R − R⁰) over a row. There are sums of even and of odd columns, four each in the plane, and eight for each row of the blocks in space,
/// two of them for nothing.
///
/// # Safety
/// There are changes of all contacts of the columns, and no one writes them.
#[inline(always)]
unsafe fn product<const D: usize>(columns: &[u32], blocks: &[f32], changes: *const Change) -> [f32; 3] {
    if D == 2 {
        let mut sums = [[0.0f32; 4]; 2];
        for (k, (&column, block)) in columns.iter().zip(blocks.chunks_exact(4)).enumerate() {
            // SAFETY: what the caller promises.
            let change = unsafe { &*changes.add(column as usize) };
            sums[k % 2].iter_mut().zip(block).zip(change).for_each(|((sum, w), r)| *sum += w * r);
        }
        let sum: [f32; 4] = std::array::from_fn(|i| sums[0][i] + sums[1][i]);
        return [sum[0] + sum[2], sum[1] + sum[3], 0.0];
    }
    let mut sums = [[[0.0f32; 8]; 3]; 2];
    for (k, (&pair, blocks)) in columns.iter().zip(blocks.chunks_exact(18)).enumerate() {
        // SAFETY: what the caller promises.
        let both = unsafe { &*changes.add(2 * pair as usize).cast::<[Change; 2]>() };
        for (sums, row) in sums[k % 2].iter_mut().zip(blocks.chunks_exact(6)) {
            row.iter().enumerate().for_each(|(lane, w)| sums[lane] += w * both[lane / 3][lane % 3]);
        }
    }
    [0, 1, 2].map(|i| {
        let eight: [f32; 8] = std::array::from_fn(|lane| sums[0][i][lane] + sums[1][i][lane]);
        let four: [f32; 4] = std::array::from_fn(|lane| eight[lane] + eight[lane + 4]);
        (four[0] + four[1]) + (four[2] + four[3])
    })
}

/// Of so many pairs of a row an even number whose changes were written long ago: the last two are the contacts relaxed just now.
#[cfg(target_arch = "x86_64")]
fn long_written(pairs: usize) -> usize {
    pairs.saturating_sub(2) & !1
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use std::arch::x86_64::*;

    /// # Safety
    /// As [`super::product`], with four numbers for every change, numbers to spare behind the blocks, and a processor that has AVX2.
    #[inline]
    #[target_feature(enable = "avx2")]
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
    #[target_feature(enable = "avx2")]
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

    /// The changes of a pair.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn both(changes: *const f32) -> __m256 {
        // SAFETY: what the caller promises.
        unsafe { _mm256_loadu_ps(changes) }
    }

    /// The same if one of them may just have been written: a processor hands numbers on from a write to a read only if that takes no more
    /// than was written.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn both_apart(changes: *const f32) -> __m256 {
        // SAFETY: what the caller promises.
        unsafe { _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(changes)), _mm_loadu_ps(changes.add(4)), 1) }
    }

    /// The same row of two blocks, with what follows it, is one register.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn solid(pairs: &[u32], blocks: *const f32, changes: *const f32) -> __m128 {
        let (mut even, mut odd) = ([_mm256_setzero_ps(); 3], [_mm256_setzero_ps(); 3]);
        // (x, y, z, 0, x', y', z', 0) → (x, y, z, x', y', z', 0, 0)
        let close_up = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7);
        let long = super::long_written(pairs.len());
        // SAFETY: what the caller promises.
        unsafe {
            let of = |k: usize| changes.add(8 * *pairs.get_unchecked(k) as usize);
            let add = |sums: &mut [__m256; 3], k: usize, both: __m256| {
                let both = _mm256_permutevar8x32_ps(both, close_up);
                for (i, sum) in sums.iter_mut().enumerate() {
                    let row = _mm256_loadu_ps(blocks.add(18 * k + 6 * i));
                    *sum = _mm256_add_ps(*sum, _mm256_mul_ps(row, both));
                }
            };
            for k in (0..long).step_by(2) {
                add(&mut even, k, both(of(k)));
                add(&mut odd, k + 1, both(of(k + 1)));
            }
            for k in (long..pairs.len()).step_by(2) {
                add(&mut even, k, both_apart(of(k)));
                if k + 1 < pairs.len() {
                    add(&mut odd, k + 1, both_apart(of(k + 1)));
                }
            }
        }
        let [x, y, z] = [0, 1, 2].map(|i| {
            let eight = _mm256_add_ps(even[i], odd[i]);
            _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1))
        });
        _mm_hadd_ps(_mm_hadd_ps(x, y), _mm_hadd_ps(z, _mm_setzero_ps()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let exact = swept.rebase(&start);
            exact.iter_mut().enumerate().for_each(|(a, exact)| *exact = w.others(a, &start));
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

    /// A chain of bodies, five contacts on each pair of neighbours: W has a band.
    fn chain<const D: usize>(contacts: u32, mirrored: bool) -> Stored<D> {
        let coupled = |a: u32, b: u32| (a / 5).abs_diff(b / 5) <= 1;
        let near = |a: u32| (a.saturating_sub(10)..(a + 10).min(contacts)).map(move |b| (a, b));
        let mut pairs: Vec<(u32, u32)> = (0..contacts).flat_map(near).filter(|&(a, b)| coupled(a, b)).collect();
        if !mirrored {
            pairs.push((contacts - 1, 0));
            pairs.sort_unstable();
        }
        let block = |a, b| Mat::identity() * if a == b { 1.0 } else { 0.05 };
        let blocks = pairs.iter().map(|&(a, b)| (a, b, block(a, b))).collect();
        Stored::from_blocks(blocks, vec![Vect::zeros(); contacts as usize]).unwrap()
    }

    #[test]
    fn halves_are_not_coupled() {
        let w = chain::<3>(4000, true);
        let halves = Swept::new(&w).halves().unwrap();
        let [first, second] = &halves.apart;
        assert_eq!(first.len() + second.len() + halves.between.len(), 4000);
        let sizes = [first.len(), halves.between.len(), second.len()];
        assert!(sizes[0].min(sizes[2]) > 1900 && sizes[1] > 0, "{sizes:?}");
        assert!(first.iter().all(|&a| w.neighbours(a as usize).all(|(b, _)| !second.contains(&(b as u32)))));
        assert!(Swept::new(&chain::<3>(4000, false)).halves().is_none(), "coupled one way");
        assert!(Swept::new(&chain::<3>(100, true)).halves().is_none(), "small");
        assert!(Swept::new(&matrix::<3>(300)).halves().is_none(), "all near each other");
    }

    #[test]
    fn vector_registers_give_the_bits_of_plain_arithmetic_and_changes_add_to_what_is_exact() {
        check::<2>();
        check::<3>();
    }
}
