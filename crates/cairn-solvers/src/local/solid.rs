//! One contact in space, exactly.
//!
//! Eliminate the normal: p = −U_N/W_NN, k = W_TN/W_NN, S = W_TT − W_TN kᵀ, b = k U_N − U_T. Then
//!
//!   open    p ≤ 0: R = 0,
//!   stick   R_T = S⁻¹ b, R_N = p − k·R_T, if ‖R_T‖ ≤ μ R_N,
//!   slip    Ũ_T = −λ R_T with λ > 0 (slip speed over friction):
//!           R_T(λ) = (S + λI)⁻¹ b,  R_N(λ) = p − k·R_T(λ),  ‖R_T‖ = μ R_N.
//!
//! With g = adj(S + λI) b and Δ = det(S + λI), R_T = g/Δ, the slip equation is ψ(λ) = (μ (pΔ − k·g) − ‖g‖)/‖g‖ = μ R_N/‖R_T‖ − 1 = 0:
//! 1/‖R_T‖ is almost linear in λ (exactly so for spherical S) and the direction turns slowly, so Newton needs 2–4 iterations, each with one
//! root and one division. ψ < 0 at λ = 0 (outside the cone) and ψ → +∞ with λ, so there is a bracket, and bisection where Newton leaves it:
//! it always ends.

use nalgebra::{Matrix2, Vector2};

use super::Schur;
use crate::problem::{Mat, Vect};

/// Below this share of tr W, S is round-off of its own difference.
const NOISE: f64 = 64.0 * f64::EPSILON;

/// A step of λ by this part of λ and of the smallest eigenvalue of S is the last one that Newton needs: the error after it is of the order
/// of its square.
const NEWTON_SQUARES: f64 = 1e-6;

/// R for the given U_loc (bias included). W symmetric, positive semi-definite; R = 0 where W_NN = 0.
pub fn solve(w: &Mat<3>, velocity: &Vect<3>, friction: f64) -> Vect<3> {
    // Also catches a NaN in the normal direction.
    if !(w[(0, 0)] > 0.0 && velocity[0] < 0.0) {
        return Vect::zeros();
    }
    let schur = Schur::of(w);
    let k = Vector2::new(schur.lean[1], schur.lean[2]);
    Eliminated::new(schur.normal, k, k, &schur.tangent, w.trace(), velocity).solve(friction, &Vector2::zeros())
}

/// One contact with U_N < 0 < W_NN and its normal eliminated (see [`super::reduced`]). W need not be symmetric.
pub(super) struct Eliminated {
    p: f64,
    k: Vector2<f64>,
    s: Matrix2<f64>,
    b: Vector2<f64>,
    /// tr W.
    trace: f64,
}

impl Eliminated {
    /// From W_NN, k, c, S (in rows and columns 1, 2), tr W and U_loc.
    #[inline(always)]
    pub fn new(
        normal: f64,
        k: Vector2<f64>,
        c: Vector2<f64>,
        tangent: &Mat<3>,
        trace: f64,
        velocity: &Vect<3>,
    ) -> Self {
        let s = Matrix2::new(tangent[(1, 1)], tangent[(1, 2)], tangent[(2, 1)], tangent[(2, 2)]);
        let b = c * velocity[0] - Vector2::new(velocity[1], velocity[2]);
        Self { p: -velocity[0] / normal, k, s, b, trace }
    }

    /// R; slip is looked for from the tangential impulse `near` on.
    #[inline]
    pub fn solve(&self, friction: f64, near: &Vector2<f64>) -> Vect<3> {
        match stick(&self.s, &self.b, self.trace) {
            Some(t) if t.norm() <= friction * (self.p - self.k.dot(&t)) => {
                Vect::<3>::new(self.p - self.k.dot(&t), t[0], t[1])
            }
            _ => self.slip(friction, near),
        }
    }

