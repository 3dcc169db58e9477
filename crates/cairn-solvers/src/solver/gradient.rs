//! Projected gradient on all contacts at once, with or without acceleration.
//!
//!   R_α ← proj(Y_α − γ ρ_α (Ũ + μ‖Ũ_T‖ n), K_μ),   Ũ = q + W Y,   ρ_α = D/tr W_αα
//!
//! Without acceleration (Y = R) this is the bi-potential's predictor and corrector for all contacts together, like Jacobi's
//! iteration. With it, Y = R + β (R − R_last) by Nesterov's rule, and the memory is dropped when the step turns against the
//! last one. γ is found by trial: it is halved when W stretches the step more than γ allows, and grows slowly else. The
//! shift μ‖Ũ_T‖ is taken from the present velocities, so that its fixed point is found on the way.

use super::measure::Gauge;
use super::{Progress, unsolved};
use crate::delassus::Delassus;
use crate::discrete::Problem;
use crate::local::bipotential;
use crate::nlgs::rho;
use crate::problem::Vect;
use crate::report::Settings;

/// Iterations between two evaluations of the residual.
const LOOK: usize = 5;

/// Iterations until the residual is small enough; leaves the best iterate in `r`.
pub(super) fn run<const D: usize>(
    problem: &Problem<D>,
    gauge: &Gauge,
    r: &mut Vec<Vect<D>>,
    settings: &Settings,
    accelerated: bool,
) -> Progress {
    let contacts = problem.contacts();
    let rho: Vec<f64> = (0..contacts).map(|a| rho(problem.w.block(a).trace(), D)).collect();
    let mut best = (gauge.of(problem, r), r.clone());
    let (mut y, mut u) = (r.clone(), problem.velocities(r));
    let (mut gamma, mut t, mut iterations) = (0.5, 1.0_f64, 0);
    while settings.goes_on(iterations) && unsolved(best.0, settings.tolerance) {
        iterations += 1;
        let (next, w_step) = loop {
            let next: Vec<Vect<D>> =
                (0..contacts).map(|a| bipotential::step(&y[a], &u[a], &problem.cone(a), gamma * rho[a])).collect();
            let after = problem.velocities(&next);
            // W against the metric of the step: dR·W dR ≤ ‖dR‖²/(γρ).
            let (mut stretch, mut allowed) = (0.0, 0.0);
            for a in (0..contacts).filter(|&a| rho[a] > 0.0) {
                let step = next[a] - y[a];
                stretch += step.dot(&(after[a] - u[a]));
                allowed += step.norm_squared() / (gamma * rho[a]);
            }
            if stretch <= allowed || gamma < 1e-12 {
                break (next, after);
            }
            gamma *= (0.9 * allowed / stretch).min(0.7);
        };
        let against: f64 =
            (0..contacts).filter(|&a| rho[a] > 0.0).map(|a| (y[a] - next[a]).dot(&(next[a] - r[a])) / rho[a]).sum();
        t = if against > 0.0 { 1.0 } else { t };
        let t_next = 0.5 + (0.25 + t * t).sqrt();
        let beta = if accelerated { (t - 1.0) / t_next } else { 0.0 };
        t = t_next;
        y = next.iter().zip(r.iter()).map(|(next, r)| next + (next - r) * beta).collect();
        *r = next;
        u = if beta == 0.0 { w_step } else { problem.velocities(&y) };
        gamma *= 1.02;
        if iterations % LOOK == 0 {
            let residual = gauge.of(problem, r);
            if residual < best.0 {
                best = (residual, r.clone());
                settings.watch.tell(residual);
            }
        }
    }
    let residual = gauge.of(problem, r);
    if unsolved(residual, best.0) {
        *r = best.1;
    }
    Progress { iterations, residual: residual.min(best.0) }
}
