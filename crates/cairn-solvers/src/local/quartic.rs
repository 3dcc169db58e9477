//! One contact by enumeration: all candidates of stick and slip, of which the best is taken. It cannot fail.
//!
//! With the normal eliminated (see [`super::reduced`]), slip asks for λ > 0 with R_T = (S + λI)⁻¹ b and ‖R_T‖ = μ(p − k·R_T).
//! Times det(S + λI), and squared, this is a polynomial of degree 4 in λ. In units where tr S = 2 and ‖b‖ = 1:
//!
//!   f(λ) = a det(S + λI) − μ k·g − ‖g‖ = 0,   g(λ) = adj(S + λI) b = g₀ + λ b,   a = μ p tr S/(2‖b‖)
//!   (a det − μ k·g)² − ‖g‖² = 0
//!
//! The real roots of the polynomial are isolated by those of its derivatives, which always works, and polished on f. Of the
//! candidates the one with the smallest natural map is returned: the exact solution where there is one, also where there are
//! several (Painlevé), where S is singular or W unsymmetric; and the least bad impulse where there is none.
//! In the plane slip has two directions, and the candidates are three.

use super::reduced::Reduced;
use crate::cone::natural_map;
use crate::problem::{Mat, Vect};

/// R for the given U_loc (bias included), for any W with W_NN > 0; R = 0 where W_NN ≤ 0.
pub fn solve<const D: usize>(w: &Mat<D>, velocity: &Vect<D>, friction: f64) -> Vect<D> {
    if !(w[(0, 0)] > 0.0 && velocity[0] < 0.0) {
        return Vect::zeros();
    }
    solve_reduced(&Reduced::new(w, friction), velocity)
}

/// The same for U_N < 0 < W_NN.
pub(super) fn solve_reduced<const D: usize>(contact: &Reduced<D>, velocity: &Vect<D>) -> Vect<D> {
    let p = -velocity[0] / contact.normal;
    let b = Vect::<D>::from_fn(|i, _| if i > 0 { contact.column[i] * velocity[0] - velocity[i] } else { 0.0 });
    let mut best = Best { contact, velocity, rho: D as f64 / contact.trace, impulse: Vect::zeros(), defect: f64::INFINITY };
    best.try_impulse(Vect::zeros());
    best.try_tangential(p, &Vect::zeros());
    if D == 2 {
        best.try_tangential(p, &(b / contact.tangent[(1, 1)]));
        best.try_direction(p, &b.map(f64::signum));
        best.try_direction(p, &b.map(|x| -x.signum()));
    } else {
        in_space(&mut best, p, &b);
    }
    best.impulse
}

/// The best candidate so far.
struct Best<'a, const D: usize> {
    contact: &'a Reduced<D>,
    velocity: &'a Vect<D>,
    rho: f64,
    impulse: Vect<D>,
    defect: f64,
}

impl<const D: usize> Best<'_, D> {
    /// W R + U_loc, rebuilt from the reduced block.
    fn motion(&self, r: &Vect<D>) -> Vect<D> {
        let c = self.contact;
        let normal = c.normal * (r[0] + c.row.dot(r));
        let mut u = self.velocity + c.column * normal + c.tangent * r;
        u[0] = self.velocity[0] + normal;
        u
    }

    fn try_impulse(&mut self, r: Vect<D>) {
        let u = self.motion(&r);
        let size = r.norm() + self.rho * (self.velocity.norm() + u.norm());
        let defect = natural_map(&r, &u, self.contact.friction, self.rho).norm() / size;
        // Clearly better only: of equal ones the first is kept, so that round-off does not decide.
        if defect < 0.5 * self.defect && !(self.defect < 1e-14) {
            (self.impulse, self.defect) = (r, defect);
        }
    }

    /// With Ũ_N = 0 and the given R_T (component 0 is ignored).
    fn try_tangential(&mut self, p: f64, tangential: &Vect<D>) {
        let mut r = *tangential;
        r[0] = 0.0;
        r[0] = p - self.contact.row.dot(&r);
        if r.iter().all(|x| x.is_finite()) && r[0] >= 0.0 {
            self.try_impulse(r);
        }
    }

    /// With Ũ_N = 0 and R_T = μ R_N d, ‖d‖ = 1.
    fn try_direction(&mut self, p: f64, direction: &Vect<D>) {
        let mu = self.contact.friction;
        let slope = 1.0 + mu * self.contact.row.dot(direction);
        if slope > 0.0 {
            let mut r = direction * (mu * p / slope);
            r[0] = p / slope;
            self.try_impulse(r);
        }
    }
}