    /// R of a contact that slips: the root of ψ, looked for from the tangential impulse `near` on.
    #[inline]
    pub fn slip(&self, friction: f64, near: &Vector2<f64>) -> Vect<3> {
        let Self { p, k, s, b, trace } = self;
        let (sum, product) = (s[(0, 0)] + s[(1, 1)], s[(0, 0)] * s[(1, 1)] - s[(0, 1)] * s[(1, 0)]);
        let (size, push) = (0.5 * sum, friction * p);
        if push == 0.0 || size <= NOISE * trace {
            return self.on_cone(b, friction);
        }
        let least = (product / sum).max(0.0);
        let (mut low, mut high) = (0.0, f64::INFINITY);
        // λ of an impulse that slips: (S + λI) R_T = b. Without one, that of a spherical S.
        let near_squares = near.norm_squared();
        let mut lambda = if near_squares > 0.0 {
            (b - s * near).dot(near) / near_squares
        } else {
            (b.norm() + friction * k.dot(b)) / push - size
        }
        .clamp(0.0, size / f64::EPSILON);
        let mut g = *b;
        for _ in 0..200 {
            g = adjugate_times(s, lambda, b);
            let determinant = product + lambda * (sum + lambda);
            let squares = g.norm_squared();
            if !(squares > 0.0 && squares < f64::INFINITY && determinant > 0.0) {
                lambda = if lambda == 0.0 { 1e-3 * size } else { return self.on_cone(b, friction) };
                continue;
            }
            let norm = squares.sqrt();
            // ψ‖g‖, and ψ'‖g‖³ by Δ' = tr S + 2λ, g' = b.
            let psi = push * determinant - friction * k.dot(&g) - norm;
            if psi < 0.0 {
                low = lambda
            } else {
                high = lambda
            }
            let along = g.dot(b);
            let slope = (push * (sum + 2.0 * lambda) - friction * k.dot(b)) * squares - along * (norm + psi);
            let newton = lambda - psi * squares / slope;
            let next = if newton > low && newton < high {
                newton
            } else if high.is_finite() {
                0.5 * (low + high)
            } else {
                2.0 * lambda + size
            };
            let closed_in = high.is_finite() && high - low <= 1e-15 * high;
            if closed_in || (next - lambda).abs() <= 1e-15 * lambda {
                break;
            }
            if next == newton && (next - lambda).abs() <= NEWTON_SQUARES * (lambda + least) {
                // The next λ is exact to round-off: its direction is all that is still needed.
                g = adjugate_times(s, next, b);
                break;
            }
            lambda = next;
        }
        self.on_cone(&g, friction)
    }

    /// The point of the cone with friction along g and Ũ_N = 0: R_N (1 + μ k·d) = p with d = g/‖g‖.
    #[inline]
    fn on_cone(&self, g: &Vector2<f64>, friction: f64) -> Vect<3> {
        let norm = g.norm();
        let slope = norm + friction * self.k.dot(g);
        if norm == 0.0 {
            return Vect::<3>::new(self.p, 0.0, 0.0);
        }
        if slope <= 0.0 {
            return Vect::zeros();
        }
        let part = self.p / slope;
        Vect::<3>::new(part * norm, friction * part * g[0], friction * part * g[1])
    }
}

/// S⁻¹ b, or nothing if S does not respond in the direction in which b asks.
#[inline]
fn stick(s: &Matrix2<f64>, b: &Vector2<f64>, size: f64) -> Option<Vector2<f64>> {
    if b.norm_squared() == 0.0 {
        return Some(Vector2::zeros());
    }
    let determinant = s[(0, 0)] * s[(1, 1)] - s[(0, 1)] * s[(1, 0)];
    let trace = s[(0, 0)] + s[(1, 1)];
    if trace <= NOISE * size {
        return None;
    }
    if determinant > f64::EPSILON * trace * size {
        return Some(adjugate_times(s, 0.0, b) / determinant);
    }
    // Rank one: S = trace · e eᵀ, solvable only for b along e.
    let x = b / trace;
    let in_range = (s * x - b).norm() <= 4.0 * f64::EPSILON * b.norm();
    in_range.then_some(x)
}

