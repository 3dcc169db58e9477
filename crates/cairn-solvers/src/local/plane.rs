//! One contact in the plane, exactly.
//!
//! With k = W_NT/W_NN, S = W_TT − W_NT²/W_NN and the sticking impulse F = −W⁻¹U_loc:
//!
//!   F_T = −(U_T − k U_N)/S,   F_N = −U_N/W_NN − k F_T,   p = −U_N/W_NN
//!
//! | case            | R                                                                    |
//! | --------------- | -------------------------------------------------------------------- |
//! | p ≤ 0           | 0                                                                    |
//! | \|F_T\| ≤ μ F_N | F (stick)                                                            |
//! | otherwise       | R_N = p/(1 + σ μ k), R_T = σ μ R_N with σ = sign F_T (slip)          |
//!
//! These are the four cases of the classical table, written so that one of them always holds: when p > 0 and F is
//! outside the cone, 1 + σμk > 0 even where uniqueness is lost (σk ≤ −1/μ and F_N = p − kF_T > −kF_T = |k||F_T|
//! would put F inside the cone).

use crate::problem::{Mat, Vect};

/// R for the given U_loc (bias included). W symmetric, positive semi-definite; R = 0 where W_NN = 0.
pub fn solve(w: &Mat<2>, velocity: &Vect<2>, friction: f64) -> Vect<2> {
    // Also catches a NaN in the normal direction.
    if !(w[(0, 0)] > 0.0 && velocity[0] < 0.0) {
        return Vect::zeros();
    }
    let k = w[(0, 1)] / w[(0, 0)];
    let s = w[(1, 1)] - w[(0, 1)] * k;
    solve_reduced(w[(0, 0)], k, k, s, w[(1, 1)], [velocity[0], velocity[1]], friction).into()
}

/// The same for U_N < 0 < W_NN with the normal eliminated (see [`super::reduced`]); W need not be symmetric. `size` is of
/// the order of W: S is zero where it is round-off of that.
#[inline]
pub(super) fn solve_reduced(w_nn: f64, k: f64, c: f64, s: f64, size: f64, velocity: [f64; 2], friction: f64) -> [f64; 2] {
    let p = -velocity[0] / w_nn;
    let b = c * velocity[0] - velocity[1];
    if s > f64::EPSILON * size {
        let stick_t = b / s;
        let stick_n = p - k * stick_t;
        if stick_t.abs() <= friction * stick_n {
            return [stick_n, stick_t];
        }
    } else if b == 0.0 {
        // Nothing responds along t and nothing slides: any R_T in the cone will do.
        return [p, 0.0];
    }
    let sign = if b >= 0.0 { 1.0 } else { -1.0 };
    let slope = 1.0 + sign * friction * k;
    if slope <= 0.0 {
        return [0.0, 0.0];
    }
    let r_n = p / slope;
    [r_n, sign * friction * r_n]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cone::natural_map;
    use proptest::prelude::*;

    fn defect(w: &Mat<2>, u: &Vect<2>, mu: f64) -> f64 {
        let r = solve(w, u, mu);
        let rho = 2.0 / w.trace();
        natural_map(&r, &(u + w * r), mu, rho).norm() / (r.norm() + rho * u.norm() + 1e-300)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn solves_every_spd_problem(a in 0.1..3.0f64, b in 0.1..3.0f64, c in -0.95..0.95f64,
                                    x in -5.0..5.0f64, y in -5.0..5.0f64, mu in 0.0..2.0f64) {
            let off = c * (a * b).sqrt();
            let w = Mat::<2>::new(a, off, off, b);
            prop_assert!(defect(&w, &Vect::<2>::new(x, y), mu) < 1e-12);
        }
    }

    #[test]
    fn direction_without_response_slides_or_holds() {
        let w = Mat::<2>::new(2.0, 0.0, 0.0, 0.0);
        assert_eq!(solve(&w, &Vect::<2>::new(-1.0, 0.3), 0.5), Vect::<2>::new(0.5, -0.25));
        assert_eq!(solve(&w, &Vect::<2>::new(-1.0, 0.0), 0.5), Vect::<2>::new(0.5, 0.0));
        assert_eq!(solve(&Mat::<2>::zeros(), &Vect::<2>::new(-1.0, 0.3), 0.5), Vect::<2>::zeros());
    }

    #[test]
    fn closed_forms_of_the_table() {
        let w = Mat::<2>::new(2.0, 0.5, 0.5, 1.0);
        // −W⁻¹U = (1, −½)/1.75 is inside the cone for μ = 0.9, outside for μ = 0.4.
        let r = solve(&w, &Vect::<2>::new(-1.0, 0.0), 0.4);
        assert!((r[1] + 0.4 * r[0]).abs() < 1e-15 && (r[0] - 1.0 / (2.0 - 0.4 * 0.5)).abs() < 1e-15);
        let r = solve(&w, &Vect::<2>::new(-1.0, 0.0), 0.9);
        assert!((r - Vect::<2>::new(1.0 / 1.75, -0.5 / 1.75)).norm() < 1e-15);
    }
}
