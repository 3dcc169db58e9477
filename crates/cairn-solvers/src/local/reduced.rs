//! One contact with what depends on W alone worked out once, for solvers that come back to it many times.
//!
//! The normal direction is eliminated, without asking W to be symmetric:
//!
//!   k = W_NT/W_NN,   c = W_TN/W_NN,   S = W_TT − W_TN W_NT/W_NN,
//!   p = −U_N/W_NN,   b = c U_N − U_T      (U = U_loc)
//!
//! so that Ũ_N = 0 reads R_N = p − k·R_T, and then Ũ_T = S R_T − b.
//!
//! Where W is well conditioned −W⁻¹ is kept too: a contact that sticks, as most do, then takes one product and no division.

use super::{plane, quartic, solid};
use crate::problem::{Mat, Vect};
use nalgebra::Vector2;

/// Largest ‖W‖‖W⁻¹‖ with which the inverse is as good as elimination.
const WELL_CONDITIONED: f64 = 1e3;

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
    /// −W⁻¹, of a well-conditioned W.
    pub stick: Option<Mat<D>>,
    /// The local problem may have several solutions, or none: μ‖W_NT‖ ≥ W_NN (see [`super::is_painleve`]).
    pub painleve: bool,
}

impl<const D: usize> Reduced<D> {
    /// Of a block and a coefficient of friction.
    pub fn new(w: &Mat<D>, friction: f64) -> Self {
        let normal = w[(0, 0)];
        let row = Vect::<D>::from_fn(|i, _| if i > 0 { w[(0, i)] / normal } else { 0.0 });
        let column = Vect::<D>::from_fn(|i, _| if i > 0 { w[(i, 0)] / normal } else { 0.0 });
        let tangent = Mat::<D>::from_fn(|i, j| if i > 0 && j > 0 { w[(i, j)] - w[(i, 0)] * row[j] } else { 0.0 });
        let painleve = super::is_painleve(w, friction);
        let mut reduced = Self { normal, row, column, tangent, trace: w.trace(), friction, stick: None, painleve };
        reduced.stick = reduced.sticking().filter(|inverse| inverse.norm() * w.norm() <= WELL_CONDITIONED);
        reduced
    }

    /// −W⁻¹, column by column: the impulse that cancels a unit velocity.
    fn sticking(&self) -> Option<Mat<D>> {
        let t = &self.tangent;
        let determinant =
            if D == 2 { t[(1, 1)] } else { t[(1, 1)] * t[(D - 1, D - 1)] - t[(1, D - 1)] * t[(D - 1, 1)] };
        if !(self.normal > 0.0 && determinant > 0.0) || self.painleve {
            return None;
        }
        let mut inverse = Mat::<D>::zeros();
        for j in 0..D {
            let unit = |i: usize| f64::from(u8::from(i == j));
            let b = |i: usize| self.column[i] * unit(0) - unit(i);
            if D == 2 {
                inverse[(1, j)] = b(1) / determinant;
            } else {
                inverse[(1, j)] = (t[(D - 1, D - 1)] * b(1) - t[(1, D - 1)] * b(D - 1)) / determinant;
                inverse[(D - 1, j)] = (t[(1, 1)] * b(D - 1) - t[(D - 1, 1)] * b(1)) / determinant;
            }
            let lean: f64 = (1..D).map(|i| self.row[i] * inverse[(i, j)]).sum();
            inverse[(0, j)] = -unit(0) / self.normal - lean;
        }
        Some(inverse)
    }

    /// R for the given U_loc (bias included): exact in the plane, by a safeguarded Newton iteration in space, and by
    /// enumeration of all cases where the solution may not be unique. The iteration starts from the impulse `near`, or from
    /// a guess of its own where that is zero.
    #[inline(always)]
    pub fn solve(&self, velocity: &Vect<D>, near: &Vect<D>) -> Vect<D> {
        // Also catches a NaN in the normal direction.
        if !(self.normal > 0.0 && velocity[0] < 0.0) {
            return Vect::zeros();
        }
        let quick = self.stick.as_ref().and_then(|stick| open_or_sticks(stick, self.friction, velocity));
        quick.unwrap_or_else(|| self.solve_slipping(velocity, near))
    }

