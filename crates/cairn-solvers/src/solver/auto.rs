//! The solver that picks the solver.
//!
//! 1. Gauss–Seidel, watched: while its rate promises the tolerance soon, nothing is better.
//! 2. Newton from there: a few steps finish most problems.
//! 3. Where Newton stalls: more sweeps, Newton with sweeps between, the proximal point, and again, each round with more of each;
//!    the interior point, which does not mind what Newton stalls at (nor knows rolling), once between the first two rounds;
//!    alternating directions from the second round on give another place to start from, and Newton's function is written
//!    with another ρ in each round: it has the same solutions, but does not cycle at the same places.
//!
//! 4. The end: two rounds that do not even halve the residual are taken for a sign that there is no solution, or none that can be found.
//!
//! The interior point does not stay near what the sweeps came to: where impulses are not unique its answer may press bodies on each other
//! many times as strongly, for nothing, and is not taken then.
//!
//! Every stage starts from the best iterate so far and none can make it worse. What is done next depends on residuals
//! and counts only, never on the clock.

use super::gauss_seidel::{GaussSeidel, Patience, Sweeper};
use super::measure::Gauge;
use super::newton::{self, Newton};
use super::{Progress, admm, interior, proximal};
use crate::clock::Clock;
use crate::discrete::Problem;
use crate::problem::Vect;
use crate::report::{Order, Settings, Stage};

/// Further sweeps that Gauss–Seidel may promise before Newton is tried, in the plane and in space: about what some steps of
/// Newton cost. In the plane a sweep is cheap.
const PATIENCE: [usize; 2] = [300, 60];
/// ρ of Newton's function in units of D/tr W_αα, round by round.
const STRETCH: [f64; 5] = [1.0, 10.0, 0.1, 100.0, 0.01];
/// Rounds at most; and those over which the residual must have halved, or there is no hope.
const ROUNDS: usize = 8;
const HOPE: usize = 2;

pub(super) fn run<const D: usize>(
    problem: &Problem<D>,
    gauge: &Gauge,
    sweeper: &Sweeper<D>,
    r: &mut Vec<Vect<D>>,
    settings: &Settings,
) -> Vec<Stage> {
    let mut stages: Vec<Stage> = vec![];
    let mut left = settings.max_sweeps;
    let mut newton = Newton::new(problem);
    let mut stage = |name: &'static str, most: usize, method: &mut dyn FnMut(&Settings) -> Progress| {
        let reached = stages.last().map_or(f64::INFINITY, |s: &Stage| s.residual);
        if left == 0 || reached <= settings.tolerance || settings.watch.is_stopped() {
            return reached;
        }
        let clock = Clock::start();
        let progress = method(&Settings { max_sweeps: most.min(left), ..*settings });
        left -= progress.iterations.min(left);
        let seconds = clock.seconds();
        stages.push(Stage { solver: name, iterations: progress.iterations, residual: progress.residual, seconds });
        progress.residual
    };
    let plain = GaussSeidel::default();
    stage("nlgs", usize::MAX, &mut |s| {
        plain.run(problem, gauge, sweeper, r, s, Patience::Sweeps(PATIENCE[usize::from(D == 3)]))
    });
    // What sweeps have come to is near the start; what other methods find may press for nothing, many times as strongly.
    let gauge = &gauge.clone().knowing(r);
    let mut ends: Vec<f64> = vec![];
    for round in 0..ROUNDS {
        let more = 1 << round;
        newton.stretch = STRETCH[round % STRETCH.len()];
        stage("newton", 20 * more, &mut |s| newton::run(&mut newton, gauge, r, s, None));
        // The other direction shakes off what the first sweeps got caught in.
        let order = if round % 2 == 0 { Order::Symmetric } else { Order::Listed };
        let sweeps = GaussSeidel { order, ..plain };
        stage("nlgs", 50 * more * more, &mut |s| sweeps.run(problem, gauge, sweeper, r, s, Patience::Endless));
        stage("newton", 40 * more, &mut |s| newton::run(&mut newton, gauge, r, s, Some(sweeper)));
        stage("proximal", 40 * more, &mut |s| proximal::run(problem, &mut newton, gauge, r, s));
        let reached = if round == 0 && problem.arms.is_empty() {
            stage("interior", 100, &mut |s| {
                let kept = r.clone();
                let progress = interior::run(problem, gauge, r, s, false);
                if !gauge.explains(r) {
                    *r = kept;
                    return Progress { residual: gauge.of(problem, r), ..progress };
                }
                progress
            })
        } else {
            stage("admm", 200 * more, &mut |s| admm::run(problem, gauge, r, s))
        };
        ends.push(reached);
        if round >= HOPE && reached > 0.5 * ends[round - HOPE] {
            break;
        }
    }
    stages
}
