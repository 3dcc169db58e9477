//! LU factorization of a sparse matrix of D×D blocks with a symmetric pattern.
//!
//! The unknowns are eliminated in the order of least degree: eliminating a node joins its remaining neighbours, which
//! gives the pattern of its row of U and its column of L. Rows are then computed one after the other (up-looking):
//!
//!   L_ik = A_ik U_kk⁻¹,   A_ij ← A_ij − L_ik U_kj        for all k < i in the pattern, in order
//!
//! Two successive places with the same later neighbours (points of one face, mostly) are taken at a time, so that A_ij is
//! loaded and stored once for both. The sums keep their order.
//!
//! Pivots are whole blocks, inverted with their own pivoting; there is no pivoting between blocks. Contact problems allow
//! it, as W has a positive (semi-)definite symmetric part; solvers see a bad pivot by the step that it gives.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::discrete::Problem;
use crate::problem::{Mat, Vect};
use crate::watch::Watched;

/// Block products of a factorization beyond which it is not tried.
const MOST_PRODUCTS: usize = 2_000_000_000;

/// Order of elimination and pattern; for any matrix of the same pattern.
pub(crate) struct Symbolic {
    /// Node of each place in the order, and place of each node.
    node: Vec<u32>,
    place: Vec<u32>,
    /// Later neighbours of each place, ascending: the row of U.
    upper: Vec<Vec<u32>>,
    /// Earlier neighbours of each place, ascending: the row of L.
    lower: Vec<Vec<u32>>,
    /// True if a place and the next have the same later neighbours, but for the next itself.
    alike: Vec<bool>,
    /// Block products of a factorization.
    pub products: usize,
}

impl Symbolic {
    /// Of all contacts of a problem; nothing if that is too much work.
    pub fn of_problem<const D: usize>(problem: &Problem<D>) -> Option<Self> {
        let contacts = problem.contacts();
        let edges = (0..contacts).flat_map(|a| problem.w.neighbours(a).map(move |(b, _)| (a, b)));
        Self::of_graph(contacts, edges)
    }

    /// Of a graph; nothing if that is too much work.
    pub fn of_graph(nodes: usize, edges: impl Iterator<Item = (usize, usize)>) -> Option<Self> {
        Self::new(nodes, edges, MOST_PRODUCTS)
    }

    /// Of a graph; the neighbours of a node may come in any order, and one direction of each is enough. Gives up (nothing)
    /// when more than `most` block products would be needed.
    pub fn new(nodes: usize, edges: impl Iterator<Item = (usize, usize)>, most: usize) -> Option<Self> {
        let mut graph: Vec<Vec<u32>> = vec![vec![]; nodes];
        for (a, b) in edges.filter(|e| e.0 != e.1) {
            graph[a].push(b as u32);
            graph[b].push(a as u32);
        }
        graph.iter_mut().for_each(|row| {
            row.sort_unstable();
            row.dedup();
        });
        let mut queue: BinaryHeap<Reverse<(usize, u32)>> =
            graph.iter().enumerate().map(|(a, row)| Reverse((row.len(), a as u32))).collect();
        let (mut node, mut place) = (Vec::with_capacity(nodes), vec![u32::MAX; nodes]);
        let mut products = 0;
        let (mut joined, mut group) = (vec![], vec![]);
        while let Some(Reverse((degree, a))) = queue.pop() {
            // Degrees change; what is out of date is in the queue again with its new one.
            if place[a as usize] != u32::MAX || degree != graph[a as usize].len() {
                continue;
            }
            // Contacts of one pair of bodies have the same neighbours: they go together.
            let row = std::mem::take(&mut graph[a as usize]);
            group.clear();
            group.push(a);
            group.extend(row.iter().filter(|&&b| same_neighbours(&graph[b as usize], &row, a, b)));
            for (gone, &g) in group.iter().enumerate() {
                place[g as usize] = node.len() as u32;
                node.push(g);
                let degree = degree - gone;
                products += degree * (degree + 1);
                graph[g as usize] = row.iter().copied().filter(|&b| place[b as usize] == u32::MAX).collect();
            }
            if products > most {
                return None;
            }
            // The rest of the row: neighbours of each other from now on.
            let row = std::mem::take(&mut graph[group[group.len() - 1] as usize]);
            for &b in &row {
                merge(&graph[b as usize], &row, &place, b, &mut joined);
                std::mem::swap(&mut graph[b as usize], &mut joined);
                queue.push(Reverse((graph[b as usize].len(), b)));
            }
            graph[group[group.len() - 1] as usize] = row;
        }
        let mut upper: Vec<Vec<u32>> =
            node.iter().map(|&a| graph[a as usize].iter().map(|&b| place[b as usize]).collect()).collect();
        let mut lower = vec![vec![]; nodes];
        for (i, row) in upper.iter_mut().enumerate() {
            row.sort_unstable();
            row.iter().for_each(|&j| lower[j as usize].push(i as u32));
        }
        let alike = alike(&upper);
        Some(Self { node, place, upper, lower, alike, products })
    }
}

