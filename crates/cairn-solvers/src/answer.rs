//! A problem of any kind, solved by a named method and judged apart from it.
//!
//! Global problems are condensed, the local one is solved, and the verdict is that of the global one again, with
//! v = M⁻¹ (H r + f).

use crate::clock::Clock;
use crate::condense::Singular;
use crate::discrete::{AnyProblem, Global, Problem, Rolling, flat};
use crate::problem::Vect;
use crate::report::{Report, Settings, Stage};
use crate::solver::wedge::wedged;
use crate::solver::{Measure, Solver};
use crate::verdict::{self, Verdict};

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Impulses, contact by contact, normal first [N·s].
    pub r: Vec<f64>,
    /// Relative velocities, likewise [m/s].
    pub u: Vec<f64>,
    /// How good it is.
    pub verdict: Verdict,
    /// Iterations of the method.
    pub iterations: usize,
    /// Time of condensation and solution [s] (see [`Clock`]).
    pub seconds: f64,
    /// What the method says of its way.
    pub story: String,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum NoAnswer {
    /// Not every method knows moments.
    #[error(
        "this method does not know rolling friction: take `auto`, or any other but `interior` and `nlgs-enumerated`"
    )]
    Rolling,
    /// Numbers of rows and contacts disagree.
    #[error("the sizes of W, q and the coefficients do not fit together")]
    Sizes,
    /// A global problem cannot be condensed.
    #[error(transparent)]
    Singular(#[from] Singular),
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Of both residuals of the [`Verdict`].
    pub tolerance: f64,
    /// Iterations at most, as the method counts them.
    pub iterations: usize,
}

/// Iterations where only a tolerance is asked for.
const MOST_ITERATIONS: usize = 100_000;

impl Wanted {
    /// A tolerance, whatever it takes.
    pub fn to(tolerance: f64) -> Self {
        Self { tolerance, iterations: MOST_ITERATIONS }
    }
}

/// Solves a problem.
pub fn solve(problem: &AnyProblem, solver: Solver, wanted: Wanted) -> Result<Answer, NoAnswer> {
    match problem {
        AnyProblem::Plane(p) => Ok(local(p, solver, wanted)),
        AnyProblem::Solid(p) => Ok(local(p, solver, wanted)),
        AnyProblem::PlaneGlobal(p) => global(p, &[], solver, wanted),
        AnyProblem::SolidGlobal(p) => global(p, &[], solver, wanted),
        AnyProblem::Rolling(p) => rolling(p, solver, wanted),
    }
}

fn local<const D: usize>(problem: &Problem<D>, solver: Solver, wanted: Wanted) -> Answer {
    let clock = Clock::start();
    let attempt = attempt(problem, solver, wanted);
    let seconds = clock.seconds();
    let (verdict, u) = verdict::local(problem, &attempt.r);
    attempt.answer(verdict, &u, seconds)
}

/// `arms` are those of moments, if there are any.
fn global<const D: usize>(
    problem: &Global<D>,
    arms: &[[f64; 2]],
    solver: Solver,
    wanted: Wanted,
) -> Result<Answer, NoAnswer> {
    let clock = Clock::start();
    let (mut condensed, factors) = problem.condense()?;
    condensed.arms = arms.to_vec();
    let attempt = attempt(&condensed, solver, wanted);
    let v = problem.velocities(&factors, &attempt.r);
    let seconds = clock.seconds();
    let (verdict, u) = verdict::global(problem, &condensed, &attempt.r, &v);
    Ok(attempt.answer(verdict, &u, seconds))
}

fn rolling(given: &Rolling, solver: Solver, wanted: Wanted) -> Result<Answer, NoAnswer> {
    if !solver.knows_rolling() {
        return Err(NoAnswer::Rolling);
    }
    if given.rolling_friction.len() != given.friction.len() {
        return Err(NoAnswer::Sizes);
    }
    let arms: Vec<[f64; 2]> = given.rolling_friction.iter().map(|&arm| [arm, 0.0]).collect();
    let friction = given.friction.clone();
    let Some(h) = given.h.clone() else {
        let problem = Problem::<5>::new(&given.matrix, &given.free, friction).ok_or(NoAnswer::Sizes)?;
        return Ok(local(&Problem { arms, ..problem }, solver, wanted));
    };
    let (m, f, w) = (given.matrix.clone(), given.free.clone(), given.w.clone());
    global(&Global::<5> { m, h, f, w, friction }, &arms, solver, wanted)
}

/// What a method gives.
struct Attempt<const D: usize> {
    r: Vec<Vect<D>>,
    iterations: usize,
    story: String,
}

impl<const D: usize> Attempt<D> {
    fn answer(self, verdict: Verdict, u: &[Vect<D>], seconds: f64) -> Answer {
        let Self { r, iterations, story } = self;
        Answer { r: flat(&r), u: flat(u), verdict, iterations, seconds, story }
    }
}

/// Share of the tolerance that a method is given: the verdict on a global problem adds the round-off of its equilibrium.
const MARGIN: f64 = 0.99;

fn attempt<const D: usize>(problem: &Problem<D>, solver: Solver, wanted: Wanted) -> Attempt<D> {
    let mut r = vec![Vect::zeros(); problem.contacts()];
    let (tolerance, measure, max_sweeps) = (MARGIN * wanted.tolerance, Measure::Strict, wanted.iterations);
    let settings = Settings { tolerance, measure, max_sweeps, ..Settings::default() };
    let (report, stages) = solver.solve(problem, &mut r, &settings);
    // Only where everything has been tried: it takes long.
    let wedged = if report.converged || solver != Solver::Auto { 0 } else { wedged(problem, &r) };
    Attempt { r, iterations: report.sweeps, story: story(&report, &stages, wedged) }
}

/// Which methods did what, if there were several, and what may be wrong with the problem, if it is not solved.
fn story(report: &Report, stages: &[Stage], wedged: usize) -> String {
    let stage = |s: &Stage| format!("{} {} to {:.1e}", s.solver, s.iterations, s.residual);
    let mut parts: Vec<String> = match stages {
        [_] => Vec::new(),
        stages => vec![stages.iter().map(stage).collect::<Vec<_>>().join(", ")],
    };
    if report.perhaps_without_solution() {
        let (painleve, unresponsive) = (report.painleve, report.unresponsive);
        parts.push(format!(
            "perhaps there is no solution: {painleve} contacts with μ‖W_NT‖ ≥ W_NN (Painlevé), {unresponsive} that cannot respond"
        ));
    }
    if wedged > 0 {
        parts.push(format!(
            "perhaps there is no solution: {wedged} contacts are wedged, their impulses grow for ever and move nothing"
        ));
    }
    parts.join("; ")
}