/// adj(S + λI) b.
fn adjugate(s: &[f64; 4], lambda: f64, b: &[f64; 2]) -> [f64; 2] {
    [(s[3] + lambda) * b[0] - s[1] * b[1], (s[0] + lambda) * b[1] - s[2] * b[0]]
}

fn in_space<const D: usize>(best: &mut Best<'_, D>, p: f64, b: &Vect<D>) {
    let mu = best.contact.friction;
    let t = &best.contact.tangent;
    let size = 0.5 * (t[(1, 1)] + t[(2, 2)]);
    let length = b.norm();
    if length == 0.0 {
        return;
    }
    let spatial = |x: [f64; 2]| Vect::<D>::from_fn(|i, _| if i > 0 { x[i - 1] } else { 0.0 });
    let direction = b / length;
    best.try_direction(p, &direction);
    if size <= f64::EPSILON * best.contact.trace {
        return;
    }
    let s = [t[(1, 1)] / size, t[(1, 2)] / size, t[(2, 1)] / size, t[(2, 2)] / size];
    let b = [direction[1], direction[2]];
    let determinant = |lambda: f64| (s[0] + lambda) * (s[3] + lambda) - s[1] * s[2];
    let g0 = adjugate(&s, 0.0, &b);
    best.try_tangential(p, &(spatial(g0) * (length / size / determinant(0.0))));
    // S of rank one, b in its range: S b = 2 b.
    best.try_tangential(p, &(spatial(b) * (0.5 * length / size)));
    if mu == 0.0 {
        return;
    }

    let k = [best.contact.row[1], best.contact.row[2]];
    let a = mu * p * size / length;
    let along = |g: &[f64; 2]| mu * (k[0] * g[0] + k[1] * g[1]);
    // a det − μ k·g = a λ² + h λ + e, and ‖g‖² = λ² + 2 m λ + n.
    let (h, e) = (a * (s[0] + s[3]) - along(&b), a * determinant(0.0) - along(&g0));
    let (m, n) = (g0[0] * b[0] + g0[1] * b[1], g0[0] * g0[0] + g0[1] * g0[1]);
    // Without a and h the roots are of order 1/a: a unit of λ that keeps the coefficients comparable.
    let unit = 1.0 / a.min(1.0);
    let (a2, h1) = (a * unit * unit, h * unit);
    let (m1, n2) = (2.0 * m * unit, unit * unit);
    let polynomial =
        [e * e - n, 2.0 * h1 * e - m1, h1 * h1 + 2.0 * a2 * e - n2, 2.0 * a2 * h1, a2 * a2];
    let f = |lambda: f64| {
        let g = adjugate(&s, lambda, &b);
        a * determinant(lambda) - along(&g) - g[0].hypot(g[1])
    };
    for root in roots(&polynomial) {
        let lambda = polish(&f, root * unit);
        if lambda >= 0.0 {
            let g = adjugate(&s, lambda, &b);
            best.try_direction(p, &(spatial(g) / g[0].hypot(g[1])));
        }
    }
}

/// A few secant steps towards f = 0, kept where they make it smaller.
fn polish(f: &impl Fn(f64) -> f64, start: f64) -> f64 {
    let (mut x, mut fx) = (start, f(start));
    let mut other = start * (1.0 + 1e-6) + 1e-12;
    let mut f_other = f(other);
    for _ in 0..8 {
        let next = x - fx * (x - other) / (fx - f_other);
        if !next.is_finite() || fx == 0.0 {
            break;
        }
        let f_next = f(next);
        if f_next.abs() >= fx.abs() {
            break;
        }
        (other, f_other, x, fx) = (x, fx, next, f_next);
    }
    x
}