fn alike(upper: &[Vec<u32>]) -> Vec<bool> {
    let follows = |i: usize, [row, next]: [&[u32]; 2]| row.split_first() == Some((&(i as u32 + 1), next));
    let pairs = upper.windows(2).enumerate().map(|(i, rows)| follows(i, [&rows[0], &rows[1]]));
    pairs.chain([false]).collect()
}

/// True if x without a is y without b, where y is the row of a and x that of b.
fn same_neighbours(x: &[u32], y: &[u32], a: u32, b: u32) -> bool {
    x.len() == y.len() && x.iter().filter(|&&c| c != a).eq(y.iter().filter(|&&c| c != b))
}

/// The union of two ascending lists, without what is eliminated (has a place) and without `nor`.
fn merge(x: &[u32], y: &[u32], place: &[u32], nor: u32, union: &mut Vec<u32>) {
    union.clear();
    let (mut i, mut j) = (0, 0);
    while i < x.len() || j < y.len() {
        let (a, b) = (x.get(i).copied().unwrap_or(u32::MAX), y.get(j).copied().unwrap_or(u32::MAX));
        let next = a.min(b);
        i += usize::from(a == next);
        j += usize::from(b == next);
        if place[next as usize] == u32::MAX && next != nor {
            union.push(next);
        }
    }
}

/// The factors of blocks of any size: lanes for those of contacts with moments are twice as many.
pub(crate) enum BlockLu<const D: usize> {
    Four(Factors<D, 4>),
    Eight(Factors<D, 8>),
}

impl<const D: usize> BlockLu<D> {
    pub fn new(symbolic: Symbolic) -> Self {
        if D <= 4 { Self::Four(Factors::new(symbolic)) } else { Self::Eight(Factors::new(symbolic)) }
    }

    /// Entries of both factors.
    pub fn entries(&self) -> usize {
        match self {
            Self::Four(factors) => factors.entries(),
            Self::Eight(factors) => factors.entries(),
        }
    }

    /// Factorizes the matrix whose rows `fill` gives: it calls its second argument with each block (column, block) of a node's
    /// row, inside the pattern. False if a pivot cannot be inverted, or who waits has asked to stop: large ones take minutes.
    pub fn factorize(&mut self, watch: Watched, fill: impl FnMut(usize, &mut dyn FnMut(usize, &Mat<D>))) -> bool {
        match self {
            Self::Four(factors) => factors.factorize(watch, fill),
            Self::Eight(factors) => factors.factorize(watch, fill),
        }
    }

    /// x ← A⁻¹ x, blocks of nodes.
    pub fn solve(&self, x: &mut [Vect<D>]) {
        match self {
            Self::Four(factors) => factors.solve(x),
            Self::Eight(factors) => factors.solve(x),
        }
    }
}

/// A block with its columns padded to L lanes.
type Lanes<const D: usize, const L: usize> = [[f64; L]; D];

/// The factors, rows one after the other.
pub(crate) struct Factors<const D: usize, const L: usize> {
    symbolic: Symbolic,
    upper_starts: Vec<usize>,
    upper: Vec<Lanes<D, L>>,
    lower_starts: Vec<usize>,
    lower: Vec<Lanes<D, L>>,
    pivots: Vec<Mat<D>>,
    work: Vec<Lanes<D, L>>,
}

impl<const D: usize, const L: usize> Factors<D, L> {
    fn new(symbolic: Symbolic) -> Self {
        let starts = |pattern: &[Vec<u32>]| {
            let ends = pattern.iter().scan(0, |end, row| {
                *end += row.len();
                Some(*end)
            });
            std::iter::once(0).chain(ends).collect::<Vec<usize>>()
        };
        let (upper_starts, lower_starts) = (starts(&symbolic.upper), starts(&symbolic.lower));
        let blocks = upper_starts[symbolic.node.len()];
        let zeros = || vec![[[0.0; L]; D]; blocks];
        let pivots = vec![Mat::zeros(); symbolic.node.len()];
        let work = vec![[[0.0; L]; D]; symbolic.node.len()];
        Self { symbolic, upper: zeros(), lower: zeros(), upper_starts, lower_starts, pivots, work }
    }

