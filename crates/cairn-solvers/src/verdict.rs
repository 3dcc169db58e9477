//! The verdict on an answer: from the problem as it was read and the impulses alone, whatever a solver says of itself.
//!
//! Natural map with ρ = 1, contact by contact, û = u + μ‖u_T‖ n:
//!
//!   F_α = r_α − proj(r_α − û_α, K_μ),   abs = (Σ_α ‖F_α‖²)^½
//!   residual_q   = abs / ‖q‖                     [Acary, Brémond, Huber 2018]
//!   residual_max = abs / max(‖q‖, ‖r‖, ‖u‖)      [Siconos 4.4]
//!
//! Both, because neither is enough: with SI units ‖r‖ can be 10⁴ ‖q‖, and the second then accepts velocities that are
//! wrong altogether. A global problem has v besides: u = Hᵀ v + w, q is that of the condensed problem, and
//! ‖M v − H r − f‖ / max(‖f‖, ‖M v‖, ‖H r‖) is added to both. Where ‖q‖ is round-off, nothing can be relative to it,
//! and abs itself is taken for both.

use crate::cone::Cone;
use crate::discrete::{Global, Problem, flat};
use crate::problem::Vect;

/// ‖q‖ up to which it is taken for round-off [m/s].
pub const ROUND_OFF: f64 = 1e-12;

/// How good an answer is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// abs.
    pub absolute: f64,
    /// abs / ‖q‖, or abs where ‖q‖ is round-off.
    pub residual_q: f64,
    /// abs / max(‖q‖, ‖r‖, ‖u‖), or abs where ‖q‖ is round-off.
    pub residual_max: f64,
}

impl Verdict {
    /// True if both residuals are at most the tolerance; never if a number is not finite.
    pub fn accepts(&self, tolerance: f64) -> bool {
        self.residual_q <= tolerance && self.residual_max <= tolerance
    }

    /// From q, r, u and what bounds the reaction of a contact.
    fn of<const D: usize>(q_norm: f64, r: &[Vect<D>], u: &[Vect<D>], cone: &dyn Fn(usize) -> Cone) -> Self {
        let square = |a: usize| cone(a).natural_map(&r[a], &u[a], 1.0).norm_squared();
        let absolute = (0..r.len()).map(square).sum::<f64>().sqrt();
        let (r, u) = (norm(&flat(r)), norm(&flat(u)));
        // A comparison with a number that is not finite must not make it vanish from the largest.
        if q_norm <= ROUND_OFF || !(absolute + r + u).is_finite() {
            return Self { absolute, residual_q: absolute, residual_max: absolute };
        }
        Self { absolute, residual_q: absolute / q_norm, residual_max: absolute / q_norm.max(r).max(u) }
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The verdict on impulses r of a local problem, and the velocities u = W r + q that belong to them.
pub fn local<const D: usize>(problem: &Problem<D>, r: &[Vect<D>]) -> (Verdict, Vec<Vect<D>>) {
    let u = problem.velocities(r);
    (Verdict::of(norm(&flat(problem.w.free())), r, &u, &|a| problem.cone(a)), u)
}

/// The verdict on impulses r and velocities v of a global problem, and u = Hᵀ v + w, from the problem and the same condensed.
pub fn global<const D: usize>(
    problem: &Global<D>,
    condensed: &Problem<D>,
    r: &[Vect<D>],
    v: &[f64],
) -> (Verdict, Vec<Vect<D>>) {
    let mut u = problem.w.clone();
    problem.h.add_transposed_product(v, &mut u);
    let u: Vec<Vect<D>> = u.chunks_exact(D).map(Vect::from_column_slice).collect();
    let mut verdict = Verdict::of(norm(&flat(condensed.w.free())), r, &u, &|a| condensed.cone(a));
    let (mut mv, mut hr) = (vec![0.0; v.len()], vec![0.0; v.len()]);
    problem.m.add_product(v, &mut mv);
    problem.h.add_product(&flat(r), &mut hr);
    let lack: Vec<f64> = mv.iter().zip(&hr).zip(&problem.f).map(|((mv, hr), f)| mv - hr - f).collect();
    let (lack, scale) = (norm(&lack), norm(&problem.f).max(norm(&mv)).max(norm(&hr)));
    let relative = if lack == 0.0 { 0.0 } else { lack / scale };
    verdict.residual_q += relative;
    verdict.residual_max += relative;
    (verdict, u)
}
