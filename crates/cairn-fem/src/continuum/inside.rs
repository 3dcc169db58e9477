//! Unknowns inside a cell that take no force: incompatible modes, enhanced strains. They are found by Newton's method.
//!
//! Those of a cell with memory have no energy that a line search could go by. Where the residual grows (flow sets in, or a cell is about to turn inside out)
//! the change is taken back and made again by a stiffer matrix, up to the elastic stiffness, with which every change leads downhill, if not at once.

use nalgebra::{DMatrix, DVector, Dyn, LU};

/// Iterations; their change, relative to a scale of the modes, and what they lack of balance, relative to the forces of the cell, that end them.
const ITERATIONS: usize = 200;
const TOLERANCE: f64 = 1e-13;
const ROUND_OFF: f64 = 1e-15;
/// What they may lack of balance, relative to the forces of the cell, where neither ends them: on kinks of a law.
const BALANCE: f64 = 1e-9;
/// Share of the elastic stiffness that the matrix of the modes gets in any case, so that it has an inverse, and after a change that was too large.
const LEAST_SHARE: f64 = 1e-12;
const FIRST_SHARE: f64 = 1e-4;

/// A cell at some amplitudes of its modes.
pub(super) struct Inside {
    /// The forces on the modes.
    pub residual: DVector<f64>,
    /// Their derivative with respect to the amplitudes.
    pub matrix: DMatrix<f64>,
    /// The largest force of the cell.
    pub largest: f64,
}

/// Finds the amplitudes at which their forces vanish, and leaves `modes` where `evaluate` was asked last. Returns the factor of the matrix, by which the
/// modes are condensed; none if there is no answer. `scale` is an amplitude that counts, `elastic` the stiffness of the modes before anything has happened.
pub(super) fn settle(
    modes: &mut [f64],
    scale: f64,
    elastic: f64,
    mut evaluate: impl FnMut(&[f64]) -> Inside,
) -> Option<LU<f64, Dyn, Dyn>> {
    let count = modes.len();
    // The last change of the modes, the residual and the matrix that it was made of, and what the matrix was stiffened by.
    let mut last = DVector::zeros(count);
    let (mut rest, mut own) = (DVector::from_element(count, f64::INFINITY), DMatrix::zeros(count, count));
    let mut share = LEAST_SHARE;
    for iteration in 0..ITERATIONS {
        let Inside { residual, matrix, largest } = evaluate(modes);
        let is_last = iteration + 1 == ITERATIONS;
        // With the elastic stiffness every change leads downhill, if not at once.
        let is_nearer = residual.norm() <= rest.norm() || (share >= 1.0 && residual.norm().is_finite());
        let shift = if is_nearer || is_last {
            own = matrix;
            let factor = stiffened(&own, LEAST_SHARE * elastic).lu();
            let mut change = factor.solve(&residual)?;
            let is_balanced = residual.amax() <= ROUND_OFF * largest;
            let has_settled = is_balanced || change.amax() <= TOLERANCE * scale;
            if has_settled || is_last {
                // What is not in balance is no answer: at finite strain nothing holds the modes of a cell whose stress stands still while
                // it grows.
                let is_answer = has_settled || residual.amax() <= BALANCE * largest;
                return is_answer.then_some(factor);
            }
            // Downhill, also from where the matrix has negative values.
            let mut downhill = share;
            while stiffened(&own, downhill * elastic).cholesky().is_none() && downhill < 1.0 {
                downhill = (10.0 * downhill).max(FIRST_SHARE);
            }
            if downhill > LEAST_SHARE {
                change = stiffened(&own, downhill * elastic).lu().solve(&residual)?;
            }
            share = (0.1 * share).max(LEAST_SHARE);
            rest = residual;
            last.copy_from(&change);
            change
        } else {
            // Too far: back, and on by a stiffer matrix.
            share = (100.0 * share).clamp(FIRST_SHARE, 1.0);
            let change = stiffened(&own, share * elastic).lu().solve(&rest)?;
            let shift = &change - &last;
            last.copy_from(&change);
            shift
        };
        modes.iter_mut().zip(shift.iter()).for_each(|(mode, s)| *mode -= s);
    }
    None
}

/// A + s 1.
fn stiffened(matrix: &DMatrix<f64>, share: f64) -> DMatrix<f64> {
    DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)] + if i == j { share } else { 0.0 })
}
