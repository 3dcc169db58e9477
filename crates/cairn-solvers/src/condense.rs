//! From a global problem to a local one: W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w, and back: v = M⁻¹ (H r + f).
//!
//! M falls apart into blocks that do not speak to each other: one per rigid body component, node or deformable body.
//! Each is factorized on its own, and only the contacts that touch it see it.

use cairn_sparse::{General, LuAnalysis, LuFactor};
use nalgebra::{DMatrix, Dyn, LU};

use crate::csc::Csc;
use crate::delassus::Stored;
use crate::discrete::{Global, Problem, flat};
use crate::problem::{Mat, Vect};

/// M cannot be inverted.
#[derive(Debug, thiserror::Error)]
#[error("M is singular: nothing holds its row {0}")]
pub struct Singular(
    /// A row of the block that has no inverse.
    pub usize,
);

/// M in factors, block by block.
pub struct Factors {
    blocks: Vec<Block>,
}

struct Block {
    rows: Vec<usize>,
    inverse: Inverse,
}

/// A block in factors: full where it is small, sparse where it is a body of many nodes.
enum Inverse {
    Dense(LU<f64, Dyn, Dyn>),
    Sparse(Box<LuFactor>),
}

/// Rows up to which a block is factorized as a full matrix.
const MOST_DENSE: usize = 200;

impl Inverse {
    fn of(entries: &[(u32, u32, f64)], size: usize) -> Option<Self> {
        if size <= MOST_DENSE {
            let mut matrix = DMatrix::zeros(size, size);
            entries.iter().for_each(|&(i, j, x)| matrix[(i as usize, j as usize)] = x);
            let lu = matrix.lu();
            return lu.is_invertible().then_some(Self::Dense(lu));
        }
        let matrix = General::from_triplets(size, entries).ok()?;
        let analysis = LuAnalysis::new(matrix.pattern()).ok()?;
        LuFactor::new(&analysis, &matrix).ok().map(|lu| Self::Sparse(Box::new(lu)))
    }

    /// The columns of `b`, solved in place.
    fn solve(&self, b: &mut DMatrix<f64>) {
        match self {
            Self::Dense(lu) => {
                lu.solve_mut(b);
            }
            Self::Sparse(lu) => {
                let columns = b.ncols();
                lu.solve_many(b.as_mut_slice(), columns);
            }
        }
    }
}

impl Factors {
    /// Of a square matrix.
    pub fn new(m: &Csc) -> Result<Self, Singular> {
        let (block_of, place_of, blocks) = connected(m);
        let mut entries = vec![Vec::new(); blocks.len()];
        for (i, j, x) in m.triplets().filter(|e| e.2 != 0.0) {
            entries[block_of[i]].push((place_of[i] as u32, place_of[j] as u32, x));
        }
        let factorize = |(rows, entries): (Vec<usize>, Vec<(u32, u32, f64)>)| {
            let inverse = Inverse::of(&entries, rows.len()).ok_or(Singular(rows[0]))?;
            Ok(Block { rows, inverse })
        };
        Ok(Self { blocks: blocks.into_iter().zip(entries).map(factorize).collect::<Result<_, _>>()? })
    }

    /// M⁻¹ b.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; b.len()];
        for block in &self.blocks {
            let mut part = DMatrix::from_iterator(block.rows.len(), 1, block.rows.iter().map(|&i| b[i]));
            block.inverse.solve(&mut part);
            block.rows.iter().zip(part.iter()).for_each(|(&i, &value)| x[i] = value);
        }
        x
    }
}

/// Rows that hang together through entries off the diagonal: the block of each row, its place in it, the rows of each.
fn connected(m: &Csc) -> (Vec<usize>, Vec<usize>, Vec<Vec<usize>>) {
    let size = m.rows();
    let mut parent: Vec<usize> = (0..size).collect();
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    for (i, j, _) in m.triplets().filter(|e| e.0 != e.1 && e.2 != 0.0) {
        let (a, b) = (root(&mut parent, i), root(&mut parent, j));
        parent[a.max(b)] = a.min(b);
    }
    let (mut block_of, mut place_of, mut blocks) = (vec![0; size], vec![0; size], Vec::<Vec<usize>>::new());
    for i in 0..size {
        let first = root(&mut parent, i);
        if first == i {
            block_of[i] = blocks.len();
            blocks.push(Vec::new());
        } else {
            block_of[i] = block_of[first];
        }
        place_of[i] = blocks[block_of[i]].len();
        blocks[block_of[i]].push(i);
    }
    (block_of, place_of, blocks)
}

