//! Factorization of symmetric matrices: A = L Lᵀ.
//!
//! The [`Analysis`] (order of elimination, structure of the factor) depends on the pattern alone. It is made once and
//! shared by all factors of matrices with this pattern. A matrix that turns out not to be positive definite is
//! factorized as L B Lᵀ on the same structure (B with blocks of 1 and 2, pivots within a supernode), and if that is not
//! stable, as P A Q = L U; [`Factor::method`] tells which.

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::perm::PermRef;
use faer::sparse::linalg::cholesky::{
    IntranodeLbltRef, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

use crate::general::General;
use crate::lu::{LuAnalysis, LuFactor};
use crate::probe::{Verdict, probe};
use crate::{Error, Pattern, Symmetric, nested_dissection};

/// Below this many unknowns minimum degree orders as well as nested dissection.
const SMALL: usize = 1000;

/// How the order of elimination is found.
#[derive(Clone, Copy, Debug, Default)]
pub enum Ordering<'a> {
    /// Minimum degree for small matrices, nested dissection by distances in the graph for large ones.
    #[default]
    Automatic,
    /// As automatic, but the dissection goes by the positions of the nodes, which is better: `dimension` coordinates
    /// for each node [m], then the dimension.
    Positions(&'a [f64], usize),
    /// Approximate minimum degree.
    MinimumDegree,
}

/// How a matrix was factorized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// L Lᵀ: the matrix is positive definite.
    Cholesky,
    /// L B Lᵀ: it is not.
    Indefinite,
    /// L U: it is not, and the pivots had to be searched everywhere.
    Lu,
}

/// What is known of the factor before any value is: shared by all matrices of a pattern.
#[derive(Debug)]
pub struct Analysis {
    pattern: Arc<Pattern>,
    symbolic: SymbolicCholesky<u32>,
}

impl Analysis {
    /// Analyses a pattern.
    pub fn new(pattern: &Arc<Pattern>, ordering: Ordering) -> Result<Arc<Analysis>, Error> {
        let size = pattern.size();
        let forward = match ordering {
            Ordering::MinimumDegree => None,
            _ if size < SMALL => None,
            Ordering::Automatic => Some(nested_dissection(&pattern.graph(), None)),
            Ordering::Positions(points, dimension) => {
                Some(nested_dissection(&pattern.graph(), Some((points, dimension))))
            }
        };
        let forward = forward.map(|nodes| expand(&nodes, pattern.block()));
        let inverse = forward.as_ref().map(|forward| {
            let mut inverse = vec![0u32; forward.len()];
            forward.iter().enumerate().for_each(|(new, &old)| inverse[old as usize] = new as u32);
            inverse
        });
        let order = match (&forward, &inverse) {
            (Some(f), Some(i)) => SymmetricOrdering::Custom(PermRef::new_checked(f, i, size)),
            _ => SymmetricOrdering::Amd,
        };
        let symbolic = factorize_symbolic_cholesky(structure(pattern), Side::Lower, order, Default::default())
            .map_err(|_| Error::TooLarge { size })?;
        Ok(Arc::new(Analysis { pattern: pattern.clone(), symbolic }))
    }

    /// The pattern that was analysed.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// Entries of the factor, with the zeros inside of its dense blocks.
    pub fn entries(&self) -> usize {
        self.symbolic.len_val()
    }
}

/// The order of the unknowns from that of their nodes.
fn expand(nodes: &[u32], block: usize) -> Vec<u32> {
    nodes.iter().flat_map(|&n| (0..block).map(move |i| n * block as u32 + i as u32)).collect()
}

fn structure(pattern: &Pattern) -> SymbolicSparseColMatRef<'_, u32> {
    let size = pattern.size();
    SymbolicSparseColMatRef::new_checked(size, size, pattern.columns(), None, pattern.rows())
}

/// The factor of a symmetric matrix.
#[derive(Clone, Debug)]
pub struct Factor {
    analysis: Arc<Analysis>,
    kind: FactorKind,
}

#[derive(Clone, Debug)]
enum FactorKind {
    Cholesky(Vec<f64>),
    Indefinite { values: Vec<f64>, subdiagonal: Vec<f64>, forward: Vec<u32>, inverse: Vec<u32> },
    Lu(Box<LuFactor>),
}

impl Factor {
    /// Factorizes a matrix of the analysed pattern.
    pub fn new(analysis: &Arc<Analysis>, matrix: &Symmetric) -> Result<Factor, Error> {
        let mut factor = Factor { analysis: analysis.clone(), kind: FactorKind::Cholesky(Vec::new()) };
        factor.refactor(matrix)?;
        Ok(factor)
    }

    /// Factorizes another matrix of the same pattern in the memory of this factor. After an error the factor must not
    /// be used.
    pub fn refactor(&mut self, matrix: &Symmetric) -> Result<(), Error> {
        let pattern = &self.analysis.pattern;
        if !Arc::ptr_eq(matrix.pattern(), pattern) && matrix.pattern() != pattern {
            return Err(Error::OtherPattern);
        }
        matrix.check_finite()?;
        let memory = match std::mem::replace(&mut self.kind, FactorKind::Cholesky(Vec::new())) {
            FactorKind::Cholesky(values) | FactorKind::Indefinite { values, .. } => values,
            FactorKind::Lu(_) => Vec::new(),
        };
        match cholesky(&self.analysis, matrix, memory)? {
            Ok(values) => {
                self.kind = FactorKind::Cholesky(values);
                self.judge(matrix).must_be_good()
            }
            Err(memory) => self.refactor_indefinite(matrix, memory),
        }
    }

