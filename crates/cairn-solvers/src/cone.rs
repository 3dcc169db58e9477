//! Coulomb's cone and the natural map.
//!
//!   K_μ = { R : ‖R_T‖ ≤ μ R_N },   components in the order n, t(, s).
//!
//! proj(s, K_μ) = s                                         if ‖s_T‖ ≤ μ s_N,
//!                0                                         if μ‖s_T‖ ≤ −s_N (s in the polar cone),
//!                r_N (n + μ s_T/‖s_T‖),  r_N = (s_N + μ‖s_T‖)/(1 + μ²)   otherwise.
//!
//! A contact that resists rolling has moments beside R (see [`crate::rolling`]), each group of components with a bound of its own:
//!
//!   K = { R : ‖R_G‖ ≤ μ_G R_N for every group G },   G = T with μ, and moments with arms ℓ_T, ℓ_N,
//!   proj(s, K): R_N = t, R_G = s_G min(1, μ_G t/‖s_G‖),   t ≥ 0 least of (t − s_N)² + Σ_G (‖s_G‖ − μ_G t)₊².
//!
//! De Saxcé's form of Signorini–Coulomb: K_μ ∋ R ⟂ Ũ + μ‖Ũ_T‖ n ∈ K_μ*, so that, for any ρ > 0, R is a solution
//! exactly where the natural map R − proj(R − ρ(Ũ + μ‖Ũ_T‖ n), K_μ) vanishes. With groups μ‖Ũ_T‖ is Σ_G μ_G‖Ũ_G‖.

use crate::problem::Vect;
use std::ops::Range;

/// What bounds the components of a contact's reaction by its normal one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cone {
    /// K_μ.
    Coulomb(f64),
    /// μ, and the arms ℓ_T, ℓ_N of moments in the unit of the problem. Components: n, t, M in the plane (3); n, t, s, M_T (2) and, if there
    /// is a sixth, M_N in space.
    Rolling(f64, [f64; 2]),
}

/// Most groups of components.
const GROUPS: usize = 3;

impl Cone {
    /// The groups of components, each with its μ_G.
    pub fn groups<const N: usize>(&self) -> impl Iterator<Item = (Range<usize>, f64)> {
        let groups: [(Range<usize>, f64); GROUPS] = match *self {
            Self::Coulomb(mu) => [(1..N, mu), (N..N, 0.0), (N..N, 0.0)],
            Self::Rolling(mu, [rolling, _]) if N == 3 => [(1..2, mu), (2..3, rolling), (3..3, 0.0)],
            Self::Rolling(mu, [rolling, twisting]) => [(1..3, mu), (3..5, rolling), (5..N, twisting)],
        };
        groups.into_iter().filter(|(group, _)| !group.is_empty())
    }

    /// Σ_G μ_G‖u_G‖: what de Saxcé adds to the normal velocity.
    #[inline]
    pub fn shift<const N: usize>(&self, u: &Vect<N>) -> f64 {
        if let Self::Coulomb(mu) = self {
            return mu * tangential_norm(u);
        }
        self.groups::<N>().map(|(group, mu)| mu * norm_of(u, group)).sum()
    }

    /// The point of the cone nearest to `s`.
    #[inline]
    pub fn project<const N: usize>(&self, s: &Vect<N>) -> Vect<N> {
        if let Self::Coulomb(mu) = self {
            return project(s, *mu);
        }
        // Groups that do not reach their bounds at t do not count. All of them to begin with: t only grows as they are left out.
        let mut t: f64 = 0.0;
        for _ in 0..=GROUPS {
            let (mut above, mut below) = (s[0], 1.0);
            for (group, mu) in self.groups::<N>() {
                let length = norm_of(s, group);
                if length > mu * t {
                    (above, below) = (above + mu * length, below + mu * mu);
                }
            }
            t = (above / below).max(0.0);
        }
        let mut r = *s;
        r[0] = t;
        for (group, mu) in self.groups::<N>() {
            let (length, bound) = (norm_of(s, group.clone()), mu * t);
            if length > bound {
                group.for_each(|i| r[i] *= bound / length);
            }
        }
        r
    }

    /// R − proj(R − ρ(Ũ + Σ μ_G‖Ũ_G‖ n)).
    #[inline]
    pub fn natural_map<const N: usize>(&self, impulse: &Vect<N>, velocity: &Vect<N>, rho: f64) -> Vect<N> {
        let mut s = impulse - velocity * rho;
        s[0] -= rho * self.shift(velocity);
        impulse - self.project(&s)
    }
}

/// Length of some components.
#[inline]
pub(crate) fn norm_of<const N: usize>(v: &Vect<N>, components: Range<usize>) -> f64 {
    components.map(|i| v[i] * v[i]).sum::<f64>().sqrt()
}

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

    /// The same with groups: s − p is in the polar cone { y : y_N + Σ μ_G‖y_G‖ ≤ 0 }.
    fn check_groups<const N: usize>(s: Vect<N>, cone: Cone) {
        let p = cone.project(&s);
        let rest = s - p;
        let size = 1e-13 * (1.0 + s.norm_squared());
        assert!(p[0] >= 0.0 && cone.groups::<N>().all(|(g, mu)| norm_of(&p, g) <= mu * p[0] + size), "{p}");
        assert!(p.dot(&rest).abs() <= size, "not orthogonal: {p} {rest}");
        assert!(rest[0] + cone.shift(&rest) <= size, "not polar: {rest}");
    }

    proptest! {
        #[test]
        fn projection_on_bounds_of_groups_meets_its_optimality_conditions(
            s in prop::collection::vec(-5.0..5.0f64, 6), mu in 0.0..2.0f64, arms in prop::array::uniform2(0.0..2.0f64),
        ) {
            let cone = Cone::Rolling(mu, arms);
            check_groups(Vect::<6>::from_column_slice(&s), cone);
            check_groups(Vect::<5>::from_column_slice(&s[..5]), cone);
            check_groups(Vect::<3>::from_column_slice(&s[..3]), cone);
            check_groups(Vect::<3>::from_column_slice(&s[..3]), Cone::Coulomb(mu));
        }

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