/// Value of a polynomial, lowest coefficient first.
fn horner(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// The real roots ≥ 0 of a polynomial of degree up to 4, and the places where it comes nearest to zero without crossing.
fn roots(polynomial: &[f64; 5]) -> Vec<f64> {
    let degree = (1..5).rev().find(|&i| polynomial[i] != 0.0).unwrap_or(0);
    let lead = polynomial[degree].abs();
    let bound = 1.0 + polynomial[..degree].iter().fold(0.0, |most: f64, c| most.max(c.abs() / lead));
    // Derivatives of falling order: between two neighbouring roots of one there is at most one of the next.
    let mut found: Vec<f64> = vec![];
    for order in (0..degree).rev() {
        let derivative: Vec<f64> =
            (order..=degree).map(|i| polynomial[i] * (i - order + 1..=i).map(|j| j as f64).product::<f64>()).collect();
        let mut places = vec![0.0];
        places.extend(found.iter().copied().filter(|&x| x > 0.0 && x < bound));
        places.push(bound);
        let crossings = places.windows(2).filter_map(|w| crossing(&derivative, w[0], w[1]));
        found = if order == 0 {
            let touching = places[1..places.len() - 1].iter().copied();
            crossings.chain(touching).collect()
        } else {
            crossings.collect()
        };
    }
    found
}

/// The root between two places where the sign differs.
fn crossing(coefficients: &[f64], mut low: f64, mut high: f64) -> Option<f64> {
    let sign = horner(coefficients, low).signum();
    if horner(coefficients, high).signum() == sign {
        return None;
    }
    for _ in 0..200 {
        // Halving exponents where the bracket spans orders of magnitude.
        let middle = if low > 0.0 && high > 4.0 * low { (low * high).sqrt() } else { 0.5 * (low + high) };
        if middle <= low || middle >= high || high - low <= 4.0 * f64::EPSILON * high {
            break;
        }
        if horner(coefficients, middle).signum() == sign {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(0.5 * (low + high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn defect<const D: usize>(w: &Mat<D>, u: &Vect<D>, mu: f64) -> f64 {
        let r = solve(w, u, mu);
        let rho = D as f64 / w.trace();
        let after = u + w * r;
        natural_map(&r, &after, mu, rho).norm() / (r.norm() + rho * (u.norm() + after.norm()))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn solves_every_definite_problem(f in prop::array::uniform9(-1.0..1.0f64), u in prop::array::uniform3(-5.0..5.0f64),
                                         mu in 0.0..5.0f64, shift in -12.0..0.0f64, skew in -0.3..0.3f64) {
            let f = Mat::<3>::from_column_slice(&f);
            let mut w = f * f.transpose() + Mat::<3>::identity() * 10f64.powf(shift);
            let u = Vect::<3>::from_column_slice(&u);
            prop_assert!(defect(&w, &u, mu) < 1e-12, "{}", defect(&w, &u, mu));
            // Gyroscopic terms: a skew part changes neither definiteness nor existence.
            w[(1, 2)] += skew;
            w[(2, 1)] -= skew;
            prop_assert!(defect(&w, &u, mu) < 1e-12, "{}", defect(&w, &u, mu));
        }

        #[test]
        fn solves_every_definite_problem_in_the_plane(a in 0.1..3.0f64, b in 0.1..3.0f64, c in -1.0..1.0f64,
                                                      u in prop::array::uniform2(-5.0..5.0f64), mu in 0.0..5.0f64) {
            let off = 0.9999 * c * (a * b).sqrt();
            prop_assert!(defect(&Mat::<2>::new(a, off, off, b), &Vect::<2>::from(u), mu) < 1e-12);
        }

        #[test]
        fn solves_singular_blocks_without_painleve(v in prop::array::uniform3(-1.0..1.0f64), u in prop::array::uniform3(-5.0..5.0f64),
                                                   mu in 0.0..5.0f64) {
            let v = Vect::<3>::from(v);
            let u = Vect::<3>::from(u);
            for w in [v * v.transpose(), Mat::<3>::from_diagonal(&Vect::<3>::new(v[0].abs() + 0.01, v[1].abs(), 0.0)),
                      Mat::<3>::from_diagonal(&Vect::<3>::new(v[0].abs() + 0.01, 0.0, 0.0))] {
                if !super::super::is_painleve(&w, mu) {
                    prop_assert!(defect(&w, &u, mu) < 1e-12, "{w} {u} {mu}");
                }
            }
        }
    }

    #[test]
    fn roots_of_known_polynomials() {
        // (x − 1)(x − 2)(x − 3)(x + 4)
        let found = roots(&[-24.0, 38.0, -13.0, -2.0, 1.0]);
        for expected in [1.0, 2.0, 3.0] {
            assert!(found.iter().any(|x| (x - expected).abs() < 1e-12), "{found:?}");
        }
        // (x − 2)²(x² + 1) touches zero.
        assert!(roots(&[4.0, -4.0, 5.0, -4.0, 1.0]).iter().any(|x| (x - 2.0).abs() < 1e-6));
    }
}
