//! Factorization of general square matrices: P A Q = L U with partial pivoting.
//!
//! The order of the columns (Q) and the structure depend on the pattern alone ([`LuAnalysis`], shared); the rows (P) are
//! exchanged for stability in each factorization.

use std::fmt;
use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::LuError;
use faer::sparse::linalg::lu::{LuRef, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par};

use crate::probe::probe;
use crate::{Error, General, GeneralPattern};

/// What is known of the factors before any value is: shared by all matrices of a pattern.
#[derive(Debug)]
pub struct LuAnalysis {
    pattern: Arc<GeneralPattern>,
    symbolic: SymbolicLu<u32>,
}

impl LuAnalysis {
    /// Analyses a pattern.
    pub fn new(pattern: &Arc<GeneralPattern>) -> Result<Arc<LuAnalysis>, Error> {
        let symbolic = factorize_symbolic_lu(structure(pattern), Default::default())
            .map_err(|_| Error::TooLarge { size: pattern.size() })?;
        Ok(Arc::new(LuAnalysis { pattern: pattern.clone(), symbolic }))
    }

    /// The pattern that was analysed.
    pub fn pattern(&self) -> &Arc<GeneralPattern> {
        &self.pattern
    }
}

fn structure(pattern: &GeneralPattern) -> SymbolicSparseColMatRef<'_, u32> {
    let size = pattern.size();
    SymbolicSparseColMatRef::new_checked(size, size, pattern.columns(), None, pattern.rows())
}

/// The factors of a general matrix.
#[derive(Clone)]
pub struct LuFactor {
    analysis: Arc<LuAnalysis>,
    numeric: NumericLu<u32, f64>,
}

impl fmt::Debug for LuFactor {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "LuFactor of size {}", self.size())
    }
}

impl LuFactor {
    /// Factorizes a matrix of the analysed pattern.
    pub fn new(analysis: &Arc<LuAnalysis>, matrix: &General) -> Result<LuFactor, Error> {
        let mut factor = LuFactor { analysis: analysis.clone(), numeric: NumericLu::new() };
        factor.refactor(matrix)?;
        Ok(factor)
    }