/// adj(S + λI) b.
fn adjugate_times(s: &Matrix2<f64>, lambda: f64, b: &Vector2<f64>) -> Vector2<f64> {
    Vector2::new((s[(1, 1)] + lambda) * b[0] - s[(0, 1)] * b[1], (s[(0, 0)] + lambda) * b[1] - s[(1, 0)] * b[0])
}

/// Spherical W = diag(w_n, w_t, w_t): the closed form of spheres.
pub fn solve_spherical(w_n: f64, w_t: f64, velocity: &Vect<3>, friction: f64) -> Vect<3> {
    if !(w_n > 0.0 && velocity[0] < 0.0) {
        return Vect::zeros();
    }
    let r_n = -velocity[0] / w_n;
    let speed = velocity[1].hypot(velocity[2]);
    let scale = if speed <= friction * r_n * w_t { 1.0 / w_t } else { friction * r_n / speed };
    let scale = if speed == 0.0 { 0.0 } else { scale };
    Vect::<3>::new(r_n, -scale * velocity[1], -scale * velocity[2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cone::natural_map;
    use proptest::prelude::*;

    fn defect(w: &Mat<3>, u: &Vect<3>, mu: f64, r: &Vect<3>) -> f64 {
        let rho = 3.0 / w.trace();
        natural_map(r, &(u + w * r), mu, rho).norm() / (r.norm() + rho * u.norm() + 1e-300)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn solves_every_spd_problem(f in prop::array::uniform9(-1.0..1.0f64), u in prop::array::uniform3(-5.0..5.0f64),
                                    mu in 0.0..2.0f64) {
            let f = Mat::<3>::from_column_slice(&f);
            let w = f * f.transpose() + Mat::<3>::identity() * 0.02;
            let u = Vect::<3>::from_column_slice(&u);
            let r = solve(&w, &u, mu);
            // Where several solutions are possible roots of ψ come together, and half of the digits go.
            let exact = if super::super::is_painleve(&w, mu) { 1e-8 } else { 1e-12 };
            prop_assert!(defect(&w, &u, mu, &r) < exact, "{}", defect(&w, &u, mu, &r));
        }

        #[test]
        fn never_fails_on_semi_definite_problems(a in -1.0..1.0f64, c in -1.0..1.0f64, e in -1.0..1.0f64,
                                                 u in prop::array::uniform3(-5.0..5.0f64), mu in 0.0..2.0f64) {
            let v = Vect::<3>::new(a, c, e);
            let u = Vect::<3>::from_column_slice(&u);
            for w in [v * v.transpose(), Mat::<3>::from_diagonal(&Vect::<3>::new(a.abs(), e.abs(), 0.0)),
                      Mat::<3>::from_diagonal(&Vect::<3>::new(a.abs(), 0.0, 0.0)), Mat::<3>::zeros()] {
                let r = solve(&w, &u, mu);
                prop_assert!(r.iter().all(|x| x.is_finite()), "{w} {u} {r}");
                // Without response along t and with Painlevé's coupling there may be no solution at all.
                if w[(0, 0)] > 0.0 && !super::super::is_painleve(&w, mu) {
                    prop_assert!(defect(&w, &u, mu, &r) < 1e-12);
                }
            }
        }

        #[test]
        fn spherical_form_agrees(u in prop::array::uniform3(-5.0..5.0f64), mu in 0.0..2.0f64, n in 0.1..2.0f64, t in 0.1..2.0f64) {
            let u = Vect::<3>::from_column_slice(&u);
            let w = Mat::<3>::from_diagonal(&Vect::<3>::new(n, t, t));
            let (a, b) = (solve_spherical(n, t, &u, mu), solve(&w, &u, mu));
            prop_assert!((a - b).norm() <= 1e-13 * (1.0 + b.norm()));
        }
    }

    #[test]
    fn frictionless_has_no_tangential_part() {
        let w = Mat::<3>::new(2.0, 0.3, 0.1, 0.3, 1.0, 0.2, 0.1, 0.2, 1.5);
        assert_eq!(solve(&w, &Vect::<3>::new(-1.0, 4.0, 2.0), 0.0), Vect::<3>::new(0.5, 0.0, 0.0));
    }
}
