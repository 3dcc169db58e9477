//! One contact that resists rolling, moments and impulse together: by the extragradient of the natural map, in units of length in
//! which moments respond as forces do:
//!
//!   r̄ = proj(r − ρ û(r), K),   r ← proj(r − ρ û(r̄), K),   ρ as large as ρ‖û(r) − û(r̄)‖ ≤ 0.9 ‖r − r̄‖ allows,
//!
//! with K, û and the components of [`Cone::Rolling`]. [Acary and Bourrier 2021; Khobotov 1987]

use crate::cone::Cone;
use crate::local::bipotential;
use crate::problem::{Mat, Vect};

/// Steps for one contact at most.
const MOST_STEPS: usize = 500;

/// One contact, in units in which moments respond as forces do.
#[derive(Clone, Debug)]
pub(super) struct Extragradient<const N: usize> {
    /// Length by which moments are divided and angular velocities are multiplied [m].
    unit: f64,
    w: Mat<N>,
    cone: Cone,
    /// ρ to begin with.
    rho: f64,
}

impl<const N: usize> Extragradient<N> {
    /// Components that are forces: the first ones.
    const FORCES: usize = if N == 3 { 2 } else { 3 };

    pub fn new(w: &Mat<N>, cone: &Cone) -> Self {
        let mean = |of: std::ops::Range<usize>| of.clone().map(|i| w[(i, i)]).sum::<f64>() / of.len() as f64;
        let (push, turn) = (mean(0..Self::FORCES), mean(Self::FORCES..N));
        let unit = if turn > 0.0 && push > 0.0 { (push / turn).sqrt() } else { 1.0 };
        let scale = |i: usize| if i < Self::FORCES { 1.0 } else { unit };
        let w = Mat::<N>::from_fn(|i, j| w[(i, j)] * scale(i) * scale(j));
        let cone = match *cone {
            Cone::Rolling(mu, arms) => Cone::Rolling(mu, arms.map(|arm| arm / unit)),
            coulomb => coulomb,
        };
        let trace = w.trace();
        Self { unit, w, cone, rho: if trace > 0.0 { N as f64 / trace } else { 0.0 } }
    }

    /// Moments, or angular velocities, times a length.
    fn turned(v: &Vect<N>, by: f64) -> Vect<N> {
        Vect::from_fn(|i, _| if i < Self::FORCES { v[i] } else { v[i] * by })
    }

    /// r for the velocity that the others give, from the impulse at present.
    pub fn solve(&self, others: &Vect<N>, present: &Vect<N>) -> Vect<N> {
        if self.rho == 0.0 {
            return Vect::zeros();
        }
        let (q, mut r) = (Self::turned(others, self.unit), Self::turned(present, 1.0 / self.unit));
        let field = |r: &Vect<N>| {
            let mut u = self.w * r + q;
            u[0] += self.cone.shift(&u);
            u
        };
        let mut rho = self.rho;
        for _ in 0..MOST_STEPS {
            let here = field(&r);
            let (mut ahead, mut there, mut ratio);
            loop {
                ahead = self.cone.project(&(r - here * rho));
                there = field(&ahead);
                let moved = (ahead - r).norm();
                ratio = if moved > 0.0 { rho * (there - here).norm() / moved } else { 0.0 };
                if ratio <= 0.9 || ratio.is_nan() {
                    break;
                }
                rho *= 0.7;
            }
            let next = self.cone.project(&(r - there * rho));
            let change = (next - r).norm();
            r = next;
            if change <= 1e-15 * r.norm() {
                break;
            }
            if ratio < 0.3 {
                rho *= 1.4;
            }
        }
        Self::turned(&r, self.unit)
    }

    /// The same by steps of the bi-potential.
    pub fn bipotential(&self, others: &Vect<N>, present: &Vect<N>) -> Vect<N> {
        let (q, r) = (Self::turned(others, self.unit), Self::turned(present, 1.0 / self.unit));
        Self::turned(&bipotential::solve(&self.w, &q, &self.cone, &r, 1e-12, 1000), self.unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball on a plane, W of a ball of mass 1 and radius 1: what rolls slowly is stopped, what rolls fast is slowed by μ_r R_N.
    #[test]
    fn a_ball_is_stopped_or_slowed() {
        let inertia = 0.4;
        let mut w = Mat::<5>::identity() * (1.0 / inertia);
        w[(0, 0)] = 1.0;
        for (i, j, sign) in [(1, 4, 1.0), (2, 3, -1.0)] {
            w[(i, i)] = 1.0 + 1.0 / inertia;
            w[(i, j)] = sign / inertia;
            w[(j, i)] = sign / inertia;
        }
        let contact = Extragradient::new(&w, &Cone::Rolling(0.5, [0.1, 0.0]));
        for (spin, stops) in [(0.01, true), (3.0, false)] {
            // Rolling without sliding, and falling by 1.
            let q = Vect::<5>::from_column_slice(&[-1.0, 0.0, 0.0, 0.0, spin]);
            for r in [contact.solve(&q, &Vect::zeros()), contact.bipotential(&q, &Vect::zeros())] {
                let u = w * r + q;
                assert!((r[0] - 1.0).abs() < 1e-10 && u[1].abs() < 1e-10, "{r} {u}");
                if stops {
                    assert!(u[4].abs() < 1e-10, "{u}");
                } else {
                    assert!((r[4] + 0.1).abs() < 1e-10 && u[4] > 0.0, "{r} {u}");
                }
            }
        }
    }
}