    fn entries(&self) -> usize {
        D * D * (self.upper.len() + self.lower.len() + self.pivots.len())
    }

    fn factorize(&mut self, watch: Watched, mut fill: impl FnMut(usize, &mut dyn FnMut(usize, &Mat<D>))) -> bool {
        for i in 0..self.symbolic.node.len() {
            if watch.is_stopped() {
                return false;
            }
            let (symbolic, work) = (&self.symbolic, &mut self.work);
            let (lower, upper) = (&symbolic.lower[i], &symbolic.upper[i]);
            lower.iter().chain(upper).for_each(|&j| work[j as usize] = [[0.0; L]; D]);
            work[i] = [[0.0; L]; D];
            fill(symbolic.node[i] as usize, &mut |column, block| {
                let place = &mut work[symbolic.place[column] as usize];
                (0..D * D).for_each(|e| place[e / D][e % D] += block[(e % D, e / D)]);
            });
            self.eliminate(i);
            let row = self.upper_starts[i]..self.upper_starts[i + 1];
            let upper = self.upper[row].iter_mut().zip(&self.symbolic.upper[i]);
            upper.for_each(|(u, &j)| *u = self.work[j as usize]);
            match inverse(&Mat::from_fn(|k, j| self.work[i][j][k])) {
                Some(pivot) => self.pivots[i] = pivot,
                None => return false,
            }
        }
        true
    }

    /// Eliminates the lower part of a row. Wide instructions where there are any: the arithmetic is the same.
    fn eliminate(&mut self, i: usize) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these instructions.
            unsafe { self.eliminate_wide(i) };
            return;
        }
        self.eliminate_any(i);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn eliminate_wide(&mut self, i: usize) {
        self.eliminate_any(i);
    }

    #[inline(always)]
    fn eliminate_any(&mut self, i: usize) {
        let mut done = 0;
        while let Some(&k) = self.symbolic.lower[i].get(done) {
            // In a row of the same group, only those before it.
            let pair = self.symbolic.alike[k as usize] && done + 1 < self.symbolic.lower[i].len();
            if pair {
                self.eliminate_two(i, done, k as usize)
            } else {
                self.eliminate_one(i, done, k as usize)
            }
            done += if pair { 2 } else { 1 };
        }
    }

    /// Eliminates place k from row i, whose lower part has it at `done`.
    #[inline(always)]
    fn eliminate_one(&mut self, i: usize, done: usize, k: usize) {
        let factor = times(&self.work[k], &self.pivots[k]);
        self.lower[self.lower_starts[i] + done] = factor;
        let row = &self.upper[self.upper_starts[k]..self.upper_starts[k + 1]];
        for (&j, u) in self.symbolic.upper[k].iter().zip(row) {
            subtract_product(&mut self.work[j as usize], &factor, u);
        }
    }

    /// Eliminates places k and k + 1, which are alike.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // Lanes and columns by index, as in the formula.
    fn eliminate_two(&mut self, i: usize, done: usize, k: usize) {
        let [a, b, c] = [k, k + 1, k + 2].map(|k| self.upper_starts[k]);
        let first = times(&self.work[k], &self.pivots[k]);
        subtract_product(&mut self.work[k + 1], &first, &self.upper[a]);
        let second = times(&self.work[k + 1], &self.pivots[k + 1]);
        let lower = self.lower_starts[i] + done;
        self.lower[lower] = first;
        self.lower[lower + 1] = second;
        let columns = self.symbolic.upper[k + 1].iter();
        for ((&j, u), v) in columns.zip(&self.upper[a + 1..b]).zip(&self.upper[b..c]) {
            let target = &mut self.work[j as usize];
            for j in 0..D {
                let mut column = target[j];
                for m in 0..D {
                    for lane in 0..L {
                        column[lane] -= first[m][lane] * u[j][m];
                    }
                }
                for m in 0..D {
                    for lane in 0..L {
                        column[lane] -= second[m][lane] * v[j][m];
                    }
                }
                target[j] = column;
            }
        }
    }

    fn solve(&self, x: &mut [Vect<D>]) {
        let symbolic = &self.symbolic;
        let mut y: Vec<Vect<D>> = symbolic.node.iter().map(|&a| x[a as usize]).collect();
        let row = |columns: &[u32], blocks: &[Lanes<D, L>], y: &[Vect<D>], mut sum: Vect<D>| {
            for (&k, block) in columns.iter().zip(blocks) {
                let y = &y[k as usize];
                for j in 0..D {
                    (0..D).for_each(|i| sum[i] -= block[j][i] * y[j]);
                }
            }
            sum
        };
        for i in 0..y.len() {
            y[i] = row(&symbolic.lower[i], &self.lower[self.lower_starts[i]..], &y, y[i]);
        }
        for i in (0..y.len()).rev() {
            y[i] = self.pivots[i] * row(&symbolic.upper[i], &self.upper[self.upper_starts[i]..], &y, y[i]);
        }
        symbolic.node.iter().zip(y).for_each(|(&a, y)| x[a as usize] = y);
    }
}