    /// Factorizes A + S as L U, with A symmetric and S skew, of which `skew` has the lower triangle.
    pub fn refactor_with_skew(&mut self, matrix: &Symmetric, skew: &Symmetric) -> Result<(), Error> {
        if matrix.pattern() != &self.analysis.pattern || skew.pattern() != &self.analysis.pattern {
            return Err(Error::OtherPattern);
        }
        if let FactorKind::Lu(lu) = &mut self.kind {
            return lu.refactor(&General::with_skew(lu.pattern(), matrix, skew)?);
        }
        let pattern = General::from_symmetric(matrix)?.pattern().clone();
        let full = General::with_skew(&pattern, matrix, skew)?;
        self.kind = FactorKind::Lu(Box::new(LuFactor::new(&LuAnalysis::new(&pattern)?, &full)?));
        Ok(())
    }

    fn refactor_indefinite(&mut self, matrix: &Symmetric, memory: Vec<f64>) -> Result<(), Error> {
        self.kind = indefinite(&self.analysis, matrix, memory)?;
        if self.judge(matrix) == Verdict::Good {
            return Ok(());
        }
        let full = General::from_symmetric(matrix)?;
        let analysis = LuAnalysis::new(full.pattern())?;
        self.kind = FactorKind::Lu(Box::new(LuFactor::new(&analysis, &full)?));
        Ok(())
    }

    fn judge(&self, matrix: &Symmetric) -> Verdict {
        probe(matrix.size(), |each| matrix.visit(each), |x| self.solve(x))
    }

    /// How the matrix was factorized.
    pub fn method(&self) -> Method {
        match self.kind {
            FactorKind::Cholesky(_) => Method::Cholesky,
            FactorKind::Indefinite { .. } => Method::Indefinite,
            FactorKind::Lu(_) => Method::Lu,
        }
    }

    /// The analysis that it shares.
    pub fn analysis(&self) -> &Arc<Analysis> {
        &self.analysis
    }

    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.analysis.pattern.size()
    }

    /// Solves A x = b in place.
    pub fn solve(&self, x: &mut [f64]) {
        self.solve_many(x, 1);
    }

    /// Solves for several right-hand sides at once, in place, one after the other in `x`. Sixteen cost about twice as
    /// much as one.
    pub fn solve_many(&self, x: &mut [f64], columns: usize) {
        let size = self.size();
        assert_eq!(x.len(), size * columns, "right-hand sides of the wrong length");
        if x.is_empty() {
            return;
        }
        let symbolic = &self.analysis.symbolic;
        let sides = |x| MatMut::from_column_major_slice_mut(x, size, columns);
        match &self.kind {
            FactorKind::Lu(lu) => lu.solve_many(x, columns),
            FactorKind::Cholesky(values) => {
                let mut memory = MemBuffer::new(symbolic.solve_in_place_scratch::<f64>(columns, Par::Seq));
                let stack = MemStack::new(&mut memory);
                LltRef::new(symbolic, values).solve_in_place_with_conj(Conj::No, sides(x), Par::Seq, stack);
            }
            FactorKind::Indefinite { values, subdiagonal, forward, inverse } => {
                let mut memory = MemBuffer::new(symbolic.solve_in_place_scratch::<f64>(columns, Par::Seq));
                let stack = MemStack::new(&mut memory);
                let pivots = PermRef::new_checked(forward, inverse, size);
                let factor = IntranodeLbltRef::new(symbolic, values, subdiagonal, pivots);
                factor.solve_in_place_with_conj(Conj::No, sides(x), Par::Seq, stack);
            }
        }
    }
}

/// The values of L, or the memory back if the matrix is not positive definite.
fn cholesky(a: &Analysis, matrix: &Symmetric, mut values: Vec<f64>) -> Result<Result<Vec<f64>, Vec<f64>>, Error> {
    values.clear();
    values.resize(a.symbolic.len_val(), 0.0);
    let mut memory = scratch(a, a.symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default()))?;
    let outcome = a.symbolic.factorize_numeric_llt(
        &mut values,
        SparseColMatRef::new(structure(&a.pattern), &matrix.values),
        Side::Lower,
        Default::default(),
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    );
    // The only error is a pivot that is not positive.
    let is_definite = outcome.is_ok();
    Ok(if is_definite { Ok(values) } else { Err(values) })
}

fn indefinite(a: &Analysis, matrix: &Symmetric, mut values: Vec<f64>) -> Result<FactorKind, Error> {
    let size = a.pattern.size();
    values.fill(0.0);
    let mut subdiagonal = vec![0.0; size];
    let mut forward = vec![0u32; size];
    let mut inverse = vec![0u32; size];
    let need = a.symbolic.factorize_numeric_intranode_lblt_scratch::<f64>(Par::Seq, Default::default());
    let mut memory = scratch(a, need)?;
    a.symbolic.factorize_numeric_intranode_lblt(
        &mut values,
        &mut subdiagonal,
        &mut forward,
        &mut inverse,
        SparseColMatRef::new(structure(&a.pattern), &matrix.values),
        Side::Lower,
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    );
    Ok(FactorKind::Indefinite { values, subdiagonal, forward, inverse })
}

fn scratch(a: &Analysis, need: faer::dyn_stack::StackReq) -> Result<MemBuffer, Error> {
    MemBuffer::try_new(need).map_err(|_| Error::TooLarge { size: a.pattern.size() })
}

#[cfg(test)]
#[path = "factor_tests.rs"]
mod tests;
