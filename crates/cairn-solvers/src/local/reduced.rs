//! One contact with what depends on W alone worked out once, for solvers that come back to it many times.
//!
//! The normal direction is eliminated, without asking W to be symmetric:
//!
//!   k = W_NT/W_NN,   c = W_TN/W_NN,   S = W_TT − W_TN W_NT/W_NN,
//!   p = −U_N/W_NN,   b = c U_N − U_T      (U = U_loc)
//!
//! so that Ũ_N = 0 reads R_N = p − k·R_T, and then Ũ_T = S R_T − b.

use super::{plane, quartic, solid};
use crate::problem::{Mat, Vect};

/// A contact's own block, reduced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reduced<const D: usize> {
    /// W_NN.
    pub normal: f64,
    /// k, in components 1..D.
    pub row: Vect<D>,
    /// c, in components 1..D.
    pub column: Vect<D>,
    /// S, in rows and columns 1..D.
    pub tangent: Mat<D>,
    /// tr W.
    pub trace: f64,
    /// μ.
    pub friction: f64,
    /// The local problem may have several solutions, or none: μ‖W_NT‖ ≥ W_NN.
    pub painleve: bool,
}

impl<const D: usize> Reduced<D> {
    /// Of a block and a coefficient of friction.
    pub fn new(w: &Mat<D>, friction: f64) -> Self {
        let normal = w[(0, 0)];
        let row = Vect::<D>::from_fn(|i, _| if i > 0 { w[(0, i)] / normal } else { 0.0 });
        let column = Vect::<D>::from_fn(|i, _| if i > 0 { w[(i, 0)] / normal } else { 0.0 });
        let tangent = Mat::<D>::from_fn(|i, j| if i > 0 && j > 0 { w[(i, j)] - w[(i, 0)] * row[j] } else { 0.0 });
        Self { normal, row, column, tangent, trace: w.trace(), friction, painleve: super::is_painleve(w, friction) }
    }

    /// R for the given U_loc (bias included): exact in the plane, by a safeguarded Newton iteration in space, and by
    /// enumeration of all cases where the solution may not be unique.
    #[inline]
    pub fn solve(&self, velocity: &Vect<D>) -> Vect<D> {
        // Also catches a NaN in the normal direction.
        if !(self.normal > 0.0 && velocity[0] < 0.0) {
            return Vect::zeros();
        }
        if self.painleve {
            return quartic::solve_reduced(self, velocity);
        }
        match D {
            2 => {
                let (k, c, s) = (self.row[1], self.column[1], self.tangent[(1, 1)]);
                let r = plane::solve_reduced(self.normal, k, c, s, self.trace, [velocity[0], velocity[1]], self.friction);
                Vect::from_fn(|i, _| r[i])
            }
            3 => {
                let (k, c) = ([self.row[1], self.row[2]], [self.column[1], self.column[2]]);
                let t = &self.tangent;
                let s = [t[(1, 1)], t[(1, 2)], t[(2, 1)], t[(2, 2)]];
                let u = [velocity[0], velocity[1], velocity[2]];
                let r = solid::solve_reduced(self.normal, k, c, s, self.trace, u, self.friction);
                Vect::from_fn(|i, _| r[i])
            }
            _ => unreachable!("contacts live in the plane or in space"),
        }
    }
}