impl<const D: usize> Global<D> {
    /// The local problem, with the factors that lead back to v.
    pub fn condense(&self) -> Result<(Problem<D>, Factors), Singular> {
        let factors = Factors::new(&self.m)?;
        let mut free = self.w.clone();
        self.h.add_transposed_product(&factors.solve(&self.f), &mut free);
        let free: Vec<Vect<D>> = free.chunks_exact(D).map(Vect::from_column_slice).collect();
        let by_rows = self.h.transposed();
        let contacts = self.friction.len() as u32;
        let mut pairs: Vec<(u32, u32, Mat<D>)> = (0..contacts).map(|a| (a, a, Mat::zeros())).collect();
        for block in &factors.blocks {
            let mut touching: Vec<usize> =
                block.rows.iter().flat_map(|&i| by_rows.column(i).map(|(j, _)| j / D)).collect();
            touching.sort_unstable();
            touching.dedup();
            // H of this block alone, and M⁻¹ times it.
            let mut h = DMatrix::zeros(block.rows.len(), D * touching.len());
            for (place, &i) in block.rows.iter().enumerate() {
                for (j, x) in by_rows.column(i) {
                    let contact = touching.partition_point(|&a| a < j / D);
                    h[(place, D * contact + j % D)] = x;
                }
            }
            let mut response = h.clone();
            block.inverse.solve(&mut response);
            let w = h.tr_mul(&response);
            for (i, &a) in touching.iter().enumerate() {
                for (j, &b) in touching.iter().enumerate() {
                    pairs.push((a as u32, b as u32, w.fixed_view::<D, D>(D * i, D * j).into_owned()));
                }
            }
        }
        // Contacts that share several blocks, say the translations and the rotations of a body, have their sum.
        pairs.sort_by_key(|p| (p.0, p.1));
        pairs.dedup_by(|next, sum| {
            let same = (next.0, next.1) == (sum.0, sum.1);
            if same {
                sum.2 += next.2;
            }
            same
        });
        let w = Stored::from_blocks(pairs, free).unwrap_or_default();
        Ok((Problem { w, friction: self.friction.clone(), arms: vec![] }, factors))
    }

    /// v = M⁻¹ (H r + f).
    pub fn velocities(&self, factors: &Factors, r: &[Vect<D>]) -> Vec<f64> {
        let mut load = self.f.clone();
        self.h.add_product(&flat(r), &mut load);
        factors.solve(&load)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of springs, each node held a little, as one block of full and of sparse factors: the same inverse.
    #[test]
    fn full_and_sparse_factors_agree() {
        for size in [MOST_DENSE, MOST_DENSE + 1] {
            let mut entries = Vec::new();
            for i in 0..size {
                entries.push((i, i, 2.1));
                if i > 0 {
                    entries.extend([(i, i - 1, -1.0), (i - 1, i, -0.9)]);
                }
            }
            let m = Csc::from_triplets(size, size, &entries).unwrap();
            let b: Vec<f64> = (0..size).map(|i| (i as f64).sin()).collect();
            let x = Factors::new(&m).unwrap().solve(&b);
            let mut back = vec![0.0; size];
            m.add_product(&x, &mut back);
            assert!(back.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }

    #[test]
    fn a_singular_block_is_named_by_its_first_row() {
        let m =
            Csc::from_triplets(4, 4, &[(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0), (2, 3, 1.0), (3, 2, 1.0), (3, 3, 1.0)]);
        assert_eq!(Factors::new(&m.unwrap()).err().map(|e| e.0), Some(2));
    }
}
