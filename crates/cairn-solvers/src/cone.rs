//! Coulomb's cone and the natural map.
//!
//!   K_μ = { R : ‖R_T‖ ≤ μ R_N },   components in the order n, t(, s).
//!
//! proj(s, K_μ) = s                                         if ‖s_T‖ ≤ μ s_N,
//!                0                                         if μ‖s_T‖ ≤ −s_N (s in the polar cone),
//!                r_N (n + μ s_T/‖s_T‖),  r_N = (s_N + μ‖s_T‖)/(1 + μ²)   otherwise.
//!
//! De Saxcé's form of Signorini–Coulomb: K_μ ∋ R ⟂ Ũ + μ‖Ũ_T‖ n ∈ K_μ*, so that, for any ρ > 0, R is a solution
//! exactly where the natural map R − proj(R − ρ(Ũ + μ‖Ũ_T‖ n), K_μ) vanishes.

use crate::problem::Vect;

/// ‖v_T‖: length of all components but the first.
pub fn tangential_norm<const D: usize>(v: &Vect<D>) -> f64 {
    (1..D).map(|i| v[i] * v[i]).sum::<f64>().sqrt()
}

/// The point of K_μ nearest to `s`.
pub fn project<const D: usize>(s: &Vect<D>, friction: f64) -> Vect<D> {
    let normal = s[0];
    let tangential = tangential_norm(s);
    if normal >= 0.0 && tangential <= friction * normal {
        return *s;
    }
    if friction * tangential <= -normal {
        return Vect::zeros();
    }
    let r_n = (normal + friction * tangential) / (1.0 + friction * friction);
    let mut r = s * (friction * r_n / tangential);
    r[0] = r_n;
    r
}

/// R − proj(R − ρ(Ũ + μ‖Ũ_T‖ n), K_μ); `velocity` is Ũ, bias included.
pub fn natural_map<const D: usize>(impulse: &Vect<D>, velocity: &Vect<D>, friction: f64, rho: f64) -> Vect<D> {
    let mut s = impulse - velocity * rho;
    s[0] -= rho * friction * tangential_norm(velocity);
    impulse - project(&s, friction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// p = proj(s) iff p ∈ K, (s − p) ⟂ p and s − p is in the polar cone {y : y_N + μ‖y_T‖ ≤ 0}.
    fn check_projection<const D: usize>(s: Vect<D>, friction: f64) {
        let p = project(&s, friction);
        let rest = s - p;
        let size = 1e-14 * (1.0 + s.norm()) * (1.0 + friction);
        assert!(tangential_norm(&p) <= friction * p[0] + size, "outside the cone: {p:?}");
        assert!(p.dot(&rest).abs() <= size * (1.0 + s.norm()), "not orthogonal: {p:?} {rest:?}");
        assert!(rest[0] + friction * tangential_norm(&rest) <= size, "not polar: {rest:?}");
    }

    proptest! {
        #[test]
        fn projection_meets_its_optimality_conditions(x in -5.0..5.0f64, y in -5.0..5.0f64, z in -5.0..5.0f64, mu in 0.0..3.0f64) {
            check_projection(Vect::<3>::new(x, y, z), mu);
            check_projection(Vect::<2>::new(x, y), mu);
        }
    }

    #[test]
    fn frictionless_cone_is_a_half_line() {
        assert_eq!(project(&Vect::<3>::new(-1.0, 0.0, 0.0), 0.0), Vect::<3>::zeros());
        assert_eq!(project(&Vect::<3>::new(2.0, 1.0, -3.0), 0.0), Vect::<3>::new(2.0, 0.0, 0.0));
    }

    #[test]
    fn natural_map_vanishes_at_stick_slip_and_open() {
        let stick = natural_map(&Vect::<2>::new(1.0, 0.2), &Vect::<2>::zeros(), 0.5, 0.7);
        let slip = natural_map(&Vect::<2>::new(1.0, -0.5), &Vect::<2>::new(0.0, 3.0), 0.5, 0.7);
        let open = natural_map(&Vect::<2>::zeros(), &Vect::<2>::new(0.1, -3.0), 0.5, 0.7);
        assert!(stick.norm() < 1e-15 && slip.norm() < 1e-15 && open.norm() < 1e-15);
        let wrong = natural_map(&Vect::<2>::new(1.0, 0.5), &Vect::<2>::new(0.0, 3.0), 0.5, 0.7);
        assert!(wrong.norm() > 0.1);
    }
}
