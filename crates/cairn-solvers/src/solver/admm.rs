//! Alternating directions: one factorization, then a linear solution and a projection in each iteration.
//!
//! For r = z ∈ K_μ with a penalty P = σ/ρ per contact and scaled multipliers y:
//!
//!   (W + P) x = P (z − y) − (q + s),   x̂ = 1.6 x − 0.6 z,   z ← proj(x̂ + y, K_μ),   y ← y + x̂ − z
//!
//! −P y tends to û = Ũ + μ‖Ũ_T‖ n, which gives the next s = μ‖û_T‖ n: the fixed point of de Saxcé's shift is found on the way.
//! σ is adapted (and W + P factorized again) when the primal gap ‖x − z‖ and the dual one ‖z − z_last‖ differ much. It
//! does not need W of full rank, and gets near a solution from anywhere; the last digits are slow.

use super::block_lu::{BlockLu, Symbolic};
use super::measure::Gauge;
use super::{Progress, unsolved};
use crate::delassus::Delassus;
use crate::discrete::Problem;
use crate::nlgs::rho;
use crate::problem::{Mat, Vect};
use crate::report::Settings;
use crate::watch::Watched;

/// Iterations between two looks at σ; the interval doubles with each change.
const LOOK: usize = 20;
/// Iterations until the residual is small enough; leaves the best iterate in `r`.
pub(super) fn run<const D: usize>(
    problem: &Problem<D>,
    gauge: &Gauge,
    r: &mut Vec<Vect<D>>,
    settings: &Settings,
) -> Progress {
    let contacts = problem.contacts();
    let mut best = (gauge.of(problem, r), r.clone());
    let Some(symbolic) = Symbolic::of_problem(problem) else {
        return Progress { iterations: 0, residual: best.0 };
    };
    // Contacts where nothing responds get a penalty of 1 and stay without effect.
    let penalty: Vec<f64> = (0..contacts)
        .map(|a| rho(problem.w.block(a).trace(), D))
        .map(|rho| if rho > 0.0 { 1.0 / rho } else { 1.0 })
        .collect();
    let mut sigma = 0.1;
    let mut lu = BlockLu::<D>::new(symbolic);
    let mut regular = factorize(&mut lu, problem, (&penalty, sigma), settings.watch);
    let mut z = r.clone();
    let u = problem.velocities(&z);
    let mut y: Vec<Vect<D>> = (0..contacts)
        .map(|a| {
            let mut u_hat = u[a];
            u_hat[0] += problem.cone(a).shift(&u[a]);
            // Only what is in the dual cone can be a multiplier.
            (problem.cone(a).project(&-u_hat) + u_hat) * (-1.0 / (sigma * penalty[a]))
        })
        .collect();
    let (mut iterations, mut next_look, mut interval) = (0, LOOK, LOOK);
    while regular && settings.goes_on(iterations) && unsolved(best.0, settings.tolerance) {
        iterations += 1;
        let mut x: Vec<Vect<D>> = (0..contacts)
            .map(|a| {
                let p = sigma * penalty[a];
                let mut right = (z[a] - y[a]) * p - problem.w.free()[a];
                right[0] -= p * problem.cone(a).shift(&y[a]);
                right
            })
            .collect();
        lu.solve(&mut x);
        let (mut primal, mut dual) = (0.0, 0.0);
        for a in 0..contacts {
            let over = x[a] * 1.6 - z[a] * 0.6;
            let next = problem.cone(a).project(&(over + y[a]));
            y[a] += over - next;
            primal += (x[a] - next).norm_squared() * penalty[a] * penalty[a];
            dual += (next - z[a]).norm_squared() * penalty[a] * penalty[a];
            z[a] = next;
        }
        let residual = gauge.of(problem, &z);
        if residual < best.0 {
            best = (residual, z.clone());
            settings.watch.tell(residual);
        }
        if iterations >= next_look {
            let ratio = (primal / dual).sqrt().sqrt().clamp(0.1, 10.0);
            if !(0.5..=2.0).contains(&ratio) && ratio.is_finite() {
                sigma *= ratio;
                y.iter_mut().for_each(|y| *y /= ratio);
                regular = factorize(&mut lu, problem, (&penalty, sigma), settings.watch);
                interval *= 2;
            }
            next_look = iterations + interval;
        }
    }
    *r = best.1;
    Progress { iterations, residual: best.0 }
}

fn factorize<const D: usize>(
    lu: &mut BlockLu<D>,
    problem: &Problem<D>,
    (penalty, sigma): (&[f64], f64),
    watch: Watched,
) -> bool {
    lu.factorize(watch, |a, add| {
        add(a, &(problem.w.block(a) + Mat::identity() * (sigma * penalty[a])));
        problem.w.neighbours(a).for_each(|(b, w)| add(b, w));
    })
}