    /// Factorizes another matrix of the same pattern in the memory of this factor. After an error the factor must not
    /// be used.
    pub fn refactor(&mut self, matrix: &General) -> Result<(), Error> {
        let a = &self.analysis;
        let size = a.pattern.size();
        if !Arc::ptr_eq(matrix.pattern(), &a.pattern) && matrix.pattern() != &a.pattern {
            return Err(Error::OtherPattern);
        }
        matrix.check_finite()?;
        let need = a.symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default());
        let mut memory = MemBuffer::try_new(need).map_err(|_| Error::TooLarge { size })?;
        let entries = SparseColMatRef::new(structure(&a.pattern), &matrix.values);
        a.symbolic
            .factorize_numeric_lu(&mut self.numeric, entries, Par::Seq, MemStack::new(&mut memory), Default::default())
            .map_err(|error| match error {
                LuError::SymbolicSingular { index } => Error::Singular { index },
                LuError::Generic(_) => Error::TooLarge { size },
            })?;
        probe(size, |each| matrix.visit(each), |x| self.solve(x)).must_be_good()
    }

    /// The pattern of the matrices that it factorizes.
    pub fn pattern(&self) -> &Arc<GeneralPattern> {
        &self.analysis.pattern
    }

    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.analysis.pattern.size()
    }

    /// Solves A x = b in place.
    pub fn solve(&self, x: &mut [f64]) {
        self.solve_many(x, 1);
    }

    /// Solves for several right-hand sides at once, in place, one after the other in `x`.
    pub fn solve_many(&self, x: &mut [f64], columns: usize) {
        self.solve_with(x, columns, false);
    }

    /// Solves Aᵀ x = b in place.
    pub fn solve_transposed(&self, x: &mut [f64]) {
        self.solve_with(x, 1, true);
    }

    fn solve_with(&self, x: &mut [f64], columns: usize, transposed: bool) {
        let size = self.size();
        assert_eq!(x.len(), size * columns, "right-hand sides of the wrong length");
        if x.is_empty() {
            return;
        }
        let symbolic = &self.analysis.symbolic;
        let mut memory = MemBuffer::new(symbolic.solve_in_place_scratch::<f64>(columns, Par::Seq));
        let stack = MemStack::new(&mut memory);
        let sides = MatMut::from_column_major_slice_mut(x, size, columns);
        let factors = LuRef::new_unchecked(symbolic, &self.numeric);
        if transposed {
            factors.solve_transpose_in_place_with_conj(Conj::No, sides, Par::Seq, stack);
        } else {
            factors.solve_in_place_with_conj(Conj::No, sides, Par::Seq, stack);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, gauss};

    fn random_matrix(size: usize, seed: u64) -> General {
        let mut random = Random(seed);
        let mut triplets = Vec::new();
        for i in 0..size as u32 {
            // The entries that make it regular are off the diagonal, so that pivots have to be searched.
            triplets.push((i, (i + 1) % size as u32, 3.0 + random.next()));
            for _ in 0..3 {
                let j = ((random.next() * 0.5 + 0.5) * size as f64) as u32 % size as u32;
                triplets.push((i, j, random.next()));
            }
        }
        General::from_triplets(size, &triplets).unwrap()
    }

    #[test]
    fn agrees_with_dense_elimination_also_transposed_and_with_many_sides() {
        for (size, seed) in [(1, 1), (2, 5), (7, 2), (40, 3), (150, 4)] {
            let matrix = random_matrix(size, seed);
            let factor = LuFactor::new(&LuAnalysis::new(matrix.pattern()).unwrap(), &matrix).unwrap();
            let mut dense = vec![0.0; size * size];
            let mut transposed = dense.clone();
            matrix.visit(|row, column, value| {
                dense[column * size + row] = value;
                transposed[row * size + column] = value;
            });
            let mut random = Random(9);
            let sides: Vec<f64> = (0..3 * size).map(|_| random.next()).collect();
            let mut x = sides.clone();
            factor.solve_many(&mut x, 3);
            for (b, x) in sides.chunks(size).zip(x.chunks(size)) {
                let expected = gauss(&dense, b);
                assert!(x.iter().zip(&expected).all(|(a, e)| (a - e).abs() < 1e-10 * (1.0 + e.abs())));
            }
            let mut x = sides[..size].to_vec();
            factor.solve_transposed(&mut x);
            let expected = gauss(&transposed, &sides[..size]);
            assert!(x.iter().zip(&expected).all(|(a, e)| (a - e).abs() < 1e-10 * (1.0 + e.abs())));
        }
    }

    #[test]
    fn the_analysis_serves_other_values() {
        let first = random_matrix(60, 11);
        let mut second = first.clone();
        second.values.iter_mut().enumerate().for_each(|(k, v)| *v *= 1.0 + 0.1 * (k % 7) as f64);
        let analysis = LuAnalysis::new(first.pattern()).unwrap();
        let mut factor = LuFactor::new(&analysis, &first).unwrap();
        factor.refactor(&second).unwrap();
        let x: Vec<f64> = (0..60).map(|i| (i as f64).sin()).collect();
        let mut b = vec![0.0; 60];
        second.multiply(&x, &mut b);
        factor.solve(&mut b);
        assert!(x.iter().zip(&b).all(|(x, b)| (x - b).abs() < 1e-11));
        let other = random_matrix(60, 12);
        assert_eq!(factor.refactor(&other), Err(Error::OtherPattern));
    }

    #[test]
    fn singular_matrices_are_found_whether_by_structure_or_by_value() {
        let judge = |size, triplets: &[(u32, u32, f64)]| {
            let matrix = General::from_triplets(size, triplets).unwrap();
            LuFactor::new(&LuAnalysis::new(matrix.pattern()).unwrap(), &matrix).map(|_| ())
        };
        let by_value = judge(2, &[(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 4.0)]);
        assert!(matches!(by_value, Err(Error::Singular { .. })), "{by_value:?}");
        let by_structure = judge(3, &[(0, 0, 1.0), (0, 1, 2.0), (0, 2, 2.0), (1, 0, 4.0), (2, 0, 1.0)]);
        assert!(matches!(by_structure, Err(Error::Singular { .. })), "{by_structure:?}");
        let zero_row = judge(2, &[(0, 0, 1.0), (0, 1, 1.0)]);
        assert!(matches!(zero_row, Err(Error::Singular { .. })), "{zero_row:?}");
        assert_eq!(judge(1, &[(0, 0, f64::INFINITY)]), Err(Error::NotFinite { row: 0, column: 0 }));
        // Small but regular: scales do not matter.
        assert_eq!(judge(2, &[(0, 0, 1e-30), (1, 1, 1e20)]), Ok(()));
    }
}