/// x p, in lanes.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // Lanes and columns by index, as in the formula.
fn times<const D: usize, const L: usize>(x: &Lanes<D, L>, p: &Mat<D>) -> Lanes<D, L> {
    let mut product = [[0.0; L]; D];
    for j in 0..D {
        for m in 0..D {
            for lane in 0..L {
                product[j][lane] += x[m][lane] * p[(m, j)];
            }
        }
    }
    product
}

/// a −= x y, in lanes.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // As above.
fn subtract_product<const D: usize, const L: usize>(a: &mut Lanes<D, L>, x: &Lanes<D, L>, y: &Lanes<D, L>) {
    for j in 0..D {
        let mut column = a[j];
        for k in 0..D {
            for lane in 0..L {
                column[lane] -= x[k][lane] * y[j][k];
            }
        }
        a[j] = column;
    }
}

/// The inverse of a block; nothing if it is singular to working precision or not finite.
fn inverse<const D: usize>(block: &Mat<D>) -> Option<Mat<D>> {
    // Gauss–Jordan with row pivoting.
    let (mut a, mut inverse) = (*block, Mat::<D>::identity());
    let size = block.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for i in 0..D {
        let pivot = (i..D).fold(i, |best, k| if a[(k, i)].abs() > a[(best, i)].abs() { k } else { best });
        a.swap_rows(i, pivot);
        inverse.swap_rows(i, pivot);
        let scale = a[(i, i)];
        if !(scale.abs() > 1e-14 * size && size.is_finite()) {
            return None;
        }
        for j in 0..D {
            a[(i, j)] /= scale;
            inverse[(i, j)] /= scale;
        }
        for k in (0..D).filter(|&k| k != i) {
            let factor = a[(k, i)];
            for j in 0..D {
                a[(k, j)] -= factor * a[(i, j)];
                inverse[(k, j)] -= factor * inverse[(i, j)];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]
        #[test]
        fn solves_random_sparse_systems(seed in 1u64..1_000_000, nodes in 1usize..40, links in 0usize..80) {
            let mut state = seed;
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as f64 / (1u64 << 31) as f64
            };
            let edges: Vec<(usize, usize)> = (0..links)
                .map(|_| ((next() * nodes as f64) as usize, (next() * nodes as f64) as usize))
                .filter(|e| e.0 != e.1)
                .collect();
            let mut rows: Vec<Vec<(usize, Mat<3>)>> =
                (0..nodes).map(|a| vec![(a, Mat::identity() * (4.0 + links as f64))]).collect();
            for &(a, b) in &edges {
                rows[a].push((b, Mat::from_fn(|_, _| next() - 0.5)));
            }
            let symbolic = Symbolic::new(nodes, edges.iter().copied(), usize::MAX).unwrap();
            let mut lu = BlockLu::<3>::new(symbolic);
            prop_assert!(lu.factorize(Watched::NONE, |a, add| rows[a].iter().for_each(|(b, w)| add(*b, w))));
            let exact: Vec<Vect<3>> = (0..nodes).map(|_| Vect::from_fn(|_, _| next() - 0.5)).collect();
            let mut x: Vec<Vect<3>> =
                rows.iter().map(|row| row.iter().fold(Vect::zeros(), |s, (b, w)| s + w * exact[*b])).collect();
            lu.solve(&mut x);
            let worst = x.iter().zip(&exact).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            prop_assert!(worst < 1e-12, "{worst}");
        }
    }

    #[test]
    fn a_chain_has_no_fill() {
        let symbolic = Symbolic::new(100, (0..99).map(|a| (a, a + 1)), usize::MAX).unwrap();
        assert_eq!(symbolic.upper.iter().map(Vec::len).sum::<usize>(), 99);
        assert!(Symbolic::new(100, (0..99).map(|a| (a, a + 1)), 50).is_none(), "limit of work");
    }
}