    /// The same where the contact approaches and the kept inverse does not answer.
    #[inline(never)]
    pub fn solve_slipping(&self, velocity: &Vect<D>, near: &Vect<D>) -> Vect<D> {
        if self.painleve {
            return quartic::solve_reduced(self, velocity);
        }
        match D {
            2 => {
                let (k, c, s) = (self.row[1], self.column[1], self.tangent[(1, 1)]);
                let r =
                    plane::solve_reduced(self.normal, k, c, s, self.trace, [velocity[0], velocity[1]], self.friction);
                Vect::from_fn(|i, _| r[i])
            }
            3 => {
                let two = |v: &Vect<D>| Vector2::new(v[1], v[2]);
                let tangent = Mat::<3>::from_fn(|i, j| self.tangent[(i, j)]);
                let velocity = Vect::<3>::from_fn(|i, _| velocity[i]);
                let (k, c, near) = (two(&self.row), two(&self.column), two(near));
                let contact = solid::Eliminated::new(self.normal, k, c, &tangent, self.trace, &velocity);
                // Where the inverse is kept sticking has been tried.
                let sticks = self.stick.is_none();
                let r = if sticks { contact.solve(self.friction, &near) } else { contact.slip(self.friction, &near) };
                Vect::from_fn(|i, _| r[i])
            }
            _ => unreachable!("contacts live in the plane or in space"),
        }
    }
}

/// R of a contact with W_NN > 0 if it is open or sticks, from the kept inverse.
#[inline(always)]
pub(crate) fn open_or_sticks<const D: usize>(stick: &Mat<D>, friction: f64, velocity: &Vect<D>) -> Option<Vect<D>> {
    if velocity[0] >= 0.0 || velocity[0].is_nan() {
        return Some(Vect::zeros());
    }
    let r = stick * velocity;
    let tangential: f64 = (1..D).map(|i| r[i] * r[i]).sum();
    (r[0] >= 0.0 && tangential <= (friction * r[0]).powi(2)).then_some(r)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cone::natural_map;
    use crate::local::solid;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_kept_inverse_changes_nothing(f in prop::array::uniform9(-1.0..1.0f64), u in prop::array::uniform3(-5.0..5.0f64),
                                          mu in 0.0..2.0f64) {
            let f = Mat::<3>::from_column_slice(&f);
            let w = f * f.transpose() + Mat::<3>::identity() * 0.05;
            let u = Vect::<3>::from_column_slice(&u);
            let contact = Reduced::new(&w, mu);
            prop_assume!(!contact.painleve);
            let (kept, solved) = (contact.solve(&u, &Vect::zeros()), solid::solve(&w, &u, mu));
            prop_assert!((kept - solved).norm() <= 1e-11 * (1.0 + solved.norm()), "{kept} {solved}");
            // From elsewhere another solution may be found where there are several: the laws are what both keep.
            let near = contact.solve(&u, &Vect::<3>::new(1.0, f[(0, 0)], f[(1, 1)]));
            let rho = 3.0 / w.trace();
            let defect = natural_map(&near, &(u + w * near), mu, rho).norm();
            prop_assert!(defect <= 1e-11 * (near.norm() + rho * u.norm()), "{near} {solved} {defect}");
        }
    }

    #[test]
    fn in_space_there_may_be_several_solutions_below_the_bound_on_coupling() {
        let w = Mat::<3>::new(1.798, -0.276, 0.848, -0.276, 1.193, 0.664, 0.848, 0.664, 1.052);
        let (u, mu) = (Vect::<3>::new(-0.677, 4.376, 4.086), 1.859);
        let contact = Reduced::new(&w, mu);
        assert!(!contact.painleve);
        let [fast, slow] = [[-0.9, -1.1], [2.0, -8.5]].map(|t| contact.solve(&u, &Vect::<3>::new(1.0, t[0], t[1])));
        assert!((fast - slow).norm() > 1.0, "{fast} {slow}");
        for r in [fast, slow] {
            assert!(natural_map(&r, &(u + w * r), mu, 1.0).norm() < 1e-12, "{r}");
        }
    }

    #[test]
    fn a_sticking_contact_in_the_plane_is_cancelled() {
        let (w, u) = (Mat::<2>::new(2.0, 0.5, 0.5, 1.0), Vect::<2>::new(-1.0, 0.2));
        let r = Reduced::new(&w, 0.9).solve(&u, &Vect::zeros());
        assert!((w * r + u).norm() < 1e-15 && r[1].abs() <= 0.9 * r[0], "{r}");
    }
}
