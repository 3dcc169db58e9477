//! A problem of any kind, solved by a named method and judged apart from it.
//!
//! Global problems are condensed, the local one is solved, and the verdict is that of the global one again, with
//! v = M⁻¹ (H r + f).

use crate::clock::Clock;
use crate::condense::Singular;
use crate::discrete::{AnyProblem, Global, Problem, flat};
use crate::nlgs;
use crate::problem::Vect;
use crate::report::{Order, Settings};
use crate::verdict::{self, Verdict};

/// Ways to solve a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Gauss–Seidel, contact by contact, in the order of the file.
    Nlgs,
}

impl Method {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Nlgs];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nlgs => "nlgs",
        }
    }

    /// What it is, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Self::Nlgs => "Gauss-Seidel, each contact exactly, in the order of the file",
        }
    }
}

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
    /// The kind is read, but there is no method for it.
    #[error("problems with rolling friction can be read, but not solved: contacts here have no rolling moment")]
    Rolling,
    /// A global problem cannot be condensed.
    #[error(transparent)]
    Singular(#[from] Singular),
}

/// Solves a problem to a tolerance on both residuals of the [`Verdict`].
pub fn solve(problem: &AnyProblem, method: Method, tolerance: f64) -> Result<Answer, NoAnswer> {
    match problem {
        AnyProblem::Plane(p) => Ok(local(p, method, tolerance)),
        AnyProblem::Solid(p) => Ok(local(p, method, tolerance)),
        AnyProblem::PlaneGlobal(p) => global(p, method, tolerance),
        AnyProblem::SolidGlobal(p) => global(p, method, tolerance),
        AnyProblem::Rolling(_) => Err(NoAnswer::Rolling),
    }
}

fn local<const D: usize>(problem: &Problem<D>, method: Method, tolerance: f64) -> Answer {
    let clock = Clock::start();
    let attempt = attempt(problem, method, tolerance);
    let seconds = clock.seconds();
    let (verdict, u) = verdict::local(problem, &attempt.r);
    attempt.answer(verdict, &u, seconds)
}

fn global<const D: usize>(problem: &Global<D>, method: Method, tolerance: f64) -> Result<Answer, NoAnswer> {
    let clock = Clock::start();
    let (condensed, factors) = problem.condense()?;
    let attempt = attempt(&condensed, method, tolerance);
    let v = problem.velocities(&factors, &attempt.r);
    let seconds = clock.seconds();
    let (verdict, u) = verdict::global(problem, condensed.w.free(), &attempt.r, &v);
    Ok(attempt.answer(verdict, &u, seconds))
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

/// Sweeps at most, and sweeps between two looks at the verdict.
const MOST_SWEEPS: usize = 20_000;
const SWEEPS_A_LOOK: usize = 10;

fn attempt<const D: usize>(problem: &Problem<D>, method: Method, tolerance: f64) -> Attempt<D> {
    match method {
        Method::Nlgs => {
            let mut links = problem.links();
            let settings =
                Settings { tolerance: -1.0, max_sweeps: SWEEPS_A_LOOK, order: Order::Listed, ..Settings::default() };
            let mut iterations = 0;
            loop {
                let report = nlgs::solve(&problem.w, &mut links, &settings);
                iterations += report.sweeps;
                let r: Vec<Vect<D>> = links.iter().map(|l| l.impulse).collect();
                let done = verdict::local(problem, &r).0.accepts(tolerance);
                if done || report.broken || iterations >= MOST_SWEEPS {
                    return Attempt { r, iterations, story: String::new() };
                }
            }
        }
    }
}
