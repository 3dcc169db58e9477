//! Proximal point: a sequence of regular problems, each solved by the semismooth Newton method.
//!
//!   R̄ ← solution of the problem with W + ε/ρ and q − (ε/ρ) R̄
//!
//! For W of deficient rank, where Newton alone wanders. Each problem has a definite matrix, so that Newton converges for ε
//! large enough; its solutions R = R̄ are those of the original. ε falls while Newton needs few steps, and rises with each
//! failure, after which the last good R̄ is taken up again.

use super::measure::Gauge;
use super::newton::Newton;
use super::{Progress, unsolved};
use crate::discrete::Problem;
use crate::problem::Vect;
use crate::report::Settings;

/// Newton steps for one of the problems.
const INNER: usize = 12;

/// Newton steps in all until the residual is small enough; leaves the best iterate in `r`.
pub(super) fn run<const D: usize>(
    problem: &Problem<D>,
    newton: &mut Newton<'_, D>,
    gauge: &Gauge,
    r: &mut Vec<Vect<D>>,
    settings: &Settings,
) -> Progress {
    let mut best = (gauge.of(problem, r), r.clone());
    let (mut iterations, mut fall) = (0, 0.1);
    newton.epsilon = 1e-4;
    while settings.goes_on(iterations) && unsolved(best.0, settings.tolerance) {
        let centre = r.clone();
        let mut u = newton.velocities(r, Some(&centre));
        let first = newton.merit(r, &u);
        let (mut merit, mut inner, mut solved) = (first, 0, false);
        while inner < INNER && !solved && !settings.watch.is_stopped() {
            inner += 1;
            let Some(step) = newton.direction(r, &u, settings.watch) else { break };
            merit = newton.advance(r, &step, merit, Some(&centre)).1;
            u = newton.velocities(r, Some(&centre));
            let residual = gauge.of(problem, r);
            if residual < best.0 {
                best = (residual, r.clone());
                settings.watch.tell(residual);
            }
            solved = residual <= settings.tolerance || merit < 1e-4 * first;
        }
        iterations += inner;
        if solved && inner <= INNER / 2 {
            newton.epsilon = (fall * newton.epsilon).max(1e-9);
        } else if !solved {
            newton.epsilon = (10.0 * newton.epsilon).min(10.0);
            // What failed once is approached in smaller steps.
            fall = 0.4;
            r.clone_from(&best.1);
        }
    }
    *r = best.1;
    Progress { iterations, residual: best.0 }
}
