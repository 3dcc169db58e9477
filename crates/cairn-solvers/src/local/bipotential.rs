//! One contact by the bi-potential of de Saxcé and Feng: predictor and corrector (Uzawa).
//!
//!   s = R − ρ(Ũ + μ‖Ũ_T‖ n),   R ← proj(s, K_μ),   Ũ = U_loc + W R
//!
//! with ρ = 1/λ for an upper bound λ of the eigenvalues of W: then each step is no expansion. It converges linearly,
//! with the condition of W; it needs nothing but products and a projection, and is the same in the plane and in space.

use crate::cone::Cone;
use crate::problem::{Mat, Vect};

/// An upper bound of ‖W‖: the geometric mean of the largest row and column sums.
pub fn bound<const D: usize>(w: &Mat<D>) -> f64 {
    let most = |sum: &dyn Fn(usize) -> f64| (0..D).map(sum).fold(0.0, f64::max);
    let rows = most(&|i| w.row(i).iter().map(|x| x.abs()).sum());
    let columns = most(&|i| w.column(i).iter().map(|x| x.abs()).sum());
    (rows * columns).sqrt()
}

/// One predictor–corrector step from R with velocity Ũ.
#[inline]
pub fn step<const D: usize>(impulse: &Vect<D>, velocity: &Vect<D>, cone: &Cone, rho: f64) -> Vect<D> {
    let mut s = impulse - velocity * rho;
    s[0] -= rho * cone.shift(velocity);
    cone.project(&s)
}

/// R for the given U_loc, from a start value: steps until one changes R by less than `tolerance` of it, `most` at most.
pub fn solve<const D: usize>(
    w: &Mat<D>,
    velocity: &Vect<D>,
    cone: &Cone,
    start: &Vect<D>,
    tolerance: f64,
    most: usize,
) -> Vect<D> {
    let size = bound(w);
    if size == 0.0 || size.is_nan() {
        return Vect::zeros();
    }
    let mut r = *start;
    for _ in 0..most {
        let next = step(&r, &(velocity + w * r), cone, 1.0 / size);
        let change = (next - r).norm();
        r = next;
        if change <= tolerance * r.norm() {
            break;
        }
    }
    r
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn agrees_with_the_exact_solution(f in prop::array::uniform9(-1.0..1.0f64), u in prop::array::uniform3(-5.0..5.0f64),
                                          mu in 0.0..1.0f64) {
            let f = Mat::<3>::from_column_slice(&f);
            let w = f * f.transpose() * 0.3 + Mat::<3>::identity();
            let u = Vect::<3>::from_column_slice(&u);
            let exact = local::solve(&w, &u, mu).impulse;
            let r = solve(&w, &u, &Cone::Coulomb(mu), &Vect::zeros(), 1e-15, 10_000);
            prop_assert!((r - exact).norm() < 1e-11 * (1.0 + exact.norm()), "{r} {exact}");
        }
    }

    #[test]
    fn bound_is_above_the_largest_eigenvalue() {
        let w = Mat::<3>::new(2.0, 0.3, 0.1, 0.3, 1.0, 0.2, 0.1, 0.2, 1.5);
        let largest = w.symmetric_eigenvalues().max();
        assert!(bound(&w) >= largest && bound(&w) < 1.3 * largest);
        assert_eq!(bound(&Mat::<2>::new(3.0, 0.0, 0.0, 1.0)), 3.0);
    }
}
